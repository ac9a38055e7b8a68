"""The classes of objects that a session makes for programs; `json_protocol.py` sends them.

Rule 1: what differs in protocol 2 is a subclass here, named `...Since2`, with more keys.
Rule 2: objects that follow from a message of the services alone are in `messages.py` and
        `data_messages.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mudserver import messages as m
from mudserver.data_messages import AnswerId, GameId
from mudserver.errors import RefusalCode
from mudserver.messages import OwnSeat, SeatIndex, SeatNames, Sentence, TableNumber, WireObject

ID_CHARS_MAX = 64  # of what a program calls a line, and of a question

Watcher = Annotated[bool, Meta(description="the speaker watches the table")]
Channel = Annotated[str, Meta(description='where it is said; "": in the place')]

UnixMillis = Annotated[int, Meta(description="milliseconds since 1970, UTC, by the server's clock")]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program writes: a line as a person types it, either a play or a command."""

    line: str


class LineSince2(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program writes in protocol 2: a line, with an id if it wants to read `done`."""

    line: str
    id: Annotated[str, Meta(max_length=ID_CHARS_MAX)] | None = None
    question: Annotated[str, Meta(max_length=ID_CHARS_MAX)] | None = None


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program may write in protocol 2 at any time: `pong` answers it."""

    ping: Annotated[str, Meta(max_length=ID_CHARS_MAX)]


class Hello(WireObject, frozen=True, tag="hello"):
    """The first object: who the reader is.  Sent again when that changes: `resume`, `register`."""

    protocol: Annotated[int, Meta(description="the version of these objects")]
    house: Annotated[str, Meta(description="the name of the server")]
    name: str
    is_guest: bool
    games: Annotated[tuple[str, ...], Meta(description="the games that `open` knows")]
    now: UnixMillis


class Limits(msgspec.Struct, frozen=True):
    """How much a program may write."""

    lines_per_s: Annotated[int, Meta(description="more wait until they are read")]
    lines_burst: int
    line_chars: int
    chat_per_s: float


class HelloSince2(Hello, frozen=True):
    """Protocol 2."""

    server: Annotated[str, Meta(description="its name, as in `house`")]
    variants: Annotated[tuple[str, ...], Meta(description="the same as `games`")]
    version: Annotated[str, Meta(description="of the server")]
    person: Annotated[str, Meta(description="the id of the reader, which never changes")]
    is_program: Annotated[bool, Meta(description="the account is declared one: `program on`")]
    limits: Limits


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


class WindowTime(msgspec.Struct, frozen=True):
    """The clock of the open question."""

    deadline: UnixMillis
    window_s: Annotated[float, Meta(description="the whole time of the question")]


class ViewSince2(View, frozen=True):
    """Protocol 2: without what `game.constants` has."""

    levels: Annotated[
        tuple[str | None, ...],
        Meta(description="of computer players, by seat; null where a person plays"),
    ]
    match: Annotated[m.MatchStatus | None, Meta(description="null: no match of several deals")]
    game: GameId
    question: Annotated[
        str | None, Meta(description="id of what the reader is asked, never used twice; null: not")
    ]
    clock: Annotated[WindowTime | None, Meta(description="null: no clock runs")]
    away: Annotated[tuple[SeatIndex, ...], Meta(description="seats whose people are away")]
    number: Annotated[int, Meta(description="of the last event that the view includes")]
    behind: Annotated[int, Meta(ge=0, description="decisions that watchers are behind, if any")] = 0


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


class EventSince2(Event, frozen=True):
    """Protocol 2."""

    mark: Annotated[  # type: ignore[assignment]  # of_protocol: 1 never has the last one
        Literal["", "time", "computer", "away", "autopass", "later"],
        Meta(description="who decided, if not the person in the seat just then"),
    ]
    game: GameId
    number: Annotated[int, Meta(ge=1, description="of the events of the game that one has read")]
    at: UnixMillis
    is_past: Annotated[bool, Meta(description="told again: `history` asked for it")]


class Refused(WireObject, frozen=True, tag="refused"):
    """A line was not done: what is wrong, then what would be right.  Nothing has changed."""

    text: Sentence


class About(msgspec.Struct, frozen=True):
    """What a refusal is about, as far as there is something to say."""

    moves: Annotated[tuple[str, ...], Meta(description="what the reader may type instead")] = ()
    seconds: Annotated[int | None, Meta(description="after which the line is taken")] = None
    tables: Annotated[tuple[TableNumber, ...], Meta(description="that the text names")] = ()


class RefusedSince2(Refused, frozen=True):
    """Protocol 2."""

    code: RefusalCode
    id: AnswerId = None
    about: Annotated[About | None, Meta(description="null: the text says it all")] = None


class Done(WireObject, frozen=True, tag="done"):
    """The line of this id is answered; nothing else about it follows."""

    id: str
    ok: Annotated[bool, Meta(description="false: it was refused, and has changed nothing")]
    code: Annotated[RefusalCode | None, Meta(description="why it was refused; null: it was not")]


class Pong(WireObject, frozen=True, tag="pong"):
    """The answer to a ping."""

    ping: str
    now: UnixMillis


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


class ReplayedEvent(msgspec.Struct, frozen=True):
    """What happened with the last decision."""

    event: Annotated[Any, Meta(description="plain data, different for each variant")]
    text: Annotated[str, Meta(description='the same in a sentence; "": it needs none')]
    mark: str
    number: Annotated[int, Meta(ge=1, description="of the events of the game that the seat heard")]


class Replay(WireObject, frozen=True, tag="replay"):
    """A place in a game that is over: the answer to `replay`, `next`, `back`, `at` and so on."""

    game: GameId
    number: Annotated[int | None, Meta(description="of recorded games; null: it is none of them")]
    variant: str
    names: SeatNames
    seat: Annotated[SeatIndex | None, Meta(description="whose eyes; null: a watcher's, or all")]
    at: Annotated[int, Meta(ge=0, description="decisions that are made; 0: the deal")]
    of: Annotated[int, Meta(ge=0, description="all of them")]
    time: Annotated[UnixMillis, Meta(description="of the last of them")]
    constants: Annotated[
        dict[str, Any] | None,
        Meta(description="keys of `view` that never change; null: the first place has them"),
    ]
    view: Annotated[Any, Meta(description="as in `view`, of `seat`")]
    hands: Annotated[
        tuple[Any, ...], Meta(description="views of all seats, with `all`; empty otherwise")
    ]
    asked: Annotated[tuple[SeatIndex, ...], Meta(description="seats that were asked there")]
    asks: str
    moves: Annotated[tuple[str, ...], Meta(description="what `seat` could have typed there")]
    is_sample: Annotated[bool, Meta(description="it could have typed more")]
    events: tuple[ReplayedEvent, ...]
    result: Annotated[str, Meta(description='how the game ended, at its end; or ""')]
    id: AnswerId = None


class Page(WireObject, frozen=True, tag="page"):
    """An answer of many rows: help, a list, the record of a game."""

    title: str
    rows: Annotated[
        tuple[str, ...],
        Meta(description="sentences; a tab separates a term from its explanation"),
    ]
    is_last: Annotated[bool, Meta(description="false: the rows continue in the next page")]


class PageSince2(Page, frozen=True):
    """Protocol 2."""

    id: AnswerId = None


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
