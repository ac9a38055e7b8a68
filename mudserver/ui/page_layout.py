"""The rows of a page become lines: terms in a column, what is said of them beside or below.

Rule 1: a row is a sentence, or a term and what is said of it with a tab between.  Who writes the
        row does not know how wide the reader's rows are, and need not.
Rule 2: the terms of a page share one column.  Where it leaves the sentences too little room, each
        stands below its term.
Rule 3: for who reads linearly a sentence goes on in its term's row, and empty rows say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from mudserver.ui.width import cell_width
from variants.kit.text import Span, StyledLine, styled_line

GAP = 2  # cells between the columns
BELOW = 4  # cells by which a sentence below its term is indented
ROOM_MIN = 24  # cells that a sentence beside its term needs


def lay_out_page(rows: Sequence[str], cols: int, is_linear: bool = False) -> Iterator[StyledLine]:
    """Lines for rows of *cols* cells."""
    terms = [row.partition("\t")[0] for row in rows if "\t" in row]
    column = max(map(cell_width, terms), default=0) + GAP
    for row in rows:
        term, tab, text = row.partition("\t")
        if not tab:
            if row or not is_linear:
                yield styled_line(row or " ")  # an empty line is none; a blank one is a row
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
