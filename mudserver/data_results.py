"""Messages about games that are over, as data for programs of protocol 2; see `data_messages.py`.

Rule 1: ratings are as they are shown: 1612 for a person, and whether that is established.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mudserver.data_messages import AnswerId, GameId, RatingChange, Tourney, UnixMillis
from mudserver.messages import SeatIndex, WireMessage


class Rating(msgspec.Struct, frozen=True):
    """What is known of an account in one pool."""

    pool: Annotated[
        str,
        Meta(description="a game, or `GAME-correspondence`: one rating for all numbers of players"),
    ]
    rating: int
    deviation: Annotated[int, Meta(description="one standard error")]
    games: Annotated[int, Meta(description="rated ones")]
    is_provisional: Annotated[bool, Meta(description="not established yet: `top` leaves it out")]


class Left(msgspec.Struct, frozen=True):
    """How many of somebody's last games were left."""

    games: int
    of: int


class ResultSeat(msgspec.Struct, frozen=True):
    """Who had a seat of a game that is over."""

    seat: SeatIndex
    name: Annotated[str, Meta(description='of now; "": a guest')]
    person: Annotated[str | None, Meta(description="id of an account; null: it is deleted, too")]
    kind: Annotated[str, Meta(description="`person`, `program`, `computer` or `guest`")]
    level: Annotated[str | None, Meta(description="of a computer player")]
    place: Annotated[int | None, Meta(description="1 is the first; null: there is no result")]
    score: int | None
    fate: Annotated[str, Meta(description="`stayed`, `left`, `forfeit`, `replaced`, `substitute`")]
    rating: Annotated[RatingChange | None, Meta(description="null: it has not moved")]


class ResultRow(msgspec.Struct, frozen=True):
    """A game that is over."""

    number: Annotated[int, Meta(description="of all recorded games, never used again")]
    game: GameId
    variant: str
    preset: str
    options: Annotated[str, Meta(description="as `open` takes them")]
    started: UnixMillis
    ended: UnixMillis
    end: Annotated[str, Meta(description="`finished`, `draw`, `aborted` or `abandoned`")]
    reason: str
    match: str | None
    pool: Annotated[
        str, Meta(description='of the ratings that have moved; "": the game is unrated')
    ]
    why_unrated: Annotated[str, Meta(description='"": it is rated, or was not to be')]
    is_void: Annotated[bool, Meta(description="its ratings were given back")]
    seats: tuple[ResultSeat, ...]
    tourney: Tourney = None
    round: Annotated[
        int | None, Meta(description="of the tournament; null: of none, or it was not kept")
    ] = None


class ResultData(WireMessage, frozen=True, tag="result"):
    """The answer to `game`."""

    result: ResultRow
    seed: Annotated[str | None, Meta(description="hexadecimal; null: it is no longer kept")]
    id: AnswerId = None


class ResultsData(WireMessage, frozen=True, tag="results"):
    """The answer to `games`: newest first."""

    name: Annotated[str, Meta(description="whose games they are")]
    results: tuple[ResultRow, ...]
    page: int
    pages: int
    total: int
    id: AnswerId = None


class WonRow(msgspec.Struct, frozen=True):
    """Games, and how many of them were won."""

    games: int
    won: int


class StatisticsRow(msgspec.Struct, frozen=True):
    """All games of one account in one variant."""

    variant: str
    all: WonRow
    recent: Annotated[WonRow, Meta(description="in the last 30 days")]
    places: Annotated[dict[str, int], Meta(description="games by place")]
    by_seats: Annotated[dict[str, WonRow], Meta(description="by number of players")]
    by_level: Annotated[dict[str, WonRow], Meta(description="against computer players alone")]
    left: Annotated[int, Meta(description="games that were left")]
    longest_row: Annotated[int, Meta(description="of wins")]
    mean_place: float
    expected_place: Annotated[float, Meta(description="of somebody who wins as often as others")]
    substitute: Annotated[
        int, Meta(description="games in which the account took over a seat, beside all others")
    ] = 0


class StatisticsData(WireMessage, frozen=True, tag="statistics"):
    """The answer to `stats`."""

    name: str
    statistics: tuple[StatisticsRow, ...]
    id: AnswerId = None


class MeetingsRow(msgspec.Struct, frozen=True):
    """Two accounts in the same games of one variant."""

    variant: str
    games: int
    ahead: int
    behind: int


class MeetingsData(WireMessage, frozen=True, tag="meetings"):
    """The answer to `vs`."""

    name: str
    other: str
    meetings: tuple[MeetingsRow, ...]
    id: AnswerId = None


class TopRow(msgspec.Struct, frozen=True):
    """An established account."""

    place: int
    name: str
    person: Annotated[str | None, Meta(description="id; null: the account is deleted")]
    rating: int
    games: int


class OwnTop(msgspec.Struct, frozen=True):
    """Where the reader stands."""

    place: Annotated[int | None, Meta(description="null: the reader is not established there")]
    rating: int
    games: int


class TopData(WireMessage, frozen=True, tag="top"):
    """The answer to `top`: best first."""

    pool: str
    season: Annotated[str | None, Meta(description="`2026-4`; null: of the last 90 days")]
    programs: Annotated[bool, Meta(description="programs are listed; else people")]
    rows: tuple[TopRow, ...]
    own: Annotated[OwnTop | None, Meta(description="null: the reader has no rating there")]
    page: int
    pages: int
    id: AnswerId = None


RESULT_TYPES: tuple[type[WireMessage], ...] = (
    *(ResultData, ResultsData, StatisticsData, MeetingsData, TopData),
)
