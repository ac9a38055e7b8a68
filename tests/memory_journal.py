"""A journal in memory: implements `mudserver.journal.Journal` for tests and simulations.

Rule 1: an append completes on the event loop, after `delay_s` of its time, in order.
Rule 2: it fails on command, as the real one does: with everything that waits behind it.
Rule 3: the `Disk` outlives it.  A new MemoryJournal on the same disk is a restarted server; the
        one before it is dead: it writes nothing more and completes nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from mudserver.config import schema
from mudserver.errors import JournalWriteError
from mudserver.journal import StoredRecord
from mudserver.journal.streams import TABLE_STREAMS


@dataclass
class Disk:
    """What is durable."""

    records: dict[str, list[StoredRecord]] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    alive_ms: int | None = None
    owner: MemoryJournal | None = None


@dataclass
class _Item:
    stream: str  # "": a heartbeat
    record: StoredRecord
    closes: bool
    future: asyncio.Future[None]


class MemoryJournal:
    def __init__(
        self,
        now_ms: Callable[[], int] = lambda: 0,
        disk: Disk | None = None,
        config: schema.JournalConfig | None = None,
        delay_s: float = 0.0,
    ) -> None:
        self.disk = disk or Disk()
        self.disk.owner = self
        self.last_alive_ms = self.disk.alive_ms
        self.delay_s = delay_s
        self._now_ms, self._config = now_ms, config or schema.JournalConfig()
        self._waiting: deque[_Item] = deque()
        self._failures: set[int] = set()  # counted from 1 by completed appends
        self._completed = 0
        self._is_failing = False
        self._keeps_failed = False
        self._is_closed = False

    # -- commands for tests --------------------------------------------------------------------

    def fail(self, nth: int = 1, *, keeps: bool = False) -> None:
        """The *nth* append to complete from now on fails; *keeps*: yet it is on the disk."""
        self._failures.add(self._completed + nth)
        self._keeps_failed = keeps

    def fail_always(self, is_failing: bool = True) -> None:
        """From now on everything fails, heartbeats too, until fail_always(False)."""
        self._is_failing = is_failing

    def digest(self) -> str:
        """One hash of all that is durable, the same for the same history."""
        total = sha256(repr((self.disk.alive_ms, sorted(self.disk.closed))).encode())
        for stream, records in self.disk.records.items():
            total.update(repr((stream, records)).encode())
        return total.hexdigest()

    # -- the protocol --------------------------------------------------------------------------

    def reconfigure(self, config: schema.JournalConfig) -> None:
        self._config = config

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        if len(body) > self._config.record_bytes_max:
            raise ValueError(f"{stream}: a record of {len(body)} bytes")
        await self._hand_in(stream, StoredRecord(sequence, self._now_ms(), body), closes)

    async def write_heartbeat(self) -> None:
        await self._hand_in("", StoredRecord(0, self._now_ms(), b""), False)

    def queue_length(self) -> int:
        return len(self._waiting)

    def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return [r for r in self.disk.records.get(stream, []) if r.sequence > after]

    async def read_async(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return self.read(stream, after)

    def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        return [
            name
            for name in self.disk.records
            if name.startswith(prefix)
            and (is_open is None or (name not in self.disk.closed) == is_open)
        ]

    def last_number(self, prefix: str) -> int:
        return max((int(name.removeprefix(prefix)) for name in self.streams(prefix)), default=0)

    def size_bytes(self) -> int:
        return sum(len(r.body) for records in self.disk.records.values() for r in records)

    def is_full(self) -> bool:
        return self.size_bytes() > self._config.size_mib_max * 1_048_576

    async def prune(self, before_ms: int) -> int:
        newest = TABLE_STREAMS.name(self.last_number(TABLE_STREAMS.prefix))
        old = [
            stream
            for stream in self.disk.closed - {newest}
            if self.disk.records[stream][-1].at_ms < before_ms
        ]
        for stream in old:
            self.disk.closed.remove(stream)
            del self.disk.records[stream]
        return len(old)

    async def copy(self, path: Path) -> None:
        raise JournalWriteError("a journal in memory has no file to copy")

    async def close(self) -> None:
        if not self._is_closed:
            last = (
                None
                if self._is_dead
                else self._hand_in("", StoredRecord(0, self._now_ms(), b""), False)
            )
            self._is_closed = True
            if last is not None:
                await asyncio.wait([last])
                last.exception()

    # -- inside --------------------------------------------------------------------------------

    @property
    def _is_dead(self) -> bool:
        return self.disk.owner is not self

    def _hand_in(self, stream: str, record: StoredRecord, closes: bool) -> asyncio.Future[None]:
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        if len(self._waiting) >= self._config.queue_max:
            raise JournalWriteError(f"{len(self._waiting)} records are waiting already")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append(_Item(stream, record, closes, future))
        if self.delay_s:
            loop.call_later(self.delay_s, self._complete)
        else:
            loop.call_soon(self._complete)
        return future

    def _complete(self) -> None:
        """The oldest one is done, unless a failure took it along or the server is dead."""
        if not self._waiting or self._is_dead:
            return
        item = self._waiting.popleft()
        error: Exception | None = None
        if item.stream:
            error = self._misplaced(item)
            self._completed += 1
        if error is None and (self._is_failing or (item.stream and self._is_next_to_fail())):
            if self._keeps_failed and item.stream:
                self._keep(item)
            for lost in (item, *self._waiting):
                if not lost.future.done():
                    lost.future.set_exception(JournalWriteError("told to fail"))
            self._waiting.clear()
            return
        if error is None:
            self._keep(item)
        if item.future.done():
            return
        if error is None:
            item.future.set_result(None)
        else:
            item.future.set_exception(error)

    def _is_next_to_fail(self) -> bool:
        return self._completed in self._failures

    def _misplaced(self, item: _Item) -> ValueError | None:
        if item.stream in self.disk.closed:
            return ValueError(f"{item.stream} is closed")
        wanted = len(self.disk.records.get(item.stream, [])) + 1
        if item.record.sequence != wanted:
            got = item.record.sequence
            return ValueError(f"{item.stream}: sequence {got} where {wanted} is next")
        return None

    def _keep(self, item: _Item) -> None:
        if not item.stream:
            self.disk.alive_ms = item.record.at_ms
            return
        self.disk.records.setdefault(item.stream, []).append(item.record)
        if item.closes:
            self.disk.closed.add(item.stream)
