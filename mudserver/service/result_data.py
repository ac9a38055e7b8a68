"""Recorded games as data for programs: what `result_pages.py` says in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mudserver.accounts.former import FORMER_PLAYER
from mudserver.data_messages import RatingChange
from mudserver.data_results import (
    Left,
    MeetingsData,
    MeetingsRow,
    OwnTop,
    Rating,
    ResultData,
    ResultRow,
    ResultsData,
    ResultSeat,
    StatisticsData,
    StatisticsRow,
    TopData,
    TopRow,
    WonRow,
)
from mudserver.results.queries import SeatRow
from mudserver.results.rating import PROVISIONAL_SIGMA, UNIT, Standing, shown
from mudserver.results.seasons import season_name
from mudserver.results.statistics import Statistics, Won
from mudserver.service.result_lookup import GamesPage, Meetings, ShownGame, TopPage
from mudserver.service.result_pages import NameOf, public_reason, seat_name


def result_data(found: ShownGame, name_of: NameOf, seed: bytes | None) -> ResultData:
    """Args: seed: None: the cards of the game are no longer kept."""
    return ResultData(_row(found, name_of), None if seed is None else seed.hex())


def results_data(found: GamesPage, name_of: NameOf) -> ResultsData:
    rows = tuple([_row(each, name_of) for each in found.games])
    return ResultsData(found.account.name, rows, found.page, found.pages, found.total)


def statistics_data(name: str, found: Sequence[Statistics]) -> StatisticsData:
    return StatisticsData(name, tuple([_statistics(each) for each in found]))


def meetings_data(name: str, other: str, found: Sequence[Meetings]) -> MeetingsData:
    return MeetingsData(name, other, tuple([MeetingsRow(*each) for each in found]))


def top_data(found: TopPage, name_of: NameOf) -> TopData:
    rows = []
    for place, (person, standing) in zip(found.places, found.rows, strict=True):
        name = name_of(person)
        known = None if name == FORMER_PLAYER else person
        rows.append(TopRow(place, name, known, standing.shown, standing.games))
    own = None
    if found.own is not None:
        place, standing = found.own
        shown_place = place if found.is_own_established else None
        own = OwnTop(shown_place, standing.shown, standing.games)
    season = None if found.season_ms is None else season_name(found.season_ms)
    return TopData(
        *(found.pool, season, found.is_program, tuple(rows), own, found.page, found.pages)
    )


def ratings_data(found: Mapping[str, Standing]) -> tuple[Rating, ...]:
    return tuple(
        Rating(pool, own.shown, own.deviation, own.games, own.is_provisional)
        for pool, own in found.items()
    )


def left_data(left: int, of: int) -> Left | None:
    """None: of so few games nothing is told."""
    return Left(left, of) if of else None


def rating_change(
    before: tuple[int, int] | None, after: tuple[int, int] | None
) -> RatingChange | None:
    """What a game has made of mu and sigma, as it is shown; None: nothing."""
    if before is None or after is None:
        return None
    return RatingChange(shown(before[0]), shown(after[0]), after[1] > PROVISIONAL_SIGMA * UNIT)


def _row(found: ShownGame, name_of: NameOf) -> ResultRow:
    game, seats = found
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
        pool=game.pool,
        why_unrated=public_reason(game.why_unrated),
        is_void=bool(game.is_void),
        seats=tuple([_seat(seat, name_of) for seat in seats]),
        tourney=game.tourney or None,
        round=game.round or None,
    )


def _seat(seat: SeatRow, name_of: NameOf) -> ResultSeat:
    name = "" if seat.kind == "guest" else seat_name(seat, name_of)
    # An id that lists have shown would name the person of a deleted account.
    person = None if name == FORMER_PLAYER else seat.person or None
    return ResultSeat(
        *(seat.place_at_table, name, person, seat.kind, seat.level or None),
        *(seat.place, seat.score, seat.fate),
        rating_change(
            _pair(seat.mu_before, seat.sigma_before), _pair(seat.mu_after, seat.sigma_after)
        ),
    )


def _pair(mu: int | None, sigma: int | None) -> tuple[int, int] | None:
    return None if mu is None or sigma is None else (mu, sigma)


def _statistics(own: Statistics) -> StatisticsRow:
    return StatisticsRow(
        variant=own.variant,
        all=_won(own.all),
        recent=_won(own.recent),
        places={str(place): own.places[place] for place in sorted(own.places)},
        by_seats=_each_won(own.by_seats),
        by_level=_each_won(own.by_level),
        left=own.left,
        substitute=own.substitute,
        longest_row=own.longest_row,
        mean_place=round(own.mean_place, 4),
        expected_place=round(own.expected_place, 4),
    )


def _won(won: Won) -> WonRow:
    return WonRow(won.games, won.won)


def _each_won(found: Mapping[int, Won] | Mapping[str, Won]) -> dict[str, WonRow]:
    return {str(key): _won(won) for key, won in sorted(found.items())}
