"""Game servers behind a door that die at given moments: with a standby, without one, twice.

Rule 1: a death comes at a frame, counted from the moment of the plan, or, if there are not so many,
        after a while.  The second of two comes while the next server takes its sessions up, or soon
        after.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import NamedTuple

from tests.simulation.split import SplitHouse

HOWS, WEIGHTS = ("standby", "alone", "twice"), (5, 2, 3)
CALM, ROUGH = 3, 5  # steps
FRAMES_TO_RESTART = 20  # when the half line has been typed
FRAMES_MAX = 80  # of a step: later, nothing is under way any more
LATER_MAX = 60  # from one death to the next, at most
LATEST_S, LATER_S = 4.5, 2.5  # without frames, from the plan to a death, and to the next


class Death(NamedTuple):
    how: str
    at: int  # the frame
    later: int  # frames from the first to the second; 0: there is none
    latest_s: float  # when, at the latest


def deaths_of(rng: Random, steps: int) -> list[Death | None]:
    """What happens in each step: nothing in the first of each few, then nearly always something.

    A death takes the talk of some steps; in the calm ones something is said that it must not take.
    """

    def death() -> Death:
        [how] = rng.choices(HOWS, WEIGHTS)
        later = rng.randint(1, LATER_MAX) if how == "twice" else 0
        return Death(how, rng.randint(1, FRAMES_MAX), later, rng.uniform(0, LATEST_S))

    return [
        death() if number % (CALM + ROUGH) >= CALM and rng.random() < 0.9 else None
        for number in range(steps)
    ]


class CrashingHouse(SplitHouse):
    deaths = 0

    def plan(self, death: Death | None) -> None:
        if death is None:
            return
        self.what, self.happens_at = "kill", self.frames + death.at
        self._later, self.has_standby = death.later, death.how != "alone"
        self._expect_within(death.latest_s)

    def _expect_within(self, seconds: float) -> None:
        at = self.happens_at

        def hurry() -> None:
            if self.frames < at == self.happens_at:
                self.frames = at
                self.happens()

        asyncio.get_running_loop().call_later(seconds, hurry)

    def happens(self) -> None:
        self.deaths += self.what == "kill"
        super().happens()
        if self._later:
            self.happens_at, self._later = self.frames + self._later, 0
            self._expect_within(LATER_S)

    def hand_over_soon(self) -> None:
        """A planned restart, a moment from now."""
        self.what, self.happens_at = "hand over", self.frames + FRAMES_TO_RESTART
        self._later = 0

    async def _start_again(self) -> None:
        await super()._start_again()
        self.has_standby = False
