"""The ledger as the house sees it: append and be told when it is safe.

Rule 1: `append` returns when the record is on the disk, or raises; there is nothing between.
Rule 2: what is handed in while the writer is busy goes into its next batch: one transaction, one
        sync and one call back into the event loop for all of them (group commit).
Rule 3: a failed batch fails every record in it and all that waited behind it, so a stream never
        has a gap and a dead disk is answered at once.  The file is then the truth: read it again.
Rule 4: one server per directory: a lock on `lock` for life, and an exclusive database.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from mudserver import metrics
from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.sqlite_store import Heartbeat, PendingRecord, SqliteStore

QueuedWrite = tuple[PendingRecord | Heartbeat, "asyncio.Future[None]"]
JOURNAL_FILE = "journal.db"
MIB = 1_048_576
PRUNE_PAUSE_S = 0.05  # between two steps, for the writer


class SqliteJournal:
    """Use `Journal.open`.  All methods belong to one event loop, except `read` (any thread)."""

    def __init__(
        self, store: SqliteStore, lock: int, now_ms: Callable[[], int], settings: schema.Journal
    ) -> None:
        self._store, self._lock, self._now_ms, self._settings = store, lock, now_ms, settings
        self._waiting: list[QueuedWrite] = []  # oldest first, at most settings.queue_max
        self._is_busy = False  # a batch is with the writer, or about to be
        self._batch_sent_at = 0.0  # when, in the loop's seconds
        self._is_closed = False
        self._batches: queue.SimpleQueue[list[QueuedWrite] | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer = threading.Thread(target=self._writer_loop, name="journal", daemon=True)
        self.last_alive_ms = store.read_last_alive_ms()
        """UTC; the last heartbeat of the run before.  None: there was none."""

    @classmethod
    def open(cls, directory: Path, now_ms: Callable[[], int], settings: schema.Journal) -> Self:
        """Open the ledger in *directory*, made with mode 0700 if it is not there.

        Raises:
            StartError: One sentence: another server holds it, or the directory or the database
                cannot be used, and why.
        """
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = lock_directory(directory)
        except OSError as exc:
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from exc
        try:
            return cls(SqliteStore(directory / JOURNAL_FILE), lock, now_ms, settings)
        except OSError as exc:
            os.close(lock)
            raise StartError(f"{directory} is no usable data directory: {exc.strerror}") from exc
        except StartError:
            os.close(lock)
            raise
        except JournalWriteError as exc:
            os.close(lock)
            raise StartError(str(exc)) from exc

    def reconfigure(self, settings: schema.Journal) -> None:
        """Other limits for what is appended from now on."""
        self._settings = settings

    # -- writing -------------------------------------------------------------------------------

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        """Return when the record is durable.  Cancelling the wait does not take it back.

        Args:
            stream: `table/12`, `person/ann`; at most 64 characters.
            sequence: One more than the stream's last, from 1.
            closes: This is the stream's last record.

        Raises:
            JournalFailed: It does not count; nobody may see it.  Whether it is in the file all
                the same, `read_async` tells.
            ValueError: A wrong sequence, a closed stream, a body that is too large: a caller's
                bug.  Nothing was written.
        """
        if len(body) > self._settings.record_bytes_max:
            raise ValueError(f"{stream}: a record of {len(body)} bytes")
        await self._enqueue(PendingRecord(stream, sequence, self._now_ms(), body, closes))

    async def write_heartbeat(self) -> None:
        """Note that the house is alive now; the next run reads it as `last_alive_ms`."""
        await self._enqueue(Heartbeat(self._now_ms()))

    def _enqueue(self, item: PendingRecord | Heartbeat) -> asyncio.Future[None]:
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        if len(self._waiting) >= self._settings.queue_max:
            raise JournalWriteError(f"{len(self._waiting)} records are waiting already")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._writer.start()
        future = self._loop.create_future()
        self._waiting.append((item, future))
        if not self._is_busy:
            self._is_busy = True
            # Not now: whoever is to run in this turn of the loop may still join the batch.
            self._loop.call_soon(self._send_batch)
        return future

    def _send_batch(self) -> None:
        batch = self._waiting[: self._settings.batch_max]
        del self._waiting[: self._settings.batch_max]
        assert self._loop is not None
        self._batch_sent_at = self._loop.time()
        self._batches.put(batch)

    def _writer_loop(self) -> None:
        """The writer thread: one batch after the other, until None."""
        while (batch := self._batches.get()) is not None:
            result: list[Exception | None] | Exception
            try:
                result = self._store.write([item for item, _ in batch])
            except Exception as exc:  # a thread that died in silence would leave everybody waiting
                result = exc
            assert self._loop is not None
            with suppress(RuntimeError):  # the loop has gone, and those who waited with it
                self._loop.call_soon_threadsafe(self._resolve_batch, batch, result)

    def queue_length(self) -> int:
        """Records that the writer has not taken up yet."""
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
                    # One exception each: a shared one would gather everybody's traceback.
                    failure = JournalWriteError(reason)
                    failure.__cause__ = result
                    future.set_exception(failure)
            self._waiting.clear()
        else:
            metrics.JOURNAL_RECORDS.value += len(batch)
            for (_, future), error in zip(batch, result, strict=True):
                if future.done():
                    continue
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)
        # Those who were just told run first, and what they hand in goes into the next batch.
        self._loop.call_soon(self._send_next_batch)

    def _send_next_batch(self) -> None:
        if self._waiting:
            self._send_batch()
        else:
            self._is_busy = False

    # -- reading -------------------------------------------------------------------------------

    def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        """The records of *stream* behind sequence *after*, oldest first, their chain verified.

        Waits for the disk, so it is for the start, before anybody is in, and for other threads.

        Raises:
            JournalBroken: The file holds something else than was written.
            JournalFailed: The file cannot be read now.
        """
        return self._store.read(stream, after)

    async def read_async(self, stream: str, after: int = 0) -> list[StoredRecord]:
        """`read` without stopping the house: what is true after an append has failed."""
        return await asyncio.to_thread(self._store.read, stream, after)

    def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        """Names that begin with *prefix*, in the order of their first records."""
        return self._store.streams(prefix, is_open)

    def last_number(self, prefix: str) -> int:
        """The largest N of all streams `prefix` + N, open or closed; 0 if there is none."""
        return self._store.last_number(prefix)

    # -- size ----------------------------------------------------------------------------------

    def size_bytes(self) -> int:
        """What the records take of the disk, as it was at the last heartbeat."""
        return self._store.size_bytes

    def is_full(self) -> bool:
        """Whether nothing new may begin: no table, no game, no account.  The rest goes on."""
        return self._store.size_bytes > self._settings.size_mib_max * MIB

    async def prune(self, before_ms: int) -> int:
        """Take tables out that closed before that time, UTC; answers how many.

        Raises:
            JournalFailed: It could not go on; what was taken out until then is gone.
        """
        count = 0
        after: int | None = 0
        while after is not None:
            pruned = await asyncio.to_thread(self._store.prune, before_ms, after)
            count, after = count + len(pruned.names), pruned.next_after
            await asyncio.sleep(PRUNE_PAUSE_S)
        return count

    # -- copying, and the end ------------------------------------------------------------------

    async def copy(self, path: Path) -> None:
        """A copy of the whole ledger at *path*, which does not exist yet; playing goes on.

        Raises:
            JournalFailed: It could not be made, and nothing of it is left.
        """
        await asyncio.to_thread(self._store.copy, path)

    async def close(self) -> None:
        """Write what waits, with a last heartbeat, and let go of the directory.  Idempotent."""
        if self._is_closed:
            return
        last = None
        if self._loop is not None:
            with suppress(JournalWriteError):
                last = self._enqueue(Heartbeat(self._now_ms()))
        self._is_closed = True
        if last is not None:
            with suppress(JournalWriteError):  # each append was told already
                await last
        if self._loop is not None:
            self._batches.put(None)
            await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._store.close)
        os.close(self._lock)


def lock_directory(directory: Path) -> int:
    """Hold the directory until the descriptor is closed; it does not outlive a forked child.

    Raises:
        StartError: A server holds it.
        OSError: It cannot be used.
    """
    lock = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        os.close(lock)
        raise StartError(
            f"{directory} is in use by another server: stop that one, or choose another with --data"
        ) from exc
    return lock
