"""What the server says to everybody about its tables."""

from __future__ import annotations

from mudserver.service.pages import tables_page
from mudserver.tables.summary import TableSummary


def test_every_table_has_a_row_and_the_last_one_says_how_to_join():
    open_ = TableSummary(3, "words", "waiting", "ann", 2, 1)
    slow = open_._replace(number=4, is_slow=True)
    left = TableSummary(5, "words", "over", "", 6, 0)
    assert (
        "3\twords, waiting, 2 free seats: ann; 1 watcher",
        "4\twords, waiting, by correspondence, 2 free seats: ann; 1 watcher",
        "5\twords, over, 6 free seats: nobody",
        "1 more is being loaded. Try again soon.",
        "30 more games by correspondence. For one game: tables GAME",
        "2 private tables",
        "To join: sit NUMBER. To watch: watch NUMBER",
    ) == tables_page([open_, slow, left], 2, 1, 30, "elimination").rows


def test_a_server_without_tables_says_how_to_open_one():
    assert ("None yet. To open one: open elimination",) == tables_page(
        [], 0, 0, 0, "elimination"
    ).rows
