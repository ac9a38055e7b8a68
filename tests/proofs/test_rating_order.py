"""Games of players of known strength: their ratings recover the order, and are computed again.

Each player does in a game as well as the strength says, and luck: a normal deviate of BETA.  The
span of strengths in each game is about what was measured between its levels of play.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest

from mudserver.results.events import GameRecorded, SeatResult, decode, encode
from mudserver.results.rating import BETA, MU, Standing
from mudserver.service.rated_event import rated_event
from mudserver.service.recompute import Recomputed
from tests.counts import count

PLAYERS, GAMES = 20, 500
SEEDS = count(20, 6)
LONG_RUN = count(10_000, 3_000)
HOUR_MS = 3_600_000
ANCHORS = {"easy": 20.0, "hard": 30.0}


class Kind(NamedTuple):
    seats_max: int
    span: float  # of strengths, in mu
    ties: float  # how many games have one


KINDS = {
    "elimination": Kind(8, 9.0, 0.0),
    "stockpile": Kind(4, 7.0, 0.22),
    "words": Kind(4, 27.0, 0.0),
}


class Run:
    """Rated games of one kind, each computed from the one before."""

    def __init__(self, variant: str, seed: int) -> None:
        self._dice, self._variant, self._kind = Random(f"{variant} {seed}"), variant, KINDS[variant]
        self.standings: dict[str, Standing] = {}
        step = self._kind.span / (PLAYERS - 1)
        self.strengths = {f"p{n}": MU + step * (n - (PLAYERS - 1) / 2) for n in range(PLAYERS)}

    def play(self, number: int) -> GameRecorded:
        dice = self._dice
        names = dice.sample(sorted(self.strengths), dice.randint(2, self._kind.seats_max))
        seats = [SeatResult("person", it) for it in names]
        strengths = [self.strengths[it] for it in names]
        if len(seats) < self._kind.seats_max and dice.random() < 0.3:
            level = dice.choice(sorted(ANCHORS))
            seats.append(SeatResult("computer", name="Juno", level=level))
            strengths.append(ANCHORS[level])
        done = [-(strength + dice.gauss(0, BETA)) for strength in strengths]
        if dice.random() < self._kind.ties:
            done[1] = done[0]
        places = [sorted(done).index(it) + 1 for it in done]
        bare = GameRecorded(
            number * HOUR_MS,
            *(number, f"{number}.1", self._variant, number * HOUR_MS - 1, 1, 2, "finished"),
            tuple(
                SeatResult(it.kind, it.person, it.name, it.level, place)
                for it, place in zip(seats, places, strict=True)
            ),
            pool=self._variant,
        )
        event = rated_event(bare, self.standings, ANCHORS)
        for it in event.seats:
            if it.after is not None:
                self.standings[it.person] = Standing(*it.after, it.games, event.at_ms)
        return event

    def in_order(self, weak: int, strong: int) -> tuple[int, int]:
        """Pairs in the right order, and pairs: of the *weak* weakest and the *strong* strongest."""
        names = sorted(self.strengths, key=self.strengths.__getitem__)
        pairs = [
            pair for pair in combinations(names, 2)
            if pair[0] in names[:weak] and pair[1] in names[-strong:]
        ]  # fmt: skip
        mu = {name: own.mu for name, own in self.standings.items()}
        return sum(mu[low] < mu[high] for low, high in pairs), len(pairs)


@pytest.mark.prove
@pytest.mark.parametrize("variant", KINDS)
def test_ratings_recover_the_order_of_players(variant):
    """The weakest and the strongest quarter: 90 % of their pairs at least; all pairs are told."""
    quarters, everybody = [0, 0], [0, 0]
    for seed in range(SEEDS):
        run = Run(variant, seed)
        for number in range(1, GAMES + 1):
            run.play(number)
        for found, counted in ((run.in_order(5, 5), quarters), (run.in_order(20, 20), everybody)):
            counted[0] += found[0]
            counted[1] += found[1]
    print(
        f"{variant}: {SEEDS} seeds, quarters {quarters[0] / quarters[1]:.2f},"
        f" all pairs {everybody[0] / everybody[1]:.2f}"
    )
    assert quarters[0] >= 0.9 * quarters[1]


@pytest.mark.prove
@pytest.mark.parametrize("variant", KINDS)
def test_a_long_run_computed_again_is_all_as_stored(variant):
    """More than a year of it: seasons change."""
    run, again = Run(variant, 1), Recomputed()
    for number in range(1, LONG_RUN + 1):
        again.apply(decode(encode(run.play(number))))
    assert [] == again.faults and LONG_RUN == again.games
    assert run.standings == {who: own for (_, who), own in again.standings.items()}
