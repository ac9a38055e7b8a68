"""How much memory the house may hold before nobody new comes in.

Rule 1: at the ceiling, guests and new names are refused with a sentence; who has a name comes in,
        and everybody who is in plays on.
Rule 2: it is measured when somebody new knocks, at most once in MEASURE_S: a crowd costs nothing.
Rule 3: there is room again below FREE of the ceiling, so that the door does not swing with every
        person who leaves.  Both turns are one line in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from mudserver import metrics
from mudserver.errors import UserError

MEASURE_INTERVAL_S = 1.0
RESUME_FRACTION = 0.9
MIB = 1_048_576
MEMORY_FULL_TEXT = (
    "The house has no room for new people just now. Please come back a little later; "
    "who has a name here already can come in."
)

log = logging.getLogger("house")


class MemoryLimit:
    """Args: measure: bytes that the process holds.  mib_max: MiB; 0: there is no ceiling."""

    def __init__(self, measure: Callable[[], int] = lambda: 0, mib_max: int = 0) -> None:
        self._measure, self._mib_max = measure, mib_max
        self._is_reached = False
        self._next_measure_s = float("-inf")

    def reconfigure(self, mib_max: int) -> None:
        """Another ceiling; whether it is reached is seen when the next one knocks."""
        self._mib_max, self._next_measure_s = mib_max, float("-inf")

    def check(self, now_s: float) -> None:
        """HouseError: nobody new can come in now."""
        if now_s >= self._next_measure_s:
            self._next_measure_s = now_s + MEASURE_INTERVAL_S
            self._update()
        if self._is_reached:
            metrics.REFUSALS.increment("memory")
            raise UserError(MEMORY_FULL_TEXT)

    def _update(self) -> None:
        held, most = self._measure() if self._mib_max else 0, self._mib_max * MIB
        was = self._is_reached
        self._is_reached = 0 < most and held >= (most * RESUME_FRACTION if was else most)
        if self._is_reached != was:
            what = "memory ceiling reached" if self._is_reached else "memory below the ceiling"
            log.warning("%s held_mib=%s ceiling_mib=%s", what, held // MIB, self._mib_max)
