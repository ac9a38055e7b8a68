"""Lays out the rows of a page: terms in a column, their descriptions beside or below.

Rule 1: a row is a sentence, or a term and its description separated by a tab.  Its author need not
        know how wide the terminal is.
Rule 2: the terms of a page share one column.  If that leaves descriptions too little room, each
        goes below its term.
Rule 3: for screen-reader users the description follows its term in the row, and empty rows are
        left out.
Rule 4: words of a person go on behind the margin of a quotation (`quotation.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from mudserver.messages import PageRow, QuotedRow
from mudserver.ui.quotation import quoted_item
from mudserver.ui.width import cell_width
from variants.kit.text import Span, StyledLine, styled_line

GAP = 2  # cells between the columns
BELOW = 4  # indent in cells of a description below its term
ROOM_MIN = 24  # cells that a description beside its term needs


def lay_out_page(
    rows: Sequence[PageRow], cols: int, is_linear: bool = False
) -> Iterator[StyledLine]:
    """Lay *rows* out as lines of at most *cols* cells, but for quotations, which wrap later."""
    heads = [row if isinstance(row, str) else row.head for row in rows]
    terms = [head.partition("\t")[0] for head in heads if "\t" in head]
    column = max(map(cell_width, terms), default=0) + GAP
    for row in rows:
        if isinstance(row, QuotedRow):
            term, _, head = row.head.partition("\t")
            gap = " " * (column - cell_width(term))
            yield quoted_item(term, gap, head, row.speaker, row.words, is_linear)
            continue
        term, tab, text = row.partition("\t")
        if not tab:
            if row or not is_linear:
                yield styled_line(row or " ")  # a blank line becomes a row, an empty one none
            continue
        lead = " " * (len(term) - len(term.lstrip()))
        name = Span(term.strip(), "key")
        if is_linear:
            yield styled_line(name, f": {text}")
        elif cols - column >= ROOM_MIN:
            first, *more = wrap(text, cols - column, break_on_hyphens=False) or [""]
            yield styled_line(lead, name, " " * (column - cell_width(term)) + first)
            yield from (styled_line(" " * column + part) for part in more)
        else:
            yield styled_line(lead, name)
            yield styled_line(lead + " " * BELOW + text)
