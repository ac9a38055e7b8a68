"""The events of a tournament: the records of the streams `tourney/N`.

Rule 1: a record holds ids of accounts, and no name of a person.
Rule 2: who plays whom stands in `RoundDrawn`, and is never computed again.  The first record of
        each table is written together with its `TableOpened`, so no place has two tables.
Rule 3: a result is written together with the record that ends its game, and the `game` record.
Rule 4: a field is never renamed or given another meaning; a new field has a default.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

Fate = Literal["stayed", "left", "noshow"]
Ending = Literal["finished", "aborted", "limit"]
DroppedWhy = Literal["withdrawn", "left", "noshow", "organiser", "deleted", "banned"]
ClosedWhy = Literal["finished", "organiser", "staff", "too few", "outage"]


class TourneyEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """Any of the events below."""

    at_ms: int  # UTC


class TourneyOpened(TourneyEvent, frozen=True, tag="opened"):
    by: str  # account: the organiser
    title: str
    variant: str
    options: tuple[str, ...]  # of its tables, each as it is typed
    rounds: int
    seats: int  # of one table, at most
    start_ms: int  # UTC; 0: when the organiser says so
    entries_max: int
    break_s: int  # between two rounds
    noshow_s: int  # to type anything in; not by correspondence
    round_max_s: int
    programs: bool
    move_s: int = 0  # by correspondence: seconds for a move; 0: live


class TourneyEntered(TourneyEvent, frozen=True, tag="entered"):
    """After the start: again, from the next round on."""

    person: str
    by: str = ""  # account; "": by themselves


class TourneyWithdrawn(TourneyEvent, frozen=True, tag="withdrawn"):
    """Before the start, as if the person had not entered."""

    person: str


class TourneyStarted(TourneyEvent, frozen=True, tag="started"):
    by: str = ""  # account; "": it was time


class RoundDrawn(TourneyEvent, frozen=True, tag="round"):
    number: int  # from 1
    tables: tuple[tuple[str, ...], ...]  # ids, by place
    sits_out: str = ""


class TableOpened(TourneyEvent, frozen=True, tag="table"):
    round: int
    place: int  # in `RoundDrawn.tables`, from 1
    table: int


class TableLost(TourneyEvent, frozen=True, tag="lost"):
    """A fault of the server has ended the game of a place, which gets another table."""

    round: int
    place: int
    table: int


class SeatDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one person at a table."""

    person: str
    place: int | None = None  # of the seat; None: the game has no result
    fate: Fate = "stayed"


class TableDone(TourneyEvent, frozen=True, tag="result"):
    round: int
    place: int
    end: Ending
    seats: tuple[SeatDone, ...]
    game: str = ""  # table and game: `118.1`; "": there was none


class TourneyDropped(TourneyEvent, frozen=True, tag="dropped"):
    """From the next round on the person does not play; what was won counts.

    Before the start: the person does not play, and does not enter again by themselves.
    """

    person: str
    why: DroppedWhy
    by: str = ""  # account


class RoundDelayed(TourneyEvent, frozen=True, tag="delayed"):
    """The server was not there: the limit of the round moves."""

    lost_ms: int


class TourneyClosed(TourneyEvent, frozen=True, tag="closed"):
    why: ClosedWhy
    by: str = ""  # account
    reason: str = ""  # what the organiser or the staff says


AnyTourneyEvent = (
    TourneyOpened
    | TourneyEntered
    | TourneyWithdrawn
    | TourneyStarted
    | RoundDrawn
    | TableOpened
    | TableLost
    | TableDone
    | TourneyDropped
    | RoundDelayed
    | TourneyClosed
)

_decoder: msgspec.json.Decoder[tuple[AnyTourneyEvent, ...]] = msgspec.json.Decoder(
    tuple[AnyTourneyEvent, ...]
)
_encoder = msgspec.json.Encoder()


def encode(events: Sequence[AnyTourneyEvent]) -> bytes:
    """The body of one record."""
    return _encoder.encode(events)


def decode(body: bytes) -> tuple[AnyTourneyEvent, ...]:
    """msgspec.DecodeError: this is no record of events, or one of a newer server."""
    return _decoder.decode(body)
