"""What a step of a replay costs: `next`, `back` and a jump, of a game with four seats.

    python -m tests.bench.replays [STEPS]

Milliseconds of CPU to fold the game to that decision and to make the view of a seat there; each
jump is to a random decision.  What is sent then is what a play at a table costs, see `play.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random

from tests.bench.report import Row, Target
from tests.replays import go, played, replay_of
from variants.catalogue import CATALOGUE

STEPS = 1_000  # of each kind
P99_MS = 30.0  # wanted
SEATS = 4


def rows(times: int, steps: int = STEPS) -> list[Row]:
    found = [(game, [run(game, steps) for _ in range(times)]) for game in CATALOGUE]
    return [
        Row(
            f"{game}: ms of CPU, {way} in a replay, 99 of 100",
            tuple(each[way] for each in figures),
            (),
            Target("<=", P99_MS),
        )
        for game, figures in found
        for way in figures[0]
    ]


def run(game: str, steps: int = STEPS) -> dict[str, float]:
    """The 99th percentile of each kind of step."""
    replay, random = replay_of(played(CATALOGUE[game], SEATS, 1)), Random(1)
    assert replay is not None
    ways: dict[str, Callable[[int], int]] = {
        "next": lambda at: at + 1 if at < replay.last else 0,
        "back": lambda at: at - 1 if at else replay.last,
        "a jump": lambda at: random.randint(0, replay.last),
    }
    figures = {}
    for way, follows in ways.items():
        at, taken = 0, list[float]()
        for number in range(steps):
            at, begun_s = follows(at), time.process_time()
            go(replay, at)
            replay.view(number % SEATS)
            taken.append(1_000 * (time.process_time() - begun_s))
        figures[way] = sorted(taken)[len(taken) * 99 // 100]
    return figures


if __name__ == "__main__":
    for row in rows(1, *map(int, sys.argv[1:2])):
        print(f"{row.name:60} {row.value:8.2f}")
