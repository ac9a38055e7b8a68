"""How long the journal keeps tables that have closed.

Rule 1: once a day, in small steps, as long as the house is open; a failure is a line in the log
        and is tried again the next day.
Rule 2: what is taken out is gone.  A house that was away for longer than tables are kept, or whose
        clock says so, has a day before it begins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError

DAY_S = 86_400.0
FIRST_S = 300.0  # after the start: people come back first

log = logging.getLogger("house")


class Retention:
    """Args: prune: takes tables out that closed before a time, UTC ms.  keep_days: 0: for ever.
    alive_ms: when the run before was last alive, UTC; None: there was none.
    """

    def __init__(
        self,
        clock: Clock,
        prune: Callable[[int], Awaitable[int]],
        keep_days: int,
        alive_ms: int | None = None,
    ) -> None:
        self._clock, self._prune, self._keep_days = clock, prune, keep_days
        self._alive_ms = alive_ms

    def reconfigure(self, keep_days: int) -> None:
        """Another number from the next time on."""
        self._keep_days = keep_days

    async def run(self) -> None:
        wait_s = DAY_S if self._is_odd() else FIRST_S
        while True:
            await asyncio.sleep(wait_s)
            wait_s = DAY_S
            if not self._keep_days:
                continue
            try:
                count = await self._prune(self._clock.now_ms() - self._keep_ms())
            except JournalWriteError as exc:
                log.error("old tables not removed err=%s", exc)
                continue
            if count:
                log.info("old tables removed tables=%s days=%s", count, self._keep_days)

    def _keep_ms(self) -> int:
        return self._keep_days * int(DAY_S) * 1000

    def _is_odd(self) -> bool:
        """Whether more time has gone by than tables are kept for: all of them would go at once."""
        if self._alive_ms is None or not self._keep_days:
            return False
        is_odd = self._clock.now_ms() - self._alive_ms > self._keep_ms()
        if is_odd:
            log.warning("old tables stay for a day: is the clock right? away_days=%s",
                        (self._clock.now_ms() - self._alive_ms) // int(DAY_S * 1000))  # fmt: skip
        return is_odd
