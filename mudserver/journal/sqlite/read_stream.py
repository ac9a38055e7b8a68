"""Reading a stream from the file, for the server and for the inspector.

Rule 1: a stream is read from its head back, and returned only when its chain has been verified.
Rule 2: in pieces it is read from its beginning: first the way back is walked, one piece at a time,
        and where each ends is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mudserver.journal.chain_reader import PIECE, ChainReader
from mudserver.journal.hash_chain import StoredRecord, chain_error

STREAM = "select head, base, base_hash from stream where name = ?"
STREAM_OF_SCHEMA_1 = "select head, 0, null from stream where name = ?"
WALK = """
    with recursive walk (id, previous, sequence, at_ms, body, hash) as (
        select id, previous, sequence, at_ms, body, hash from record where id = :head
        union all
        select record.id, record.previous, record.sequence, record.at_ms, record.body, record.hash
        from walk join record on record.id = walk.previous and record.id < walk.id
        where walk.sequence > :after)
    select sequence, at_ms, body, hash from walk order by id"""


BACK = """
    with recursive walk (id, previous, sequence, steps) as (
        select id, previous, sequence, 0 from record where id = :head
        union all
        select record.id, record.previous, record.sequence, walk.steps + 1
        from walk join record on record.id = walk.previous and record.id < walk.id
        where walk.sequence > :after + 1 and walk.steps < :steps)
    select id, sequence, steps from walk order by id limit 1"""
"""The record so many steps before another one, or the first behind `after`."""

Query = Callable[[str, Any], list[Any]]
"""Runs SQL with its values; returns all rows."""


def read_stream(
    query: Query, stream: str, after: int = 0, find: str = STREAM
) -> list[StoredRecord]:
    """Records of a stream after sequence *after*, verified.  An unknown stream is empty.

    A trimmed stream has no records up to its base; what is left begins with one that replaces them.

    Args:
        find: STREAM, or STREAM_OF_SCHEMA_1 for a file that is not migrated.

    Raises:
        JournalCorruptError: See `hash_chain.verify_chain`.
    """
    return read_chain(query, stream, after, find)[0]


def read_chain(
    query: Query, stream: str, after: int = 0, find: str = STREAM
) -> tuple[list[StoredRecord], bytes]:
    """The same, and the hash of the last record; b"" of an unknown stream."""
    found = query(find, (stream,))
    if not found:
        return [], b""
    head, base, base_hash = found[0]
    chain = ChainReader(stream, after, base, base_hash)
    return _take(query, chain, stream, head), chain.hash


def read_pieces(
    query: Query, stream: str, after: int = 0, find: str = STREAM
) -> Iterator[list[StoredRecord]]:
    """The same as `read_stream`, PIECE records at a time; none is empty."""
    found = query(find, (stream,))
    if not found:
        return
    head, base, base_hash = found[0]
    chain = ChainReader(stream, after, base, base_hash)
    for end in _ends(query, head, chain.after):
        if records := _take(query, chain, stream, end):
            yield records


def _take(query: Query, chain: ChainReader, stream: str, end: int) -> list[StoredRecord]:
    """The records up to the one of the id *end*."""
    rows = query(WALK, {"head": end, "after": chain.after})
    if not rows:
        raise chain_error(stream, chain.after + 1, "the last record is missing")
    return chain.take(rows)


def _ends(query: Query, head: int, after: int) -> list[int]:
    """The ids of the last records of all pieces, oldest first."""
    found = [head]
    while rows := query(BACK, {"head": found[-1], "after": after, "steps": PIECE}):
        end, sequence, steps = rows[0]
        if steps < PIECE or sequence <= after:
            break
        found.append(end)
    return found[::-1]
