"""Making the index of a journal anew, while no server runs.

Rule 1: one transaction: whoever is interrupted leaves the former index.
Rule 2: records are not touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path

from mudserver.errors import StartError
from mudserver.journal.index import IndexRow, upsert_statement
from mudserver.journal.sqlite.database import error_reason, open_database


def replace_index(path: Path, tables: Collection[str], rows: Iterable[IndexRow]) -> None:
    """Empty *tables* of the index, and write those of *rows* that belong to them.

    Args:
        path: The journal, of this server's schema or an older one; its directory is locked.

    Raises:
        StartError: It cannot be opened or written.
    """
    with closing(open_database(path, is_start=True)) as db:
        try:
            db.execute("begin immediate")
            for table in tables:
                db.execute(f"delete from {table}")
            for table, values in rows:
                if table in tables:
                    db.execute(upsert_statement(table), values)
            db.execute("commit")
        except sqlite3.Error as exc:
            raise StartError(f"{path} cannot be written: {error_reason(exc)}") from exc
