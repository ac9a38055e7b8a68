"""One timer for all screens: the output of one tick is one write.

Rule 1: no timer runs while no screen has output.
Rule 2: screens are flushed in the order of their requests, so that a simulation with a seed is
        deterministic.
Rule 3: ticks fall on a fixed time grid.  The time of a flush follows from the time of its request
        alone, and reveals nothing about what others did just before.  [SEC-4]
Rule 4: an exception in one screen does not affect the others.
Rule 5: the delivery delay of a tick is observed once for each screen.
"""

from __future__ import annotations

import logging
from typing import Protocol

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.logs import RepeatLimiter, log_exception

ROUNDING_S = 1e-6  # of times, which are sums of fractions

log = logging.getLogger(__name__)


class Flushable(Protocol):
    def flush(self) -> None: ...


class Ticker:
    __slots__ = ("_clock", "_delivery_at", "_errors", "_tick_s", "_touched")

    def __init__(self, clock: Clock, tick_ms: int) -> None:
        self._clock, self._tick_s = clock, tick_ms / 1000
        self._touched: list[Flushable] = []  # at most one entry per screen
        self._errors = RepeatLimiter(clock.monotonic)
        self._delivery_at: float | None = None  # when the oldest delivery of this tick was sent

    def note_delivery(self, sent_at: float) -> None:
        """A delivery sent at *sent_at* (clock seconds) has reached its screens.

        Deliveries only to programs and full screens, or held behind a page, have no tick; they are
        not counted with a later one.
        """
        if self._touched and self._delivery_at is None:
            self._delivery_at = sent_at

    def schedule_flush(self, screen: Flushable) -> None:
        """Flush *screen* at the next tick.  A screen requests this at most once per tick."""
        if not self._touched:
            to_next_s = self._tick_s - self._clock.monotonic() % self._tick_s
            if to_next_s < ROUNDING_S:  # it is this tick that asks
                to_next_s += self._tick_s
            self._clock.call_later(to_next_s, self._tick)
        self._touched.append(screen)

    def _tick(self) -> None:
        touched, self._touched = self._touched, []
        for screen in touched:
            try:
                screen.flush()
            except Exception as bug:
                if times := self._errors.count_to_log(type(bug).__name__):
                    log_exception(log, "screen flush failed", bug, times=times)
        sent_at, self._delivery_at = self._delivery_at, None
        if sent_at is not None:
            metrics.DELIVERY_SECONDS.observe(self._clock.monotonic() - sent_at, len(touched))
