"""Restoring the tables of the previous run, without delaying logins for long.

Rule 1: a start restores tables for a short time only.  The others follow in the background, one
        at a time: some are read ahead, elsewhere or in another thread, and they are replayed in
        steps, SLICE_S each time or as long as the event loop took between: at a take-over it has
        the sessions of the server that is gone to take up.  What each reader knows of them is
        worked out when all are there.
Rule 2: until all tables are restored, nobody can tell who has a seat where.  A person without a
        known seat can neither sit down nor open a table, and is told why.
Rule 3: a table that cannot be restored is an error in the log, and stays in the journal for a
        server that can.  Until then it has claimed nobody's seat: its people play elsewhere.
Rule 4: tables of a server that is gone are restored as those of the previous run, while others are
        played.  Its sessions that have not come yet wait for them, for TAKE_OVER_S at most.
Rule 5: a standby folds tables before it may use the journal.  Their restoring reads what is newer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import islice

from mudserver.clock import Clock
from mudserver.errors import (
    JournalCorruptError,
    JournalFencedError,
    JournalWriteError,
    UserError,
)
from mudserver.journal import Journal, StoredRecord
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.logs import log_exception
from mudserver.tables import texts
from mudserver.tables.replay import fold_in_steps, know_in_steps
from mudserver.tables.starts import Starts
from mudserver.tables.table import Table

RETRY_S = 5.0  # after the journal could not be read
SLICE_S, SLICE_S_MAX = 0.02, 0.1
TAKE_OVER_S = 2.5  # from the first doubt that the server lives
SETTLE_S = 0.05  # from the last table to the first session: tables write that they go on
AHEAD = 8  # tables that are read, or are being read, and are not replayed

log = logging.getLogger(__name__)


class TableRestorer:
    """Args:
    make: A new table, of its number and its first record; may raise anything.
    take_up: A table is replayed, and may be found from now on.
    load_parked: Take those of these streams that are parked.  Args: when their server was alive,
        by stream.
    is_open_here: Whether a number is that of a table that was taken up, is parked, or was opened
        here.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        make: Callable[[int, bytes], Table],
        take_up: Callable[[Table], None],
        load_parked: Callable[[Mapping[str, int | None]], Awaitable[None]],
        is_open_here: Callable[[int], bool],
    ) -> None:
        self._journal, self._clock = journal, clock
        self._make, self._take_up, self._is_open_here = make, take_up, is_open_here
        self._load_parked, self._starts = load_parked, Starts(journal, clock)
        self._folded: dict[str, Table] = {}  # by stream [rule 5]
        self._alive_ms: dict[str, int | None] = {}  # by stream, of those taken over [rule 4]
        self._unfit: set[str] = set()  # streams that could not be folded
        self._failed: set[str] = set()  # streams that could not be restored [rule 3]
        self._unfreed: deque[str] = deque()  # those of them whose seats are claimed as before
        self._pending: deque[str] = deque()  # streams that are not restored yet
        self._reads: dict[str, asyncio.Task[list[StoredRecord]]] = {}  # of the next ones
        self._steps: Iterator[None] | None = None  # the rest of the first one, once begun
        self._unknown: deque[Table] = deque()  # taken up; what is known of it follows
        self._slice_ends_s = self._take_over_ends_s = 0.0  # monotonic
        self._task: asyncio.Task[None] | None = None
        self._taking: asyncio.Task[None] | None = None  # tables of servers that are gone
        self._is_closed = False

    async def fold(self) -> None:
        """Replay what the journal has now; the tables are not taken up yet."""
        for stream in await self._journal.streams(TABLE_STREAMS.prefix, is_open=True):
            if stream in self._unfit:
                continue
            try:
                for _ in self._replay(stream, await self._read(stream)):
                    pass
                for _ in know_in_steps(self._folded[stream]):
                    pass
            except Exception as exc:
                log.error("table not folded stream=%s err=%s", stream, type(exc).__name__)
                self._unfit.add(stream)
                self._folded.pop(stream, None)
        self.forget(await self._journal.streams(TABLE_STREAMS.prefix, is_open=False))

    def forget(self, streams: Collection[str]) -> None:
        """Restore these from their first records, whatever was folded of them."""
        for stream in streams:
            self._folded.pop(stream, None)

    async def start(self, within_s: float) -> None:
        """Restore as many open tables as there is time for; the rest in the background.

        Raises:
            JournalCorruptError: The chain of one of the first ones does not verify.
        """
        await self._starts.note()
        streams = await self._journal.streams(TABLE_STREAMS.prefix, is_open=True)
        await self._load_parked(dict.fromkeys(streams, self._journal.last_alive_ms))
        self._pending.extend(self._without_parked(streams))
        until_s = self._clock.monotonic() + within_s
        while self._pending and self._clock.monotonic() < until_s:
            stream = self._pending[0]
            self._steps = self._replay_one(stream, await self._read(stream))
            if any(self._clock.monotonic() >= until_s for _ in self._steps):
                break  # the rest of its steps follow in the background
            self._next()
        if self._pending:
            log.info("restoring remaining tables in background tables=%s", len(self._pending))
        if self._pending or self._unfreed or self._unknown:
            self._go_on()

    async def take_over_forever(self) -> None:
        """Restore what servers leave behind that are gone, as long as there are others."""
        self._taking = asyncio.current_task()
        async for taken in self._journal.take_tables(self._is_known):
            if not taken:  # they may follow
                self._take_over_ends_s = self._clock.monotonic() + TAKE_OVER_S
                continue
            alive_ms = dict(taken)
            await self._take_parked(alive_ms)
            streams = self._without_parked(alive_ms)
            self._alive_ms.update({stream: alive_ms[stream] for stream in streams})
            self._pending.extend(it for it in streams if it not in self._pending)
            self._go_on()

    async def _take_parked(self, alive_ms: Mapping[str, int | None]) -> None:
        while True:
            try:
                return await self._load_parked(alive_ms)
            except JournalFencedError:  # this server ends
                return
            except JournalWriteError:
                await asyncio.sleep(RETRY_S)

    def _without_parked(self, streams: Iterable[str]) -> list[str]:
        """Those that have to be replayed; of the others nothing is kept that was folded."""
        here = {it for it in streams if self._is_open_here(TABLE_STREAMS.number(it))}
        self.forget(here)
        return [it for it in streams if it not in here]

    def restore_later(self, number: int) -> None:
        """An open table is in the journal and perhaps not here."""
        stream = TABLE_STREAMS.name(number)
        if not self._is_known(stream):
            self._pending.append(stream)
            self._go_on()

    async def stop_taking(self) -> None:
        """Take no more tables: this server is about to end."""
        if self._taking is not None:
            self._taking.cancel()
            await asyncio.gather(self._taking, return_exceptions=True)

    def _is_known(self, stream: str) -> bool:
        if stream in self._failed or stream in self._pending:
            return True
        return self._is_open_here(TABLE_STREAMS.number(stream))

    def alive_ms(self, table: Table) -> int | None:
        """When the server that had the table was last alive, UTC; None: it never was."""
        stream = TABLE_STREAMS.name(table.number)
        if stream in self._alive_ms:
            return self._alive_ms.pop(stream)
        return self._starts.alive_ms(table.changed_ms)

    def _go_on(self) -> None:
        if not self._is_closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._restore_pending(), name="restore")

    async def _restore_pending(self) -> None:
        while self._pending or self._unfreed or self._unknown:
            try:
                if self._pending:
                    await self._restore_next()
                elif self._unfreed:
                    await self._journal.free_seats(self._unfreed[0])
                    self._unfreed.popleft()
                else:
                    await self._know(self._unknown.popleft())
            except JournalWriteError:
                await self._forget_reads()  # one outage has met them all, and is waited for once
                await asyncio.sleep(RETRY_S)

    async def _forget_reads(self) -> None:
        reads = [*self._reads.values()]
        self._reads.clear()
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)

    async def _restore_next(self) -> None:
        stream = self._pending[0]
        try:
            if self._steps is None:
                self._steps = self._replay_one(stream, await self._read_ahead())
            for _ in self._steps:
                await self._yield_in_time()
        except JournalCorruptError as exc:
            log.error("table not restored stream=%s err=%s", stream, exc)
            self._note_failed(stream)
        self._next()
        await self._yield_in_time()
        if not self._pending:
            log.info("all tables restored")
            if self.is_taking_over():
                await asyncio.sleep(SETTLE_S)
                self._take_over_ends_s = 0.0

    async def _know(self, table: Table) -> None:
        try:
            for _ in know_in_steps(table):
                await self._yield_in_time(SLICE_S)
        except Exception as bug:  # whoever looks at the table meets it again
            log_exception(log, f"events not worked out table={table.number}", bug)

    async def _yield_in_time(self, most_s: float = SLICE_S_MAX) -> None:
        """Let the event loop run, and then have as long as it took: half of a busy processor."""
        if (ended_s := self._clock.monotonic()) >= self._slice_ends_s:
            await asyncio.sleep(0)
            now_s = self._clock.monotonic()
            self._slice_ends_s = now_s + min(max(SLICE_S, now_s - ended_s), most_s)

    async def _read_ahead(self) -> list[StoredRecord]:
        """What the first pending stream has; the next ones are asked for meanwhile."""
        for stream in islice(self._pending, AHEAD):
            if stream not in self._reads:
                self._reads[stream] = asyncio.create_task(self._read(stream))
        return await self._reads.pop(self._pending[0])

    def _next(self) -> None:
        self._pending.popleft()
        self._steps = None

    def _replay_one(self, stream: str, stored: Sequence[StoredRecord]) -> Iterator[None]:
        try:
            yield from self._replay(stream, stored)
            table = self._folded.pop(stream)
            if not table.is_closed:  # meanwhile
                self._take_up(table)
                self._unknown.append(table)
        except Exception as exc:
            self._folded.pop(stream, None)
            log.error("table not restored stream=%s err=%s", stream, type(exc).__name__)
            self._note_failed(stream)

    def _note_failed(self, stream: str) -> None:
        self._failed.add(stream)
        self._unfreed.append(stream)

    def _replay(self, stream: str, stored: Sequence[StoredRecord]) -> Iterator[None]:
        """Replay a table in steps; nobody finds it before it is taken up."""
        table = self._folded.get(stream)
        if table is None:
            if not stored:
                raise JournalCorruptError("an open stream without records")
            table = self._make(TABLE_STREAMS.number(stream), stored[0].body)
            self._folded[stream] = table
        yield from fold_in_steps(table, stored)

    async def _read(self, stream: str) -> list[StoredRecord]:
        """What is not replayed already."""
        after = self._folded[stream].sequence if stream in self._folded else 0
        return await self._journal.read(stream, after)

    def pending_count(self) -> int:
        """How many tables are not restored yet."""
        return len(self._pending)

    def is_taking_over(self) -> bool:
        """Whether sessions of a server that is gone should wait for its tables [rule 4]."""
        return self._clock.monotonic() < self._take_over_ends_s

    def check_restored(self, table: int | None = None) -> None:
        """UserError: tables are missing, and the person, without a known *table*, may sit there."""
        if self._pending and table is None:
            raise UserError(texts.RESTORING, "busy")

    async def close(self) -> None:
        self._is_closed = True
        await self._starts.close()
        tasks = [*self._reads.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
