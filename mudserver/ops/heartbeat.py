"""The heartbeat: durable timestamps in the journal, and whether its writer answers.

Rule 1: each beat is durable.  After a crash, turn clocks restart from the last beat.
Rule 2: a writer that reports an error is alive: the disk may have room again.  One that does not
        answer for a period and GRACE_S is stuck.  A full queue is not an answer of the writer.
Rule 3: the log says when beats can no longer be written, why, and when they can again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError

GRACE_S = 5.0

log = logging.getLogger("mudserver")


class Heartbeat:
    """Args: beat: writes one beat durably, or raises JournalWriteError; every_s: the period."""

    def __init__(self, beat: Callable[[], Awaitable[None]], every_s: float, clock: Clock) -> None:
        self._beat, self._every_s, self._clock = beat, every_s, clock
        self._last_answer_s = clock.monotonic()
        self.is_writable = True
        """Whether the last beat was written."""

    async def run(self) -> None:
        self._last_answer_s = self._clock.monotonic()  # a standby was made long before
        while True:
            try:
                await self._beat()
                self._last_answer_s = self._clock.monotonic()
                if not self.is_writable:
                    log.warning("journal writable again")
                self.is_writable = True
            except JournalWriteError as failed:
                if self.is_writable:
                    log.error("journal write failed err=%s", failed)
                self.is_writable = False
                if failed.__cause__ is not None:  # the writer itself answered
                    self._last_answer_s = self._clock.monotonic()
            await asyncio.sleep(self._every_s)

    @property
    def is_alive(self) -> bool:
        return self._clock.monotonic() - self._last_answer_s < self._every_s + GRACE_S
