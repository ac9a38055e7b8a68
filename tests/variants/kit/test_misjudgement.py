from __future__ import annotations

from statistics import fmean

from variants.kit.chance import SeededChance
from variants.kit.misjudgement import misjudged_best

WORTHS = [(0.25, "draw"), (0.5, "force"), (0.5, "give"), (0.1, "take")]


def test_without_a_spread_the_best_is_played_and_of_equals_the_first() -> None:
    assert "force" == misjudged_best(WORTHS, 0.0, SeededChance(b"1"))


def test_the_same_chance_misjudges_in_the_same_way() -> None:
    played = [[misjudged_best(WORTHS, 0.3, SeededChance(bytes([n]))) for n in range(40)]] * 2
    assert played[0] == played[1]
    assert {"draw", "force", "give"} <= set(played[0])


def test_two_draws_apart_the_worse_is_played_as_seldom_as_a_normal_deviation_says() -> None:
    """The difference of two draws has the deviation sqrt(2) times the spread."""
    chance = SeededChance(b"many")
    for apart, least, most in ((0.0, 0.45, 0.55), (1.0, 0.20, 0.28), (2.0, 0.05, 0.11)):
        worths = [(0.0, 1), (apart, 0)]
        share = fmean(misjudged_best(worths, 1.0, chance) for _ in range(1_000))
        assert least < share < most, (apart, share)


def test_four_draws_are_taken_for_each_action() -> None:
    chance = SeededChance(b"1")
    misjudged_best(WORTHS, 1.0, chance)
    assert 4 * len(WORTHS) == len(chance.draws)
