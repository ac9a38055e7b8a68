"""What is to be written, and where the streams end as far as the writer knows.

Rule 1: a record is checked against the known end of its stream, then given its hash.  The database
        compares again: what is known here may be old.
Rule 2: an end that was not confirmed is forgotten, and read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mudserver.errors import JournalConflictError
from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import first_hash, next_hash
from mudserver.journal.index import IndexRow
from mudserver.journal.streams import TABLE_STREAMS

HEADS_MAX = 16_384  # in memory
STREAM_CHARS_MAX = 64
HEADS = "select stream, last, hash, is_closed from stream where stream = any($1::text[])"


class Record(NamedTuple):
    """One record that waits."""

    stream: str
    sequence: int
    at_ms: int
    body: bytes
    closes: bool
    done: asyncio.Future[None]


class Group(NamedTuple):
    """Records that are written together or not at all."""

    records: tuple[Record, ...]
    claims: tuple[Claim, ...]
    releases: tuple[Claim, ...]
    done: asyncio.Future[None]
    rows: tuple[IndexRow, ...] = ()  # of the index


@dataclass(slots=True)
class Head:
    """Where a stream ends."""

    name: bytes
    sequence: int
    hash: bytes
    is_closed: bool
    is_table: bool


class Rows:
    """The records of one statement."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, int, int, bytes, bytes]] = []  # as the table `record` has them
        self.closes: list[bool] = []  # whether each closes its stream
        self.has_other = False  # one that begins or closes a stream, or is of no table

    def are_plays(self) -> bool:
        """Whether `statements.PLAYS` writes them."""
        return not self.has_other and len({row[0] for row in self.rows}) == len(self.rows)

    def columns(self) -> list[tuple[Any, ...]]:
        """Streams, sequences, times, bodies and hashes."""
        return list(zip(*self.rows, strict=True))


class Heads:
    """The ends of streams, by name."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    async def find(self, connection: Any, streams: Iterable[str]) -> None:
        """Read those that are not known."""
        unknown = {stream for stream in streams if stream not in self._heads}
        if not unknown:
            return
        if len(self._heads) > HEADS_MAX:
            self._heads.clear()
            unknown = set(streams)
        for stream, *end in await connection.fetch(HEADS, list(unknown)):
            unknown.discard(stream)
            self._heads[stream] = _head(stream, *end)
        for stream in unknown:
            self._heads[stream] = _head(stream, 0, first_hash(stream), False)

    def add(self, record: Record, rows: Rows) -> None:
        """Put a record behind its stream.  ValueError: it does not fit there."""
        stream, sequence, at_ms, body, closes, _ = record
        head = self._heads[stream]
        if sequence != head.sequence + 1 or head.is_closed:
            raise ValueError(misplaced(record, head.sequence, head.is_closed))
        head.hash = next_hash(head.hash, head.name, sequence, at_ms, body)
        head.sequence, head.is_closed = sequence, closes
        rows.rows.append((stream, sequence, at_ms, body, head.hash))
        rows.closes.append(closes)
        if sequence == 1 or closes or not head.is_table:
            rows.has_other = True

    def check_group(self, records: Iterable[Record]) -> None:
        """JournalConflictError: one of them does not fit; nothing has changed."""
        ends: dict[str, tuple[int, bool]] = {}
        for record in records:
            head = self._heads[record.stream]
            end = ends.get(record.stream, (head.sequence, head.is_closed))
            if record.sequence != end[0] + 1 or end[1]:
                raise JournalConflictError(misplaced(record, *end))
            ends[record.stream] = (record.sequence, record.closes)

    def forget(self, streams: Iterable[str]) -> None:
        for stream in streams:
            self._heads.pop(stream, None)

    def forget_all(self) -> None:
        self._heads.clear()


def _head(stream: str, last: int, digest: bytes, is_closed: bool) -> Head:
    return Head(stream.encode(), last, digest, is_closed, stream.startswith(TABLE_STREAMS.prefix))


def misplaced(record: Record, last: int, is_closed: bool) -> str:
    if is_closed:
        return f"{record.stream} is closed at {last}"
    return f"{record.stream}: sequence {record.sequence} where {last + 1} is next"


def check_size(stream: str, body: bytes, bytes_max: int) -> None:
    """ValueError: a caller's bug."""
    if len(body) > bytes_max:
        raise ValueError(f"{stream}: a record of {len(body)} bytes")
    if not 0 < len(stream) <= STREAM_CHARS_MAX:
        raise ValueError(f"a stream's name has 1 to {STREAM_CHARS_MAX} characters: {stream}")
