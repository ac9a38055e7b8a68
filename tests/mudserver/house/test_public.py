"""What the house says to everybody about its tables."""

from __future__ import annotations

from mudserver.house.public import of_tables
from mudserver.tables.hall import TableRow


def test_every_table_has_a_row_and_the_last_one_says_how_to_join():
    open_ = TableRow(3, "words", "waiting", "ann", 2, 1)
    left = TableRow(5, "words", "over", "", 6, 0)
    assert (
        "3\twords, waiting, 2 free seats: ann; 1 watcher",
        "5\twords, over, 6 free seats: nobody",
        "1 more is being set up: look again soon.",
        "To join: sit NUMBER. To look on: watch NUMBER",
    ) == of_tables([open_, left], 1, "elimination").rows


def test_a_house_without_tables_says_how_to_open_one():
    assert ("None yet. To open one: open elimination",) == of_tables([], 0, "elimination").rows
