"""Copying a whole journal from one store to another.

Rule 1: records are copied with their times, in the order of their streams; the chain of each is
        verified before it is written, and computed again from what is written.
Rule 2: at the end the copy is read whole and compared.
Rule 3: a stream that may be too long for memory is read in pieces, and so is the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple, Protocol

from mudserver.errors import DataError, JournalCorruptError
from mudserver.journal.chain_reader import PIECE
from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, next_hash
from mudserver.journal.index import INDEX_TABLES, ROWS_AT_ONCE, Row
from mudserver.journal.interface import JournalInspector, StoredStream


class Measure(NamedTuple):
    """How much a journal holds."""

    streams: int
    records: int
    rows: int  # of the index

    def __str__(self) -> str:
        return f"streams={self.streams} records={self.records} rows={self.rows}"


class Target(Protocol):
    """An empty journal that is filled."""

    def add_stream(self, stream: StoredStream, records: Iterable[StoredRecord]) -> None: ...

    def add_rows(self, table: str, rows: Sequence[Row]) -> None: ...

    def finish(self, alive_ms: int | None) -> None:
        """Write what waits, and the last heartbeat."""


def copy_journal(source: JournalInspector, target: Target) -> None:
    """Fill *target*.  JournalCorruptError: the source is damaged."""
    for stream in source.stored_streams():
        target.add_stream(stream, _records(source, stream))
    for table in INDEX_TABLES:
        rows = source.index_rows(table)
        while piece := list(islice(rows, ROWS_AT_ONCE)):
            target.add_rows(table, piece)
    target.finish(source.last_alive_ms())


def _records(journal: JournalInspector, stream: StoredStream) -> Iterable[StoredRecord]:
    """[rule 3] JournalCorruptError: as for `JournalInspector.read`, while they are taken, too."""
    if stream.last - stream.base <= PIECE:
        return journal.read(stream.name)
    return chain.from_iterable(journal.read_pieces(stream.name))


def measure(journal: JournalInspector) -> Measure:
    streams = journal.stored_streams()
    rows = sum(1 for table in INDEX_TABLES for _ in journal.index_rows(table))
    return Measure(len(streams), sum(it.last - it.base for it in streams), rows)


def with_hashes(
    stream: StoredStream, records: Iterable[StoredRecord]
) -> Iterator[tuple[StoredRecord, bytes]]:
    """Each record with its hash.  JournalCorruptError: they do not end as the stream does."""
    name, end = stream.name.encode(), (stream.base, stream.base_hash or first_hash(stream.name))
    for record in records:
        end = record.sequence, next_hash(end[1], name, *record)
        yield record, end[1]
    if end != (stream.last, stream.hash):
        raise chain_error(stream.name, stream.last, "it is not the record with which it ends")


def _digest(rows: Iterable[Row]) -> tuple[int, int]:
    """How many, and the sum of their hashes: the same in each order, which stores choose."""
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(sha256(repr(row).encode()).digest())
    return count, total


def is_same(one: JournalInspector, other: JournalInspector) -> bool:
    """Whether both hold the same streams, as their ends say; the end of a chain is all of it."""
    return one.stored_streams() == other.stored_streams()


def compare(source: JournalInspector, copy: JournalInspector) -> None:
    """Read the whole *copy*.  DataError: it is not what the source holds."""
    if not is_same(source, copy):
        raise DataError("the copy has other streams than the journal: nothing was moved")
    for stream in copy.stored_streams():
        try:
            for _ in with_hashes(stream, _records(copy, stream)):
                pass
        except JournalCorruptError as exc:
            raise DataError(f"the copy is damaged, and nothing was moved: {exc}") from None
    for table in INDEX_TABLES:
        if _digest(source.index_rows(table)) != _digest(copy.index_rows(table)):
            raise DataError(f"the copy has other rows of {table}: nothing was moved")
