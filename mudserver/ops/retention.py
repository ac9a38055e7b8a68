"""Retention: removes closed tables from the journal after `journal.keep_days`.

Rule 1: it runs once a day, in small steps.  A failure is logged and tried again the next day.
Rule 2: removal is final.  If the server was offline for longer than tables are kept, or the system
        clock says so, the first run waits a day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError

DAY_S = 86_400.0
FIRST_S = 300.0  # after the start, while people reconnect

log = logging.getLogger("mudserver")


class Retention:
    """Args:
    prune: Removes tables that closed before a time, UTC ms; returns how many.
    keep_days: 0: keep them for ever.
    alive_ms: The last heartbeat of the run before, UTC; None: this is the first run.
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
        """Apply another number of days from the next run on."""
        self._keep_days = keep_days

    async def run(self) -> None:
        wait_s = DAY_S if self._was_offline_too_long() else FIRST_S
        while True:
            await asyncio.sleep(wait_s)
            wait_s = DAY_S
            if not self._keep_days:
                continue
            try:
                count = await self._prune(self._clock.now_ms() - self._keep_ms())
            except JournalWriteError as exc:
                log.error("retention failed err=%s", exc)
                continue
            if count:
                log.info("retention removed tables=%s keep_days=%s", count, self._keep_days)

    def _keep_ms(self) -> int:
        return self._keep_days * int(DAY_S) * 1000

    def _was_offline_too_long(self) -> bool:
        """Whether all tables would be removed at once, because the last run is so long ago."""
        if self._alive_ms is None or not self._keep_days:
            return False
        is_too_long = self._clock.now_ms() - self._alive_ms > self._keep_ms()
        if is_too_long:
            log.warning("retention delayed one day, check the system clock offline_days=%s",
                        (self._clock.now_ms() - self._alive_ms) // int(DAY_S * 1000))  # fmt: skip
        return is_too_long
