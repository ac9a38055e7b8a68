"""Seasons of ratings: their names, and what the index keeps of them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from mudserver.journal import IndexRow
from mudserver.results.events import GameRecorded, GameVoided, GivenBack, SeatResult
from mudserver.results.seasons import named_season_ms, season_name, season_start_ms
from mudserver.results.statistics import Tallies

DAY_MS = 86_400_000
OCTOBER = season_start_ms(1_792_000_000_000)  # 2026


def test_seasons_are_quarters_of_the_calendar():
    for at_ms in range(0, 150 * 365 * DAY_MS, 13 * DAY_MS + 7):
        at = datetime.fromtimestamp(at_ms / 1000, UTC)
        first = datetime(at.year, (at.month - 1) // 3 * 3 + 1, 1, tzinfo=UTC)
        assert season_start_ms(at_ms) == 1000 * first.timestamp()
        assert season_name(at_ms) == f"{at.year}-{(at.month + 2) // 3}"


def test_a_day_belongs_to_the_season_that_its_name_says():
    for at_ms in range(OCTOBER - 800 * DAY_MS, OCTOBER + 800 * DAY_MS, DAY_MS):
        start_ms = season_start_ms(at_ms)
        assert start_ms <= at_ms < start_ms + 93 * DAY_MS
        assert start_ms == named_season_ms(season_name(start_ms)) == season_start_ms(start_ms)
    starts = sorted({season_start_ms(OCTOBER + day * DAY_MS) for day in range(-400, 400)})
    assert all(89 <= (later - earlier) / DAY_MS <= 92 for earlier, later in pairwise(starts[1:]))
    assert "2026-4" == season_name(OCTOBER) and "2026-3" == season_name(
        season_start_ms(OCTOBER - 1)
    )


@pytest.mark.parametrize(
    "name", ["", "2026", "2026-0", "2026-5", "26-4", "2026-4x", "1999-4", "２026-4"]
)
def test_what_is_no_name_of_a_season(name):
    assert named_season_ms(name) is None


def a_game(number: int, at_ms: int, mu: int, pool: str = "duel") -> GameRecorded:
    rated = SeatResult("person", "p1", place=1, before=(1, 2), after=(mu, 20_000), games=number)
    other = SeatResult("program", "p2", place=2, before=(1, 2), after=(5, 6), games=number)
    return GameRecorded(at_ms, number, f"{number}.1", "duel", 0, 1, 2, "finished",
                        (rated, other), pool=pool)  # fmt: skip


def rows_of(tallies: Tallies, *events: GameRecorded | GameVoided) -> list[IndexRow]:
    """The last row of each key in the table `season` of p1."""
    found = {}
    for sequence, event in enumerate(events, 1):
        for row in tallies.rows(sequence, event):
            if row.table == "season" and row.values[2] == "p1":
                found[row.values[:3]] = row
    return list(found.values())


def season_row(season_ms: int, mu: int, games: int, last_ms: int) -> IndexRow:
    return IndexRow("season", ("duel", season_ms, "p1", mu, 20_000, games, last_ms))


def test_games_are_counted_in_their_season_and_the_last_rating_stays():
    july, late = season_start_ms(OCTOBER - 1), OCTOBER - DAY_MS
    games = [a_game(1, july + 5, 100), a_game(2, late, 200), a_game(3, OCTOBER, 300)]
    unrated = a_game(4, OCTOBER + 1, 400, pool="")
    assert [season_row(july, 200, 2, late), season_row(OCTOBER, 300, 1, OCTOBER)] == rows_of(
        Tallies(is_whole=True), *games, unrated
    )


def test_what_a_void_game_gave_back_is_the_rating_of_the_season():
    back = GivenBack("p1", "duel", -7, (93, 20_000), 1, OCTOBER)
    void = GameVoided(OCTOBER + 9, 1, "console:0", (back,))
    assert ["p1", "p2"] == Tallies().unknown([a_game(1, OCTOBER, 100)])
    assert ["p1"] == Tallies().unknown([void])
    assert [season_row(OCTOBER, 93, 1, OCTOBER)] == rows_of(
        Tallies(is_whole=True), a_game(1, OCTOBER, 100), void
    )


def test_who_plays_a_rated_game_as_a_program_is_one():
    def programs(event: GameRecorded) -> list[IndexRow]:
        rows = Tallies(is_whole=True).rows(1, event)
        return [row for row in rows if row.table == "program"]

    assert [IndexRow("program", ("p2",))] == programs(a_game(1, OCTOBER, 100))
    unrated = tuple(SeatResult(seat.kind, seat.person) for seat in a_game(1, 1, 1).seats)
    game = GameRecorded(1, 1, "1.1", "duel", 0, 1, 2, "finished", unrated)
    assert [] == programs(game)
