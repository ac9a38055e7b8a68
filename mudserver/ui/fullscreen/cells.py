"""Converts lines of text into the cells that prompt_toolkit compares and writes.

Rule 1: a cell is a character with its marks, as wide as `ui/width.py` says, so that the whole
        server uses one measure.
Rule 2: cells are shared and their cache is bounded.  prompt_toolkit's own cache keeps a million
        characters, whichever untrusted people send.
Rule 3: a row is kept as its text; cells, which take ten times the memory, are made when it is
        drawn, and only for the segments that have changed.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from prompt_toolkit.layout.screen import Char
from wcwidth import wcwidth

from variants.kit.text import StyledLine

CellRow = defaultdict[int, Char]  # column -> cell; blank by default

CELLS_MAX = 8_192  # cached; a Latin alphabet in every style is a tenth of it


class Segment(NamedTuple):
    """Text in the columns from *start* up to *end*, over whatever is below it."""

    start: int
    end: int
    spans: StyledLine
    base: str = ""  # a style; the role of a span is applied on top of it
    fill: str = ""  # one character, or none: the rest up to *end*


Row = tuple[Segment, ...]  # from the lowest to the uppermost


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


def cells_of(row: Row) -> CellRow:
    """The cells of a row; what lies over half of a wide character covers all of it."""
    cells: CellRow = defaultdict(blank_cell)
    for segment in row:
        start, end, spans, base, fill = segment
        if cells:
            if start and cells[start - 1].width == 2:
                cells[start - 1] = BLANK
            for column in range(start, end):
                cells.pop(column, None)
        at = _write_spans(cells, start, spans, end, base)
        if fill:
            cells.update(dict.fromkeys(range(at, end), cell(fill, base)))
    return cells


def changed_cells(was: Row, row: Row) -> tuple[CellRow, CellRow]:
    """The cells of both rows, to be compared from left to right.

    A segment that both have stands in both as one cell as wide as the segment: it is compared in
    one step.  A cell in its last column keeps what is erased after a shorter row off it.
    """
    kept = [it for it in row if it in was]
    if not kept or _overlap(was) or _overlap(row):
        return cells_of(was), cells_of(row)
    before, after = (cells_of(tuple(it for it in rows if it not in kept)) for rows in (was, row))
    for start, end, *_ in kept:
        for cells in before, after:
            if start < end - 1:
                cells[start] = Cell("kept", "", end - 1 - start)
            cells[end - 1] = Cell("kept", "", 1)
    return before, after


def _overlap(row: Row) -> bool:
    columns = sorted([(it.start, it.end) for it in row])
    return any(start < end for (_, end), (start, _) in pairwise(columns))


def _write_spans(row: CellRow, at: int, spans: StyledLine, end: int, base: str) -> int:
    """Write sanitized text from column *at* up to *end*; returns the column after the last cell."""
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
