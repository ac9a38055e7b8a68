from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from mudserver.results.rating import BETA
from tests.bench.anchors import Played, fitted, played
from variants.catalogue import CATALOGUE

LEVELS = ("fair", "good", "weak")


def a_game(seed: int, strengths: Mapping[str, float]) -> Played:
    dice = Random(seed)
    levels = [dice.choice(LEVELS) for _ in range(dice.randint(2, 6))]
    done = [strengths[level] + dice.gauss(0, BETA) for level in levels]
    places = [sorted(done, reverse=True).index(it) + 1 for it in done]
    return Played(seed, tuple(levels), tuple(places))


def test_levels_are_found_in_their_order_from_one_that_is_fixed() -> None:
    strengths = {"weak": 20.0, "fair": 26.0, "good": 30.0}
    found = fitted([a_game(seed, strengths) for seed in range(150)], "good", 30.0)
    assert found["weak"] < found["fair"] - 4 < found["good"] - 6 == 24.0


def test_levels_of_one_strength_are_found_to_be_equal() -> None:
    found = fitted([a_game(seed, dict.fromkeys(LEVELS, 25.0)) for seed in range(150)], "good", 25.0)
    assert max(abs(mu - 25.0) for mu in found.values()) < 2.0


@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_a_game_is_a_function_of_its_seed_and_of_the_levels_that_are_measured(game: str) -> None:
    quick = list(CATALOGUE[game].bots)[:1]
    assert played(CATALOGUE[game], quick, 3) == played(CATALOGUE[game], quick, 3)
