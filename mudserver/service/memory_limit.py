"""The memory limit, above which the server admits nobody new.

Rule 1: at the limit guests and new names are refused with a sentence.  People with an account may
        log in, and everybody who is online plays on.
Rule 2: memory is measured when somebody new asks, at most once in MEASURE_INTERVAL_S, so that a
        crowd of newcomers costs nothing.
Rule 3: newcomers are admitted again below RESUME_FRACTION of the limit, so that the answer does not
        change with every person who leaves.  Each change is one log line.
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
    "The server has no room for new people right now. Please try again in a few minutes; "
    "people with an account can log in."
)

log = logging.getLogger("mudserver")


class MemoryLimit:
    """Args: measure: bytes that the process uses.  mib_max: MiB; 0: there is no limit."""

    def __init__(self, measure: Callable[[], int] = lambda: 0, mib_max: int = 0) -> None:
        self._measure, self._mib_max = measure, mib_max
        self._is_reached = False
        self._next_measure_s = float("-inf")

    def reconfigure(self, mib_max: int) -> None:
        """Set another limit; the next `check` measures anew."""
        self._mib_max, self._next_measure_s = mib_max, float("-inf")

    def check(self, now_s: float) -> None:
        """UserError: the limit is reached."""
        if now_s >= self._next_measure_s:
            self._next_measure_s = now_s + MEASURE_INTERVAL_S
            self._update()
        if self._is_reached:
            metrics.REFUSALS.increment("memory")
            raise UserError(MEMORY_FULL_TEXT, "full")

    def _update(self) -> None:
        used, limit = self._measure() if self._mib_max else 0, self._mib_max * MIB
        was_reached = self._is_reached
        threshold = limit * RESUME_FRACTION if was_reached else limit
        self._is_reached = 0 < limit and used >= threshold
        if self._is_reached != was_reached:
            event = "memory limit reached" if self._is_reached else "memory below limit"
            log.warning("%s used_mib=%s limit_mib=%s", event, used // MIB, self._mib_max)
