"""Shutdown with a countdown: everyone is notified, then the server shuts down.

Rule 1: nothing else changes during the countdown; games continue and are saved as always.
Rule 2: there is one countdown.  A new one replaces the old, and it can be cancelled.  Each of
        these is logged.
Rule 3: what was announced stays true: a server that takes over goes on with the countdown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import UserError

IN_S_MAX = 3_600.0
ANNOUNCE_AT_S = (1_800, 600, 300, 60, 30, 10)  # announced again when so much is left
SHUTDOWN_NOTICE = (
    "The server closes in {} for a short while. Your games are saved and go on afterwards."
)
CANCELLED_NOTICE = "The server stays open after all."

log = logging.getLogger("mudserver")


class ShutdownCountdown:
    """Args: announce: notifies everyone online; shut_down: ends the server."""

    def __init__(
        self, clock: Clock, announce: Callable[[str], None], shut_down: Callable[[], None]
    ) -> None:
        self._clock, self._announce, self._shut_down = clock, announce, shut_down
        self._timers: list[TimerHandle] = []
        self.ends_at_ms: int | None = None  # UTC; None: no shutdown is scheduled

    def schedule(self, in_s: float = 0.0) -> str:
        """Begin the countdown, 0 to IN_S_MAX seconds; returns what happens.  UserError if not."""
        if not isinstance(in_s, int | float) or not 0 <= in_s <= IN_S_MAX:
            raise UserError(f"The delay is a number of seconds from 0 to {IN_S_MAX:.0f}.", "usage")
        self._cancel_timers()
        if in_s == 0:
            self._shut_down()
            return "shutting down now"
        log.info("shutdown scheduled in_s=%g", in_s)
        self._announce_remaining(in_s)
        self._count_down(in_s)
        return f"shutting down in {_span(in_s)}; everyone has been notified"

    def go_on(self, ends_at_ms: int | None) -> None:
        """Another server has announced that it ends then; None: it has not."""
        left_s = 0.0 if ends_at_ms is None else (ends_at_ms - self._clock.now_ms()) / 1000
        if 0 < left_s <= IN_S_MAX:
            log.info("shutdown goes on in_s=%g", left_s)
            self._count_down(left_s)

    def _count_down(self, in_s: float) -> None:
        self.ends_at_ms = self._clock.now_ms() + int(in_s * 1000)
        for mark_s in ANNOUNCE_AT_S:
            if mark_s < in_s:
                self._call_later(in_s - mark_s, partial(self._announce_remaining, mark_s))
        self._call_later(in_s, self._end)

    def _end(self) -> None:
        self._cancel_timers()
        self._shut_down()

    def cancel(self) -> str:
        """Cancel the countdown.  UserError: there is none."""
        self.check_running()
        self._cancel_timers()
        log.info("shutdown cancelled")
        self._announce(CANCELLED_NOTICE)
        return "shutdown cancelled; everyone has been notified"

    def check_running(self) -> None:
        """UserError: no shutdown is scheduled."""
        if self.ends_at_ms is None:
            raise UserError("No shutdown is scheduled.", "not_found")

    def _call_later(self, delay_s: float, call: Callable[[], None]) -> None:
        self._timers.append(self._clock.call_later(delay_s, call))

    def _announce_remaining(self, left_s: float) -> None:
        self._announce(SHUTDOWN_NOTICE.format(_span(left_s)))

    def _cancel_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self.ends_at_ms = None


def _span(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds:g} second{'s' * (seconds != 1)}"
