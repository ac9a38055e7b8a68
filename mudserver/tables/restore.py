"""Setting up the tables of the run before, without keeping people at the door for long.

Rule 1: what is not set up when the doors open follows behind them, a table at a time, each read in
        another thread and folded in pieces, each between two turns of the loop: a table of many
        games keeps nobody waiting.
Rule 2: until the last one is there nobody can tell who has a seat where: whoever has none that is
        known neither sits down nor opens a table, and hears why.
Rule 3: a table that cannot be set up is a line in the log, and stays in the journal for a better
        server.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from mudserver.clock import Clock
from mudserver.errors import JournalCorruptError, JournalWriteError, UserError
from mudserver.journal import StoredRecord
from mudserver.tables.services import Journal

RETRY_S = 5.0  # after the journal could not be read
STILL_RESTORING = (
    "The house has just opened and is still setting up its tables. If you have a seat, you are "
    "shown it in a moment."
)

log = logging.getLogger(__name__)

ReplayTable = Callable[[str, Sequence[StoredRecord]], Iterator[None]]


class TableRestorer:
    """Args: set_up: makes a table of a stream's records, in steps; an exception: it cannot be."""

    def __init__(self, journal: Journal, clock: Clock, replay: ReplayTable) -> None:
        self._journal, self._clock, self._replay = journal, clock, replay
        self._pending: deque[str] = deque()  # streams of open tables that are not set up yet
        self._steps: Iterator[None] | None = None  # what is left of the first of them, if begun
        self._task: asyncio.Task[None] | None = None

    def start(self, streams: Sequence[str], within_s: float) -> None:
        """Set up as many as there is time for, and the rest later.

        Raises:
            JournalBroken: The chain of one of the first does not verify.
        """
        self._pending.extend(streams)
        until_s = self._clock.monotonic() + within_s
        while self._pending and self._clock.monotonic() < until_s:
            self._steps = self._set_up(self._pending[0], self._journal.read(self._pending[0]))
            if any(self._clock.monotonic() >= until_s for _ in self._steps):
                break  # the steps that are left follow
            self._next()
        if self._pending:
            log.info("tables are set up behind open doors tables=%s", len(self._pending))
            self._task = asyncio.create_task(self._restore_pending(), name="restore")

    async def _restore_pending(self) -> None:
        while self._pending:
            stream = self._pending[0]
            try:
                if self._steps is None:
                    self._steps = self._set_up(stream, await self._journal.read_async(stream))
                for _ in self._steps:
                    await asyncio.sleep(0)
            except JournalWriteError:
                await asyncio.sleep(RETRY_S)
                continue
            except JournalCorruptError as exc:
                log.error("table not restored stream=%s err=%s", stream, exc)
            self._next()
            await asyncio.sleep(0)
        log.info("all tables are set up")

    def _next(self) -> None:
        self._pending.popleft()
        self._steps = None

    def _set_up(self, stream: str, stored: Sequence[StoredRecord]) -> Iterator[None]:
        try:
            yield from self._replay(stream, stored)
        except Exception as exc:
            log.error("table not restored stream=%s err=%s", stream, type(exc).__name__)

    def pending_count(self) -> int:
        """How many tables are to follow."""
        return len(self._pending)

    def check_restored(self, table: int | None = None) -> None:
        """HouseError: there are some, and whose *table* is not known may have a seat there."""
        if self._pending and table is None:
            raise UserError(
                "The house has just opened and is still setting up its tables. "
                "Please try again in a moment."
            )

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
