"""Removing tables from the journal that closed long ago.

Rule 1: a stream is removed as a whole, so that the other chains stay complete.
Rule 2: the table with the largest number stays, so that its number is not used again.
Rule 3: each step is one transaction for a few streams, so that no player waits for long.

The file does not shrink; SQLite uses the free pages again.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from mudserver.journal.streams import TABLE_STREAMS

STREAMS_MAX = 1_000  # examined in one step
PRUNED_MAX = 20  # removed in one step
OLD = """
    select stream.id, name, head from stream join record on record.id = head
    where is_closed = 1 and name like :prefix || '%' and at_ms < :before_ms and name <> :newest
    and stream.id > :after and stream.id <= :after + :window order by stream.id limit :most"""
REMOVE = """
    with recursive walk (id, previous) as (
        select id, previous from record where id = ?
        union all
        select record.id, record.previous from walk join record on record.id = walk.previous
        and record.id < walk.id)
    delete from record where id in (select id from walk)"""


class PruneResult(NamedTuple):
    names: list[str]  # the removed streams
    next_after: int | None  # for the next step; None: that was the last one


def prune(db: sqlite3.Connection, before_ms: int, after: int, newest: str) -> PruneResult:
    """Remove a few closed tables whose last record is older than *before_ms*, UTC.

    Args:
        db: In a transaction.
        after: The id of the last stream examined; 0 at first.
        newest: The name of the stream that stays.
    """
    values = {
        "prefix": TABLE_STREAMS.prefix,
        "before_ms": before_ms,
        "after": after,
        "newest": newest,
        "window": STREAMS_MAX,
        "most": PRUNED_MAX,
    }
    rows = db.execute(OLD, values).fetchall()
    for number, _, head in rows:
        db.execute(REMOVE, (head,))
        db.execute("delete from stream where id = ?", (number,))
    last = db.execute("select coalesce(max(id), 0) from stream").fetchone()[0]
    reached = rows[-1][0] if len(rows) == PRUNED_MAX else after + STREAMS_MAX
    return PruneResult([name for _, name, _ in rows], reached if reached < last else None)
