"""The file of the ledger: one SQLite connection and what may be done with it.

Rule 1: one connection, ever, for writing, reading and checkpoints.  A second one would meet
        SQLite's WAL-reset bug (fixed in 3.51.3).  A lock keeps threads apart.
Rule 2: a batch is one transaction, synced before `write` returns (WAL, synchronous FULL).
Rule 3: after a failed write or sync the connection is never used again: what the kernel dropped
        it will not report twice.  It is closed, and the next call opens the file anew, moves
        what SQLite recovers into the main file with fresh syncs, and goes on from there.  Until
        that works nothing is read either: what is seen might still be lost.
Rule 4: sequences are checked against the file, not against what somebody hoped to have written.
Rule 5: a file that was removed or replaced is only copied, over the connection that is left.
Rule 6: a copy is made over the same connection, a step at a time between batches: the writer
        waits for one step at most.

Source: docs/architecture.md; https://www.sqlite.org/wal.html; PostgreSQL's reading of fsync,
https://wiki.postgresql.org/wiki/Fsync_Errors.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from mudserver.durable import claimed, synced
from mudserver.errors import JournalBroken, JournalFailed, StartError
from mudserver.journal.chain import Stored, broken, first_hash, next_hash
from mudserver.journal.files import Files
from mudserver.journal.opening import connect, make, reason, value
from mudserver.journal.pruning import Pruned, prune
from mudserver.journal.reading import records_of

HEADS_MAX = 16_384  # streams whose last hash is kept in memory
STREAM_CHARS_MAX = 64
COPY_PAGES = 256  # in one step, with the writer locked out
COPY_PAUSE_S = 0.005  # between two steps, for the writer
COPY_STEPS_MAX = 1_000_000  # 1 TiB: a copy that goes on for longer has gone wrong
HEAD = """
    select stream.id, head, is_closed, sequence, hash
    from stream left join record on record.id = head where name = ?"""


class Entry(NamedTuple):
    """One record to be written."""

    stream: str
    sequence: int
    at_ms: int
    body: bytes
    closes: bool


class Beat(NamedTuple):
    """The house is alive at this time."""

    at_ms: int


@dataclass(slots=True)
class Head:
    """Where a stream ends."""

    id: int  # 0: not yet in the file
    name: bytes
    record: int  # id of the last record, 0 for none
    sequence: int
    hash: bytes
    is_closed: bool


class Store:
    def __init__(self, path: Path) -> None:
        """Open the file, or make it.  StartError if it is foreign, damaged, held or unusable."""
        self._path = path
        self._lock = threading.Lock()
        self._turn = threading.Condition(self._lock)
        self._is_lent = False  # a copy has the connection between batches
        self._heads: dict[str, Head] = {}
        make(path)
        self._db: sqlite3.Connection | None = connect(path, is_start=True)
        self._files = Files(path)
        self.size_bytes = _used_bytes(self._db)
        """What the records take of the file, as it was at the last heartbeat."""

    # -- writing -------------------------------------------------------------------------------

    def write(self, batch: Sequence[Entry | Beat]) -> list[Exception | None]:
        """Make a batch durable.

        Returns:
            For each item None, or why that item alone was left out: its sequence is wrong or
            its stream closed (ValueError), or its stream is damaged (JournalFailed).  Nothing of
            such an item touched the disk.

        Raises:
            JournalFailed: Nothing of the batch counts.  What is in the file, `read` tells.
        """
        with self._lock:
            db = self._opened()
            self._check_there()
            try:
                outcomes = self._written(db, batch)
            except sqlite3.Error as exc:
                self._abandon()
                raise JournalFailed(f"append failed: {reason(exc)}") from exc
            except BaseException:  # a bug: the half transaction must not stay open
                self._abandon()
                raise
            self._check_there()
            return outcomes

    def _written(
        self, db: sqlite3.Connection, batch: Sequence[Entry | Beat]
    ) -> list[Exception | None]:
        rows, moved, outcomes = [], dict[int, Head](), list[Exception | None]()
        alive_ms = None
        db.execute("begin immediate")
        number = value(db, "select coalesce(max(id), 0) from record")
        for item in batch:
            if isinstance(item, Beat):
                alive_ms = item.at_ms
                outcomes.append(None)
                continue
            stream, sequence, at_ms, body, closes = item
            try:
                head = self._heads.get(stream) or self._find_head(db, stream)
            except JournalBroken as exc:  # one damaged stream must not stop the others
                outcomes.append(JournalFailed(str(exc)))
                continue
            if head is None or head.is_closed or sequence != head.sequence + 1:
                outcomes.append(_misplaced(item, head))
                continue
            head.id = head.id or self._new_stream(db, stream)
            digest = next_hash(head.hash, head.name, sequence, at_ms, body)
            number += 1
            rows.append((number, head.record, sequence, at_ms, body, digest))
            head.record, head.sequence, head.hash, head.is_closed = number, sequence, digest, closes
            moved[head.id] = head
            outcomes.append(None)
        db.executemany("insert into record values (?, ?, ?, ?, ?, ?)", rows)
        db.executemany(
            "update stream set head = ?, is_closed = ? where id = ?",
            [(head.record, head.is_closed, head.id) for head in moved.values()],
        )
        if alive_ms is not None:
            db.execute("update house set alive_ms = ?", (alive_ms,))
        db.execute("commit")
        if alive_ms is not None:
            self.size_bytes = _used_bytes(db)
        if len(self._heads) > HEADS_MAX:
            self._heads.clear()
        return outcomes

    def _find_head(self, db: sqlite3.Connection, stream: str) -> Head | None:
        """The end of a stream as the file has it; None: this is no name for one."""
        if not 0 < len(stream) <= STREAM_CHARS_MAX:
            return None
        row = db.execute(HEAD, (stream,)).fetchone()
        if row is None:
            head = Head(0, stream.encode(), 0, 0, first_hash(stream), False)
        else:
            number, record, is_closed, sequence, digest = row
            if sequence is None:
                raise broken(stream, 0, "its last record is missing")
            head = Head(number, stream.encode(), record, sequence, digest, bool(is_closed))
        self._heads[stream] = head
        return head

    def _new_stream(self, db: sqlite3.Connection, stream: str) -> int:
        number = db.execute("insert into stream values (null, ?, 0, 0)", (stream,)).lastrowid
        assert number, stream
        return number

    def prune(self, before_ms: int, after: int) -> Pruned:
        """One step of taking old closed tables out: see `pruning`.  JournalFailed: none was."""
        newest = f"table/{self.last_number('table/')}"
        with self._lock:
            db = self._opened()
            try:
                db.execute("begin immediate")
                pruned = prune(db, before_ms, after, newest)
                db.execute("commit")
            except BaseException as exc:
                self._abandon()
                if not isinstance(exc, sqlite3.Error):
                    raise
                raise JournalFailed(f"pruning failed: {reason(exc)}") from exc
            for name in pruned.names:
                self._heads.pop(name, None)
            return pruned

    # -- reading -------------------------------------------------------------------------------

    def read(self, stream: str, after: int) -> list[Stored]:
        """Records of a stream behind sequence *after*, verified.  An unknown stream is empty."""
        return records_of(self._ask, stream, after)

    def streams(self, prefix: str, is_open: bool | None) -> list[str]:
        rows = self._ask(
            "select name, is_closed from stream where substr(name, 1, ?) = ? order by id",
            (len(prefix), prefix),
        )
        return [name for name, is_closed in rows if is_open is None or is_open != bool(is_closed)]

    def last_number(self, prefix: str) -> int:
        rows = self._ask(
            "select max(cast(substr(name, ?) as integer)) from stream where substr(name, 1, ?) = ?",
            (len(prefix) + 1, len(prefix), prefix),
        )
        return rows[0][0] or 0

    def alive_ms(self) -> int | None:
        found: int | None = self._ask("select alive_ms from house", ())[0][0]
        return found

    def _ask(self, question: str, values: tuple[Any, ...] | dict[str, Any]) -> list[Any]:
        with self._lock:
            db = self._opened()
            try:
                return db.execute(question, values).fetchall()
            except sqlite3.Error as exc:
                self._abandon()
                raise JournalFailed(f"read failed: {reason(exc)}") from exc

    # -- copying -------------------------------------------------------------------------------

    def copy(self, path: Path) -> None:
        """Copy the ledger, as it is when the last step is done, to the new file *path*.

        Raises:
            JournalFailed: It could not be copied; what there is of *path* is removed.
        """
        try:
            claimed(path)
        except OSError as exc:
            raise JournalFailed(f"copy failed: {reason(exc)}") from exc
        copy = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            with self._lock:
                self._copied(copy)
            copy.close()
            synced(path)
        except (sqlite3.Error, OSError) as exc:
            copy.close()
            path.unlink(missing_ok=True)
            raise JournalFailed(f"copy failed: {reason(exc)}") from exc
        except BaseException:
            copy.close()
            path.unlink(missing_ok=True)
            raise

    def _copied(self, copy: sqlite3.Connection) -> None:
        if self._is_lent:
            raise JournalFailed("another copy is being made")
        db, steps = self._opened(), 0

        def breathe(status: int, remaining: int, total: int) -> None:
            nonlocal steps
            steps += 1
            self._turn.wait(COPY_PAUSE_S)  # lets the lock go
            if self._db is not db:
                raise JournalFailed("copy failed: the ledger was closed or opened anew meanwhile")
            if steps > COPY_STEPS_MAX:
                raise JournalFailed("copy failed: it does not come to an end")

        copy.execute("pragma synchronous = off")  # synced once, as a whole
        self._is_lent = True
        try:
            db.backup(copy, pages=COPY_PAGES, progress=breathe)
        finally:
            self._is_lent = False
            self._turn.notify_all()

    # -- the connection ------------------------------------------------------------------------

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            # A copy still holds the connection that was given up, and with it the file's lock.
            self._turn.wait_for(lambda: not self._is_lent)
            self._files.check()
            try:
                self._db = connect(self._path, is_start=False)
            except StartError as exc:
                raise JournalFailed(f"journal cannot be opened again: {exc}") from exc
            self._files.opened_again()
        return self._db

    def _check_there(self) -> None:
        self._files.check()
        if not self._files.is_log_there():
            self._abandon()  # which moves what the log holds into the file
            raise JournalFailed(f"append failed: {self._files.log} was removed or replaced")

    def _abandon(self) -> None:
        db, self._db = self._db, None
        self._heads.clear()
        self._turn.notify_all()
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()

    def close(self) -> None:
        """Move everything into the main file and let go of it."""
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):  # what was acknowledged is in the log already
                    value(self._db, "pragma wal_checkpoint(truncate)")
            self._abandon()


def _used_bytes(db: sqlite3.Connection) -> int:
    """Pages that hold something.  What was removed leaves free pages, which are used again."""
    pages = value(db, "pragma page_count") - value(db, "pragma freelist_count")
    return int(pages * value(db, "pragma page_size"))


def _misplaced(entry: Entry, head: Head | None) -> ValueError:
    if head is None:
        return ValueError(f"a stream's name has 1 to {STREAM_CHARS_MAX} characters: {entry.stream}")
    if head.is_closed:
        return ValueError(f"{entry.stream} is closed at {head.sequence}")
    wanted = head.sequence + 1
    return ValueError(f"{entry.stream}: sequence {entry.sequence} where {wanted} is next")
