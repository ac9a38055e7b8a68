"""Which panes there are at a size, and where.  Pure.

Rule 1: the input line is the last row and the bar the one above it, at every size.
Rule 2: panes fold in this order as the terminal gets smaller: the chat goes into the log, the
        title of the table goes, then one pane is left and a key shows the other.
Rule 3: the log keeps LOG_ROWS_MIN rows as long as there are two panes, and the table gets what it
        needs of the rest; what it needs in a game only grows, so that nothing jumps at each turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PaneName = Literal["table", "log", "chat"]

WIDE_COLS = 110  # from here the chat, or the log with it, stands on the right
WIDE_ROWS = 12  # of the body; below, two panes side by side would have no depth
TALL_ROWS = 34  # from here table and log stand one above the other on the left as well
TITLED_ROWS = 14  # from here the table has a title of its own
PANES_ROWS = 7  # below this there is one pane
LOG_ROWS_MIN = 3
RIGHT_COLS = (40, 78)  # of the column on the right


@dataclass(frozen=True, slots=True)
class PaneArea:
    """A pane's text; its title, if it has one, is the row above."""

    pane: PaneName
    left: int
    top: int
    cols: int
    rows: int
    has_title: bool = True
    indent: int = 0  # columns free on the left of the text, not of the title

    @property
    def text_cols(self) -> int:
        return self.cols - self.indent


@dataclass(frozen=True, slots=True)
class Layout:
    areas: tuple[PaneArea, ...]
    divider_col: int | None = None  # the column of a line from top to bottom

    def area_of(self, pane: PaneName) -> PaneArea | None:
        return next((place for place in self.areas if place.pane == pane), None)


def compute_layout(
    cols: int, rows: int, table_rows: int | None, zoomed: PaneName | None = None
) -> Layout:
    """Where the panes go.

    Args:
        table_rows: What the table needs, at the width it has (`table_cols`); None: no table.
        alone: This pane is to have all the room.
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
    """How wide the table's pane is, wherever it stands."""
    return cols - _right_cols(cols) - 1 if has_columns(cols, rows) and not zoomed else cols


def log_cols(cols: int, rows: int, has_table: bool) -> int:
    """How wide the log's pane is, while no pane stands alone."""
    if not has_columns(cols, rows):
        return cols
    right = _right_cols(cols)
    return right - 1 if has_table and rows - 2 < TALL_ROWS else cols - right - 1


def _right_cols(cols: int) -> int:
    low, high = RIGHT_COLS
    return max(low, min(high, cols * 2 // 5))


def _stack(
    left: int, top: int, cols: int, rows: int, table_rows: int | None
) -> tuple[PaneArea, ...]:
    """The table above the log."""
    if table_rows is None:
        return (_place("log", left, top, cols, rows),)
    has_title = rows >= TITLED_ROWS
    least = LOG_ROWS_MIN if rows < TITLED_ROWS else max(LOG_ROWS_MIN + 2, rows // 4)
    table = min(table_rows + has_title, rows - 1 - least)
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
