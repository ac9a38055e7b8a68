"""Making the index of a journal in PostgreSQL anew, while no server runs.

Rule 1: one transaction, in which no server can start: whoever is interrupted leaves the former
        index.  Records are not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from mudserver.journal.index import IndexRow, rows_by_table, upsert_statement
from mudserver.journal.interface import JournalInspector
from mudserver.journal.postgres.inspector import PostgresInspector
from mudserver.journal.postgres.offline import offline
from mudserver.journal.postgres.statements import with_numbers


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
    with offline(address) as db:
        db.check_is_here()
        db.hold()
        rows = [row for row in make_rows(PostgresInspector(db)) if row.table in tables]
        for table in tables:
            db.execute(f"delete from {table}")
        for table, values in rows_by_table(rows).items():
            db.write(with_numbers(upsert_statement(table)), values)
    return len(rows)
