"""Messages about tournaments as data for programs of protocol 2; see `data_messages.py`.

Rule 1: points are those that are shown: 60 for a win, with fractions where places are shared.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from mudserver.data_messages import AnswerId, GameId, UnixMillis
from mudserver.messages import TableNumber, WireMessage


class TourneyRow(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    number: Annotated[int, Meta(description="never used again")]
    name: Annotated[str, Meta(description="as its organiser has called it")]
    state: Annotated[str, Meta(description="`open`: people can enter; `running`, `closed`")]
    variant: str
    options: Annotated[dict[str, str], Meta(description="of its tables, as `open` takes them")]
    organiser: str
    rated: bool
    programs: Annotated[bool, Meta(description="programs can enter")]
    seats: Annotated[int, Meta(description="of one table, at most")]
    round: Annotated[int, Meta(description="the one that is played, or was played last; 0: none")]
    rounds: int
    players: Annotated[int, Meta(description="who plays in the next round")]
    entries_max: int
    next_at: Annotated[
        UnixMillis | None, Meta(description="when it, or its next round, begins; null: not known")
    ]
    is_in: Annotated[bool, Meta(description="the reader plays in the next round")]


class TourneyPlayer(msgspec.Struct, frozen=True):
    """Somebody who plays or has played in it."""

    place: Annotated[int, Meta(description="from 1; who is equal shares one")]
    name: str
    person: Annotated[str | None, Meta(description="id; null: the account is deleted")]
    points: float
    met_points: Annotated[float, Meta(description="of all the people met")]
    wins: int
    games: int
    is_dropped: Annotated[bool, Meta(description="plays no more")]


class TourneyPlace(msgspec.Struct, frozen=True):
    """Somebody at a table of a round."""

    name: str
    person: Annotated[str | None, Meta(description="id; null: the account is deleted")]
    points: Annotated[float | None, Meta(description="of this round; null: it is not over there")]
    fate: Annotated[
        str | None, Meta(description="`stayed`, `left` or `noshow`; null: it is not over there")
    ]


class TourneyTableRow(msgspec.Struct, frozen=True):
    """A table of a round."""

    place: Annotated[int, Meta(description="in the round, from 1")]
    table: Annotated[TableNumber | None, Meta(description="null: it is about to be opened")]
    end: Annotated[
        str | None, Meta(description="`finished`, `aborted`, `limit`; null: it is played")
    ]
    game: Annotated[GameId | None, Meta(description="null: it is not over, or has none")]
    players: tuple[TourneyPlace, ...]


class TourneysData(WireMessage, frozen=True, tag="tourneys"):
    """The answer to `tourney`."""

    tourneys: tuple[TourneyRow, ...]
    id: AnswerId = None


class TourneyData(WireMessage, frozen=True, tag="tourney"):
    """The answer to `tourney NUMBER`, `standings` and `round`."""

    tourney: TourneyRow
    standings: Annotated[tuple[TourneyPlayer, ...], Meta(description="best first")]
    tables: Annotated[tuple[TourneyTableRow, ...], Meta(description="of `tourney.round`")]
    sits_out: Annotated[str, Meta(description='who sits the round out; "": nobody')]
    closed_why: Annotated[
        str, Meta(description='`finished`, `organiser`, `staff`, `too few`, `outage`; ""')
    ]
    id: AnswerId = None


TOURNEY_TYPES: tuple[type[WireMessage], ...] = (TourneysData, TourneyData)
