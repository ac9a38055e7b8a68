"""Messages that are data for programs of protocol 2 alone; terminals read sentences instead.

Rule 1: they hold what the sentences beside them say, or what their reader could ask for: public
        facts, and what concerns the reader alone.  [SEC-7]
Rule 2: they grow: keys and types may be added, none is taken away or means something else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mudserver.messages import (
    GameOver,
    PresenceMessage,
    RestartedMessage,
    SanctionedMessage,
    SeatIndex,
    SeatNames,
    TableNumber,
    WarnedMessage,
    WireMessage,
)

GameId = Annotated[str, Meta(description="`TABLE.GAME`: never used again")]
Tourney = Annotated[int | None, Meta(description="number of the tournament; null: of none")]
AnswerId = Annotated[str | None, Meta(description="of the line that it answers; null: of none")]
UnixMillis = Annotated[int, Meta(description="milliseconds since 1970, UTC, by the server's clock")]


PlayerKind = Annotated[
    Literal["account", "guest", "program", "computer"],
    Meta(description="a program has said so, or speaks JSON now; `computer`: one of the server's"),
]


class Player(msgspec.Struct, frozen=True):
    """Who has a seat."""

    name: str
    person: Annotated[str | None, Meta(description="id; null: a computer player")]
    kind: PlayerKind
    level: Annotated[str | None, Meta(description="of a computer player")]


class GameMessage(WireMessage, frozen=True, tag="game"):
    """A game begins, or its reader comes to it: what does not change while it runs."""

    game: GameId
    table: TableNumber
    variant: str
    version: Annotated[str, Meta(description="fingerprint of the game's data")]
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    preset: str
    names: SeatNames
    people: Annotated[tuple[Player, ...], Meta(description="by seat, as the reader comes")]
    commitment: Annotated[str, Meta(description="SHA-256 of the seed")]
    constants: Annotated[
        dict[str, Any], Meta(description="keys of `view.view` that never change in a game")
    ]
    started: UnixMillis
    rated: bool
    match: Annotated[str | None, Meta(description="id of the match; null: the game is none's deal")]
    tourney: Tourney = None
    delay: Annotated[int, Meta(ge=0, description="decisions that watchers are behind")] = 0


class RatingChange(msgspec.Struct, frozen=True):
    """What a game has made of a rating."""

    before: int
    after: int
    is_provisional: Annotated[bool, Meta(description="`after` is not established yet")]


class GameOverSince2(GameOver, frozen=True):
    """Protocol 2."""

    game: GameId = ""
    end: Annotated[str, Meta(description="`finished`, or `draw`: by agreement")] = "finished"
    seed: Annotated[str, Meta(description="hexadecimal: its SHA-256 is `game.commitment`")] = ""
    number: Annotated[int | None, Meta(description="for `game`; null: it is not recorded")] = None
    ratings: Annotated[
        tuple[RatingChange | None, ...],
        Meta(description="by seat, null where none has moved; empty: the game is unrated"),
    ] = ()


class HistoryEnd(WireMessage, frozen=True, tag="history_end"):
    """All events that `history` has asked for are sent."""

    game: GameId
    first: Annotated[int, Meta(description="number of the first event sent; 0: none was")]
    last: Annotated[int, Meta(description="number of the last event of the game")]
    id: AnswerId = None


class OfferData(WireMessage, frozen=True, tag="offer"):
    """Somebody in a game offers something: `accept` or `decline` answers it."""

    table: TableNumber
    game: GameId
    offer: Annotated[int, Meta(description="number in the game, or in its match")]
    kind: Annotated[str, Meta(description="`draw`, `abort`, `pause` or `adjourn`")]
    by: SeatIndex
    asked: Annotated[tuple[SeatIndex, ...], Meta(description="who must agree, all of them")]
    until: UnixMillis


class OfferEndedData(WireMessage, frozen=True, tag="offer_ended"):
    """An offer is open no more."""

    table: TableNumber
    game: GameId
    offer: int
    why: Annotated[str, Meta(description="`agreed`, `declined`, `expired` or `changed`")]


class ReadinessData(WireMessage, frozen=True, tag="readiness"):
    """Who is ready for the next game at the table: it begins when nobody is waited for."""

    table: TableNumber
    ready: Annotated[tuple[str, ...], Meta(description="names")]
    waiting: Annotated[tuple[str, ...], Meta(description="names of the others who sit there")]
    cleared_by: Annotated[
        str, Meta(description='the change of the table that has ended all marks; "": none has')
    ]


class AwayData(WireMessage, frozen=True, tag="away"):
    """A computer player decides for a seat whose person is away, or no longer does."""

    table: TableNumber
    seat: SeatIndex
    is_away: bool
    missed: Annotated[int, Meta(description="turns in a row that the person has missed")]
    why: Annotated[str, Meta(description="`time`, `offline` or `typed`")]


class SeatChanged(WireMessage, frozen=True, tag="seat_changed"):
    """Somebody else has a seat of the running game, or is called otherwise."""

    table: TableNumber
    game: GameId
    seat: SeatIndex
    name: str
    kind: PlayerKind
    why: Annotated[str, Meta(description="`left`, `forfeit`, `returned`, `substitute`, `renamed`")]


class InvitationData(WireMessage, frozen=True, tag="invitation"):
    """Somebody invites the reader to a table: `accept NAME` sits down there."""

    by: Annotated[str, Meta(description="name")]
    table: TableNumber
    variant: str
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    until: UnixMillis


class InvitationEndedData(WireMessage, frozen=True, tag="invitation_ended"):
    """An invitation that the reader had is open no more."""

    by: Annotated[str, Meta(description="name")]
    table: TableNumber
    why: Annotated[str, Meta(description="`declined`, `expired` or `started`")]


SeekNumber = Annotated[int, Meta(description="`accept NUMBER` takes the offer")]


class SeekRow(msgspec.Struct, frozen=True):
    """A game that somebody offers, without a table yet."""

    seek: SeekNumber
    person: Annotated[str, Meta(description="id of who offers it")]
    name: str
    variant: str
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    rated: bool
    until: UnixMillis


class SeekData(WireMessage, frozen=True, tag="seek"):
    """Somebody in the lobby, or the reader, offers a game: `accept NUMBER` takes it."""

    seek: SeekNumber
    person: Annotated[str, Meta(description="id of who offers it")]
    name: str
    variant: str
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    rated: bool
    until: UnixMillis


class SeekGoneData(WireMessage, frozen=True, tag="seek_gone"):
    """An offer is open no more; sent to everybody in the lobby, and to who has made it."""

    seek: SeekNumber


class SeeksData(WireMessage, frozen=True, tag="seeks"):
    """The answer to `seeks`, by number."""

    seeks: tuple[SeekRow, ...]
    id: AnswerId = None


class SeatRow(msgspec.Struct, frozen=True):
    """A seat, as everybody may see it."""

    seat: SeatIndex
    name: str
    kind: PlayerKind
    level: Annotated[str | None, Meta(description="of a computer player")]
    is_ready: Annotated[bool, Meta(description="for the next game")]
    is_away: bool
    is_vacant: Annotated[bool, Meta(description="out of the game, and left")]
    can_substitute: Annotated[
        bool, Meta(description="its person has left it: `substitute TABLE SEAT` takes it over")
    ] = False


class TableRow(msgspec.Struct, frozen=True):
    """A table, as everybody may see it."""

    number: TableNumber
    variant: str
    phase: Annotated[Literal["waiting", "playing", "over", "closed"], Meta()]
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    preset: str
    owner: Annotated[str, Meta(description='name; "": nobody sits there')]
    is_private: bool
    seats: tuple[SeatRow, ...]
    free: Annotated[int, Meta(description="seats that somebody can take")]
    rated: Annotated[bool, Meta(description="its games are to be rated")]
    watchers: int
    game: Annotated[GameId | None, Meta(description="that runs, or was played last; null: none")]
    can_sit: Annotated[bool, Meta(description="the table would let the reader sit down")] = False
    speed: Annotated[
        Literal["live", "correspondence"], Meta(description="seconds or days for a decision")
    ] = "live"
    tourney: Tourney = None


class TablesData(WireMessage, frozen=True, tag="tables"):
    """The answer to `tables`."""

    tables: tuple[TableRow, ...]
    private: Annotated[int, Meta(description="tables that no list shows")]
    loading: Annotated[int, Meta(description="tables that the server loads after its start")]
    more: Annotated[
        int, Meta(description="games by correspondence that nobody looks at, beyond those listed")
    ] = 0
    id: AnswerId = None


class TableChanged(WireMessage, frozen=True, tag="table_changed"):
    """A table is another than it was; after `feed tables on`."""

    number: TableNumber
    gone: Annotated[bool, Meta(description="it is closed, or private")]
    table: TableRow | None


class OptionRow(msgspec.Struct, frozen=True):
    """An option of a game."""

    name: str
    default: str
    values: Annotated[str, Meta(description="`off|on`, or `50-500`")]
    help: str


class PresetRow(msgspec.Struct, frozen=True):
    """A name for values of options."""

    name: str
    help: str
    values: dict[str, str]


class VariantData(WireMessage, frozen=True, tag="variant"):
    """The answer to `static`: what is known of a game before it is played."""

    name: str
    title: str
    seats: Annotated[tuple[int, ...], Meta(description="numbers of players")]
    options: tuple[OptionRow, ...]
    clocks: Annotated[dict[str, int], Meta(description="default seconds, by clock")]
    presets: tuple[PresetRow, ...]
    levels: Annotated[tuple[str, ...], Meta(description="of computer players, weakest first")]
    verbs: Annotated[tuple[str, ...], Meta(description="first words of plays")]
    questions: Annotated[dict[str, str], Meta(description="help, by first word")]
    constants: Annotated[tuple[str, ...], Meta(description="keys of `game.constants`")]
    data: Annotated[str, Meta(description="fingerprint: while it is the same, so is the game")]
    id: AnswerId = None


class SettingRow(msgspec.Struct, frozen=True):
    """A setting of the reader."""

    name: str
    value: str
    source: Annotated[str, Meta(description="where the value comes from")]
    values: Annotated[tuple[str, ...], Meta(description="that it can have; empty: see `help`")]
    help: str


class SettingsData(WireMessage, frozen=True, tag="settings"):
    """The answer to `set`."""

    settings: tuple[SettingRow, ...]
    id: AnswerId = None


class OptionsData(WireMessage, frozen=True, tag="options"):
    """The answer to `options`, at a table."""

    table: TableNumber
    options: Annotated[dict[str, str], Meta(description="as `open` takes them")]
    id: AnswerId = None


class MovesData(WireMessage, frozen=True, tag="moves"):
    """The answer to `moves`: what the reader may type now."""

    moves: tuple[str, ...]
    is_sample: Annotated[bool, Meta(description="there are more")]
    id: AnswerId = None


class LaterData(WireMessage, frozen=True, tag="later"):
    """The answer to `later`, and what it is after each change: moves that the reader keeps."""

    table: TableNumber
    game: GameId
    moves: Annotated[tuple[str, ...], Meta(description="as typed, in the order they are tried")]
    id: AnswerId = None


class OwnGame(msgspec.Struct, frozen=True):
    """A running game in which the reader has a seat, or has left one."""

    table: TableNumber
    game: GameId
    variant: str
    seat: SeatIndex
    is_left: Annotated[bool, Meta(description="`return` takes the seat back")]
    question: Annotated[str | None, Meta(description="id; null: the reader is not asked")]
    deadline: Annotated[UnixMillis | None, Meta(description="of that; null: no clock runs")]


class YourMovesData(WireMessage, frozen=True, tag="your_moves"):
    """What `games` says first, of one's own: the games that run."""

    tables: tuple[OwnGame, ...]
    id: AnswerId = None


DATA_TYPES: tuple[type[WireMessage], ...] = (
    *(SanctionedMessage, WarnedMessage, PresenceMessage, RestartedMessage),
    *(GameMessage, HistoryEnd, OfferData, OfferEndedData, ReadinessData, AwayData, SeatChanged),
    *(InvitationData, InvitationEndedData, TablesData, SettingsData, TableChanged, VariantData),
    *(OptionsData, MovesData, LaterData, YourMovesData, SeekData, SeekGoneData, SeeksData),
)
"""A sentence beside them says the same to everybody else, where that needs one.

Those of `data_account.py`, `data_people.py` and `data_results.py` come besides.
"""
