"""What every rule book must keep: seats are equal."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from tests.conformance.play import play
from tests.conformance.settings import Setting, label, settings
from tests.games import profile_of


def winners(setting: Setting, numbers: range) -> Counter[int]:
    """Games won outright, by seat.  Shared first places tell nothing about one seat."""
    won: Counter[int] = Counter()
    for number in numbers:
        outcome = setting.variant.outcome(play(setting, number).state)
        assert outcome is not None
        first = [seat for seat, place in enumerate(outcome.places) if place == 1]
        if len(first) == 1:
            won[first[0]] += 1
    return won


def assert_equal_chances(won: Counter[int], seats: int) -> None:
    """Each share lies within 1/n by a 99 % interval over all seats together (Bonferroni)."""
    z = {2: 2.58, 3: 2.94, 4: 3.02, 5: 3.09, 6: 3.14, 8: 3.23}[seats]
    games, share = won.total(), 1 / seats
    slack = z * sqrt(games * share * (1 - share))
    for seat in range(seats):
        assert abs(won[seat] - games * share) <= slack, f"seat {seat} won {won[seat]} of {games}"


def few_of_three() -> list[Setting]:
    """With three seats; of games that take long none."""
    return [s for s in settings(seats=(3,)) if not profile_of(s.variant.name).brief]


@pytest.mark.parametrize("setting", few_of_three(), ids=label)
def test_equal_players_win_equally_often(setting: Setting) -> None:
    won = winners(setting, range(1000, 1080))
    assert won.total() >= 40
    assert_equal_chances(won, setting.seats)


@pytest.mark.prove
@pytest.mark.parametrize("setting", settings(seats=(2, 4, 6)), ids=label)
def test_equal_players_win_equally_often_over_many_games(setting: Setting) -> None:
    won = winners(setting, range(1000, 2000))
    print(f"\n{setting.label}: {won.total()} games won: {dict(sorted(won.items()))}")
    assert_equal_chances(won, setting.seats)
