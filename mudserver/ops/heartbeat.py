"""The heartbeat of the house: where clocks stop if it dies, and whether its journal answers.

Rule 1: a beat is durable; a restart gives back the time since the last one.
Rule 2: a writer that refuses is alive and a disk may have room again; one that says nothing for
        longer than a beat and GRACE_S is stuck.  A queue without room is nobody's answer.
Rule 3: the log says when beats are not written any more, why, and when they are again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError

GRACE_S = 5.0

log = logging.getLogger("house")


class Heartbeat:
    """Args: beat: durable when it returns, JournalFailed if it is not; every_s: between two."""

    def __init__(self, beat: Callable[[], Awaitable[None]], every_s: float, clock: Clock) -> None:
        self._beat, self._every_s, self._clock = beat, every_s, clock
        self._answered_s = clock.monotonic()
        self.is_durable = True
        """Whether the last beat was written."""

    async def run(self) -> None:
        while True:
            try:
                await self._beat()
                self._answered_s = self._clock.monotonic()
                if not self.is_durable:
                    log.warning("journal written again")
                self.is_durable = True
            except JournalWriteError as failed:
                if self.is_durable:
                    log.error("journal not written err=%s", failed)
                self.is_durable = False
                if failed.__cause__ is not None:  # the writer's own words
                    self._answered_s = self._clock.monotonic()
            await asyncio.sleep(self._every_s)

    @property
    def is_alive(self) -> bool:
        return self._clock.monotonic() - self._answered_s < self._every_s + GRACE_S
