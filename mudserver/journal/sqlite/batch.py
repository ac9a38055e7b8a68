"""One batch of the writer: each item is checked, then all that passed is written at once.

Rule 1: an item that is refused leaves the others of its batch alone.
Rule 2: a group is accepted as a whole, counting what the batch has accepted before it.
Rule 3: heads change with each accepted item, so the caller forgets them if the transaction fails.
        Claims change only when the caller commits their draft.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import NamedTuple

from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal.claims import Claim, ClaimDraft
from mudserver.journal.hash_chain import chain_error, first_hash, next_hash
from mudserver.journal.index import IndexRow, rows_by_table, upsert_statement

STREAM_CHARS_MAX = 64
HEAD = """
    select stream.id, head, is_closed, bytes, sequence, hash
    from stream left join record on record.id = head where name = ?"""


class PendingRecord(NamedTuple):
    """One record to be written."""

    stream: str
    sequence: int
    at_ms: int
    body: bytes
    closes: bool


class PendingGroup(NamedTuple):
    """Records to be written together or not at all."""

    records: tuple[PendingRecord, ...]
    claims: tuple[Claim, ...]
    releases: tuple[Claim, ...]
    rows: tuple[IndexRow, ...] = ()  # of the index


class PendingRank(NamedTuple):
    """What a closed table is worth."""

    stream: str
    worth: int
    person: str


class Heartbeat(NamedTuple):
    """The server is alive at this time."""

    at_ms: int


PendingItem = PendingRecord | PendingGroup | PendingRank | Heartbeat


@dataclass(slots=True)
class StreamHead:
    """Where a stream ends."""

    id: int  # 0: not yet in the file
    name: bytes
    record: int  # id of the last record, 0 for none
    sequence: int
    hash: bytes
    is_closed: bool
    bytes: int  # of all its records
    closed_ms: int | None = None  # if this batch closes it


Heads = dict[str, StreamHead]


@dataclass(slots=True)
class Batch:
    """What is accepted of one transaction."""

    db: sqlite3.Connection  # in a transaction
    heads: Heads  # those in memory; more are added
    claims: ClaimDraft
    number: int  # id of the last record in the file
    alive_ms: int | None = None
    rows: list[tuple[int, int, int, int, bytes, bytes]] = field(default_factory=list)
    moved: dict[int, StreamHead] = field(default_factory=dict)
    ranks: list[tuple[int, str, int]] = field(default_factory=list)
    index: list[IndexRow] = field(default_factory=list)

    def accept(self, item: PendingItem) -> None:
        """Take *item* into the batch.

        Raises:
            ValueError: A wrong sequence, a closed stream, an invalid name.
            JournalConflictError: The same of a group, or a claim that somebody else has.
            JournalWriteError: The stream is damaged; this must not stop the others.
        """
        if isinstance(item, PendingRecord):  # nearly always
            head = self.heads.get(item.stream) or self._read_head(item.stream)
            if item.sequence != head.sequence + 1 or head.is_closed:
                raise ValueError(_sequence_problem(item, head.sequence, head.is_closed))
            self._append(item, head)
        elif isinstance(item, PendingGroup):
            self._accept_group(item)
        elif isinstance(item, PendingRank):
            self._rank(item)
        else:
            self.alive_ms = item.at_ms

    def write(self) -> None:
        """Write what was accepted.  sqlite3.Error: nothing of it counts."""
        self.db.executemany("insert into record values (?, ?, ?, ?, ?, ?)", self.rows)
        self.db.executemany(
            "update stream set head = ?, is_closed = ?, closed_ms = ?, bytes = ? where id = ?",
            [(h.record, h.is_closed, h.closed_ms, h.bytes, h.id) for h in self.moved.values()],
        )
        if self.ranks:
            self.db.executemany("update stream set worth = ?, person = ? where id = ?", self.ranks)
        for table, values in rows_by_table(self.index).items():
            self.db.executemany(upsert_statement(table), values)
        if self.alive_ms is not None:
            self.db.execute("update house set alive_ms = ?", (self.alive_ms,))

    def _accept_group(self, group: PendingGroup) -> None:
        ends: dict[str, tuple[int, bool]] = {}
        for record in group.records:
            head = self._head(record.stream)
            end = ends.get(record.stream, (head.sequence, head.is_closed))
            if problem := _sequence_problem(record, *end):
                raise JournalConflictError(problem)
            ends[record.stream] = (record.sequence, record.closes)
        self.claims.take(group.claims, group.releases)
        for record in group.records:
            self._append(record, self._head(record.stream))
        self.index += group.rows

    def _append(self, item: PendingRecord, head: StreamHead) -> None:
        stream, sequence, at_ms, body, closes = item
        head.id = head.id or self._new_stream(stream)
        digest = next_hash(head.hash, head.name, sequence, at_ms, body)
        self.number += 1
        self.rows.append((self.number, head.record, sequence, at_ms, body, digest))
        head.record, head.sequence, head.hash, head.is_closed = (
            self.number,
            sequence,
            digest,
            closes,
        )
        head.bytes += len(body)
        head.closed_ms = at_ms if closes else None
        self.moved[head.id] = head

    def _rank(self, item: PendingRank) -> None:
        head = self._head(item.stream)
        if not head.is_closed:
            raise ValueError(f"{item.stream} is not closed")
        self.ranks.append((item.worth, item.person, head.id))

    def _head(self, stream: str) -> StreamHead:
        return self.heads.get(stream) or self._read_head(stream)

    def _read_head(self, stream: str) -> StreamHead:
        if not 0 < len(stream) <= STREAM_CHARS_MAX:
            raise ValueError(f"a stream's name has 1 to {STREAM_CHARS_MAX} characters: {stream}")
        row = self.db.execute(HEAD, (stream,)).fetchone()
        if row is None:
            head = StreamHead(0, stream.encode(), 0, 0, first_hash(stream), False, 0)
        else:
            number, record, is_closed, size, sequence, digest = row
            if sequence is None:
                raise JournalWriteError(chain_error(stream, 0, "its last record is missing"))
            name = stream.encode()
            head = StreamHead(number, name, record, sequence, digest, bool(is_closed), size)
        self.heads[stream] = head
        return head

    def _new_stream(self, stream: str) -> int:
        insert = "insert into stream (name, head, is_closed) values (?, 0, 0)"
        number = self.db.execute(insert, (stream,)).lastrowid
        assert number, stream
        return number


def _sequence_problem(item: PendingRecord, last: int, is_closed: bool) -> str:
    if is_closed:
        return f"{item.stream} is closed at {last}"
    if item.sequence != last + 1:
        return f"{item.stream}: sequence {item.sequence} where {last + 1} is next"
    return ""
