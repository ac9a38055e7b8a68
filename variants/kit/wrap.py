"""Pieces of a line flow into rows of so many cells.

Rule 1: no row is wider than was asked for, and nothing is left out for lack of room: what does
        not fit goes on in the next row, indented; a word longer than a row breaks where it must.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.kit.text import Span, Style, StyledLine, plain_text

INDENT_CELLS = 4  # cells before a row that goes on
FORMS_MAX = 6  # kinds of moves in a row; `moves` lists them all


def wrap_parts(
    head: StyledLine, parts: Sequence[StyledLine], width: int, separator: str = " "
) -> list[StyledLine]:
    """*head* and *parts* in rows of at most *width* cells; rows that go on are indented."""
    row = list(head)
    for place, part in enumerate(parts):
        row += (Span(separator), *part) if place else part
    if sum([len(span.text) for span in row]) <= width:
        return [tuple(row)]
    return _wrap_by_pieces(head, parts, width, separator)


def form_rows(forms: Iterable[str], style: Style) -> list[StyledLine]:
    """`You can: ...`: the kinds of moves as they are typed; nothing if there is none."""
    listed = list(forms)
    shown = listed[:FORMS_MAX] if len(listed) > FORMS_MAX + 1 else listed  # no `more` for one
    parts: list[StyledLine] = [(Span(form, "key"),) for form in shown]
    if len(shown) < len(listed):
        parts.append((Span("more: "), Span("moves", "key")))
    return wrap_parts((Span("You can: ", "title"),), parts, style.width, ", ") if parts else []


def wrap_words(
    head: StyledLine, words: Sequence[str], width: int, separator: str = ", "
) -> list[StyledLine]:
    """As `flow`, for words without a role: the quick way for long lists."""
    used = sum([len(span.text) for span in head])
    room = width - INDENT_CELLS - len(separator)
    if used + len(words[0]) + len(separator) > width or max(map(len, words)) > room:
        return wrap_parts(head, [(Span(word),) for word in words], width, separator)
    pieces = [word + separator for word in words[:-1]] + [words[-1]]
    blank = len(separator) - len(separator.rstrip())  # cells that a row's end need not hold
    rows, start, last = [], 0, len(words) - 1
    for place, piece in enumerate(pieces):
        used += len(piece)
        if used - (blank if place < last else 0) > width:
            rows.append("".join(pieces[start:place]).rstrip())
            start, used = place, INDENT_CELLS + len(piece)
    rows.append("".join(pieces[start:]))
    return [(*head, Span(rows[0])), *[(Span(" " * INDENT_CELLS + row),) for row in rows[1:]]]


def _wrap_by_pieces(
    head: StyledLine, parts: Sequence[StyledLine], width: int, between: str
) -> list[StyledLine]:
    pieces = list(_pieces(head, width)) if head else []
    for place, part in enumerate(parts):
        glue = between if place < len(parts) - 1 else ""
        *most, last = _pieces(part, width - INDENT_CELLS - len(glue.rstrip()))
        pieces += [*most, (*last, Span(glue))]
    rows: list[list[Span]] = [[]]
    used = 0
    for piece in pieces:
        text = plain_text(piece)
        if used and used + len(text.rstrip()) > width:
            rows.append([Span(" " * INDENT_CELLS)])
            used = INDENT_CELLS
        rows[-1] += piece
        used += len(text)
    return [_strip_trailing(row) for row in rows]


def _pieces(part: StyledLine, room: int) -> list[StyledLine]:
    """The part in one piece if it fits into a row, else by words, else by cells."""
    if len(plain_text(part).rstrip()) <= room:
        return [part]
    pieces: list[StyledLine] = []
    for span in part:
        for word in span.text.replace(" ", " \0").split("\0"):
            before = plain_text(pieces[-1]) if pieces else " "
            if not before.endswith(" ") and len(before) + len(word.rstrip()) <= room:
                pieces[-1] += (Span(word, span.role),)  # a word of several roles: "try" and ","
                continue
            pieces += [(Span(word[at : at + room], span.role),)
                       for at in range(0, len(word), room)]  # fmt: skip
    return pieces


def _strip_trailing(row: list[Span]) -> StyledLine:
    spans = [span for span in row if span.text]
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    if spans:
        spans[-1] = Span(spans[-1].text.rstrip(), spans[-1].role)
    return tuple(spans)
