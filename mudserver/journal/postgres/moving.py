"""Filling an empty journal in PostgreSQL, and leaving one that was moved away.

Rule 1: it is one transaction, in which no server can start: all of it is there at the end, or
        nothing.
Rule 2: tables belong to nobody until a server starts, and then to that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mudserver.clock import format_file_timestamp
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import INDEX_TABLES, Row
from mudserver.journal.interface import StoredStream
from mudserver.journal.moving import with_hashes
from mudserver.journal.postgres.offline import Offline
from mudserver.journal.postgres.schema import ALIVE, MOVED, SCHEMA, SET_META

RECORD = ("stream", "sequence", "at_ms", "body", "hash")
STREAM = (
    "stream", "last", "hash", "is_closed", "closed_ms", "base", "base_hash", "bytes", "worth",
    "person",
)  # fmt: skip
STREAMS_AT_ONCE, BYTES_AT_ONCE = 1_000, 4_194_304


class PostgresTarget:
    """Implements `moving.Target`."""

    def __init__(self, db: Offline) -> None:
        self._db = db
        self._streams: list[StoredStream] = []
        self._records: list[tuple[str, int, int, bytes, bytes]] = []
        self._bytes = 0  # of `_records`

    def add_stream(self, stream: StoredStream, records: Iterable[StoredRecord]) -> None:
        self._streams.append(stream)
        for record, digest in with_hashes(stream, records):
            self._records.append((stream.name, *record, digest))
            self._bytes += len(record.body)
            if self._bytes > BYTES_AT_ONCE:
                self._write()
        if len(self._streams) >= STREAMS_AT_ONCE:
            self._write()

    def _write(self) -> None:
        self._db.copy("stream", STREAM, self._streams)
        self._db.copy("record", RECORD, self._records)
        self._streams, self._records, self._bytes = [], [], 0

    def add_rows(self, table: str, rows: Sequence[Row]) -> None:
        self._db.copy(table, INDEX_TABLES[table].names, rows)

    def finish(self, alive_ms: int | None) -> None:
        self._write()
        if alive_ms is not None:
            self._db.fetch(SET_META, ALIVE, str(alive_ms).encode())


def prepare(db: Offline, now_ms: int) -> tuple[bool, str]:
    """Make an empty journal, unless there is one that was not moved away.

    Returns:
        Whether it is empty, and the schema in which one that was moved away is kept, or "".

    Raises:
        StartError: A server uses it.
    """
    aside = ""
    if db.has_journal():
        db.hold()
        if db.moved_ms() is not None:
            aside = f"{SCHEMA}_replaced_{format_file_timestamp(now_ms).lower()}"
            db.execute(f"alter schema {SCHEMA} rename to {aside}")
    db.make_schema()
    db.hold()
    return not db.value("select exists (select from stream)"), aside


def leave_journal(db: Offline, at_ms: int) -> None:
    """Mark a journal that was moved to SQLite."""
    db.fetch(SET_META, MOVED, str(at_ms).encode())
