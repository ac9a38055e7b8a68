"""What a program reads and writes: one JSON object a line, each with a `type`.

Rule 1: an object is made of a message and of nothing else, so it holds what its reader may know.
        What a seat may type follows from the view in the message (`house/plays.py`).
Rule 2: these classes are the protocol: what is sent is written by them, what a program writes is
        read by them, and the schema (`schema.py`) is made from them.
Rule 3: no object is long: a page of many rows comes as several.

The same objects travel as GMCP packages, a type each: `view` is `Lockdown.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mudserver import messages as m
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.plain import to_plain
from variants.kit.text import Style, plain

PROTOCOL = 1  # another number: programs have to be changed
PAGE_BYTES = 16_384  # of the rows of one page, or else a single row

STYLE = Style(width=300, suits="letters", is_linear=True)
"""How sentences for programs are laid out: one fact a line, and no line broken."""

Offered = Callable[[m.Shown], tuple[list[str], bool]]
"""(view) -> what its reader may type, and whether that is all there is."""

Text = Annotated[str, Meta(description="a sentence for people")]
Table = Annotated[int, Meta(description="number of a table")]
Seat = Annotated[int, Meta(ge=0, description="position at the table, clockwise from 0")]
OwnSeat = Annotated[Seat | None, Meta(description="the reader's; null: a watcher")]
Names = Annotated[tuple[str, ...], Meta(description="what the seats are called, by seat")]
Where = Annotated[Table | None, Meta(description="null: the lobby")]
Millis = Annotated[int, Meta(description="milliseconds since 1970, UTC, by the house's clock")]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program writes: a line as a person types it, a play or a command."""

    line: str


class Object(msgspec.Struct, frozen=True, gc=False, tag_field="type", tag=str.lower):
    """Any of the objects below, which a program reads."""


class Hello(Object, frozen=True):
    """Who one is.  The first object; it comes again when one has become somebody else (resume)."""

    protocol: Annotated[int, Meta(description="1; another number is another protocol")]
    house: Annotated[str, Meta(description="what the house is called")]
    name: str
    is_guest: bool
    games: Annotated[tuple[str, ...], Meta(description="what can be opened")]
    now: Millis


class Place(Object, frozen=True):
    """Where one now is.  A table's number without a seat is a place among its watchers."""

    table: Where
    variant: str | None
    seat: OwnSeat
    is_playing: Annotated[bool, Meta(description="a game runs there")]


class View(Object, frozen=True):
    """The table as its reader may see it: after every change, after `look`, on coming back."""

    table: Table
    variant: str
    seat: OwnSeat
    names: Names
    view: Annotated[Any, Meta(description="plain data, different for each variant")]
    asked: Annotated[tuple[Seat, ...], Meta(description="who may answer now")]
    asks: Annotated[str, Meta(description='what for: "to play"; "": the game is over')]
    window: Annotated[str, Meta(description="another value is another question")]
    deadline: Annotated[Millis | None, Meta(description="null: no clock runs")]
    moves: Annotated[
        tuple[str, ...],
        Meta(description="what one may type now; empty if one is not asked or has answered"),
    ]
    is_sample: Annotated[bool, Meta(description="there is more that one may type than `moves`")]
    by_computer: Annotated[tuple[Seat, ...], Meta(description="those of `asked` whom one is for")]
    passes_itself: Annotated[bool, Meta(description="autopass will answer for one's seat")]
    has_answered: Annotated[bool, Meta(description="one's seat, where answers are secret at first")]
    missing: Annotated[int, Meta(ge=0, description="answers, where they are secret at first")]
    why: Annotated[
        Literal["changed", "look", "back", "over"], Meta(description="why it is shown now")
    ]


class Event(Object, frozen=True):
    """What happened in a game, as its reader may know it."""

    table: Table
    variant: str
    seat: OwnSeat
    names: Names
    event: Annotated[Any, Meta(description="plain data, different for each variant")]
    text: Annotated[str, Meta(description='the same in a sentence; "": not worth one')]
    mark: Annotated[
        Literal["", "time", "computer", "away", "autopass"],
        Meta(description="who decided, if not the person whose seat it is"),
    ]


class Over(Object, frozen=True):
    """A game has ended.  Equal results share a place."""

    table: Table
    text: Text
    reason: str
    names: Names
    places: Annotated[tuple[int, ...], Meta(description="by seat, 1 is the first")]
    scores: Annotated[
        tuple[int | None, ...], Meta(description="by seat; null where the game keeps none")
    ]


class Said(Object, frozen=True):
    """Somebody says something in the same place; one reads one's own too."""

    who: str
    text: str
    table: Where


class Emoted(Object, frozen=True):
    """Somebody does something in the same place: who and text are one sentence."""

    who: str
    text: str
    table: Where


class Told(Object, frozen=True):
    """Somebody tells one something in private."""

    who: str
    text: str
    to: Annotated[str | None, Meta(description="whom, on the copy of who told it")]


class Announced(Object, frozen=True):
    """News for everybody in a place: who comes and goes, who sits down, what a table does."""

    text: Text


class Notice(Object, frozen=True):
    """The house says something to the reader alone: an answer, a warning."""

    text: Text


class Refused(Object, frozen=True):
    """A line that was not done: what is wrong, then what would be right.  Nothing has changed."""

    text: Text


class Page(Object, frozen=True):
    """An answer of many rows: help, lists, the record of a game."""

    title: str
    rows: Annotated[
        tuple[str, ...],
        Meta(description="sentences, or a term and what is said of it with a tab between"),
    ]
    is_last: Annotated[bool, Meta(description="false: the rows go on in the next page")]


class Answer(Object, frozen=True):
    """What a game answers to a question or an errand."""

    rows: tuple[str, ...]


class Prompt(Object, frozen=True):
    """The next line is the answer to this, and no command.  An empty line goes back."""

    text: str
    is_secret: bool


class Lost(Object, frozen=True):
    """Objects that were not sent because the program reads too slowly.  `look` shows the table."""

    count: Annotated[int, Meta(ge=1)]


class Bye(Object, frozen=True):
    """The last object: why the line ends."""

    text: Text


OBJECTS: tuple[type[Object], ...] = (
    Hello, Place, View, Event, Over, Said, Emoted, Told, Announced, Notice, Refused, Page, Answer,
    Prompt, Lost, Bye,
)  # fmt: skip

_encode = msgspec.json.Encoder().encode


def encoded(made: Object) -> bytes:
    """The object as JSON, in one row and without its end."""
    return _encode(made)


def package_of(made: Object) -> str:
    """The GMCP package that carries the object: `Lockdown.View`."""
    return f"Lockdown.{type(made).__name__}"


def objects_of(message: m.Message, games: Catalogue, offered: Offered) -> Iterator[Object]:
    """A message as a program reads it; nearly always one object."""
    match message:
        case m.Shown():
            yield _view(message, *offered(message))
        case m.Happened():
            yield _event(message, games[message.variant])
        case m.Page(title, rows):
            yield from _pages(title, rows)
        case _:
            yield _plain(message)


def _plain(message: m.Message) -> Object:
    match message:
        case m.Said(who, text, place):
            return Said(who, text, _number(place))
        case m.Emoted(who, text, place):
            return Emoted(who, text, _number(place))
        case m.Told(who, text, to):
            return Told(who, text, to or None)
        case m.Announced(text):
            return Announced(text)
        case m.Notice(text):
            return Notice(text)
        case m.Refused(text):
            return Refused(text)
        case m.Answered(lines):
            return Answer(tuple([plain(one) for one in lines]))
        case m.Seated(table, variant, seat, is_playing):
            return Place(table, variant or None, seat, is_playing)
        case m.GameOver():
            return Over(
                message.table, message.text, message.reason, message.names, message.places,
                message.scores,
            )  # fmt: skip
    raise TypeError(f"{type(message).__name__} has no object")


def _number(place: str) -> int | None:
    return int(place) if place else None


def _view(shown: m.Shown, moves: list[str], is_all: bool) -> View:
    return View(
        table=shown.table,
        variant=shown.variant,
        seat=shown.seat,
        names=shown.names,
        view=to_plain(shown.view),
        asked=shown.asked,
        asks=shown.asks,
        window=shown.window,
        deadline=shown.deadline_ms,
        moves=tuple(moves),
        is_sample=not is_all,
        by_computer=shown.by_computer,
        passes_itself=shown.passes_itself,
        has_answered=shown.has_answered,
        missing=shown.missing,
        why=shown.why,  # type: ignore[arg-type]
    )


def _event(message: m.Happened, variant: AnyVariant) -> Event:
    told = variant.tell(message.event, message.seat, message.names, STYLE)  # type: ignore[arg-type]
    return Event(
        message.table,
        message.variant,
        message.seat,
        message.names,
        to_plain(message.event),
        plain(told) if told is not None else "",
        message.mark,  # type: ignore[arg-type]
    )


def _pages(title: str, rows: tuple[str, ...]) -> Iterator[Page]:
    first = room = 0
    for at, row in enumerate(rows):
        room += len(row.encode())
        if room > PAGE_BYTES and at > first:
            yield Page(title, rows[first:at], False)
            first, room = at, len(row.encode())
    yield Page(title, rows[first:], True)
