"""Reading a journal without a server, for backups and for `mudserver check`.

Rule 1: nothing is written.  No server uses the file meanwhile: it is a copy, or the directory is
        locked.
Rule 2: every flaw is one line, and the check continues: an operator needs all of them.
Rule 3: lines name streams and sequence numbers, never the content of a record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mudserver.atomic_file import create_exclusive
from mudserver.errors import JournalCorruptError, StartError
from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import INDEX_TABLES, Row, lookup_name, read_rows
from mudserver.journal.interface import StoredStream
from mudserver.journal.sqlite.database import (
    check_before_open,
    check_schema,
    error_reason,
    query_value,
)
from mudserver.journal.sqlite.read_stream import (
    STREAM,
    STREAM_OF_SCHEMA_1,
    read_pieces,
    read_stream,
)
from mudserver.journal.streams import stream_kind

FLAWS_MAX = 100  # of one kind
STORED = """
    select name, sequence, hash, is_closed, closed_ms, base, base_hash, bytes, worth, person
    from stream join record on record.id = head order by stream.id"""
OBJECTS = {
    "stream", "record", "house", "sqlite_autoindex_stream_1", "closed_table",
    *INDEX_TABLES,
    *(f"sqlite_autoindex_{name}_1" for name in INDEX_TABLES),
    *(lookup_name(name, each) for name, table in INDEX_TABLES.items() for each in table.lookups),
}  # fmt: skip


class SqliteInspector:
    """Implements `interface.JournalInspector`, and copies.  Made by `open_inspector`."""

    def __init__(self, db: sqlite3.Connection, schema: int) -> None:
        self._db, self._has_bases = db, schema > 1
        self._find = STREAM if self._has_bases else STREAM_OF_SCHEMA_1

    def find_flaws(self) -> list[str]:
        """Flaws of the file and its rows, one line each; the records are not decoded."""
        try:
            self._check_no_view()
            return [*self._integrity_errors(), *self._foreign_objects()]
        except sqlite3.Error as exc:
            return [f"the file cannot be read: {error_reason(exc)}"]

    def _check_no_view(self) -> None:
        """sqlite3.DatabaseError: a view, whose query might never end."""
        if views := self._query("select name from sqlite_master where type = 'view'"):
            raise sqlite3.DatabaseError(f"{views[0][0]} is a view")

    def _integrity_errors(self) -> Iterator[str]:
        for (line,) in self._query(f"pragma integrity_check({FLAWS_MAX})"):
            if line != "ok":
                yield f"integrity: {' '.join(line.split())}"

    def _foreign_objects(self) -> Iterator[str]:
        """Tables and rows that no server writes."""
        for (name,) in self._query("select name from sqlite_master"):
            if name not in OBJECTS:
                yield f"foreign: {name} is no part of a journal"
        for (name,) in self._query("select name from stream order by id"):
            if stream_kind(name) is None:
                yield f"foreign: a stream is called {name!r}"
        rows = query_value(self._db, "select count(*) from record")
        held = query_value(
            self._db,
            f"select coalesce(sum(sequence - {'base' if self._has_bases else 0}), 0)"
            " from stream join record on record.id = head",
        )
        if rows != held:
            yield f"foreign: {rows} records, where the streams hold {held}"

    def streams(self) -> list[tuple[str, bool]]:
        """Names, and whether each is closed, in the order of their first records."""
        rows = self._query("select name, is_closed from stream order by id")
        return [(name, bool(is_closed)) for name, is_closed in rows]

    def read(self, stream: str) -> list[StoredRecord]:
        """The records of *stream*.  JournalCorruptError: its chain does not verify."""
        with _readable(stream):
            return read_stream(self._query, stream, find=self._find)

    def read_pieces(self, stream: str) -> Iterator[list[StoredRecord]]:
        with _readable(stream):
            yield from read_pieces(self._query, stream, find=self._find)

    def stored_streams(self) -> list[StoredStream]:
        return [
            StoredStream(name, last, digest, bool(is_closed), *others)
            for name, last, digest, is_closed, *others in self._query(STORED)
        ]

    def name_claims(self) -> list[Claim]:
        return []

    def last_alive_ms(self) -> int | None:
        found: int | None = query_value(self._db, "select alive_ms from house")
        return found

    def index_rows(self, table: str) -> Iterator[Row]:
        """All rows of one table of the index, its columns in their order; none before schema 3."""
        if self._query("select 1 from sqlite_master where name = ?", (table,)):
            yield from read_rows(table, self._query)

    def copy(self, path: Path) -> None:
        """Copy the file to *path*, new and with mode 0600, not synced.  StartError: it cannot."""
        try:
            create_exclusive(path)
            with closing(sqlite3.connect(path, isolation_level=None)) as copy:
                self._db.backup(copy)
        except (OSError, sqlite3.Error) as exc:
            path.unlink(missing_ok=True)
            raise StartError(f"{path} cannot be written: {error_reason(exc)}") from exc

    def _query(self, sql: str, values: Any = ()) -> list[Any]:
        return self._db.execute(sql, values).fetchall()


@contextmanager
def _readable(stream: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as exc:
        reason = error_reason(exc)
        raise JournalCorruptError(f"journal broken stream={stream} reason={reason}") from None


@contextmanager
def open_inspector(path: Path) -> Iterator[SqliteInspector]:
    """Open the journal in the file *path*, which no other program may have open.

    Raises:
        StartError: It cannot be opened, or is not a journal of this schema or an older one.
    """
    # A copy has no log beside it, and must get none.  One that has is read with it.
    has_log = Path(f"{path}-wal").exists()
    try:
        check_before_open(path, path.stat().st_size)
    except OSError as exc:
        raise StartError(f"{path} cannot be read: {exc.strerror}") from None
    mode = "mode=rw" if has_log else "mode=ro&immutable=1"
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=0, isolation_level=None
        )
    except sqlite3.Error as exc:
        raise StartError(f"{path} cannot be opened: {error_reason(exc)}") from exc
    with closing(db):
        try:
            if has_log:
                query_value(db, "pragma locking_mode = exclusive")
            version = check_schema(db, path)
        except sqlite3.Error as exc:
            raise StartError(f"{path} cannot be opened: {error_reason(exc)}") from exc
        yield SqliteInspector(db, version)
