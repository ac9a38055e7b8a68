"""Encodes styled lines as bytes for one terminal profile.

Rule 1: the only control characters and sequences in the output are those added here; all texts are
        sanitized again.
Rule 2: no row is wider than the profile.  Long lines wrap between words with a hanging indent, or
        the margin of a quotation (`quotation.py`); a word longer than a row is split.
Rule 3: encoding never fails: characters that a charset lacks are substituted, at worst by `?`.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.sanitize import sanitize
from mudserver.ui.ansi import NEWLINE, SGR_RESET
from mudserver.ui.charset import encode_text, transliterate
from mudserver.ui.quotation import quotation_margin
from mudserver.ui.terminal_profile import TerminalProfile
from mudserver.ui.theme import style_sequences
from mudserver.ui.width import cell_width, end_fitting
from variants.kit.text import Span, StyledLine

_NEWLINE = NEWLINE.decode()


def encode_lines(lines: Iterable[StyledLine], profile: TerminalProfile) -> bytes:
    """Rows for a terminal, each with its line end.  An empty line becomes an empty row."""
    rows: list[str] = []
    for spans in lines:
        rows += _rows(spans, profile)
    rows.append("")
    return encode_text(_NEWLINE.join(rows), profile.charset)


def wrap_line(spans: StyledLine, cols: int, charset: str) -> list[StyledLine]:
    """Wrap a line to rows of *cols* cells, with characters that *charset* has."""
    text = spans[0].text if len(spans) == 1 else "".join([text for text, _ in spans])
    if not (text.isascii() and text.isprintable()):  # else it is clean, in every charset
        spans = tuple([Span(transliterate(sanitize(text), charset), role) for text, role in spans])
        text = "".join([text for text, _ in spans])
    if cell_width(text) <= cols:
        return [spans]
    lead = len(text) - len(text.lstrip(" "))
    margin = quotation_margin(spans, cols)
    if margin is None and lead:
        margin = Span(" " * min(lead, cols // 2))
    breaks = _breaks(text, cols, lead, 0 if margin is None else len(margin.text))
    rows = [_part(spans, start, end) for start, end in breaks]
    if margin is not None:
        rows[1:] = [(margin, *row) for row in rows[1:]]
    return rows


def _rows(spans: StyledLine, profile: TerminalProfile) -> list[str]:
    if len(spans) == 1 and _is_sentence(text := spans[0].text) and not spans[0].role:
        cols = profile.cols
        if len(text) <= cols:
            return [text]
        return [text[start:end] for start, end in _breaks(text, cols, 0, 0)]
    wrapped = wrap_line(spans, profile.cols, profile.charset)
    if profile.colours == "off":
        return ["".join([text for text, _ in row]) for row in wrapped]
    on = style_sequences(profile.theme, profile.colours)
    return [
        "".join([on[r] + text + SGR_RESET if r in on and text else text for text, r in row])
        for row in wrapped
    ]


def _is_sentence(text: str) -> bool:
    """Whether *text* is clean, takes a cell a character, and goes on without an indent."""
    return text.isascii() and text.isprintable() and text[:1] != " "


def _breaks(text: str, cols: int, lead: int, margin: int) -> list[tuple[int, int]]:
    """Rows of a long text as (start, end).

    Args:
        lead: Spaces before the first word.
        margin: Cells that the first row has and further rows have not.
    """
    rows, start, first_word, room, is_ascii = [], 0, lead, max(1, cols), text.isascii()
    while start < len(text):
        end = start + room if is_ascii else max(start + 1, end_fitting(text, room, start))
        if end < len(text):
            space = text.rfind(" ", first_word, end + 1)
            if space > first_word:
                end = space
        rows.append((start, end))
        start = len(text) - len(text[end:].lstrip(" "))
        first_word, room = start, max(1, cols - margin)
    return rows


def _part(spans: StyledLine, start: int, end: int) -> StyledLine:
    """The spans of text[start:end]."""
    if len(spans) == 1:
        return (Span(spans[0].text[start:end], spans[0].role),)
    parts, at = [], 0
    for text, role in spans:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            parts.append(Span(piece, role))
        at += len(text)
    return tuple(parts)
