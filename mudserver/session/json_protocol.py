"""The JSON protocol of programs: one object a line, each with a `type`.

Rule 1: an object is made from a message and nothing else, so it holds only what its reader may
        know.  The moves of a seat follow from the view in the message (`service/moves.py`).
Rule 2: these classes are the protocol.  They encode all output, decode all input, and the schema
        (`json_schema.py`) is made from them.
Rule 3: no object is long: a page of many rows becomes several objects.

The same objects travel as GMCP packages, one package for each type: `view` is `Lockdown.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mudserver import messages as m
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import to_json_value
from variants.kit.text import Style, plain_text

PROTOCOL = 1  # changes when programs must change
PAGE_BYTES_MAX = 16_384  # of the rows of one page, or else a single row

SENTENCE_STYLE = Style(width=300, suits="letters", is_linear=True)
"""The layout of sentences for programs: one fact a line, and no line is wrapped."""

ListMoves = Callable[[m.ViewMessage], tuple[tuple[str, ...], bool]]
"""(view) -> what its reader may type, and whether the list is complete."""

Sentence = Annotated[str, Meta(description="a sentence for people")]
TableNumber = Annotated[int, Meta(description="number of a table")]
SeatIndex = Annotated[int, Meta(ge=0, description="position at the table, clockwise from 0")]
OwnSeat = Annotated[SeatIndex | None, Meta(description="the reader's; null: a watcher")]
SeatNames = Annotated[tuple[str, ...], Meta(description="what the seats are called, by seat")]
TableOrLobby = Annotated[TableNumber | None, Meta(description="null: the lobby")]
UnixMillis = Annotated[int, Meta(description="milliseconds since 1970, UTC, by the house's clock")]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program writes: a line as a person types it, a play or a command."""

    line: str


class ProtocolObject(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=str.lower):
    """Any of the objects below, which a program reads."""


class Hello(ProtocolObject, frozen=True):
    """Who one is.  The first object; it comes again when one has become somebody else (resume)."""

    protocol: Annotated[int, Meta(description="1; another number is another protocol")]
    house: Annotated[str, Meta(description="what the house is called")]
    name: str
    is_guest: bool
    games: Annotated[tuple[str, ...], Meta(description="what can be opened")]
    now: UnixMillis


class Place(ProtocolObject, frozen=True):
    """Where one now is.  A table's number without a seat is a place among its watchers."""

    table: TableOrLobby
    variant: str | None
    seat: OwnSeat
    is_playing: Annotated[bool, Meta(description="a game runs there")]


class View(ProtocolObject, frozen=True):
    """The table as its reader may see it: after every change, after `look`, on coming back."""

    table: TableNumber
    variant: str
    seat: OwnSeat
    names: SeatNames
    view: Annotated[Any, Meta(description="plain data, different for each variant")]
    asked: Annotated[tuple[SeatIndex, ...], Meta(description="who may answer now")]
    asks: Annotated[str, Meta(description='what for: "to play"; "": the game is over')]
    window: Annotated[str, Meta(description="another value is another question")]
    deadline: Annotated[UnixMillis | None, Meta(description="null: no clock runs")]
    moves: Annotated[
        tuple[str, ...],
        Meta(description="what one may type now; empty if one is not asked or has answered"),
    ]
    is_sample: Annotated[bool, Meta(description="there is more that one may type than `moves`")]
    by_computer: Annotated[
        tuple[SeatIndex, ...], Meta(description="those of `asked` whom one is for")
    ]
    passes_itself: Annotated[bool, Meta(description="autopass will answer for one's seat")]
    has_answered: Annotated[bool, Meta(description="one's seat, where answers are secret at first")]
    missing: Annotated[int, Meta(ge=0, description="answers, where they are secret at first")]
    why: Annotated[
        Literal["changed", "look", "back", "over"], Meta(description="why it is shown now")
    ]


class Event(ProtocolObject, frozen=True):
    """What happened in a game, as its reader may know it."""

    table: TableNumber
    variant: str
    seat: OwnSeat
    names: SeatNames
    event: Annotated[Any, Meta(description="plain data, different for each variant")]
    text: Annotated[str, Meta(description='the same in a sentence; "": not worth one')]
    mark: Annotated[
        Literal["", "time", "computer", "away", "autopass"],
        Meta(description="who decided, if not the person whose seat it is"),
    ]


class Over(ProtocolObject, frozen=True):
    """A game has ended.  Equal results share a place."""

    table: TableNumber
    text: Sentence
    reason: str
    names: SeatNames
    places: Annotated[tuple[int, ...], Meta(description="by seat, 1 is the first")]
    scores: Annotated[
        tuple[int | None, ...], Meta(description="by seat; null where the game keeps none")
    ]


class Said(ProtocolObject, frozen=True):
    """Somebody says something in the same place; one reads one's own too."""

    who: str
    text: str
    table: TableOrLobby


class Emoted(ProtocolObject, frozen=True):
    """Somebody does something in the same place: who and text are one sentence."""

    who: str
    text: str
    table: TableOrLobby


class Told(ProtocolObject, frozen=True):
    """Somebody tells one something in private."""

    who: str
    text: str
    to: Annotated[str | None, Meta(description="whom, on the copy of who told it")]


class Announced(ProtocolObject, frozen=True):
    """News for everybody in a place: who comes and goes, who sits down, what a table does."""

    text: Sentence


class Notice(ProtocolObject, frozen=True):
    """The house says something to the reader alone: an answer, a warning."""

    text: Sentence


class Refused(ProtocolObject, frozen=True):
    """A line that was not done: what is wrong, then what would be right.  Nothing has changed."""

    text: Sentence


class Page(ProtocolObject, frozen=True):
    """An answer of many rows: help, lists, the record of a game."""

    title: str
    rows: Annotated[
        tuple[str, ...],
        Meta(description="sentences, or a term and what is said of it with a tab between"),
    ]
    is_last: Annotated[bool, Meta(description="false: the rows go on in the next page")]


class Answer(ProtocolObject, frozen=True):
    """What a game answers to a question or an errand."""

    rows: tuple[str, ...]


class Prompt(ProtocolObject, frozen=True):
    """The next line is the answer to this, and no command.  An empty line goes back."""

    text: str
    is_secret: bool


class Lost(ProtocolObject, frozen=True):
    """Objects that were not sent because the program reads too slowly.  `look` shows the table."""

    count: Annotated[int, Meta(ge=1)]


class Bye(ProtocolObject, frozen=True):
    """The last object: why the line ends."""

    text: Sentence


OBJECTS: tuple[type[ProtocolObject], ...] = (
    Hello, Place, View, Event, Over, Said, Emoted, Told, Announced, Notice, Refused, Page, Answer,
    Prompt, Lost, Bye,
)  # fmt: skip

_encode = msgspec.json.Encoder().encode


def encode(value: ProtocolObject) -> bytes:
    """The object as JSON, in one line and without the line end."""
    return _encode(value)


def gmcp_package_name(value: ProtocolObject) -> str:
    """The GMCP package that carries the object: `Lockdown.View`."""
    return f"Lockdown.{type(value).__name__}"


def to_objects(
    message: m.Message, games: Catalogue, list_moves: ListMoves
) -> Iterator[ProtocolObject]:
    """The objects of a message; nearly always one."""
    match message:
        case m.ViewMessage():
            yield _view(message, *list_moves(message))
        case m.EventMessage():
            yield _event(message, games[message.variant])
        case m.Page(title, rows):
            yield from _pages(title, rows)
        case _:
            yield _simple_object(message)


def _simple_object(message: m.Message) -> ProtocolObject:
    match message:
        case m.SayMessage(who, text, location):
            return Said(who, text, _table_number(location))
        case m.EmoteMessage(who, text, location):
            return Emoted(who, text, _table_number(location))
        case m.TellMessage(who, text, to):
            return Told(who, text, to or None)
        case m.Announcement(text):
            return Announced(text)
        case m.Notice(text):
            return Notice(text)
        case m.RefusalMessage(text):
            return Refused(text)
        case m.AnswerMessage(lines):
            return Answer(tuple([plain_text(one) for one in lines]))
        case m.LocationMessage(table, variant, seat, is_playing):
            return Place(table, variant or None, seat, is_playing)
        case m.GameOver():
            return Over(
                message.table, message.text, message.reason, message.names, message.places,
                message.scores,
            )  # fmt: skip
    raise TypeError(f"{type(message).__name__} has no object")


def _table_number(location: str) -> int | None:
    return int(location) if location else None


def _view(message: m.ViewMessage, moves: tuple[str, ...], is_all: bool) -> View:
    return View(
        table=message.table,
        variant=message.variant,
        seat=message.seat,
        names=message.names,
        view=to_json_value(message.view),
        asked=message.asked,
        asks=message.asks,
        window=message.window,
        deadline=message.deadline_ms,
        moves=moves,
        is_sample=not is_all,
        by_computer=message.by_computer,
        passes_itself=message.passes_itself,
        has_answered=message.has_answered,
        missing=message.missing,
        why=message.why,  # type: ignore[arg-type]
    )


def _event(message: m.EventMessage, variant: AnyVariant) -> Event:
    sentence = variant.describe_event(message.event, message.seat, message.names, SENTENCE_STYLE)  # type: ignore[arg-type]
    return Event(
        message.table,
        message.variant,
        message.seat,
        message.names,
        to_json_value(message.event),
        plain_text(sentence) if sentence is not None else "",
        message.mark,  # type: ignore[arg-type]
    )


def _pages(title: str, rows: tuple[str, ...]) -> Iterator[Page]:
    first = length = 0
    for index, row in enumerate(rows):
        length += len(row.encode())
        if length > PAGE_BYTES_MAX and index > first:
            yield Page(title, rows[first:index], False)
            first, length = index, len(row.encode())
    yield Page(title, rows[first:], True)
