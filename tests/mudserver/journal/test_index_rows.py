"""A table of the index is read in pieces, by its key."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from typing import Any

import pytest

from mudserver.journal import index
from mudserver.journal.index import INDEX_TABLES, create_statements, read_rows, upsert_statement

ROWS = {
    "season": [(pool, season, who, 1, 2, 3, 4) for pool, season, who in
               product(("duel", "words"), (0, 7), ("p1", "p10", "p2"))],
    "mark": [("counted", 4), ("sequence", 5)],
    "program": [],
}  # fmt: skip


@pytest.mark.parametrize("at_once", [1, 3, 12, 13])
@pytest.mark.parametrize("table", ROWS)
def test_each_row_comes_once_and_no_piece_is_longer(table, at_once, monkeypatch):
    monkeypatch.setattr(index, "ROWS_AT_ONCE", at_once)
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in create_statements():
            db.execute(statement)
        db.executemany(upsert_statement(table), ROWS[table][::-1])
        pieces = list[int]()

        def fetch(statement: str, values: Sequence[Any]) -> list[Any]:
            found = db.execute(statement, values).fetchall()
            pieces.append(len(found))
            return found

        assert sorted(ROWS[table]) == list(read_rows(table, fetch))
    assert max(pieces) <= at_once and sum(pieces) == len(ROWS[table])
    assert set(ROWS) < set(INDEX_TABLES)
