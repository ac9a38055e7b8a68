"""How far the clock of this server is from that of the database, which all servers share.

Rule 1: nothing that decides who writes looks at it; but the time that a table's clocks get back
        after its server has died is counted by the clocks of two servers, and so is who came in
        later.
Rule 2: an offset over WARN_S is one line in the log, and one more when it is over.
"""

from __future__ import annotations

import logging

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.journal import Journal

WARN_S = 1.0
EVERY_S = 60.0
TRIES = 5  # the quickest answer counts

log = logging.getLogger(__name__)


def is_wrong(offset_s: float | None) -> bool:
    return offset_s is not None and abs(offset_s) > WARN_S


class ClockCheck:
    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal, self._clock = journal, clock
        self._looked_at = float("-inf")
        self._is_warned = False
        self.offset_s: float | None = None
        """Seconds by which this server's clock is ahead, at the last look; None: not known."""

    async def look(self) -> None:
        """Measure, at most every EVERY_S.  JournalWriteError: that cannot be done now."""
        if self._clock.monotonic() - self._looked_at < EVERY_S:
            return
        self.offset_s = await self._measure()
        self._looked_at = self._clock.monotonic()
        if self.offset_s is None:
            return
        metrics.CLOCK_OFFSET.value = self.offset_s
        is_off = is_wrong(self.offset_s)
        if is_off and not self._is_warned:
            log.warning("the clock differs from the database's offset_s=%.1f server=%s",
                        self.offset_s, self._journal.server)  # fmt: skip
        elif self._is_warned and not is_off:
            log.warning("the clock agrees with the database's again server=%s",
                        self._journal.server)  # fmt: skip
        self._is_warned = is_off

    async def _measure(self) -> float | None:
        """None: there is no database."""
        found = list[tuple[float, float]]()  # how long the answer took, and the offset
        for _ in range(TRIES):
            began_s = self._clock.monotonic()
            there_ms = await self._journal.clock_ms()
            if there_ms is None:
                return None
            took_s = self._clock.monotonic() - began_s
            offset_s = (self._clock.utc_ms(began_s + took_s / 2) - there_ms) / 1000
            found.append((took_s, offset_s))
        return min(found)[1]
