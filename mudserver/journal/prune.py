"""Taking streams that have closed long ago out of the ledger.

Rule 1: a stream goes as a whole, so that what is left is chains from their first record on.
Rule 2: the table with the largest number stays: its number is not to be given out again.
Rule 3: a few at a time, each step one transaction, so that nobody who plays waits for long.

The file does not become smaller; what was freed is used again.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

STREAMS_MAX = 1_000  # looked at in one step
PRUNED_MAX = 20  # taken out in one step
OLD = """
    select stream.id, name, head from stream join record on record.id = head
    where is_closed = 1 and name like 'table/%' and at_ms < :before_ms and name <> :newest
    and stream.id > :after and stream.id <= :after + :window order by stream.id limit :most"""
REMOVE = """
    with recursive walk (id, previous) as (
        select id, previous from record where id = ?
        union all
        select record.id, record.previous from walk join record on record.id = walk.previous
        and record.id < walk.id)
    delete from record where id in (select id from walk)"""


class PruneResult(NamedTuple):
    names: list[str]  # what was taken out
    next_after: int | None  # where to go on; None: that was the end


def prune(db: sqlite3.Connection, before_ms: int, after: int, newest: str) -> PruneResult:
    """Take a few closed tables out whose last record is older than *before_ms*, UTC.

    Args:
        db: In a transaction.
        after: Id of the stream behind which to look; 0 at first.
        newest: Name of the stream that stays.
    """
    words = {"before_ms": before_ms, "after": after, "newest": newest,
             "window": STREAMS_MAX, "most": PRUNED_MAX}  # fmt: skip
    rows = db.execute(OLD, words).fetchall()
    for number, _, head in rows:
        db.execute(REMOVE, (head,))
        db.execute("delete from stream where id = ?", (number,))
    last = db.execute("select coalesce(max(id), 0) from stream").fetchone()[0]
    reached = rows[-1][0] if len(rows) == PRUNED_MAX else after + STREAMS_MAX
    return PruneResult([name for _, name, _ in rows], reached if reached < last else None)
