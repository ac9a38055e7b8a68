"""Looking at a whole journal in PostgreSQL: for `mudserver check`, `ratings`, `move`.

Rule 1: it is one moment of the journal; servers may play meanwhile.
Rule 2: as in SQLite, every flaw is one line without the content of a record, and the check goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import INDEX_TABLES, Row, Value, read_rows
from mudserver.journal.interface import StoredStream
from mudserver.journal.postgres.offline import Offline, offline
from mudserver.journal.postgres.reading import END, PART, READ, Pieces, verified
from mudserver.journal.postgres.schema import ALIVE, SCHEMA
from mudserver.journal.postgres.statements import with_numbers
from mudserver.journal.streams import stream_kind

READ_BYTES_MAX = 4_194_304  # of bodies that are read ahead, beyond the first stream
READ_MAX = 200  # streams
TABLES = {"meta", "server", "stream", "record", "change", "counter", "claim", *INDEX_TABLES}
NAMES = "select kind, key, owner from claim where kind = 'name' order by owner, key"
FOREIGN = """
select relname from pg_class
where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by relname"""
STORED = """
select stream, last, hash, is_closed, closed_ms, base, base_hash, bytes, worth, person
from stream order by first"""
LAST_ALIVE = f"""
select coalesce(
    min(alive_ms) filter (where exists (select from stream where owner = name and not is_closed)),
    max(alive_ms),
    (select convert_from(value, 'UTF8')::bigint from meta where key = '{ALIVE}')
) from server"""


class PostgresInspector:
    """Implements `interface.JournalInspector`.  Made by `open_inspector`."""

    def __init__(self, db: Offline) -> None:
        self._db = db
        self._streams: list[StoredStream] = []
        self._places: dict[str, int] = {}  # in `_streams`
        self._ahead: dict[str, list[Any]] = {}  # rows that were read and not asked for yet

    def find_flaws(self) -> list[str]:
        return [*self._foreign_objects(), *self._foreign_rows()]

    def _foreign_objects(self) -> Iterator[str]:
        for (name,) in self._db.fetch(FOREIGN, SCHEMA):
            if name not in TABLES:
                yield f"foreign: {name} is no part of a journal"

    def _foreign_rows(self) -> Iterator[str]:
        for stream in self.stored_streams():
            if stream_kind(stream.name) is None:
                yield f"foreign: a stream is called {stream.name!r}"
        rows = self._db.value("select count(*) from record")
        held = self._db.value("select coalesce(sum(last - base), 0)::bigint from stream")
        if rows != held:
            yield f"foreign: {rows} records, where the streams hold {held}"

    def streams(self) -> list[tuple[str, bool]]:
        return [(stream.name, stream.is_closed) for stream in self.stored_streams()]

    def stored_streams(self) -> list[StoredStream]:
        if not self._streams:
            self._streams = [StoredStream(*row) for row in self._db.fetch(STORED)]
            self._places = {it.name: place for place, it in enumerate(self._streams)}
        return self._streams

    def read(self, stream: str) -> list[StoredRecord]:
        """The records of *stream*.  Streams that follow it in their order are read ahead.

        Raises:
            JournalCorruptError: Its chain does not verify.
        """
        if stream not in self._ahead:
            self._read_ahead(stream)
        rows = self._ahead.pop(stream, [])
        return verified(rows, 0) if rows else []

    def read_pieces(self, stream: str) -> Iterator[list[StoredRecord]]:
        pieces = Pieces(stream, 0)
        pieces.begin(self._db.fetch(END, stream))
        while (wanted := pieces.wanted()) is not None:
            yield pieces.take(self._db.fetch(PART, stream, *wanted))

    def _read_ahead(self, stream: str) -> None:
        streams = self.stored_streams()
        if stream not in self._places:
            return
        first = self._places[stream]
        names, size = [stream], streams[first].bytes
        for following in streams[first + 1 : first + READ_MAX]:
            size += following.bytes
            if size > READ_BYTES_MAX:
                break
            names.append(following.name)
        rows = self._db.fetch(READ, names, [0] * len(names))
        self._ahead = {
            names[n - 1]: list(found) for n, found in groupby(rows, lambda row: int(row["n"]))
        }

    def index_rows(self, table: str) -> Iterator[Row]:
        def fetch(statement: str, values: Sequence[Value]) -> list[Row]:
            return self._db.fetch(with_numbers(statement), *values)

        return read_rows(table, fetch)

    def name_claims(self) -> list[Claim]:
        return [Claim(*row) for row in self._db.fetch(NAMES)]

    def last_alive_ms(self) -> int | None:
        """Of the servers that have open tables, the one that has been silent for longest."""
        found: int | None = self._db.value(LAST_ALIVE)
        return found


@contextmanager
def open_inspector(address: str) -> Iterator[PostgresInspector]:
    """One moment of the journal.  StartError: it cannot be reached, or is none."""
    with offline(address, is_reading=True) as db:
        db.check_is_here()
        yield PostgresInspector(db)
