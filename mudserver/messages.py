"""What comes out of the rooms behind: frozen, serialisable values, addressed to one person.

Rule 1: a message holds what its reader may know and nothing else; there is no later filter.
Rule 2: one message to many people is one object, so that a screen can paint it once for all.
Rule 3: text in a message is already clean (`mudserver.sanitize`) and carries no escape sequence.
"""

from __future__ import annotations

from typing import Any

import msgspec

from variants.kit.text import StyledLine

SeatNames = tuple[str, ...]


class Message(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Any of the messages below."""


class Notice(Message, frozen=True):
    """The house says something to one person: an answer, a warning, the end of a wait."""

    text: str


class RefusalMessage(Message, frozen=True):
    """An answer to the own line: what is wrong, then what would be right."""

    text: str


class Announcement(Message, frozen=True):
    """News for everybody in a place: who comes and goes, who opened a table."""

    text: str


class SayMessage(Message, frozen=True):
    who: str
    text: str
    location: str = ""  # "" the lobby, "12" a table


class EmoteMessage(Message, frozen=True):
    who: str
    text: str
    location: str = ""


class TellMessage(Message, frozen=True):
    """A private line; *to* is set on the sender's own copy."""

    who: str
    text: str
    to: str = ""


class Page(Message, frozen=True):
    """A title and rows to read: help, who, lists, results.

    In a row of two parts a tab stands between a term and what is said of it.
    """

    title: str
    rows: tuple[str, ...]
    is_to_copy: bool = False  # off the screen, into a file: no pager comes between


class AnswerMessage(Message, frozen=True):
    """What a game says to a question or an errand of its reader, as it laid it out for that one."""

    lines: tuple[StyledLine, ...]


class EventMessage(Message, frozen=True):
    """An event at a table, redacted for its reader."""

    table: int
    variant: str
    seat: int | None  # the reader's seat; None: a watcher
    names: SeatNames  # by seat
    event: Any  # a redacted event of the variant
    mark: str = ""  # "time", "computer", "away": why nobody typed it
    is_past: bool = False  # told again, because the reader asked for it


class ViewMessage(Message, frozen=True):
    """The reader's own view of a table, with who is asked and until when."""

    table: int
    variant: str
    seat: int | None
    names: SeatNames
    view: Any  # a view of the variant
    asked: tuple[int, ...] = ()  # seats that may answer now
    by_computer: tuple[int, ...] = ()  # those of them that a computer decides for; public
    asks: str = ""  # public: "to play"
    deadline_ms: int | None = None  # UTC; None: no clock runs
    window: str = ""  # the key of the open window
    passes_itself: bool = False  # the reader's seat will pass if nothing is typed; its own affair
    missing: int = 0  # answers to a window that takes one of each seat in secret; public
    has_answered: bool = False  # the reader's seat in such a window; its own affair
    why: str = "changed"  # or "look", "back", "over"


class LocationMessage(Message, frozen=True):
    """Where the reader now is: a seat, a place among the watchers, or (table None) the lobby."""

    table: int | None
    variant: str = ""
    seat: int | None = None
    is_playing: bool = False


class GameOver(Message, frozen=True):
    """`Game over: ...` with places and scores, for everybody at the table."""

    table: int
    text: str
    rows: tuple[str, ...] = ()
    names: SeatNames = ()  # by seat, as the next two
    places: tuple[int, ...] = ()
    scores: tuple[int | None, ...] = ()  # None: the game keeps none
    reason: str = ""  # "three are out"


DROPPABLE_TYPES = frozenset({SayMessage, EmoteMessage, Announcement})
"""What looks the same at every table and in the lobby, and what a slow reader loses first."""
