"""What every rule book must keep: seats are equal."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from tests.conformance.play import play
from tests.conformance.settings import Setting, label, settings
from tests.counts import count
from tests.games import profile_of
from tests.slow_cases import every_third

GAMES = 1_000
FIRST = count(GAMES, 120)  # enough where they show nothing
DIVISIBLE = 840  # by the number of seats that may share a game


def winners(setting: Setting, numbers: range) -> tuple[int, Counter[int]]:
    """(games, how often each seat won them, in shares of DIVISIBLE).

    Seats that share the first place share the game.  A place that all share tells nothing.
    """
    games, won = 0, Counter[int]()
    for number in numbers:
        outcome = setting.variant.outcome(play(setting, number).state)
        assert outcome is not None
        first = [seat for seat, place in enumerate(outcome.places) if place == 1]
        if len(first) < setting.seats:
            games += 1
            won.update(dict.fromkeys(first, DIVISIBLE // len(first)))
    return games, won


def unequal_seats(games: int, shares: Counter[int], seats: int) -> list[str]:
    """Those whose share is not within 1/n by a 99 % interval over all seats together (Bonferroni).

    A game that is shared spreads less than one that is won alone.
    """
    z = {2: 2.58, 3: 2.94, 4: 3.02, 5: 3.09, 6: 3.14, 8: 3.23}[seats]
    won, share = {seat: shares[seat] / DIVISIBLE for seat in range(seats)}, 1 / seats
    slack = z * sqrt(games * share * (1 - share))
    return [
        f"seat {seat} won {won[seat]} of {games}"
        for seat in range(seats)
        if abs(won[seat] - games * share) > slack
    ]


def few_of_three() -> list[Setting]:
    """With three seats; of games that take long none."""
    return [s for s in settings(seats=(3,)) if not profile_of(s.variant.name).brief]


@pytest.mark.parametrize("setting", every_third(few_of_three()), ids=label)
def test_equal_players_win_equally_often(setting: Setting) -> None:
    games, won = winners(setting, range(1000, 1030))
    assert games >= 20
    assert not unequal_seats(games, won, setting.seats)


@pytest.mark.prove
@pytest.mark.parametrize("setting", settings(seats=(2, 4, 6)), ids=label)
def test_equal_players_win_equally_often_over_many_games(setting: Setting) -> None:
    games, won = winners(setting, range(1000, 1000 + FIRST))
    if unequal_seats(games, won, setting.seats):
        more_games, more_won = winners(setting, range(1000 + FIRST, 1000 + GAMES))
        games, won = games + more_games, won + more_won
    print(f"\n{setting.label}: {games} games won: {dict(sorted(won.items()))} of {DIVISIBLE} each")
    assert not unequal_seats(games, won, setting.seats)
