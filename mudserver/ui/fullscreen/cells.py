"""Converts lines of text into the cells that prompt_toolkit compares and writes.

Rule 1: a cell is a character with its marks, as wide as `ui/width.py` says, so that the whole
        server uses one measure.
Rule 2: cells are shared and their cache is bounded.  prompt_toolkit's own cache keeps a million
        characters, whichever untrusted people send.
Rule 3: a row of cells is never changed once it is made.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from prompt_toolkit.layout.screen import Char
from wcwidth import wcwidth

from variants.kit.text import StyledLine

CellRow = defaultdict[int, Char]  # column -> cell; blank by default

CELLS_MAX = 8_192  # cached; a Latin alphabet in every style is a tenth of it


class Cell(Char):
    """One screen position; *style* is one that `styles.py` knows."""

    __slots__ = ()

    def __init__(self, char: str, style: str, width: int) -> None:
        self.char, self.style, self.width = char, style, width


BLANK = Cell(" ", "", 1)


def blank_cell() -> Char:
    return BLANK


@lru_cache(CELLS_MAX)
def cell(char: str, style: str) -> Cell:
    return Cell(char, style, wcwidth(char[0]))


def write_spans(row: CellRow, at: int, spans: StyledLine, end: int, base: str = "") -> int:
    """Write *spans* (sanitized text) into *row* from column *at*, at most up to column *end*.

    Args:
        base: A style; the role of a span is applied on top of it.

    Returns:
        The column after the last cell.
    """
    for text, role in spans:
        style = f"{base} {role}".strip() if base else role
        if text.isascii():
            for char in text[: max(0, end - at)]:
                row[at] = cell(char, style)
                at += 1
            continue
        last = -1
        for char in text:
            width = wcwidth(char)
            if width < 1:
                if last >= 0:
                    row[last] = cell(row[last].char + char, style)
                continue
            if at + width > end:
                return at
            row[at], last = cell(char, style), at
            at += width
    return at


def make_row(spans: StyledLine, cols: int, base: str = "", fill: str = "") -> CellRow:
    """A complete row; *fill*, one character or none, fills it up to the edge."""
    row: CellRow = defaultdict(blank_cell)
    at = write_spans(row, 0, spans, cols, base)
    if fill:
        rest = cell(fill, base)
        for column in range(at, cols):
            row[column] = rest
    return row


def overlay_row(below: CellRow, above: CellRow, first: int, end: int) -> CellRow:
    """A new row: *above* in the columns from *first* to *end*, elsewhere *below*."""
    row: CellRow = defaultdict(blank_cell, below)
    if first and row[first - 1].width == 2:
        row[first - 1] = BLANK  # half of that wide character would be covered
    for column in range(first, end):
        row.pop(column, None)
    for column, it in above.items():
        row[first + column] = it
    return row
