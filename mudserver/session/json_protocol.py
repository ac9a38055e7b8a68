"""The objects that programs read and write: JSON, one object a line, each with a `type`.

Rule 1: an object is made from a message and from nothing else, so it holds what its reader may
        know.  The `moves` of a view follow from the view in the message (`service/moves.py`).
Rule 2: the classes are the protocol.  A `messages.WireMessage` is sent as it is; the classes below
        are the objects that differ from a message or belong to the session alone.  `OBJECTS` lists
        all types; encoder, schema (`json_schema.py`) and GMCP package names derive from it.
Rule 3: objects are bounded: a page of many rows is sent in several.
Rule 4: protocol 1 is frozen.  To add keys to protocol 2 alone, subclass the class of protocol 1
        (the tag is inherited), put the subclass in its place in `OBJECTS[2]`, and make that one:
        `of_protocol` reduces it to its base class for protocol 1.  A new type is listed in
        `OBJECTS[2]` alone, and protocol 1 does not send it.  A new key inside a view or an event
        has the metadata `SINCE_2` (`variants.kit.json_values`).

The same objects travel as GMCP packages, one for each type: `view` is `Lockdown.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mudserver import messages as m
from mudserver.messages import OwnSeat, SeatIndex, SeatNames, Sentence, TableNumber, WireObject
from mudserver.session.presenter import earlier_lines, summary_lines
from mudserver.transport.link import JsonProtocol
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import is_known, to_json_value
from variants.kit.text import Style, plain_text

PAGE_BYTES_MAX = 16_384  # of the rows of one page, or else a single row

SENTENCE_STYLE = Style(width=300, suits="letters", is_linear=True)
"""The layout of sentences for programs: one fact a line, and no line is wrapped."""

ListMoves = Callable[[m.ViewMessage], tuple[tuple[str, ...], bool]]
"""(view) -> what its reader may type, and whether the list is complete."""

Watcher = Annotated[bool, Meta(description="the speaker watches the table")]
Channel = Annotated[str, Meta(description='where it is said; "": in the place')]

UnixMillis = Annotated[int, Meta(description="milliseconds since 1970, UTC, by the server's clock")]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program writes: a line as a person types it, either a play or a command."""

    line: str


class Hello(WireObject, frozen=True, tag="hello"):
    """The first object: who the reader is.  Sent again when that changes: `resume`, `register`."""

    protocol: Annotated[int, Meta(description="the version of these objects")]
    house: Annotated[str, Meta(description="the name of the server")]
    name: str
    is_guest: bool
    games: Annotated[tuple[str, ...], Meta(description="the games that `open` knows")]
    now: UnixMillis


class View(WireObject, frozen=True, tag="view"):
    """A table as its reader may see it.  Sent after every change, after `look` and on return."""

    table: TableNumber
    variant: str
    seat: OwnSeat
    names: SeatNames
    view: Annotated[Any, Meta(description="plain data, different for each variant")]
    asked: Annotated[tuple[SeatIndex, ...], Meta(description="seats that may answer now")]
    asks: Annotated[str, Meta(description='what for: "to play"; "": the game is over')]
    window: Annotated[str, Meta(description="another value is another question")]
    deadline: Annotated[UnixMillis | None, Meta(description="null: no clock runs")]
    moves: Annotated[
        tuple[str, ...],
        Meta(description="what the reader may type now; empty if not asked, or already answered"),
    ]
    is_sample: Annotated[bool, Meta(description="the reader may type more than `moves`")]
    by_computer: Annotated[
        tuple[SeatIndex, ...], Meta(description="those of `asked` that a computer plays")
    ]
    passes_itself: Annotated[bool, Meta(description="autopass will answer for the reader's seat")]
    has_answered: Annotated[
        bool, Meta(description="the reader's seat, where answers stay secret until all are in")
    ]
    missing: Annotated[
        int, Meta(ge=0, description="number of answers that such a question still waits for")
    ]
    why: Annotated[
        Literal["changed", "look", "back", "over"], Meta(description="why it is sent now")
    ]


class ViewWithLevels(View, frozen=True):
    """Protocol 2."""

    levels: Annotated[
        tuple[str | None, ...],
        Meta(description="of computer players, by seat; null where a person plays"),
    ]
    match: Annotated[m.MatchStatus | None, Meta(description="null: no match of several deals")]


class Event(WireObject, frozen=True, tag="event"):
    """What happened in a game, as its reader may know it."""

    table: TableNumber
    variant: str
    seat: OwnSeat
    names: SeatNames
    event: Annotated[Any, Meta(description="plain data, different for each variant")]
    text: Annotated[str, Meta(description='the same in a sentence; "": it needs none')]
    mark: Annotated[
        Literal["", "time", "computer", "away", "autopass"],
        Meta(description="who decided, if not the person in the seat"),
    ]


class Said(WireObject, frozen=True, tag="said"):
    """Somebody says something in the same place.  The speaker reads it, too."""

    who: str
    text: str
    table: m.TableOrLobby = None


class SaidSince2(Said, frozen=True):
    """Protocol 2."""

    watcher: Watcher = False
    channel: Channel = ""


class Emoted(WireObject, frozen=True, tag="emoted"):
    """Somebody does something in the same place: `who` and `text` are one sentence."""

    who: str
    text: str
    table: m.TableOrLobby = None


class EmotedSince2(Emoted, frozen=True):
    """Protocol 2."""

    watcher: Watcher = False
    channel: Channel = ""


class Told(WireObject, frozen=True, tag="told"):
    """Somebody tells the reader something in private."""

    who: str
    text: str
    to: Annotated[
        str | None, Meta(description="the recipient, on the copy of the one who told it")
    ] = None


class ToldOrMailed(Told, frozen=True):
    """Protocol 2."""

    mail: Annotated[bool, Meta(description="it was left in the mailbox, and is read now")] = False


class Page(WireObject, frozen=True, tag="page"):
    """An answer of many rows: help, a list, the record of a game."""

    title: str
    rows: Annotated[
        tuple[str, ...],
        Meta(description="sentences; a tab separates a term from its explanation"),
    ]
    is_last: Annotated[bool, Meta(description="false: the rows continue in the next page")]


class Answer(WireObject, frozen=True, tag="answer"):
    """A game's answer to a question or a utility command."""

    rows: tuple[str, ...]


class Prompt(WireObject, frozen=True, tag="prompt"):
    """A question: the next line is its answer and no command.  An empty line cancels it."""

    text: str
    is_secret: bool


class Lost(WireObject, frozen=True, tag="lost"):
    """Objects were dropped because the program reads too slowly.  `look` shows the table."""

    count: Annotated[int, Meta(ge=1)]


class Bye(WireObject, frozen=True, tag="bye"):
    """The last object: why the connection ends."""

    text: Sentence


OBJECTS_1: tuple[type[WireObject], ...] = (
    Hello, m.LocationMessage, View, Event, m.GameOver, Said, Emoted, Told, m.Announcement,
    m.Notice, m.RefusalMessage, Page, Answer, Prompt, Lost, Bye,
)  # fmt: skip

_SINCE_2: dict[type[WireObject], type[WireObject]] = {
    View: ViewWithLevels,
    Said: SaidSince2,
    Emoted: EmotedSince2,
    Told: ToldOrMailed,
}

OBJECTS: dict[JsonProtocol, tuple[type[WireObject], ...]] = {
    1: OBJECTS_1,
    2: (
        *[_SINCE_2.get(kind, kind) for kind in OBJECTS_1],
        *(m.HintMessage, m.SanctionedMessage, m.WarnedMessage, m.PresenceMessage),
        m.RestartedMessage,
    ),
}
"""All types that a program reads, by protocol."""

_encode = msgspec.json.Encoder().encode

Encoded = tuple[str, bytes]
"""The GMCP package name of an object, and its JSON without a line end."""


def type_name(kind: type[WireObject]) -> str:
    """The `type` of the objects of a class."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str), kind
    return tag


def schema_name(kind: type[WireObject]) -> str:
    """The name of a class in the schema: `View` for the type `view`."""
    return type_name(kind).capitalize()


def gmcp_package_name(kind: type[WireObject]) -> str:
    """The GMCP package that carries the objects of a class: `Lockdown.View`."""
    return f"Lockdown.{schema_name(kind)}"


def encode(protocol: JsonProtocol, *objects: WireObject) -> list[Encoded]:
    """Those of the objects that *protocol* has."""
    known = [each for each in (of_protocol(one, protocol) for one in objects) if each is not None]
    return [(gmcp_package_name(type(each)), _encode(each)) for each in known]


def of_protocol(value: WireObject, protocol: JsonProtocol) -> WireObject | None:
    """The object as *protocol* has it; None: protocol 1 does not have its type."""
    if protocol != 1 or type(value) in OBJECTS[1]:
        return value
    for base in type(value).__mro__:
        if base in OBJECTS[1]:
            return base(*[getattr(value, key) for key in base.__struct_fields__])
    return None


def to_objects(
    message: m.Message, games: Catalogue, list_moves: ListMoves, protocol: JsonProtocol
) -> Iterator[WireObject]:
    """The objects of a message; nearly always one."""
    match message:
        case m.HintMessage(line, text) if protocol == 1:
            yield m.Notice(f"Try: {line}. Reason: {text}")
        case m.WireMessage():
            yield message
        case m.ReadMail(speaker=who, words=text) if protocol != 1:
            yield ToldOrMailed(who, text, mail=True)
        case m.AwayMessage(text=text) | m.EndExplained(text=text) | m.QuotedNotice(text=text):
            yield m.Notice(text)
        case m.GameSummary():
            lines = summary_lines(message, SENTENCE_STYLE, games[message.variant])
            yield from [m.Announcement(plain_text(line)) for line in lines]
        case m.RingingAnnouncement(text=text):
            yield m.Announcement(text)
        case m.SayMessage(who, text, table, is_watcher=is_watcher, channel=channel):
            named = _speaker(who, channel, protocol)
            yield SaidSince2(named, text, table, is_watcher, channel)
        case m.EmoteMessage(who, text, table, is_watcher=is_watcher, channel=channel):
            named = _speaker(who, channel, protocol)
            yield EmotedSince2(named, text, table, is_watcher, channel)
        case m.EarlierTalk():
            rows = [plain_text(line) for line in earlier_lines(message, is_linear=False)]
            yield from _pages(message.title, tuple(rows[1:]))
        case m.TellMessage(who, text, to):
            yield ToldOrMailed(who, text, to)
        case m.ViewMessage():
            yield _view(message, *list_moves(message), protocol)
        case m.EventMessage():
            if not is_known(type(message.event), protocol):
                return  # the view that follows shows what has happened
            yield _event(message, games[message.variant], protocol)
        case m.Page(title, rows) | m.StaffPage(title, rows):
            yield from _pages(title, tuple([m.row_text(row) for row in rows]))
        case m.LessonStep() | m.LessonOver() | m.KnownPlace():
            return  # lessons are for people: a MUD client reads their text
        case m.AnswerMessage(lines):
            yield Answer(tuple([plain_text(line) for line in lines]))
        case _:
            raise TypeError(f"{type(message).__name__} has no object")


def _speaker(who: str, channel: str, protocol: JsonProtocol) -> str:
    """Protocol 1 has no channels: the one is named before the speaker."""
    return f"[{channel}] {who}" if channel and protocol == 1 else who


def _view(
    message: m.ViewMessage, moves: tuple[str, ...], is_all: bool, protocol: JsonProtocol
) -> ViewWithLevels:
    return ViewWithLevels(
        table=message.table,
        variant=message.variant,
        seat=message.seat,
        names=message.names,
        view=to_json_value(message.view, protocol),
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
        levels=message.levels,
        match=message.match,
    )


def _event(message: m.EventMessage, variant: AnyVariant, protocol: JsonProtocol) -> Event:
    sentence = variant.describe_event(message.event, message.seat, message.names, SENTENCE_STYLE)  # type: ignore[arg-type]
    return Event(
        message.table,
        message.variant,
        message.seat,
        message.names,
        to_json_value(message.event, protocol),
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
