"""The journal in a SQLite file: a queue, a writer thread and group commit.

Rule 1: `append` returns when the record is on the disk, or raises.
Rule 2: records that are appended while the writer is busy go into its next batch: one transaction,
        one sync and one call back into the event loop for all of them (group commit).
Rule 3: a failed batch fails every record in it and all that wait behind it.  So a stream never has
        a gap, and callers learn of a dead disk at once.  They then read the file again.
Rule 4: one server per directory: it holds a lock on the file `lock`, and an exclusive database.
Rule 5: from `hold` on, and in a standby until `resume`, what is appended waits: whoever awaits it
        knows nothing yet, and tells nobody.  `let_go` and `take_over` pass the directory on.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ParamSpec, Self, TypeVar

from mudserver import metrics
from mudserver.config import schema
from mudserver.data_directory import lock_directory
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.claims import Claim
from mudserver.journal.fed_store import FedStore
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import IndexRow, Row, Value, check_rows
from mudserver.journal.interface import Entry, Pruned, Pruning, from_the_first
from mudserver.journal.sole_writer import SoleWriter
from mudserver.journal.sqlite.batch import (
    Heartbeat,
    PendingGroup,
    PendingItem,
    PendingRank,
    PendingRecord,
)
from mudserver.journal.sqlite.prune import PRUNED_MAX
from mudserver.journal.sqlite.store import SqliteStore
from mudserver.journal.streams import TABLE_STREAMS

QueuedWrite = tuple[PendingItem, "asyncio.Future[None]"]
OnWritten = Callable[[Sequence[PendingRecord]], None]
"""Called with records that are durable, before their writers know."""
OnRemoved = Callable[[Sequence[str]], None]
"""Called with streams that were removed whole."""
JOURNAL_FILE = "journal.db"
MIB = 1_048_576
PRUNE_PAUSE_S = 0.05  # between two steps, for the writer
NUMBERS = 1_000  # given at once: those that a server does not use are given to the next
READ_AT_ONCE = 200  # streams

P = ParamSpec("P")
T = TypeVar("T")


class SqliteJournal(SoleWriter):
    """Implements `interface.Journal`, which documents the methods.  Made by `open`."""

    def __init__(
        self,
        store: SqliteStore | FedStore,
        lock: int | None,
        now_ms: Callable[[], int],
        config: schema.JournalConfig,
    ) -> None:
        """Args: store, lock: of a standby what it was fed, and None, until `take_over`."""
        self._store, self._lock, self._now_ms, self._config = store, lock, now_ms, config
        self.on_written: OnWritten | None = None
        self.on_removed: OnRemoved | None = None
        self.on_fenced: Callable[[str], None] = lambda why: None  # the lock keeps others away
        self._is_held = lock is None  # rule 5
        self._held: list[QueuedWrite] = []  # oldest first, at most config.queue_max
        self._last_record = 0  # id, at `let_go`
        self._next_numbers: dict[str, int] = {}  # by prefix
        self._waiting: list[QueuedWrite] = []  # the same
        self._is_busy = False  # a batch is with the writer, or about to be
        self._batch_sent_at = 0.0  # when, in the loop's seconds
        self._is_closed = False
        self._batches: queue.SimpleQueue[list[QueuedWrite] | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer = threading.Thread(target=self._writer_loop, name="journal", daemon=True)
        self.last_alive_ms = store.read_last_alive_ms()

    @property
    def _file(self) -> SqliteStore:
        if isinstance(self._store, FedStore):
            raise JournalWriteError("a standby has no journal of its own")
        return self._store

    @classmethod
    def open(cls, directory: Path, now_ms: Callable[[], int], config: schema.JournalConfig) -> Self:
        """Open the journal in *directory*, which is created with mode 0700 if it is missing.

        Raises:
            StartError: One sentence: another server uses it, or why the directory or the database
                cannot be used.
        """
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = lock_directory(directory)
        except OSError as exc:
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from exc
        try:
            return cls(SqliteStore(directory / JOURNAL_FILE), lock, now_ms, config)
        except OSError as exc:
            os.close(lock)
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from exc
        except StartError:
            os.close(lock)
            raise
        except JournalWriteError as exc:
            os.close(lock)
            raise StartError(str(exc)) from exc

    def reconfigure(self, config: schema.JournalConfig) -> None:
        self._config = config

    # -- writing -------------------------------------------------------------------------------

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        await self._enqueue(self._pending(stream, sequence, body, closes))

    async def append_all(
        self,
        entries: Sequence[Entry],
        claims: Sequence[Claim] = (),
        releases: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        check_rows(index)
        records = tuple(self._pending(*entry) for entry in entries)
        group = PendingGroup(records, tuple(claims), tuple(releases), tuple(index))
        await self._enqueue(group)

    def _pending(self, stream: str, sequence: int, body: bytes, closes: bool) -> PendingRecord:
        if len(body) > self._config.record_bytes_max:
            raise ValueError(f"{stream}: a record of {len(body)} bytes")
        return PendingRecord(stream, sequence, self._now_ms(), body, closes)

    async def adopt_claims(self, claims: Sequence[Claim]) -> None:
        self._store.adopt_claims(claims)

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        if prefix not in self._next_numbers:
            last = await self._ask(self._store.last_number, prefix)
            self._next_numbers.setdefault(prefix, last + 1)  # somebody else has asked, perhaps
        first = self._next_numbers[prefix]
        self._next_numbers[prefix] = end = first + max(NUMBERS, at_least)
        return range(first, end)

    async def rank(self, stream: str, worth: int, person: str) -> None:
        await self._enqueue(PendingRank(stream, worth, person))

    async def write_heartbeat(self) -> None:
        await self._enqueue(Heartbeat(self._now_ms()))

    def _enqueue(self, item: PendingItem) -> asyncio.Future[None]:
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        if len(self._waiting) + len(self._held) >= self._config.queue_max:
            raise JournalWriteError(f"{len(self._waiting)} records are waiting already")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._writer.start()
        future = self._loop.create_future()
        if self._is_held:
            self._held.append((item, future))
            return future
        self._waiting.append((item, future))
        if not self._is_busy:
            self._is_busy = True
            # Not now: other tasks of this turn of the loop may still join the batch.
            self._loop.call_soon(self._send_batch)
        return future

    def _send_batch(self) -> None:
        batch = self._waiting[: self._config.batch_max]
        del self._waiting[: self._config.batch_max]
        assert self._loop is not None
        self._batch_sent_at = self._loop.time()
        self._batches.put(batch)

    def _writer_loop(self) -> None:
        """The writer thread: one batch after the other, until None."""
        while (batch := self._batches.get()) is not None:
            result: list[Exception | None] | Exception
            try:
                result = self._file.write([item for item, _ in batch])
            except Exception as exc:  # a thread that died silently would leave every caller waiting
                result = exc
            assert self._loop is not None
            with suppress(RuntimeError):  # the loop is closed, and every caller is gone
                self._loop.call_soon_threadsafe(self._resolve_batch, batch, result)

    def queue_length(self) -> int:
        return len(self._waiting)

    def _resolve_batch(
        self, batch: list[QueuedWrite], result: list[Exception | None] | Exception
    ) -> None:
        assert self._loop is not None
        metrics.COMMIT_SECONDS.observe(self._loop.time() - self._batch_sent_at)
        if isinstance(result, Exception):
            metrics.JOURNAL_FAILURES.value += 1
            reason = str(result) if isinstance(result, JournalWriteError) else repr(result)
            for _, future in batch + self._waiting:
                if not future.done():
                    # One exception each: a shared one would collect all tracebacks.
                    failure = JournalWriteError(reason)
                    failure.__cause__ = result
                    future.set_exception(failure)
            self._waiting.clear()
        else:
            metrics.JOURNAL_RECORDS.value += _count_records(batch)
            if self.on_written is not None:
                written = zip(batch, result, strict=True)
                self.on_written(_records(item for (item, _), error in written if error is None))
            for (_, future), error in zip(batch, result, strict=True):
                if future.done():
                    continue
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)
        # The callers run first, so that their next records join the next batch.
        self._loop.call_soon(self._send_next_batch)

    def _send_next_batch(self) -> None:
        if self._waiting:
            self._send_batch()
        else:
            self._is_busy = False

    # -- reading -------------------------------------------------------------------------------

    async def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        return await self._ask(self._store.read, stream, after)

    async def read_pieces(self, stream: str, after: int = 0) -> AsyncIterator[list[StoredRecord]]:
        pieces = self._store.read_pieces(stream, after)
        while (piece := await self._ask(next, pieces, None)) is not None:
            yield piece

    async def read_each(
        self, prefix: str, after: Callable[[str], int] = from_the_first
    ) -> AsyncIterator[tuple[str, list[StoredRecord]]]:
        names = await self.streams(prefix)
        for first in range(0, len(names), READ_AT_ONCE):
            wanted = [(name, after(name)) for name in names[first : first + READ_AT_ONCE]]
            for found in await self._ask(_read_all, self._store, wanted):
                yield found

    async def last_sequence(self, stream: str) -> int:
        return await self._ask(self._store.last_sequence, stream)

    async def look_up(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return await self._ask(self._file.look_up, sql, values)

    async def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        return await self._ask(self._store.streams, prefix, is_open)

    async def _ask(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """In another thread, unless it is what a standby has in memory."""
        if isinstance(self._store, FedStore):
            return read(*args, **kwargs)
        return await asyncio.to_thread(read, *args, **kwargs)

    # -- size ----------------------------------------------------------------------------------

    def size_bytes(self) -> int:
        return self._store.size_bytes

    def level(self) -> float:
        return self._store.size_bytes / (self._config.size_mib_max * MIB)

    async def trim(self, stream: str) -> int:
        return await asyncio.to_thread(self._file.trim, stream)

    async def prune(self, what: Pruning) -> Pruned:
        prefix = TABLE_STREAMS.prefix
        newest = TABLE_STREAMS.name(await asyncio.to_thread(self._file.last_number, prefix))
        until = None
        if what.until_level is not None:
            until = int(what.until_level * self._config.size_mib_max * MIB)
        removed = Pruned(0, None)
        while True:
            step = await asyncio.to_thread(self._file.prune, what, newest, until)
            if step.closed_ms is None:
                return removed
            closed_ms = max(step.closed_ms, removed.closed_ms or 0)
            removed = Pruned(removed.tables + len(step.names), closed_ms)
            await asyncio.sleep(PRUNE_PAUSE_S)

    async def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        for first in range(0, len(streams), PRUNED_MAX):
            step = streams[first : first + PRUNED_MAX]
            is_last = first + PRUNED_MAX >= len(streams)
            await asyncio.to_thread(self._file.remove, step, releases if is_last else ())
            if self.on_removed is not None:
                self.on_removed(step)
            await asyncio.sleep(PRUNE_PAUSE_S)

    # -- copies and the end --------------------------------------------------------------------

    def copy_size_bytes(self) -> int:
        return self._file.copy_size_bytes()

    async def copy(self, path: Path) -> None:
        await asyncio.to_thread(self._file.copy, path)

    async def read_chain(self, stream: str) -> tuple[list[StoredRecord], bytes]:
        """A whole stream, and the hash of its last record, for a standby."""
        return await asyncio.to_thread(self._file.read_chain, stream)

    # -- another server ------------------------------------------------------------------------

    async def hold(self) -> None:
        """Write what waits, with a heartbeat; what is appended from now on waits [rule 5].

        JournalWriteError: It was not written; nothing has changed.
        """
        last = self._enqueue(Heartbeat(self._now_ms()))
        self._is_held = True
        try:
            await last
        except JournalWriteError:
            self.resume()
            raise

    async def prepare_to_let_go(self) -> None:
        """Do what `let_go` would have to do, as far as others may write meanwhile."""
        await asyncio.to_thread(self._file.move_log)

    async def let_go(self) -> None:
        """After `hold`: let another server have the directory."""
        self._last_record = await asyncio.to_thread(self._file.last_record)
        await asyncio.to_thread(self._file.close)
        self._unlock()

    async def take_back(self) -> None:
        """Go on after `let_go`.

        StartError, JournalWriteError: Another server has the directory, has written, or it cannot
            be used.
        """
        self._lock = lock_directory(self._file.directory)
        await asyncio.to_thread(self._file.reopen)
        if await asyncio.to_thread(self._file.last_record) != self._last_record:
            raise JournalWriteError("another server has written meanwhile")
        self.resume()

    def take_over(self, store: SqliteStore, lock: int) -> None:
        """A standby has the directory now; what was appended waits until `resume`."""
        self._store, self._lock = store, lock
        self._next_numbers.clear()
        self.last_alive_ms = store.read_last_alive_ms()

    async def give_up(self, fed: FedStore) -> None:
        """The opposite of `take_over`: nothing was written, and another server goes on."""
        await asyncio.to_thread(self._file.close)
        self._store = fed
        self._next_numbers.clear()
        self._unlock()

    def resume(self) -> None:
        """Write what has waited."""
        self._is_held = False
        self._waiting += self._held
        self._held.clear()
        if self._waiting and not self._is_busy:
            assert self._loop is not None
            self._is_busy = True
            self._loop.call_soon(self._send_batch)

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def close(self) -> None:
        if self._is_closed:
            return
        last = None
        if self._loop is not None and not self._is_held:
            with suppress(JournalWriteError):
                last = self._enqueue(Heartbeat(self._now_ms()))
        self._is_closed = True
        if last is not None:
            with suppress(JournalWriteError):  # each append has its own error
                await last
        if self._loop is not None:
            self._batches.put(None)
            await asyncio.to_thread(self._writer.join)
        if self._lock is not None:
            await asyncio.to_thread(self._file.close)
            self._unlock()


def _read_all(
    store: SqliteStore | FedStore, wanted: Sequence[tuple[str, int]]
) -> list[tuple[str, list[StoredRecord]]]:
    return [(name, store.read(name, after)) for name, after in wanted]


def _records(items: Iterable[PendingItem]) -> list[PendingRecord]:
    found = list[PendingRecord]()
    for item in items:
        if isinstance(item, PendingRecord):
            found.append(item)
        elif isinstance(item, PendingGroup):
            found.extend(item.records)
    return found


def _count_records(batch: Sequence[QueuedWrite]) -> int:
    groups = [item for item, _ in batch if isinstance(item, PendingGroup)]
    return len(batch) + sum(len(group.records) - 1 for group in groups)
