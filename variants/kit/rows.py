"""Pieces of a line flow into rows of so many cells.

Rule 1: no row is wider than was asked for, and nothing is left out for lack of room: what does
        not fit goes on in the next row, indented; a word longer than a row breaks where it must.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.kit.text import Line, Span, plain

INDENT = 4  # cells before a row that goes on


def flow(head: Line, parts: Sequence[Line], width: int, between: str = " ") -> list[Line]:
    """*head* and *parts* in rows of at most *width* cells; rows that go on are indented."""
    row = list(head)
    for place, part in enumerate(parts):
        row += (Span(between), *part) if place else part
    if sum([len(span.text) for span in row]) <= width:
        return [tuple(row)]
    return _flow_by_pieces(head, parts, width, between)


def flow_words(head: Line, words: Sequence[str], width: int, between: str = ", ") -> list[Line]:
    """As `flow`, for words without a role: the quick way for long lists."""
    used = sum([len(span.text) for span in head])
    room = width - INDENT - len(between)
    if used + len(words[0]) + len(between) > width or max(map(len, words)) > room:
        return flow(head, [(Span(word),) for word in words], width, between)
    pieces = [word + between for word in words[:-1]] + [words[-1]]
    blank = len(between) - len(between.rstrip())  # cells that a row's end need not hold
    rows, start, last = [], 0, len(words) - 1
    for place, piece in enumerate(pieces):
        used += len(piece)
        if used - (blank if place < last else 0) > width:
            rows.append("".join(pieces[start:place]).rstrip())
            start, used = place, INDENT + len(piece)
    rows.append("".join(pieces[start:]))
    return [(*head, Span(rows[0])), *[(Span(" " * INDENT + row),) for row in rows[1:]]]


def _flow_by_pieces(head: Line, parts: Sequence[Line], width: int, between: str) -> list[Line]:
    pieces = list(_pieces(head, width)) if head else []
    for place, part in enumerate(parts):
        glue = between if place < len(parts) - 1 else ""
        *most, last = _pieces(part, width - INDENT - len(glue.rstrip()))
        pieces += [*most, (*last, Span(glue))]
    rows: list[list[Span]] = [[]]
    used = 0
    for piece in pieces:
        text = plain(piece)
        if used and used + len(text.rstrip()) > width:
            rows.append([Span(" " * INDENT)])
            used = INDENT
        rows[-1] += piece
        used += len(text)
    return [_trimmed(row) for row in rows]


def _pieces(part: Line, room: int) -> list[Line]:
    """The part in one piece if it fits into a row, else by words, else by cells."""
    if len(plain(part).rstrip()) <= room:
        return [part]
    pieces: list[Line] = []
    for span in part:
        for word in span.text.replace(" ", " \0").split("\0"):
            before = plain(pieces[-1]) if pieces else " "
            if not before.endswith(" ") and len(before) + len(word.rstrip()) <= room:
                pieces[-1] += (Span(word, span.role),)  # a word of several roles: "try" and ","
                continue
            pieces += [(Span(word[at : at + room], span.role),)
                       for at in range(0, len(word), room)]  # fmt: skip
    return pieces


def _trimmed(row: list[Span]) -> Line:
    spans = [span for span in row if span.text]
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    if spans:
        spans[-1] = Span(spans[-1].text.rstrip(), spans[-1].role)
    return tuple(spans)
