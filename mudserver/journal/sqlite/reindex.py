"""Making the index of a journal anew, while no server runs.

Rule 1: one transaction: whoever is interrupted leaves the former index.
Rule 2: records are not touched; they are read in pieces, between the rows that are made of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from pathlib import Path

from mudserver.errors import StartError
from mudserver.journal.index import IndexRow, upsert_statement
from mudserver.journal.interface import JournalInspector
from mudserver.journal.sqlite.database import error_reason, open_database
from mudserver.journal.sqlite.inspector import SqliteInspector
from mudserver.journal.sqlite.migrations import newest_schema


def reindex(
    path: Path,
    tables: Collection[str],
    make_rows: Callable[[JournalInspector], Iterable[IndexRow]],
) -> int:
    """Empty *tables* of the index, and write those of the new rows that belong to them.

    Args:
        path: The journal, of this server's schema or an older one; its directory is locked.

    Returns:
        How many rows were written.

    Raises:
        StartError: It cannot be opened or written.
    """
    count = 0
    with closing(open_database(path, is_start=True)) as db:
        try:
            db.execute("begin immediate")
            for table in tables:
                db.execute(f"delete from {table}")
            for table, values in make_rows(SqliteInspector(db, newest_schema())):
                if table in tables:
                    db.execute(upsert_statement(table), values)
                    count += 1
            db.execute("commit")
        except sqlite3.Error as exc:
            raise StartError(f"{path} cannot be written: {error_reason(exc)}") from exc
    return count
