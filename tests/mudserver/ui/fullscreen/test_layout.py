from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from mudserver.ui.fullscreen.layout import LOG_ROWS_MIN, compute_layout, log_cols, table_cols

COLS, ROWS = (20, 40, 80, 109, 110, 200, 300), (5, 8, 9, 12, 15, 24, 50, 100)
SIZES = [(cols, rows) for cols in COLS for rows in ROWS]


@pytest.mark.parametrize("table_rows", [None, 1, 8, 30, 200])
@pytest.mark.parametrize("alone", [None, "table", "log", "chat"])
def test_every_cell_of_the_body_belongs_to_one_pane(table_rows, alone):
    for cols, rows in SIZES:
        check(cols, rows, table_rows, alone)


@cache
def body(cols, rows):
    return set(product(range(cols), range(rows - 2)))


def check(cols, rows, table_rows, alone):
    plan = compute_layout(cols, rows, table_rows, alone)
    covered = []
    for place in plan.areas:
        assert place.rows > 0
        down = range(place.top - place.has_title, place.top + place.rows)
        covered += product(range(place.left, place.left + place.cols), down)
    if plan.divider_col is not None:
        covered += [(plan.divider_col, y) for y in range(rows - 2)]
    assert len(covered) == cols * (rows - 2)
    assert set(covered) == body(cols, rows)


@pytest.mark.parametrize("size", SIZES)
def test_the_log_keeps_its_rows_whatever_the_table_needs(size):
    plan = compute_layout(*size, 200)
    log = plan.area_of("log")
    assert log is not None
    assert plan.area_of("table") is None or log.rows >= LOG_ROWS_MIN


@pytest.mark.parametrize("size", SIZES)
def test_pages_are_laid_out_as_wide_as_the_panes_will_be(size):
    for table_rows in (None, 9):
        plan = compute_layout(*size, table_rows)
        assert log_cols(*size, table_rows is not None) == plan.area_of("log").text_cols
        if table := plan.area_of("table"):
            assert table_cols(*size) == table.text_cols


def test_panes_fold_in_their_order():
    def panes(cols, rows):
        return [place.pane for place in compute_layout(cols, rows, 20).areas]

    assert ["table", "log", "chat"] == panes(200, 50)
    assert ["table", "log", "chat"] == panes(120, 24)
    assert ["table", "log"] == panes(80, 24)
    assert ["table", "log"] == panes(40, 12)
    assert ["log"] == panes(40, 8)


def test_the_title_of_the_table_goes_before_the_table_does():
    assert compute_layout(80, 24, 9).area_of("table").has_title
    assert not compute_layout(40, 12, 9).area_of("table").has_title
