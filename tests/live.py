"""The live table behind a number: for tests that compare what people see with what is true."""

from __future__ import annotations

from mudserver.tables.manager import TableManager
from mudserver.tables.table import Table


def live_table(tables: TableManager, number: int) -> Table | None:
    """None: there is none, or the journal does not have it yet."""
    return tables.lists.find(number)
