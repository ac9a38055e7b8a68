"""What the servers that share a journal tell each other, on a channel that keeps nothing.

Rule 1: only what `who`, `tables` and talk show crosses: names, places, tables as lists show them,
        and what people say.  No record, no view, no address of a person.
Rule 2: an event of a kind that is not known here is passed over; new fields come last, with a
        default.
"""

from __future__ import annotations

import msgspec

from mudserver.data_messages import TableRow


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Any of the events below."""


class Hello(Event, frozen=True, tag="hello"):
    """A server is there, or may have missed something: the others tell it all that they have."""


class Beat(Event, frozen=True, tag="beat"):
    """A server is well."""

    people: int
    tables: int
    lag_s: float  # how far it is behind in following what others have written
    offset_s: float | None = None  # by which its clock is ahead of the database's; None: not known
    version: str = ""  # of the program
    is_leaving: bool = False  # it gives its tables and people to the others, and ends


class PersonHere(Event, frozen=True, tag="person"):
    """Somebody is online on the server that tells it, or has changed."""

    id: str
    name: str
    is_guest: bool
    is_program: bool
    since_ms: int  # UTC
    table: int | None
    away: str
    idle_min: int  # whole minutes in the lobby; 0 at tables
    round: int  # in which the server tells of all
    is_news: bool = False  # the person has just come, and people are told


class PersonGone(Event, frozen=True, tag="gone"):
    id: str
    is_news: bool


class TableHere(Event, frozen=True, tag="table"):
    """An open table of the server that tells it."""

    number: int
    row: TableRow | None  # None: it is private
    round: int


class TableGone(Event, frozen=True, tag="closed"):
    number: int


class RoundEnd(Event, frozen=True, tag="round"):
    """All people and tables of the server have been told since the round began."""

    round: int
    people: int
    tables: int


class Said(Event, frozen=True, tag="said"):
    """A line in the lobby or in a channel."""

    channel: str  # "": the lobby
    who: str
    speaker: str  # id; "": staff
    text: str
    is_done: bool  # `who` and `text` are one sentence


class News(Event, frozen=True, tag="news"):
    """What everybody in the lobby is told."""

    text: str


class Tell(Event, frozen=True, tag="tell"):
    """Somebody tells somebody on *server* something; that server answers."""

    server: str
    number: int  # of the question, among those of the server that asks
    speaker: str  # id
    speaker_name: str
    is_guest: bool
    listener: str  # id
    text: str
    asked_by: str = ""  # the server that wants the answer; "": the one that tells this


class Told(Event, frozen=True, tag="told"):
    """The answer to a `Tell`, for *server*."""

    server: str
    number: int
    refusal: str = ""  # a sentence; "": the listener has been told
    code: str = ""
    away: str = ""
    idle_s: float = 0.0


AnyEvent = (
    Hello | Beat | PersonHere | PersonGone | TableHere | TableGone | RoundEnd
    | Said | News | Tell | Told
)  # fmt: skip
TALK = (Said, News)
"""They are dropped where there are too many."""
