"""A journal in memory: implements `mudserver.journal.Journal` for tests and simulations.

Rule 1: an append completes on the event loop, after `delay_s` of its time, in order.
Rule 2: it fails on command, as the real one does: with everything that waits behind it.
Rule 3: the `Disk` outlives it.  A new MemoryJournal on the same disk is a restarted server; the
        one before it is dead: it writes nothing more and completes nothing.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from mudserver.config import schema
from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal import (
    Claim,
    Entry,
    IndexRow,
    Pruned,
    Pruning,
    Row,
    StoredRecord,
    Value,
)
from mudserver.journal.chain_reader import PIECE
from mudserver.journal.claims import ClaimIndex
from mudserver.journal.index import (
    check_rows,
    create_statements,
    rows_by_table,
    upsert_statement,
)
from mudserver.journal.interface import from_the_first
from mudserver.journal.replacing import replaces_past
from mudserver.journal.sole_writer import SoleWriter
from mudserver.journal.streams import TABLE_STREAMS

MIB = 1_048_576
STREAM_CHARS_MAX = 64


@cache
def _empty() -> bytes:
    db = sqlite3.connect(":memory:")
    for statement in create_statements():
        db.execute(statement)
    return db.serialize()


def _empty_index() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.deserialize(_empty())
    return db


@dataclass
class Disk:
    """What is durable."""

    records: dict[str, list[StoredRecord]] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    bases: dict[str, int] = field(default_factory=dict)  # of trimmed streams
    ranks: dict[str, tuple[int, str]] = field(default_factory=dict)  # worth and person
    alive_ms: int | None = None
    owner: MemoryJournal | None = None
    index: sqlite3.Connection = field(default_factory=_empty_index)

    def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return [r for r in self.records.get(stream, []) if r.sequence > after]

    def streams(self, prefix: str = "", is_open: bool | None = None) -> list[str]:
        """In the order of their first records."""
        return [
            name
            for name in self.records
            if name.startswith(prefix) and (is_open is None or (name not in self.closed) == is_open)
        ]


@dataclass
class _Item:
    """Records that are written together; none: a heartbeat at *at_ms*, or a rank."""

    at_ms: int
    entries: tuple[Entry, ...]
    future: asyncio.Future[None]
    claims: tuple[Claim, ...] = ()
    releases: tuple[Claim, ...] = ()
    is_group: bool = False
    rank: tuple[str, int, str] | None = None
    index: tuple[IndexRow, ...] = ()


class MemoryJournal(SoleWriter):
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
        self.numbers_block = 1_000
        self.on_fenced: Callable[[str], None] = lambda why: None
        self._next_numbers: dict[str, int] = {}
        self._now_ms, self._config = now_ms, config or schema.JournalConfig()
        self._waiting: deque[_Item] = deque()
        self._claims = ClaimIndex()
        self._asked = set[Claim]()  # granted or not
        self._size = self._count_bytes()
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
        await self._hand_in((Entry(stream, sequence, body, closes),))

    async def append_all(
        self,
        entries: Sequence[Entry],
        claims: Sequence[Claim] = (),
        releases: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        check_rows(index)
        self._asked.update(claims)
        taken = tuple(claims), tuple(releases)
        await self._hand_in(tuple(entries), *taken, is_group=True, index=tuple(index))

    async def adopt_claims(self, claims: Sequence[Claim]) -> None:
        self._claims.adopt(claims)

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        first = self._next_numbers.get(prefix) or 1 + self._last_number(prefix)
        self._next_numbers[prefix] = end = first + max(self.numbers_block, at_least)
        return range(first, end)

    async def rank(self, stream: str, worth: int, person: str) -> None:
        await self._hand_in((), rank=(stream, worth, person))

    async def write_heartbeat(self) -> None:
        await self._hand_in(())

    def queue_length(self) -> int:
        return len(self._waiting)

    async def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return self.disk.read(stream, after)

    async def read_pieces(self, stream: str, after: int = 0) -> AsyncIterator[list[StoredRecord]]:
        records = self.disk.read(stream, after)
        for first in range(0, len(records), PIECE):
            yield records[first : first + PIECE]

    async def read_each(
        self, prefix: str, after: Callable[[str], int] = from_the_first
    ) -> AsyncIterator[tuple[str, list[StoredRecord]]]:
        for stream in self.disk.streams(prefix):
            yield stream, self.disk.read(stream, after(stream))

    async def last_sequence(self, stream: str) -> int:
        return self._last(stream, is_closed_too=True) or 0

    async def free_seats(self, stream: str) -> None:
        self._check_writable("giving up")
        if self.is_shared:
            draft = self._claims.draft()
            draft.take((), [claim for claim in self._asked if claim.owner == stream])
            draft.commit()

    async def look_up(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return self.disk.index.execute(sql, tuple(values)).fetchall()

    async def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        return self.disk.streams(prefix, is_open)

    def _last_number(self, prefix: str) -> int:
        names = self.disk.streams(prefix)
        return max((int(name.removeprefix(prefix)) for name in names), default=0)

    def size_bytes(self) -> int:
        return self._size

    def level(self) -> float:
        return self._size / (self._config.size_mib_max * MIB)

    async def trim(self, stream: str) -> int:
        self._check_writable("trim")
        records = self.disk.records.get(stream, [])
        newest = [n for n, record in enumerate(records) if replaces_past(record.body)][-1:]
        if newest in ([], [0]):
            return 0
        self.disk.bases[stream] = records[newest[0] - 1].sequence
        self.disk.records[stream] = records[newest[0] :]
        self._size = self._count_bytes()
        return newest[0]

    async def prune(self, what: Pruning) -> Pruned:
        self._check_writable("pruning")
        newest = TABLE_STREAMS.name(self._last_number(TABLE_STREAMS.prefix))
        removed = 0
        closed_ms = 0
        while what.until_level is None or self.level() > what.until_level:
            old = [s for s in self.disk.streams(TABLE_STREAMS.prefix, False) if s != newest]
            old = [s for s in old if self._worth(s) == what.worth]
            old = [s for s in old if self._closed_ms(s) < what.before_ms]
            if what.is_largest_first and old:
                largest = self._largest(old)
                old = [s for s in old if self._person(s) == largest]
            if not old:
                break
            stream = min(old, key=self._closed_ms)
            closed_ms = max(closed_ms, self._closed_ms(stream))
            self.disk.closed.remove(stream)
            self.disk.ranks.pop(stream, None)
            self._size -= sum(len(record.body) for record in self.disk.records.pop(stream))
            number = TABLE_STREAMS.number(stream)
            self.disk.index.execute("delete from parked where number = ?", (number,))
            removed += 1
        return Pruned(removed, closed_ms if removed else None)

    async def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        self._check_writable("removing")
        claims = self._claims.draft()
        claims.take((), releases)
        claims.commit()
        for stream in streams:
            if stream in self.disk.closed:
                self.disk.closed.remove(stream)
                self._size -= sum(len(record.body) for record in self.disk.records.pop(stream))

    def copy_size_bytes(self) -> int:
        return 0

    async def copy(self, path: Path) -> None:
        raise JournalWriteError("a journal in memory has no file to copy")

    async def close(self) -> None:
        if not self._is_closed:
            last = None if self._is_dead else self._hand_in(())
            self._is_closed = True
            if last is not None:
                await asyncio.wait([last])
                last.exception()

    # -- inside --------------------------------------------------------------------------------

    @property
    def _is_dead(self) -> bool:
        return self.disk.owner is not self

    def _hand_in(
        self,
        entries: tuple[Entry, ...],
        claims: tuple[Claim, ...] = (),
        releases: tuple[Claim, ...] = (),
        *,
        is_group: bool = False,
        rank: tuple[str, int, str] | None = None,
        index: tuple[IndexRow, ...] = (),
    ) -> asyncio.Future[None]:
        for entry in entries:
            if len(entry.body) > self._config.record_bytes_max:
                raise ValueError(f"{entry.stream}: a record of {len(entry.body)} bytes")
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        if len(self._waiting) >= self._config.queue_max:
            raise JournalWriteError(f"{len(self._waiting)} records are waiting already")
        future = asyncio.get_running_loop().create_future()
        self._enqueue(
            _Item(self._now_ms(), entries, future, claims, releases, is_group, rank, index)
        )
        return future

    def _enqueue(self, item: _Item) -> None:
        loop = asyncio.get_running_loop()
        self._waiting.append(item)
        if self.delay_s:
            loop.call_later(self.delay_s, self._complete)
        else:
            loop.call_soon(self._complete)

    def _complete(self) -> None:
        """The oldest one is done, unless a failure took it along or the server is dead."""
        if not self._waiting or self._is_dead:
            return
        item = self._waiting.popleft()
        draft = self._claims.draft()
        error: Exception | None = None
        is_change = bool(item.entries or item.claims or item.releases)  # and no heartbeat
        if is_change or item.rank:
            error = self._misplaced(item)
            if error is None:
                try:
                    draft.take(item.claims, item.releases)
                except JournalConflictError as exc:
                    error = exc
        if is_change:
            self._completed += 1
        if error is None and (self._is_failing or (is_change and self._is_next_to_fail())):
            if self._keeps_failed and is_change:
                self._keep(item)
                draft.commit()
            for lost in (item, *self._waiting):
                if not lost.future.done():
                    lost.future.set_exception(JournalWriteError("told to fail"))
            self._waiting.clear()
            return
        if error is None:
            self._keep(item)
            draft.commit()
        if item.future.done():
            return
        if error is None:
            item.future.set_result(None)
        else:
            item.future.set_exception(error)

    def _is_next_to_fail(self) -> bool:
        return self._completed in self._failures

    def _check_writable(self, what: str) -> None:
        if self._is_closed or self._is_dead or self._is_failing:
            raise JournalWriteError(f"{what} failed: told to fail")

    def _misplaced(self, item: _Item) -> Exception | None:
        """Why *item* alone is not written."""
        kind = JournalConflictError if item.is_group else ValueError
        if item.rank and item.rank[0] not in self.disk.closed:
            return ValueError(f"{item.rank[0]} is not closed")
        ends: dict[str, int | None] = {}  # None: closed
        for stream, sequence, _, closes in item.entries:
            if not 0 < len(stream) <= STREAM_CHARS_MAX:
                return ValueError(f"a stream's name has 1 to {STREAM_CHARS_MAX} characters")
            last = ends[stream] if stream in ends else self._last(stream)
            if last is None:
                return kind(f"{stream} is closed")
            if sequence != last + 1:
                return kind(f"{stream}: sequence {sequence} where {last + 1} is next")
            ends[stream] = None if closes else sequence
        return None

    def _last(self, stream: str, *, is_closed_too: bool = False) -> int | None:
        """The last sequence of a stream; None: it is closed."""
        if stream in self.disk.closed and not is_closed_too:
            return None
        records = self.disk.records.get(stream)
        return records[-1].sequence if records else 0

    def _keep(self, item: _Item) -> None:
        if item.rank:
            self.disk.ranks[item.rank[0]] = item.rank[1:]
            return
        if not item.is_group and not item.entries:
            self.disk.alive_ms = item.at_ms
            return
        for stream, sequence, body, closes in item.entries:
            stored = StoredRecord(sequence, item.at_ms, body)
            self.disk.records.setdefault(stream, []).append(stored)
            self._size += len(body)
            if closes:
                self.disk.closed.add(stream)
        for table, values in rows_by_table(item.index).items():
            self.disk.index.executemany(upsert_statement(table), values)

    # -- what is on the disk -------------------------------------------------------------------

    def _count_bytes(self) -> int:
        return sum(len(r.body) for records in self.disk.records.values() for r in records)

    def _closed_ms(self, stream: str) -> int:
        return self.disk.records[stream][-1].at_ms

    def _worth(self, stream: str) -> int:
        return self.disk.ranks.get(stream, (2, ""))[0]

    def _person(self, stream: str) -> str:
        return self.disk.ranks.get(stream, (2, ""))[1]

    def _largest(self, streams: list[str]) -> str:
        sizes: Counter[str] = Counter()
        for stream in streams:
            sizes[self._person(stream)] += sum(len(r.body) for r in self.disk.records[stream])
        return sizes.most_common(1)[0][0]
