"""The end of a run, announced: everybody is told how long there is, and then the house closes.

Rule 1: nothing else changes while the seconds run down; games go on, and are saved as always.
Rule 2: there is one countdown.  A new one takes the place of the old, and it can be called off.
        The log says each of these.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import UserError

IN_S_MAX = 3_600.0
ANNOUNCE_AT_S = (1_800, 600, 300, 60, 30, 10)  # people are told again when so much is left
SHUTDOWN_NOTICE = (
    "The house closes in {} for a short while. Your games are saved and go on afterwards."
)
CANCELLED_NOTICE = "The house stays open after all."

log = logging.getLogger("house")


class ShutdownCountdown:
    """Args: say: tells everybody who is in; end: closes the house."""

    def __init__(
        self, clock: Clock, announce: Callable[[str], None], shut_down: Callable[[], None]
    ) -> None:
        self._clock, self._say, self._end = clock, announce, shut_down
        self._timers: list[TimerHandle] = []

    def schedule(self, in_s: float = 0.0) -> str:
        """Begin the countdown, 0 to IN_S_MAX seconds; answers what happens.  HouseError."""
        if not isinstance(in_s, int | float) or not 0 <= in_s <= IN_S_MAX:
            raise UserError(f"The seconds until the end are a number from 0 to {IN_S_MAX:.0f}.")
        self._forget()
        if in_s == 0:
            self._end()
            return "closing now"
        log.info("will close in_s=%g", in_s)
        self._tell(in_s)
        for mark_s in ANNOUNCE_AT_S:
            if mark_s < in_s:
                self._later(in_s - mark_s, partial(self._tell, mark_s))
        self._later(in_s, self._end)
        return f"closing in {_span(in_s)}; everybody has been told"

    def cancel(self) -> str:
        """Call it off.  HouseError: there is nothing to call off."""
        if not self._timers:
            raise UserError("No end was announced.")
        self._forget()
        log.info("stays open after all")
        self._say(CANCELLED_NOTICE)
        return "staying open; everybody has been told"

    def _later(self, delay_s: float, call: Callable[[], None]) -> None:
        self._timers.append(self._clock.call_later(delay_s, call))

    def _tell(self, left_s: float) -> None:
        self._say(SHUTDOWN_NOTICE.format(_span(left_s)))

    def _forget(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()


def _span(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds:g} second{'s' * (seconds != 1)}"
