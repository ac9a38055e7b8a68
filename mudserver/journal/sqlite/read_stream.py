"""Reading a stream from the file, for the server and for the inspector.

Rule 1: a stream is read from its head back, and returned only when its chain has been verified.
Rule 2: the chain of a trimmed stream begins at its base, and its first record replaces what was
        removed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mudserver.journal.hash_chain import StoredRecord, chain_error, first_hash, verify_chain
from mudserver.journal.replacing import replaces_past

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


def read_stream(
    query: Callable[[str, Any], list[Any]],
    stream: str,
    after: int = 0,
    find: str = STREAM,
) -> list[StoredRecord]:
    """Records of a stream after sequence *after*, verified.  An unknown stream is empty.

    A trimmed stream has no records up to its base; what is left begins with one that replaces them.

    Args:
        query: Runs SQL with its values; returns all rows.
        find: STREAM, or STREAM_OF_SCHEMA_1 for a file that is not migrated.

    Raises:
        JournalCorruptError: See `hash_chain.verify_chain`.
    """
    return read_chain(query, stream, after, find)[0]


def read_chain(
    query: Callable[[str, Any], list[Any]],
    stream: str,
    after: int = 0,
    find: str = STREAM,
) -> tuple[list[StoredRecord], bytes]:
    """The same, and the hash of the last record; b"" of an unknown stream."""
    found = query(find, (stream,))
    if not found:
        return [], b""
    head, base, base_hash = found[0]
    after = max(after, base)
    rows = query(WALK, {"head": head, "after": after})
    if not rows:
        raise chain_error(stream, after + 1, "the last record is missing")
    if after > base:
        if rows[0][0] != after:
            raise chain_error(stream, after, "missing")
        return verify_chain(stream, rows[1:], after, rows[0][3]), rows[-1][3]
    if base == 0:
        return verify_chain(stream, rows, 0, first_hash(stream)), rows[-1][3]
    if not isinstance(base_hash, bytes):
        raise chain_error(stream, base, "the hash of what was removed is missing")
    records = verify_chain(stream, rows, base, base_hash)
    if not replaces_past(records[0].body):
        raise chain_error(stream, base + 1, "it does not replace what was removed before it")
    return records, rows[-1][3]
