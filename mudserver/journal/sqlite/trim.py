"""Trimming a stream: records that a snapshot replaces are removed.

Rule 1: only a record that replaces its past (`journal/replacing.py`) allows a trim.
Rule 2: the stream keeps the sequence and the hash of the last removed record, its base.  So its
        sequences go on, a stale writer is still refused, and the chain verifies from there.
Rule 3: one trim is one transaction.
"""

from __future__ import annotations

import sqlite3

from mudserver.journal.hash_chain import chain_error
from mudserver.journal.replacing import REPLACING

_REPLACES = " or ".join(f"substr(body, 1, {len(start)}) = x'{start.hex()}'" for start in REPLACING)
NEWEST = f"""
    with recursive walk (id, previous, replaces) as (
        select id, previous, {_REPLACES} from record where id = :head
        union all
        select record.id, record.previous, {_REPLACES}
        from walk join record on record.id = walk.previous and record.id < walk.id
        where not walk.replaces)
    select id, previous from walk where replaces"""
REMOVE = """
    with recursive walk (id, previous) as (
        select id, previous from record where id = ?
        union all
        select record.id, record.previous from walk join record on record.id = walk.previous
        and record.id < walk.id)
    delete from record where id in (select id from walk) returning length(body)"""


def trim(db: sqlite3.Connection, stream: str) -> int:
    """Remove the records before the stream's newest replacing one; returns how many.

    Args:
        db: In a transaction.

    Raises:
        JournalCorruptError: Records that would be removed are missing already.
    """
    row = db.execute("select id, head, base from stream where name = ?", (stream,)).fetchone()
    kept = db.execute(NEWEST, {"head": row[1]}).fetchone() if row is not None else None
    if kept is None or kept[1] == 0:
        return 0
    stream_id, _, base = row
    kept_id, last_id = kept
    last = db.execute("select sequence, hash from record where id = ?", (last_id,)).fetchone()
    sizes = [size for (size,) in db.execute(REMOVE, (last_id,)).fetchall()]
    if last is None or len(sizes) != last[0] - base:
        raise chain_error(stream, base + 1, "records are missing")
    db.execute("update record set previous = 0 where id = ?", (kept_id,))
    db.execute(
        "update stream set base = ?, base_hash = ?, bytes = max(0, bytes - ?) where id = ?",
        (*last, sum(sizes), stream_id),
    )
    return len(sizes)
