"""How long the journal keeps tables that have closed.

Rule 1: once a day, in small steps, as long as the house is open; a failure is a line in the log
        and is tried again the next day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mudserver.clock import Clock
from mudserver.errors import JournalFailed

DAY_S = 86_400.0
FIRST_S = 300.0  # after the start: people come back first

log = logging.getLogger("house")


class Retention:
    """Args: prune: takes tables out that closed before a time, UTC ms.  keep_days: 0: for ever."""

    def __init__(
        self, clock: Clock, prune: Callable[[int], Awaitable[int]], keep_days: int
    ) -> None:
        self._clock, self._prune, self._keep_days = clock, prune, keep_days

    def take(self, keep_days: int) -> None:
        """Another number from the next time on."""
        self._keep_days = keep_days

    async def run(self) -> None:
        wait_s = FIRST_S
        while True:
            await asyncio.sleep(wait_s)
            wait_s = DAY_S
            if not self._keep_days:
                continue
            try:
                count = await self._prune(
                    self._clock.now_ms() - self._keep_days * int(DAY_S) * 1000
                )
            except JournalFailed as exc:
                log.error("old tables not removed err=%s", exc)
                continue
            if count:
                log.info("old tables removed tables=%s days=%s", count, self._keep_days)
