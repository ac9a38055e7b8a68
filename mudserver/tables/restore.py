"""Restoring the tables of the previous run, without delaying logins for long.

Rule 1: a start restores tables for a short time only.  The others follow in the background, one
        at a time: read in another thread and replayed in steps, with the event loop running
        between two steps.
Rule 2: until all tables are restored, nobody can tell who has a seat where.  A person without a
        known seat can neither sit down nor open a table, and is told why.
Rule 3: a table that cannot be restored is an error in the log, and stays in the journal for a
        server that can.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from mudserver.clock import Clock
from mudserver.errors import JournalCorruptError, JournalWriteError, UserError
from mudserver.journal import Journal, StoredRecord
from mudserver.tables import texts

RETRY_S = 5.0  # after the journal could not be read

log = logging.getLogger(__name__)

ReplayTable = Callable[[str, Sequence[StoredRecord]], Iterator[None]]


class TableRestorer:
    """Args: replay: makes a table from a stream's records, in steps; may raise anything."""

    def __init__(self, journal: Journal, clock: Clock, replay: ReplayTable) -> None:
        self._journal, self._clock, self._replay = journal, clock, replay
        self._pending: deque[str] = deque()  # streams that are not restored yet
        self._steps: Iterator[None] | None = None  # the rest of the first one, once begun
        self._task: asyncio.Task[None] | None = None

    def start(self, streams: Sequence[str], within_s: float) -> None:
        """Restore as many as there is time for; the rest in the background.

        Raises:
            JournalCorruptError: The chain of one of the first ones does not verify.
        """
        self._pending.extend(streams)
        until_s = self._clock.monotonic() + within_s
        while self._pending and self._clock.monotonic() < until_s:
            self._steps = self._replay_one(self._pending[0], self._journal.read(self._pending[0]))
            if any(self._clock.monotonic() >= until_s for _ in self._steps):
                break  # the rest of its steps follow in the background
            self._next()
        if self._pending:
            log.info("restoring remaining tables in background tables=%s", len(self._pending))
            self._task = asyncio.create_task(self._restore_pending(), name="restore")

    async def _restore_pending(self) -> None:
        while self._pending:
            stream = self._pending[0]
            try:
                if self._steps is None:
                    self._steps = self._replay_one(stream, await self._journal.read_async(stream))
                for _ in self._steps:
                    await asyncio.sleep(0)
            except JournalWriteError:
                await asyncio.sleep(RETRY_S)
                continue
            except JournalCorruptError as exc:
                log.error("table not restored stream=%s err=%s", stream, exc)
            self._next()
            await asyncio.sleep(0)
        log.info("all tables restored")

    def _next(self) -> None:
        self._pending.popleft()
        self._steps = None

    def _replay_one(self, stream: str, stored: Sequence[StoredRecord]) -> Iterator[None]:
        try:
            yield from self._replay(stream, stored)
        except Exception as exc:
            log.error("table not restored stream=%s err=%s", stream, type(exc).__name__)

    def pending_count(self) -> int:
        """How many tables are not restored yet."""
        return len(self._pending)

    def check_restored(self, table: int | None = None) -> None:
        """UserError: tables are missing, and the person, without a known *table*, may sit there."""
        if self._pending and table is None:
            raise UserError(texts.RESTORING)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
