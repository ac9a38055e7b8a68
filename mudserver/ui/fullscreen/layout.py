"""Computes the panes for a terminal size.  Pure.

Rule 1: the input line is the last row and the status bar the one above it, at every size.
Rule 2: as the terminal gets smaller, the chat moves into the log, then the title of the table
        disappears, then only one pane is left and a key shows the other.
Rule 3: with two panes the log keeps LOG_ROWS_MIN rows, and the table gets the rows that it needs.
        That number only grows during a game, so that the panes do not jump at each turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PaneName = Literal["table", "log", "chat"]

WIDE_COLS = 110  # from here the chat, and perhaps the log, is a column on the right
WIDE_ROWS = 12  # of the body; with fewer, panes side by side would be too low
TALL_ROWS = 34  # from here the log stays below the table
TITLED_ROWS = 14  # from here the table has a title
PANES_ROWS = 7  # with fewer there is one pane
LOG_ROWS_MIN = 3
RIGHT_COLS = (40, 78)  # least and most of the right column


@dataclass(frozen=True, slots=True)
class PaneArea:
    """The text area of a pane; its title, if any, is the row above."""

    pane: PaneName
    left: int
    top: int
    cols: int
    rows: int
    has_title: bool = True
    indent: int = 0  # free columns left of the text, not of the title

    @property
    def text_cols(self) -> int:
        return self.cols - self.indent


@dataclass(frozen=True, slots=True)
class Layout:
    areas: tuple[PaneArea, ...]
    divider_col: int | None = None  # the column of a line from top to bottom

    def area_of(self, pane: PaneName) -> PaneArea | None:
        return next((area for area in self.areas if area.pane == pane), None)


def compute_layout(
    cols: int, rows: int, table_rows: int | None, zoomed: PaneName | None = None
) -> Layout:
    """The layout for a terminal of *cols* and *rows*.

    Args:
        table_rows: The rows that the table needs at `table_cols`; None: no table.
        zoomed: Show only this pane.
    """
    body = rows - 2
    if zoomed == "table" and table_rows is None:
        zoomed = "log"
    if zoomed or body < PANES_ROWS:
        has_title = body >= PANES_ROWS
        return Layout((_place(zoomed or "log", 0, 0, cols, body, has_title),))
    if not has_columns(cols, rows):
        return Layout(_stack(0, 0, cols, body, table_rows))
    right = _right_cols(cols)
    left = cols - right - 1
    if table_rows is None or body >= TALL_ROWS:
        chat = _place("chat", left + 1, 0, right, body, indent=1)
        return Layout((*_stack(0, 0, left, body, table_rows), chat), left)
    log = body * 3 // 5
    return Layout(
        (
            _place("table", 0, 0, left, body),
            _place("log", left + 1, 0, right, log, indent=1),
            _place("chat", left + 1, log, right, body - log, indent=1),
        ),
        left,
    )


def has_columns(cols: int, rows: int) -> bool:
    return cols >= WIDE_COLS and rows - 2 >= WIDE_ROWS


def table_cols(cols: int, rows: int, zoomed: PaneName | None = None) -> int:
    """The width of the table pane."""
    return cols - _right_cols(cols) - 1 if has_columns(cols, rows) and not zoomed else cols


def table_rows_max(cols: int, rows: int) -> int:
    """The rows that the text of the table can have, unless a pane is zoomed."""
    body = rows - 2
    if has_columns(cols, rows) and body < TALL_ROWS:
        return body - 1
    return body - 1 - _log_rows(body) - (body >= TITLED_ROWS)


def _log_rows(body: int) -> int:
    """The least rows of the log below a table."""
    return LOG_ROWS_MIN if body < TITLED_ROWS else max(LOG_ROWS_MIN + 2, body // 4)


def log_cols(cols: int, rows: int, has_table: bool) -> int:
    """The width of the log pane, unless a pane is zoomed."""
    if not has_columns(cols, rows):
        return cols
    right = _right_cols(cols)
    return right - 1 if has_table and rows - 2 < TALL_ROWS else cols - right - 1


def _right_cols(cols: int) -> int:
    low, high = RIGHT_COLS
    return max(low, min(high, cols * 3 // 8))  # of 120 the table has 74: room for cards as boxes


def _stack(
    left: int, top: int, cols: int, rows: int, table_rows: int | None
) -> tuple[PaneArea, ...]:
    """The table above the log."""
    if table_rows is None:
        return (_place("log", left, top, cols, rows),)
    has_title = rows >= TITLED_ROWS
    table = min(table_rows + has_title, rows - 1 - _log_rows(rows))
    return (
        _place("table", left, top, cols, table, has_title),
        _place("log", left, top + table, cols, rows - table),
    )


def _place(
    pane: PaneName,
    left: int,
    top: int,
    cols: int,
    rows: int,
    has_title: bool = True,
    indent: int = 0,
) -> PaneArea:
    return PaneArea(pane, left, top + has_title, cols, rows - has_title, has_title, indent)
