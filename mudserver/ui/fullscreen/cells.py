"""Lines of text become the cells that prompt_toolkit compares and writes.

Rule 1: a cell is a character with its marks, as wide as `ui/width.py` says, so that one measure
        holds for the whole house.
Rule 2: cells are shared and what is kept of them is bounded.  prompt_toolkit's own store keeps a
        million, which is whatever a million strangers' characters are.
Rule 3: a row of cells is never changed once it is made: it is drawn again as it stands.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from prompt_toolkit.layout.screen import Char
from wcwidth import wcwidth

from variants.kit.text import StyledLine

CellRow = defaultdict[int, Char]  # column -> cell; blank where there is none

CELLS_MAX = 8_192  # kept; a Latin alphabet in every rendition is a tenth of it


class Cell(Char):
    """What stands at one place; *style* is a rendition that `renditions.py` knows."""

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
    """Write *spans*, clean text, into *row* from column *at*, at most up to column *end*.

    Where a span has no role it is written in the rendition *base*, and where it has one and *base*
    is not empty, in both.  Returns the column behind the last cell.
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
    """A whole row; *fill* is what stands behind the text up to the edge, one character or none."""
    row: CellRow = defaultdict(blank_cell)
    at = write_spans(row, 0, spans, cols, base)
    if fill:
        rest = cell(fill, base)
        for column in range(at, cols):
            row[column] = rest
    return row


def overlay_row(below: CellRow, above: CellRow, first: int, end: int) -> CellRow:
    """A new row: *above* in the columns from *first* to *end*, else *below*."""
    row: CellRow = defaultdict(blank_cell, below)
    if first and row[first - 1].width == 2:
        row[first - 1] = BLANK  # half of it would be covered
    for column in range(first, end):
        row.pop(column, None)
    for column, it in above.items():
        row[first + column] = it
    return row
