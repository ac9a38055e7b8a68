from __future__ import annotations

import pytest

from tests.bench.evenings import ROWS, evening
from tests.bench.league import Score, arguments, defaults, league, play, report, rows
from variants.catalogue import CATALOGUE
from variants.contract import Outcome, Seat

every_game = pytest.mark.parametrize("game", sorted(CATALOGUE))


@every_game
def test_a_game_is_a_function_of_its_seed(game: str) -> None:
    variant = CATALOGUE[game]
    levels = [list(variant.bots)[seat % 2] for seat in range(min(variant.seats))]
    one, again = (play(variant, defaults(variant), levels, 7, {}) for _ in range(2))
    assert one == again


@every_game
def test_the_challenger_sits_at_each_seat_in_turn(game: str) -> None:
    variant = CATALOGUE[game]
    seats = min(variant.seats)
    score = league(variant, defaults(variant), seats, range(1, seats + 1), "medium", "easy")
    assert (seats, seats) == (score.seats, score.games)
    assert 0 <= score.shares <= score.games
    assert score.times_ns


def test_a_shared_first_place_counts_as_its_part() -> None:
    score = Score(seats=3)
    score.add(Outcome((1, 1, 3), (7, 7, None), "the supplies ran out"), Seat(1))
    score.add(Outcome((1, 2, 3), (9, 7, None), "the supplies ran out"), Seat(0))
    score.add(Outcome((1, 2, 3), (9, 7, None), "the supplies ran out"), Seat(2))
    assert (3, 1, 1, 1.5) == (score.games, score.wins, score.draws, score.shares)


def test_the_interval_is_wilsons() -> None:
    score = Score(seats=2, games=100, shares=60.0)
    assert (0.502, 0.691) == tuple(round(bound, 3) for bound in score.interval)


def test_an_evening_is_a_function_of_its_seeds_and_totals_need_several_deals() -> None:
    row = next(row for row in ROWS if row.variant == "elimination" and "until" in row.options)
    one, again = (evening(row, 4) for _ in range(2))
    assert one == again
    head, challenger, games, *_, share = one.split(" | ")
    assert ("elimination 6 until=half", "easy", "4") == (head, challenger, games)
    assert 3 == len(share.split(" / "))


def test_each_row_of_evenings_has_options_that_its_game_knows() -> None:
    for row in ROWS:
        CATALOGUE[row.variant].check_options(defaults(CATALOGUE[row.variant]) | row.options)


@every_game
def test_every_row_says_its_games_seats_and_interval(game: str) -> None:
    variant = CATALOGUE[game]
    seats = min(variant.seats)
    words = ["--variant", game, "--games", "2", "--first-seed", "5", "--seats", str(seats), "99"]
    head, _, *lines = report(variant, "medium", "easy", arguments(words))
    assert f"{game}: one medium against easy, seeds 5..6, rotated seats" == head
    assert len(rows(variant, ["deck"])) == len(lines)
    for line in lines:
        assert f"{seats:5} {2:5} " in line and " - " in line
