"""The objects that programs read and write: JSON, one object a line, each with a `type`.

Rule 1: an object is made from a message and from nothing else, so it holds what its reader may
        know.  The `moves` of a view follow from the view in the message (`service/moves.py`).
Rule 2: the classes are the protocol.  A `messages.WireMessage` is sent as it is; `json_objects.py`
        has the objects that differ from a message or belong to the session alone.  `OBJECTS` lists
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
from math import ceil
from typing import Any

import msgspec
from msgspec.structs import replace

from mudserver import data_account, data_people, data_results, data_tourneys
from mudserver import data_messages as d
from mudserver import messages as m
from mudserver.messages import WireObject
from mudserver.session import json_objects as o
from mudserver.session.presenter import earlier_lines, replay_lines, summary_lines
from mudserver.session.replay_lines import header
from mudserver.transport.link import JsonProtocol
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.json_values import KnownIds, is_known, known_ids, to_json_value
from variants.kit.text import Style, plain_text

PAGE_BYTES_MAX = 16_384  # of the rows of one page, or else a single row

SENTENCE_STYLE = Style(width=300, suits="letters", is_linear=True)
"""The layout of sentences for programs: one fact a line, and no line is wrapped."""

ListMoves = Callable[[m.ViewMessage], tuple[tuple[str, ...], bool]]
"""(view) -> what its reader may type, and whether the list is complete."""

OBJECTS_1: tuple[type[WireObject], ...] = (
    o.Hello, m.LocationMessage, o.View, o.Event, m.GameOver, o.Said, o.Emoted, o.Told,
    m.Announcement, m.Notice, o.Refused, o.Page, o.Answer, o.Prompt, o.Lost, o.Bye,
)  # fmt: skip

_SINCE_2: dict[type[WireObject], type[WireObject]] = {
    o.Hello: o.HelloSince2,
    o.View: o.ViewSince2,
    o.Event: o.EventSince2,
    m.GameOver: d.GameOverSince2,
    o.Said: o.SaidSince2,
    o.Emoted: o.EmotedSince2,
    o.Told: o.ToldOrMailed,
    o.Refused: o.RefusedSince2,
    o.Page: o.PageSince2,
}

OBJECTS: dict[JsonProtocol, tuple[type[WireObject], ...]] = {
    1: OBJECTS_1,
    2: (
        *[_SINCE_2.get(kind, kind) for kind in OBJECTS_1],
        *(m.HintMessage, o.Done, o.Pong, o.Replay),
        *d.DATA_TYPES,
        *data_people.PEOPLE_TYPES,
        *data_account.ACCOUNT_TYPES,
        *data_results.RESULT_TYPES,
        *data_tourneys.TOURNEY_TYPES,
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
    return "".join(word.capitalize() for word in type_name(kind).split("_"))


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
        case m.LineAnswered() | m.MovesWait() | m.WatchersNotice():
            return  # the session that has numbered the line says `done`; `watchers` is an object
        case m.RefusalMessage(text, code, wait_s, tables):
            about = o.About(seconds=ceil(wait_s) or None, tables=tables)
            yield o.RefusedSince2(text, code, about=about if wait_s or tables else None)
        case m.WireMessage():
            yield message
        case m.ReadMail(speaker=who, words=text) if protocol != 1:
            yield o.ToldOrMailed(who, text, mail=True)
        case m.QuotedAnnouncement(text=text):
            yield m.Announcement(text)
        case m.AwayMessage(text=text) | m.EndExplained(text=text) | m.QuotedNotice(text=text):
            yield m.Notice(text)
        case m.ReplayOver(text) | m.CallNotice(text):
            yield m.Notice(text)
        case m.ReplayStep() if protocol != 1:
            yield _replay(message, *list_moves(message.view), games[message.view.variant])
        case m.ReplayStep():
            lines = replay_lines(message, SENTENCE_STYLE, games[message.view.variant])
            yield from _pages(header(message), tuple([plain_text(line) for line in lines]))
        case m.GameSummary():
            lines = summary_lines(message, SENTENCE_STYLE, games[message.variant])
            yield from [m.Announcement(plain_text(line)) for line in lines]
        case m.RingingAnnouncement(text=text):
            yield m.Announcement(text)
        case m.SayMessage(who, text, table, is_watcher=is_watcher, channel=channel):
            named = _speaker(who, channel, protocol)
            yield o.SaidSince2(named, text, table, is_watcher, channel)
        case m.EmoteMessage(who, text, table, is_watcher=is_watcher, channel=channel):
            named = _speaker(who, channel, protocol)
            yield o.EmotedSince2(named, text, table, is_watcher, channel)
        case m.EarlierTalk(data=m.WireMessage() as data) if protocol != 1:
            yield data
        case m.EarlierTalk():
            rows = [plain_text(line) for line in earlier_lines(message, is_linear=False)]
            yield from _pages(message.title, tuple(rows[1:]))
        case m.TellMessage(who, text, to):
            yield o.ToldOrMailed(who, text, to)
        case m.ViewMessage():
            constants = games[message.variant].constants
            yield _view(message, *list_moves(message), constants, protocol)
        case m.EventMessage():
            if not is_known(type(message.event), protocol):
                return  # the view that follows shows what has happened
            yield _event(message, games[message.variant], protocol)
        case m.Page(data=m.WireMessage() as data) if protocol != 1:
            yield data
        case m.Page(title, rows) | m.StaffPage(title, rows):
            yield from _pages(title, tuple([m.row_text(row) for row in rows]))
        case m.LessonStep() | m.LessonOver() | m.KnownPlace():
            return  # lessons are for people: a MUD client reads their text
        case m.AnswerMessage(lines):
            yield o.Answer(tuple([plain_text(line) for line in lines]))
        case _:
            raise TypeError(f"{type(message).__name__} has no object")


def _speaker(who: str, channel: str, protocol: JsonProtocol) -> str:
    """Protocol 1 has no channels: the one is named before the speaker."""
    return f"[{channel}] {who}" if channel and protocol == 1 else who


def _view(
    message: m.ViewMessage,
    moves: tuple[str, ...],
    is_all: bool,
    constants: tuple[str, ...],
    protocol: JsonProtocol,
) -> o.ViewSince2:
    view = _view_value(message, constants, protocol)
    clock = None
    if message.deadline_ms is not None and message.window_ms is not None:
        clock = o.WindowTime(message.deadline_ms, message.window_ms / 1000)
    return o.ViewSince2(
        table=message.table,
        variant=message.variant,
        seat=message.seat,
        names=message.names,
        view=view,
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
        game=message.game,
        question=message.question,
        clock=clock,
        away=message.away,
        number=message.number,
        behind=message.behind,
    )


def _view_value(
    message: m.ViewMessage, constants: tuple[str, ...], protocol: JsonProtocol
) -> dict[str, Any]:
    """Without what `game` has; what stands there whole is an id here."""
    if protocol == 1:
        value: dict[str, Any] = to_json_value(message.view, protocol)
        return value
    held = tuple([getattr(message.view, name) for name in constants])
    value = to_json_value(message.view, protocol, _known_ids(held))
    for name in constants:
        del value[name]
    return value


_known: dict[tuple[int, ...], tuple[tuple[Any, ...], KnownIds]] = {}
KNOWN_MAX = 64  # constants: the games of one setup share them


def _known_ids(held: tuple[Any, ...]) -> KnownIds:
    """By identity, which is quick to compare; the values keep the objects alive."""
    key = tuple(map(id, held))
    if key not in _known:
        if len(_known) >= KNOWN_MAX:
            _known.clear()
        _known[key] = held, known_ids(*held)
    return _known[key][1]


def _event(message: m.EventMessage, variant: AnyVariant, protocol: JsonProtocol) -> o.EventSince2:
    sentence = variant.describe_event(message.event, message.seat, message.names, SENTENCE_STYLE)  # type: ignore[arg-type]
    mark = "" if message.mark == "later" and protocol == 1 else message.mark
    return o.EventSince2(
        message.table,
        message.variant,
        message.seat,
        message.names,
        to_json_value(message.event, protocol),
        plain_text(sentence) if sentence is not None else "",
        mark,  # type: ignore[arg-type]
        message.game,
        message.number,
        message.at_ms,
        message.is_past,
    )


def _replay(
    step: m.ReplayStep, moves: tuple[str, ...], is_all: bool, variant: AnyVariant
) -> o.Replay:
    message, names = step.view, variant.constants
    constants = None
    if step.is_first:
        whole = to_json_value(message.view)
        constants = {name: whole[name] for name in names}
    hands = [_view_value(replace(message, view=view), names, 2) for view in step.hands]
    events = [_event(each, variant, 2) for each in step.events]
    return o.Replay(
        game=message.game,
        number=step.number,
        variant=message.variant,
        names=message.names,
        seat=message.seat,
        at=step.position,
        of=step.of,
        time=step.at_ms,
        constants=constants,
        view=_view_value(message, names, 2),
        hands=tuple(hands),
        asked=message.asked,
        asks=message.asks,
        moves=moves,
        is_sample=not is_all,
        events=tuple([o.ReplayedEvent(it.event, it.text, it.mark, it.number) for it in events]),
        result=step.result,
    )


def _pages(title: str, rows: tuple[str, ...]) -> Iterator[o.PageSince2]:
    first = length = 0
    for index, row in enumerate(rows):
        length += len(row.encode())
        if length > PAGE_BYTES_MAX and index > first:
            yield o.PageSince2(title, rows[first:index], False)
            first, length = index, len(row.encode())
    yield o.PageSince2(title, rows[first:], True)
