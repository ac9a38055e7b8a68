"""One timer for all screens: what came in one tick goes out in one write.

Rule 1: no timer runs while nobody has anything to show.
Rule 2: screens are flushed in the order in which they were touched, so that a simulation by seed
        is the same each time.
Rule 3: ticks fall on a fixed grid of time.  When a screen is flushed follows from when it was
        touched, and tells nothing of what others did just before.  [SEC-4]
Rule 4: one broken screen spoils no other's tick.
Rule 5: a tick that brings mail is counted with its delay, once for each screen.
"""

from __future__ import annotations

import logging
from typing import Protocol

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.logs import RepeatLimiter, log_exception

log = logging.getLogger(__name__)


class Flushable(Protocol):
    def flush(self) -> None: ...


class Ticker:
    __slots__ = ("_clock", "_faults", "_mail_at", "_tick_s", "_touched")

    def __init__(self, clock: Clock, tick_ms: int) -> None:
        self._clock, self._tick_s = clock, tick_ms / 1000
        self._touched: list[Flushable] = []  # at most one entry per screen
        self._faults = RepeatLimiter(clock.monotonic)
        self._mail_at: float | None = None  # when the oldest mail of this tick was sent

    def note_delivery(self, sent_at: float) -> None:
        """Mail sent at that time, in the clock's seconds, has been laid on its screens.

        What was for programs and full screens alone, or waits behind a page, comes with no tick:
        it is not to be counted with the next one, whenever that is.
        """
        if self._touched and self._mail_at is None:
            self._mail_at = sent_at

    def schedule_flush(self, screen: Flushable) -> None:
        """Flush *screen* at the next tick.  The screen takes care to ask only once a tick."""
        if not self._touched:
            to_next_s = self._tick_s - self._clock.monotonic() % self._tick_s
            self._clock.call_later(to_next_s, self._tick)
        self._touched.append(screen)

    def _tick(self) -> None:
        touched, self._touched = self._touched, []
        for screen in touched:
            try:
                screen.flush()
            except Exception as bug:
                if times := self._faults.count_to_log(type(bug).__name__):
                    log_exception(log, "screen flush failed", bug, times=times)
        sent_at, self._mail_at = self._mail_at, None
        if sent_at is not None:
            metrics.DELIVERY_SECONDS.observe(self._clock.monotonic() - sent_at, len(touched))
