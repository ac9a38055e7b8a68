"""Recorded games as data for programs: what `result_pages.py` says in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mudserver.accounts.former import FORMER_PLAYER
from mudserver.data_messages import (
    MeetingsData,
    MeetingsRow,
    ResultData,
    ResultRow,
    ResultsData,
    ResultSeat,
    StatisticsData,
    StatisticsRow,
    WonRow,
)
from mudserver.results.queries import SeatRow
from mudserver.results.statistics import Statistics, Won
from mudserver.service.result_lookup import GamesPage, Meetings, ShownGame
from mudserver.service.result_pages import NameOf, seat_name


def result_data(shown: ShownGame, name_of: NameOf, seed: bytes | None) -> ResultData:
    """Args: seed: None: the cards of the game are no longer kept."""
    return ResultData(_row(shown, name_of), None if seed is None else seed.hex())


def results_data(found: GamesPage, name_of: NameOf) -> ResultsData:
    rows = tuple([_row(each, name_of) for each in found.games])
    return ResultsData(found.account.name, rows, found.page, found.pages, found.total)


def statistics_data(name: str, found: Sequence[Statistics]) -> StatisticsData:
    return StatisticsData(name, tuple([_statistics(each) for each in found]))


def meetings_data(name: str, other: str, found: Sequence[Meetings]) -> MeetingsData:
    return MeetingsData(name, other, tuple([MeetingsRow(*each) for each in found]))


def _row(shown: ShownGame, name_of: NameOf) -> ResultRow:
    game, seats = shown
    return ResultRow(
        number=game.number,
        game=game.id,
        variant=game.variant,
        preset=game.preset,
        options=game.options,
        started=game.started_ms,
        ended=game.ended_ms,
        end=game.ending,
        reason=game.reason,
        match=game.match_id or None,
        seats=tuple([_seat(seat, name_of) for seat in seats]),
    )


def _seat(seat: SeatRow, name_of: NameOf) -> ResultSeat:
    name = "" if seat.kind == "guest" else seat_name(seat, name_of)
    # An id that lists have shown would name the person of a deleted account.
    person = None if name == FORMER_PLAYER else seat.person or None
    return ResultSeat(
        *(seat.seat, name, person, seat.kind, seat.level or None),
        *(seat.place, seat.score, seat.fate),
    )


def _statistics(own: Statistics) -> StatisticsRow:
    return StatisticsRow(
        variant=own.variant,
        all=_won(own.all),
        recent=_won(own.recent),
        places={str(place): own.places[place] for place in sorted(own.places)},
        by_seats=_each_won(own.by_seats),
        by_level=_each_won(own.by_level),
        left=own.left,
        longest_row=own.longest_row,
        mean_place=round(own.mean_place, 4),
        expected_place=round(own.expected_place, 4),
    )


def _won(won: Won) -> WonRow:
    return WonRow(won.games, won.won)


def _each_won(found: Mapping[int, Won] | Mapping[str, Won]) -> dict[str, WonRow]:
    return {str(key): _won(won) for key, won in sorted(found.items())}
