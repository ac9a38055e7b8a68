"""Making the index of a journal in PostgreSQL anew, while no server runs.

Rule 1: one transaction, in which no server can start: whoever is interrupted leaves the former
        index.  Records are not touched; they are read in pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice

from mudserver.journal.index import IndexRow, rows_by_table, upsert_statement
from mudserver.journal.interface import JournalInspector
from mudserver.journal.postgres.inspector import PostgresInspector
from mudserver.journal.postgres.offline import offline
from mudserver.journal.postgres.statements import with_numbers

ROWS_AT_ONCE = 5_000


def reindex(
    address: str,
    tables: Collection[str],
    make_rows: Callable[[JournalInspector], Iterable[IndexRow]],
) -> int:
    """Empty *tables* of the index, and write those of the new rows that belong to them.

    Returns:
        How many rows were written.

    Raises:
        StartError: It cannot be reached or written, or a server uses it.
    """
    count = 0
    with offline(address) as db:
        db.check_is_here()
        db.hold()
        for table in tables:
            db.execute(f"delete from {table}")
        rows = (row for row in make_rows(PostgresInspector(db)) if row.table in tables)
        while step := list(islice(rows, ROWS_AT_ONCE)):
            for table, values in rows_by_table(step).items():
                db.write(with_numbers(upsert_statement(table)), values)
            count += len(step)
    return count
