"""Removing closed tables from the journal, by age and by size.

Rule 1: a stream is removed as a whole, so that the other chains stay complete.
Rule 2: the table with the largest number stays, so that its number is not used again.
Rule 3: each step is one transaction for a few streams, so that no player waits for long.
Rule 4: the oldest go first, or those of the person whose closed tables hold most bytes.

A table's worth is 0 if no account had a seat, 1 if one person had, 2 otherwise.  A table that the
server could not rank before it died, and one of an older schema, has 2.

The file does not shrink; SQLite uses the free pages again.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from mudserver.journal.interface import Pruning
from mudserver.journal.sqlite.migrations import CLOSED_TABLE
from mudserver.journal.streams import TABLE_STREAMS

PRUNED_MAX = 20  # removed in one step
PRUNED_BYTES_MAX = 1_048_576  # of records in one step, beyond the first stream
_OLD = f"from stream where {CLOSED_TABLE} and worth = :worth and closed_ms < :before_ms"
OLDEST = f"""
    select id, name, head, closed_ms, bytes {_OLD} and name <> :newest
    and (:person is null or person = :person) order by closed_ms limit :most"""
LARGEST = f"""
    select person {_OLD} and name <> :newest group by person order by sum(bytes) desc limit 1"""
REMOVE = """
    with recursive walk (id, previous) as (
        select id, previous from record where id = ?
        union all
        select record.id, record.previous from walk join record on record.id = walk.previous
        and record.id < walk.id)
    delete from record where id in (select id from walk)"""


class PruneResult(NamedTuple):
    names: list[str]  # the removed streams
    closed_ms: int | None  # when the newest of them closed


def prune(db: sqlite3.Connection, what: Pruning, newest: str) -> PruneResult:
    """Remove a few closed tables; the last step is one that removes none.

    Args:
        db: In a transaction.
        newest: The name of the stream that stays.
    """
    values = {
        "worth": what.worth,
        "before_ms": what.before_ms,
        "newest": newest,
        "most": PRUNED_MAX,
        "person": None,
    }
    if what.is_largest_first:
        found = db.execute(LARGEST, values).fetchone()
        values["person"] = found[0] if found is not None else None
    names, size, closed_ms = list[str](), 0, None
    for number, name, head, at_ms, stream_bytes in db.execute(OLDEST, values).fetchall():
        size += stream_bytes
        if names and size > PRUNED_BYTES_MAX:
            break
        _remove(db, name, number, head)
        names.append(name)
        closed_ms = max(at_ms, closed_ms or at_ms)
    return PruneResult(names, closed_ms)


def remove(db: sqlite3.Connection, name: str) -> None:
    """Remove one stream if it is closed.  Args: db: in a transaction."""
    row = db.execute(
        "select id, head from stream where name = ? and is_closed = 1", (name,)
    ).fetchone()
    if row is not None:
        _remove(db, name, *row)


def _remove(db: sqlite3.Connection, name: str, number: int, head: int) -> None:
    db.execute(REMOVE, (head,))
    db.execute("delete from stream where id = ?", (number,))
    if TABLE_STREAMS.owns(name):  # its row of the index is empty
        db.execute("delete from parked where number = ?", (TABLE_STREAMS.number(name),))
