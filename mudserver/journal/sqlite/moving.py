"""Filling a new SQLite journal, and leaving one that was moved away.

Rule 1: a journal is filled under another name, synced, and takes its place in one step.
Rule 2: one that was moved away is marked in its file, so that every server and command refuses it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from mudserver.atomic_file import fsync_path
from mudserver.errors import StartError
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import Row, upsert_statement
from mudserver.journal.interface import StoredStream
from mudserver.journal.moving import with_hashes
from mudserver.journal.sqlite.database import MOVED_ID, error_reason, make_file, open_database

ADD_STREAM = f"insert into stream values (null{', ?' * 9})"
ADD_RECORD = """
    insert into record (previous, sequence, at_ms, body, hash) values (?, ?, ?, ?, ?)"""


class SqliteTarget:
    """Implements `moving.Target`.  Made by `new_journal`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add_stream(self, stream: StoredStream, records: Iterable[StoredRecord]) -> None:
        head = 0
        for record, digest in with_hashes(stream, records):
            values = (head, record.sequence, record.at_ms, record.body, digest)
            head = self._db.execute(ADD_RECORD, values).lastrowid or 0
        beside = (stream.bytes, stream.closed_ms, stream.worth, stream.person)
        row = (stream.name, head, stream.is_closed, stream.base, stream.base_hash, *beside)
        self._db.execute(ADD_STREAM, row)

    def add_rows(self, table: str, rows: Sequence[Row]) -> None:
        self._db.executemany(upsert_statement(table), rows)

    def finish(self, alive_ms: int | None) -> None:
        self._db.execute("update house set alive_ms = ?", (alive_ms,))


@contextmanager
def new_journal(path: Path) -> Iterator[SqliteTarget]:
    """Make the file *path* anew, and fill it; it is synced when the block ends.

    Raises:
        StartError: It cannot be written.
    """
    try:
        make_file(path)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("pragma journal_mode = off")  # nobody uses what an interruption leaves
            db.execute("pragma synchronous = off")
            db.execute("begin immediate")
            yield SqliteTarget(db)
            db.execute("commit")
        fsync_path(path)
    except (OSError, sqlite3.Error) as exc:
        raise StartError(f"{path} cannot be written: {error_reason(exc)}") from exc


def migrate_journal(path: Path) -> None:
    """Bring a journal to this server's schema.  StartError: it cannot be opened."""
    open_database(path, is_start=True).close()


def leave_journal(path: Path, at_ms: int) -> None:
    """Mark a journal that was moved to PostgreSQL [rule 2]."""
    with closing(open_database(path, is_start=False)) as db:
        try:
            db.execute("begin immediate")
            db.execute("create table moved (at_ms integer not null)")
            db.execute("insert into moved values (?)", (at_ms,))
            db.execute(f"pragma application_id = {MOVED_ID}")
            db.execute("commit")
        except sqlite3.Error as exc:
            raise StartError(f"{path} cannot be written: {error_reason(exc)}") from exc
    fsync_path(path)
