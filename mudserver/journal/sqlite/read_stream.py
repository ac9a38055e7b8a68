"""Reading a stream from the file, for the server and for the inspector.

Rule 1: a stream is read from its head back, and returned only when its chain has been verified.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, verify_chain

WALK = """
    with recursive walk (id, previous, sequence, at_ms, body, hash) as (
        select id, previous, sequence, at_ms, body, hash from record where id = :head
        union all
        select record.id, record.previous, record.sequence, record.at_ms, record.body, record.hash
        from walk join record on record.id = walk.previous and record.id < walk.id
        where walk.sequence > :after)
    select sequence, at_ms, body, hash from walk order by id"""


def read_stream(
    query: Callable[[str, Any], list[Any]], stream: str, after: int = 0
) -> list[StoredRecord]:
    """Records of a stream after sequence *after*, verified.  An unknown stream is empty.

    Args:
        query: Runs SQL with its values; returns all rows.

    Raises:
        JournalCorruptError: See `hash_chain.verify_chain`.
    """
    found = query("select head from stream where name = ?", (stream,))
    if not found:
        return []
    rows = query(WALK, {"head": found[0][0], "after": after})
    if not rows:
        raise chain_error(stream, after + 1, "the last record is missing")
    anchor = first_hash(stream)
    if after > 0:
        if rows[0][0] != after:
            raise chain_error(stream, after, "missing")
        anchor = rows.pop(0)[3]
    return verify_chain(stream, rows, after, anchor)
