"""Who plays whom in one round of a tournament."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mudserver.tourneys.pairing import Drawn, Entrant, draw_round
from mudserver.tourneys.points import points_of_places
from tests.slow_cases import every_third


def entrants(count: int) -> list[Entrant]:
    return [Entrant(f"p{number}", 0, {}) for number in range(1, count + 1)]


class Played:
    """A tournament whose games end at random."""

    def __init__(self, people: int, seats: int, seed: int) -> None:
        self.seats, self.rng, self.seed = seats, Random(seed), seed
        self.people = [f"p{number}" for number in range(1, people + 1)]
        self.points: Counter[str] = Counter()
        self.sat_out: Counter[str] = Counter()
        self.met: dict[str, Counter[str]] = {it: Counter() for it in self.people}
        self.repeated = 0

    def entrants(self) -> list[Entrant]:
        return [Entrant(it, self.points[it], self.met[it], self.sat_out[it]) for it in self.people]

    def play(self, number: int) -> Drawn:
        drawn = draw_round(self.seed, number, self.entrants(), self.seats)
        for table in drawn.tables:
            order = self.rng.sample(table, len(table))
            places = list(range(1, len(order) + 1))
            for person, points in zip(order, points_of_places(places), strict=True):
                self.points[person] += points
                self.repeated += sum(self.met[person][it] > 0 for it in table if it < person)
                self.met[person].update(it for it in table if it != person)
        self.sat_out[drawn.sits_out] += 1
        return drawn


@settings(max_examples=30)
@given(st.integers(2, 128), st.integers(2, 8), st.integers(1, 1000))
def test_everybody_has_one_place_at_the_fewest_tables_of_like_size(
    count: int, seats: int, tourney: int
) -> None:
    drawn = draw_round(tourney, 1, entrants(count), seats)
    people = [person for table in drawn.tables for person in table]
    sitting_out = [drawn.sits_out] if drawn.sits_out else []
    assert sorted([*people, *sitting_out]) == sorted(it.person for it in entrants(count))
    assert len(sitting_out) == (seats == 2 and count % 2)
    sizes = {len(table) for table in drawn.tables}
    assert max(sizes) <= seats and max(sizes) - min(sizes) <= 1 and min(sizes) >= 2
    assert len(drawn.tables) == -(-len(people) // seats)


def test_the_same_round_has_the_same_tables_and_another_one_has_others() -> None:
    first = draw_round(7, 1, entrants(24), 4)
    assert first == draw_round(7, 1, entrants(24), 4)
    assert first != draw_round(7, 2, entrants(24), 4)
    assert first != draw_round(8, 1, entrants(24), 4)


def test_nobody_sits_out_twice_before_all_have() -> None:
    played = Played(9, 2, seed=3)
    sat_out = [played.play(number).sits_out for number in range(1, 19)]
    assert sorted(sat_out[:9]) == sorted(sat_out[9:]) == sorted(played.people)


def test_people_with_the_same_points_meet() -> None:
    strong = [Entrant(f"s{number}", 1000, {}) for number in range(8)]
    weak = [Entrant(f"w{number}", 0, {}) for number in range(8)]
    drawn = draw_round(1, 2, [*strong, *weak], 4)
    assert all(len({person[0] for person in table}) == 1 for table in drawn.tables)


@pytest.mark.parametrize("seed", every_third(range(3)))
@pytest.mark.parametrize(
    ("people", "rounds", "repeated_max", "met_max"),
    [(24, 5, 4, 2), (32, 5, 0, 1), (64, 5, 0, 1), (16, 4, 5, 2)],
)
def test_people_rarely_meet_again(
    people: int, rounds: int, repeated_max: int, met_max: int, seed: int
) -> None:
    played = Played(people, 4, seed)
    for number in range(1, rounds + 1):
        played.play(number)
    assert played.repeated <= repeated_max
    assert max(times for met in played.met.values() for times in met.values()) <= met_max
