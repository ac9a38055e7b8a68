"""What the servers that share a journal tell each other, on a channel that keeps nothing.

Rule 1: only what `who`, `tables` and talk show crosses: names, places, tables as lists show them,
        and what people say; who may come to a table (`Access`), and what waits for whom at one
        (`OwnElsewhere`), of which only those people are told.  No record, no view; an address of a
        person only where the staff asks for it.
Rule 2: an event of a kind that is not known here is passed over; new fields come last, with a
        default.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from mudserver.data_messages import OwnGame, TableRow
from mudserver.lobby.seek import Seek


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
    readers: dict[str, int] = {}  # of channels, by name


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
    seeks: tuple[Seek, ...] = ()


class Leaving(Event, frozen=True, tag="leaving"):
    """A server ends; its people go on elsewhere, or come again."""


class PersonGone(Event, frozen=True, tag="gone"):
    id: str
    is_news: bool


class SessionLeft(Event, frozen=True, tag="left"):
    """What somebody has left for the next terminal waits on the server that tells it."""

    person: str  # id
    visit: str  # the id of that session
    came_by: str  # the protocol
    since_ms: int  # UTC, like the next
    left_ms: int
    table: int  # where it was; 0: at none
    round: int = 0  # in which the server tells of all


class SessionTaken(Event, frozen=True, tag="taken"):
    """It waits no longer."""

    person: str  # id
    visit: str


class Invitation(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Somebody may sit down at a table, whatever it asks of others."""

    whom: str  # id
    by: str  # id
    by_name: str
    until_ms: int  # UTC
    since_ms: int = 0  # UTC; 0: told by an older release


class Access(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who has a way to a table that no list shows."""

    variant: str
    code_hash: str = ""  # of a private table, as `tables/table_codes.py` makes it
    invited: tuple[Invitation, ...] = ()
    options: dict[str, str] = {}  # where somebody is invited, as `open` takes them
    left: tuple[str, ...] = ()  # ids of those whose seat a computer player has, until they return
    guests: tuple[str, ...] = ()  # ids of those who have a seat, which a code gives back


class OwnElsewhere(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A game by correspondence, or an adjourned one, as the person who has a seat is told of it."""

    person: str  # id
    variant: str
    phase: Literal["waiting", "playing", "over", "closed"]
    is_asked: bool
    others: tuple[str, ...]  # names of the other seats that are asked
    deadline_ms: int | None
    has_offer: bool = False
    is_opener: bool = False
    adjourned_for: tuple[str, ...] = ()
    own: OwnGame | None = None  # for programs
    ends_ms: int | None = None
    seek_ms: int = 0


class TableHere(Event, frozen=True, tag="table"):
    """An open table of the server that tells it."""

    number: int
    row: TableRow | None  # None: it is private
    round: int
    access: Access | None = None  # None: nobody has any
    own: tuple[OwnElsewhere, ...] = ()  # of those who need not be there


class TableGone(Event, frozen=True, tag="closed"):
    number: int


class TablesGiven(Event, frozen=True, tag="given"):
    """Open tables are *server*'s from now on: the one that had them ends."""

    server: str
    numbers: tuple[int, ...]
    at_ms: int  # UTC, when they stopped


class RoundEnd(Event, frozen=True, tag="round"):
    """All people and tables of the server have been told since the round began."""

    round: int
    people: int
    tables: int
    sessions: int = 0  # that were left


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
    but: tuple[str, ...] = ()  # people who are told otherwise


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


class LateTell(Event, frozen=True, tag="late"):
    """What somebody was told who was on the way to another server: for whichever that is."""

    speaker: str  # id
    speaker_name: str
    is_guest: bool
    listener: str  # id
    text: str


class AskSource(Event, frozen=True, tag="source"):
    """From where somebody on *server* came in, for an act of the staff; that server answers."""

    server: str
    number: int
    person: str  # id


class AskPlace(Event, frozen=True, tag="place"):
    """Whether a table of *server* takes somebody who has to give up a place for it; it answers."""

    server: str
    number: int
    table: int
    person: str  # id
    name: str
    is_guest: bool
    is_program: bool
    watches: bool
    code: str  # of a private table, as typed
    takes_over: bool = False  # a seat that was left, as a substitute
    seat: int | None = None  # its number as typed; None: the only one


class AskToInvite(Event, frozen=True, tag="invite"):
    """Whether somebody on *server* takes an invitation; that server answers."""

    server: str
    number: int
    by: str  # id
    whom: str  # id


class AskToTake(Event, frozen=True, tag="take"):
    """Whether somebody can take a game that a person on *server* offers; that server answers.

    It has opened the table then.
    """

    server: str
    number: int
    seek: int  # its number
    person: str  # id of who takes it
    name: str
    is_guest: bool
    is_program: bool


class Declined(Event, frozen=True, tag="declined"):
    """Somebody does not accept the invitation to a table, of whichever server."""

    table: int
    whom: str  # id


class Noticed(Event, frozen=True, tag="noticed"):
    """Somebody was told of games outside the servers: the others wait before they do."""

    person: str  # id
    at_ms: int  # UTC


class Told(Event, frozen=True, tag="told"):
    """The answer to a question, for *server*."""

    server: str
    number: int
    refusal: str = ""  # a sentence; "": it was done
    code: str = ""
    away: str = ""
    idle_s: float = 0.0
    source: str = ""  # to `AskSource`
    table: int = 0  # to `AskToTake`


AnyEvent = (
    Hello | Beat | Leaving | PersonHere | PersonGone | TableHere | TableGone | RoundEnd
    | Said | News | Tell | LateTell | AskSource | AskPlace | AskToInvite | AskToTake | Declined
    | Told | TablesGiven | SessionLeft | SessionTaken | Noticed
)  # fmt: skip
TALK = (Said, News)
"""They are dropped where there are too many."""
