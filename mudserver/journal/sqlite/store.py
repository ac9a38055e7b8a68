"""The file of the journal: one SQLite connection and its operations.

Rule 1: there is only one connection, for writing, reading and checkpoints.  A second one would meet
        SQLite's WAL-reset bug (fixed in 3.51.3).  A lock keeps threads apart.
Rule 2: a batch is one transaction, synced before `write` returns (WAL, synchronous FULL).
Rule 3: after a failed write or sync the connection is never used again: the kernel does not report
        twice what it dropped.  The connection is closed.  The next call opens the file anew, moves
        what SQLite recovers into the main file with new syncs, and continues from there.  Until
        that works nothing is read either: what is read might still be lost.
Rule 4: sequences are checked against the file, not against what was meant to be written.
Rule 5: a file that was removed or replaced can only be copied, over the connection that is left.
Rule 6: a copy uses the same connection, a step at a time between batches: the writer waits for one
        step at most.

Source: docs/architecture.md; https://www.sqlite.org/wal.html; PostgreSQL's reading of fsync,
https://wiki.postgresql.org/wiki/Fsync_Errors.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mudserver.atomic_file import create_exclusive, fsync_path
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.claims import Claim, ClaimIndex
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import Row, Value
from mudserver.journal.interface import Pruning
from mudserver.journal.sqlite.batch import Batch, Heads, PendingItem
from mudserver.journal.sqlite.database import (
    create_database,
    error_reason,
    open_database,
    query_value,
)
from mudserver.journal.sqlite.file_identity import FileIdentity
from mudserver.journal.sqlite.prune import PruneResult, prune, remove
from mudserver.journal.sqlite.read_stream import read_chain, read_pieces, read_stream
from mudserver.journal.sqlite.trim import trim

HEADS_MAX = 16_384  # stream heads in memory
COPY_PAGES = 256  # in one step, with the writer locked out
COPY_PAUSE_S = 0.005  # between two steps, for the writer
AFTER_ALL = "\uffff"  # behind every character of a name
COPY_STEPS_MAX = 1_000_000  # 1 TiB; then the copy fails


class SqliteStore:
    def __init__(self, path: Path, *, is_start: bool = True) -> None:
        """Open or create the file.  StartError if it is foreign, damaged, in use or unusable.

        Args:
            is_start: False: it is not looked through for damage, since a server has just used it.
        """
        self._path, self.directory = path, path.parent
        self._lock = threading.Lock()
        self._connection_free = threading.Condition(self._lock)
        self._is_copying = False  # a copy uses the connection between batches
        self._is_closed = False  # the file is perhaps another server's
        self._heads: Heads = {}
        self._claims = ClaimIndex()
        create_database(path)
        self._db: sqlite3.Connection | None = open_database(path, is_start=is_start)
        self._files = FileIdentity(path)
        self.size_bytes = _used_bytes(self._db)
        """The bytes in use, as of the last heartbeat, trim or pruning."""

    # -- writing -------------------------------------------------------------------------------

    def write(self, items: Sequence[PendingItem]) -> list[Exception | None]:
        """Make a batch durable.

        Returns:
            For each item None, or why that item alone was not written: see `Batch.accept`.

        Raises:
            JournalWriteError: Nothing of the batch counts.  `read` tells what is in the file.
        """
        with self._lock:
            db = self._connection()
            self._check_files()
            try:
                outcomes = self._write_batch(db, items)
            except sqlite3.Error as exc:
                self._drop_connection()
                raise JournalWriteError(f"append failed: {error_reason(exc)}") from exc
            except BaseException:  # a bug: the half transaction must not stay open
                self._drop_connection()
                raise
            self._check_files()
            return outcomes

    def _write_batch(
        self, db: sqlite3.Connection, items: Sequence[PendingItem]
    ) -> list[Exception | None]:
        db.execute("begin immediate")
        number = query_value(db, "select coalesce(max(id), 0) from record")
        batch = Batch(db, self._heads, self._claims.draft(), number)
        outcomes = list[Exception | None]()
        for item in items:
            try:
                batch.accept(item)
                outcomes.append(None)
            except (ValueError, JournalWriteError) as refused:
                outcomes.append(refused)
        batch.write()
        db.execute("commit")
        batch.claims.commit()
        if batch.alive_ms is not None:
            self.size_bytes = _used_bytes(db)
        if len(self._heads) > HEADS_MAX:
            self._heads.clear()
        return outcomes

    def adopt_claims(self, claims: Iterable[Claim]) -> None:
        with self._lock:
            self._claims.adopt(claims)

    # -- removing ------------------------------------------------------------------------------

    def prune(self, what: Pruning, newest: str, until_bytes: int | None) -> PruneResult:
        """One step of `SqliteJournal.prune`; the last one removes nothing.

        Args:
            newest: The table that stays.
            until_bytes: Nothing is removed if no more than this is in use.

        Raises:
            JournalWriteError: Nothing was removed.
        """
        with self._lock, self._transaction("pruning") as db:
            if until_bytes is not None and _used_bytes(db) <= until_bytes:
                return PruneResult([], None)
            pruned = prune(db, what, newest)
        for name in pruned.names:
            self._heads.pop(name, None)
        return pruned

    def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        """See `Journal.remove`; one transaction."""
        with self._lock:
            with self._transaction("removing") as db:
                for name in streams:
                    remove(db, name)
                    self._heads.pop(name, None)
            claims = self._claims.draft()
            claims.take((), releases)
            claims.commit()

    def trim(self, stream: str) -> int:
        """See `Journal.trim`."""
        with self._lock:
            self._heads.pop(stream, None)
            with self._transaction("trim") as db:
                return trim(db, stream)

    @contextmanager
    def _transaction(self, what: str) -> Iterator[sqlite3.Connection]:
        """JournalWriteError: nothing of it was done.  The caller has the lock."""
        db = self._connection()
        try:
            db.execute("begin immediate")
            yield db
            db.execute("commit")
        except BaseException as exc:
            self._drop_connection()
            if not isinstance(exc, sqlite3.Error):
                raise
            raise JournalWriteError(f"{what} failed: {error_reason(exc)}") from exc
        self.size_bytes = _used_bytes(db)

    # -- reading -------------------------------------------------------------------------------

    def read(self, stream: str, after: int) -> list[StoredRecord]:
        """Records of a stream after sequence *after*, verified.  An unknown stream is empty."""
        return read_stream(self._query, stream, after)

    def read_pieces(self, stream: str, after: int) -> Iterator[list[StoredRecord]]:
        """The same in pieces; the writer has its turn between them."""
        return read_pieces(self._query, stream, after)

    def read_chain(self, stream: str) -> tuple[list[StoredRecord], bytes]:
        """A whole stream, and the hash of its last record; b"" of an unknown stream."""
        return read_chain(self._query, stream)

    def heads(self) -> dict[str, tuple[int, bytes]]:
        """Sequence and hash of the last record of each stream, closed tables left out."""
        rows = self._query(
            "select name, sequence, hash from stream join record on record.id = head"
            " where is_closed = 0 or name not like 'table/%'",
            (),
        )
        return {name: (sequence, digest) for name, sequence, digest in rows}

    def last_sequence(self, stream: str) -> int:
        """The sequence of the last record of *stream*; 0: there is none."""
        last = "select sequence from stream join record on record.id = head where name = ?"
        rows = self._query(last, (stream,))
        return rows[0][0] if rows else 0

    def look_up(self, sql: str, values: Sequence[Value]) -> list[Row]:
        """Rows of the index."""
        return self._query(sql, tuple(values))

    def last_record(self) -> int:
        """The id of the newest record; 0: there is none."""
        found: int = self._query("select coalesce(max(id), 0) from record", ())[0][0]
        return found

    def streams(self, prefix: str, is_open: bool | None) -> list[str]:
        which = "" if is_open is None else f" and is_closed = {int(not is_open)}"
        rows = self._query(
            f"select name from stream where name >= ? and name < ?{which} order by id",
            (prefix, prefix + AFTER_ALL),
        )
        return [name for (name,) in rows]

    def last_number(self, prefix: str) -> int:
        rows = self._query(
            "select max(cast(substr(name, ?) as integer)) from stream where name >= ? and name < ?",
            (len(prefix) + 1, prefix, prefix + AFTER_ALL),
        )
        return rows[0][0] or 0

    def read_last_alive_ms(self) -> int | None:
        found: int | None = self._query("select alive_ms from house", ())[0][0]
        return found

    def _query(self, sql: str, values: tuple[Any, ...] | dict[str, Any]) -> list[Any]:
        with self._lock:
            db = self._connection()
            try:
                return db.execute(sql, values).fetchall()
            except sqlite3.Error as exc:
                self._drop_connection()
                raise JournalWriteError(f"read failed: {error_reason(exc)}") from exc

    # -- copying -------------------------------------------------------------------------------

    def copy_size_bytes(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:  # it was removed: a copy rescues it
            return 0

    def copy(self, path: Path) -> None:
        """Copy the journal, as it is at the last step, to the new file *path*.

        Raises:
            JournalWriteError: The copy failed; *path* is removed.
        """
        try:
            create_exclusive(path)
        except OSError as exc:
            raise JournalWriteError(f"copy failed: {error_reason(exc)}") from exc
        copy = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            with self._lock:
                self._copy_to(copy)
            copy.close()
            fsync_path(path)
        except (sqlite3.Error, OSError) as exc:
            copy.close()
            path.unlink(missing_ok=True)
            raise JournalWriteError(f"copy failed: {error_reason(exc)}") from exc
        except BaseException:
            copy.close()
            path.unlink(missing_ok=True)
            raise

    def _copy_to(self, copy: sqlite3.Connection) -> None:
        if self._is_copying:
            raise JournalWriteError("another copy is being made")
        db, steps = self._connection(), 0

        def pause(status: int, remaining: int, total: int) -> None:
            nonlocal steps
            steps += 1
            self._connection_free.wait(COPY_PAUSE_S)  # releases the lock
            if self._db is not db:
                raise JournalWriteError(
                    "copy failed: the journal was closed or opened anew meanwhile"
                )
            if steps > COPY_STEPS_MAX:
                raise JournalWriteError("copy failed: it does not come to an end")

        copy.execute("pragma synchronous = off")  # synced once, as a whole
        self._is_copying = True
        try:
            db.backup(copy, pages=COPY_PAGES, progress=pause)
        finally:
            self._is_copying = False
            self._connection_free.notify_all()

    # -- the connection ------------------------------------------------------------------------

    def _connection(self) -> sqlite3.Connection:
        if self._is_closed:
            raise JournalWriteError("the journal is closed")
        if self._db is None:
            # A running copy still holds the dropped connection, and with it the lock of the file.
            self._connection_free.wait_for(lambda: not self._is_copying)
            self._files.check()
            try:
                self._db = open_database(self._path, is_start=False)
            except StartError as exc:
                raise JournalWriteError(f"journal cannot be opened again: {exc}") from exc
            self._files.refresh_wal()
        return self._db

    def _check_files(self) -> None:
        self._files.check()
        if not self._files.is_wal_unchanged():
            self._drop_connection()  # this moves the content of the log into the file
            raise JournalWriteError(
                f"append failed: {self._files.wal_path} was removed or replaced"
            )

    def _drop_connection(self) -> None:
        db, self._db = self._db, None
        self._heads.clear()
        self._connection_free.notify_all()
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def move_log(self) -> None:
        """Move what the write-ahead log has into the main file, as far as that goes at once."""
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):
                    query_value(self._db, "pragma wal_checkpoint(passive)")

    def close(self) -> None:
        """Move the write-ahead log into the main file and close it."""
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):  # acknowledged records are in the log already
                    query_value(self._db, "pragma wal_checkpoint(truncate)")
            self._drop_connection()
            self._is_closed = True

    def reopen(self) -> None:
        """Use the file again after `close`.  JournalWriteError: it cannot be used."""
        with self._lock:
            self._is_closed = False
            self._connection()


def _used_bytes(db: sqlite3.Connection) -> int:
    """Pages in use.  Removed records leave free pages, which are used again."""
    pages = query_value(db, "pragma page_count") - query_value(db, "pragma freelist_count")
    return int(pages * query_value(db, "pragma page_size"))
