"""Ratings: what a game moves, ties, seasons, anchors."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from mudserver.clock import format_date
from mudserver.results.rating import (
    NEW,
    SEASON_SIGMA,
    TAU,
    UNIT,
    Entrant,
    Standing,
    at_season,
    averaged,
    last_places,
    rated,
    shown,
    strict_orders,
)
from mudserver.results.seasons import season_start_ms

NOV, JAN = 1_794_000_000_000, 1_799_000_000_000  # November 2026, January 2027
OCT = season_start_ms(NOV)
EQUAL = (25.0, 25 / 3)


def test_the_better_place_gains_and_the_order_of_seats_plays_no_part():
    dice = Random(1)
    values = [(dice.uniform(10, 40), dice.uniform(1, 8)) for _ in range(4)]
    places = [2, 1, 3, 3]
    wanted = averaged(values, places)
    for order in permutations(range(4)):
        found = averaged([values[n] for n in order], [places[n] for n in order])
        for seat, n in enumerate(order):
            assert wanted[n] == pytest.approx(found[seat], abs=1e-9)


@pytest.mark.parametrize("seats", range(2, 9))
def test_of_equals_a_better_place_never_pays_less(seats):
    dice = Random(seats)
    for _ in range(20):
        places = [dice.randint(1, seats) for _ in range(seats)]
        after = averaged([EQUAL] * seats, places)
        for one, other in permutations(range(seats), 2):
            if places[one] < places[other]:
                assert after[one][0] > after[other][0] - 1e-9, places
            if places[one] == places[other]:
                assert after[one][0] == pytest.approx(after[other][0], abs=1e-9)


def test_what_is_won_is_lost_weighted_by_uncertainty():
    dice = Random(3)
    for _ in range(200):
        seats = dice.randint(2, 8)
        values = [(dice.uniform(5, 45), dice.uniform(1, 8.3)) for _ in range(seats)]
        places = [dice.randint(1, seats) for _ in range(seats)]
        moved = [
            (after - mu) / (sigma * sigma + TAU * TAU)
            for (mu, sigma), (after, _) in zip(values, averaged(values, places), strict=True)
        ]
        assert abs(sum(moved)) < 1e-9


def test_a_tied_group_is_broken_in_every_cyclic_order():
    assert [(0, 1)] == strict_orders([1, 2])
    assert {(0, 1), (1, 0)} == set(strict_orders([1, 1]))
    assert 18 == len(strict_orders([1, 1, 1, 2, 2, 2, 3, 3]))


def test_anchors_stay_and_count_as_opponents():
    [own, anchor] = rated([Entrant(1, NEW), Entrant(2, None, 38.5)], NOV, OCT)
    assert anchor is None and own is not None and own.games == 1 and own.last_ms == NOV
    [weak, _] = rated([Entrant(1, NEW), Entrant(2, None, 3.9)], NOV, OCT)
    assert weak is not None and own.mu > weak.mu > NEW.mu


def test_a_new_season_makes_sure_ratings_less_sure():
    assert ("2026-10-01", "2027-01-01") == tuple(map(format_date, (OCT, season_start_ms(JAN))))
    sure = Standing(300_000, 10_000, 50, NOV)
    assert sure == at_season(sure, OCT)
    new_year = season_start_ms(JAN)
    assert SEASON_SIGMA * UNIT == at_season(sure, new_year).sigma
    unsure = sure._replace(sigma=50_000)
    assert unsure == at_season(unsure, new_year) and not at_season(sure, new_year).is_provisional


def test_what_is_shown():
    assert (1_500, 1_540, 100) == (shown(250_000), shown(260_000), shown(-500_000))
    assert NEW.is_provisional and 333 == NEW.deviation


def test_who_has_not_stayed_shares_the_last_place():
    assert [1, 3, 2] == last_places([2, 1, 3], [True, False, True])
    assert [2, 1, 2] == last_places([1, 3, 2], [False, True, False])
    assert [1, 1, 2] == last_places([1, 1, 3], [True, True, True])
