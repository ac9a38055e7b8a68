"""What a game of a tournament is worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from mudserver.tourneys.points import SEATS_MAX, UNIT, points_of_places, points_text


@pytest.mark.parametrize("seats", range(2, SEATS_MAX + 1))
def test_places_lie_at_equal_distances_from_60_to_nothing(seats: int) -> None:
    places = range(1, seats + 1)
    expected = [Fraction(60 * (seats - place), seats - 1) for place in places]
    assert expected == [Fraction(it, UNIT) for it in points_of_places(list(places))]


@pytest.mark.parametrize("seats", range(2, 6))
def test_shared_places_get_the_mean_of_theirs_and_nothing_is_lost(seats: int) -> None:
    for numbers in product(range(seats), repeat=seats):
        places = [1 + sum(other < it for other in numbers) for it in numbers]
        points = points_of_places(places)
        assert sum(points) == 30 * UNIT * seats
        for place in set(places):
            shared = [it for it, own in zip(points, places, strict=True) if own == place]
            own = range(place, place + len(shared))
            mean = Fraction(sum(Fraction(60 * (seats - it), seats - 1) for it in own), len(own))
            assert {mean} == {Fraction(it, UNIT) for it in shared}


def test_a_seat_without_a_place_is_last_wherever_it_ended() -> None:
    assert (60, 40, 20, 0) == tuple(it / UNIT for it in points_of_places([2, 3, 4, None]))
    assert (60, 0, 40, 0) == tuple(it / UNIT for it in points_of_places([1, None, 4, None]))
    assert (0, 0) == points_of_places([None, None])


def test_points_are_written_with_one_digit_at_most() -> None:
    assert ["60", "51.4", "0"] == [points_text(it) for it in (60 * UNIT, 720, 0)]
