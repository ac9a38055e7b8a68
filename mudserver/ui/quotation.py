"""Lines with text by a person, no row of which can be taken for a row of the server.

Rule 1: the server's head comes first (`ann: `), and the text is never at the left edge: each
        further row begins with a margin that no row of the server begins with.
Rule 2: the margin is spaces and a bar.  For screen readers, which would speak a bar and may leave
        out punctuation, it is a quotation mark and the speaker's name.  There the text stands in
        quotation marks and has no other inside.
Rule 3: margins are ASCII, so that they are the same in every charset.
"""

from __future__ import annotations

from collections.abc import Iterable

from variants.kit.text import Role, Span, StyledLine, styled_line

WIDE_COLS = 60  # cells; from here the margin has room for more spaces
WIDE_MARGIN, NARROW_MARGIN = Span("    | ", "dim"), Span("  | ", "dim")
SPOKEN_MARGIN = '" '  # then the speaker's name, where it leaves enough of the row
TEXT_CELLS_MIN = 8
_QUOTE: Role = "quote"
_MENTION: Role = "mention"

# Also those that a charset without them writes as `"` (`charset.py`).
_INNER_MARKS = str.maketrans(dict.fromkeys('"“”„‟″«»', "'"))


def quoted(head: str, speaker: str, text: str, is_linear: bool) -> StyledLine:
    """The only way to show text by a person.

    Args:
        head: What the server says first: `ann tells you: `.
        speaker: The name in *head*.
        text: Sanitized.
    """
    if is_linear:
        before, name, after = head.partition(speaker)
        return styled_line(before, (name, "speaker"), f'{after}"{text.translate(_INNER_MARKS)}"')
    return styled_line((head, "strong"), (text, _QUOTE))


def quoted_item(
    term: str, gap: str, head: str, speaker: str, text: str, is_linear: bool
) -> StyledLine:
    """As `quoted`, in a list, behind a term.  Args: gap: between term and head; head: or ""."""
    if is_linear:
        return quoted(f"{term}: {head}: " if head else f"{term}: ", speaker, text, is_linear)
    before = f"{gap}{head}: " if head else ": "
    return styled_line((term, "key"), before, (text, _QUOTE))


def quoted_parts(head: str, parts: Iterable[tuple[str, bool]]) -> StyledLine:
    """As `quoted`, for who does not listen: parts of the text, and which are the reader's name."""
    said = [(text, _MENTION if is_name else _QUOTE) for text, is_name in parts]
    return styled_line((head, "strong"), *said)


def quoted_row(text: str, speaker: str, cols: int, is_linear: bool) -> StyledLine:
    """A row of a longer text by a person, whom the server has named above it."""
    if is_linear:
        said = text.translate(_INNER_MARKS)
        return (Span(SPOKEN_MARGIN), Span(speaker, "speaker"), Span(f': {said}"'))
    margin = WIDE_MARGIN if cols >= WIDE_COLS else NARROW_MARGIN
    return (margin, Span(text, _QUOTE))


def quotation_margin(spans: StyledLine, cols: int) -> Span | None:
    """What each further row of a quoted line begins with; None: nobody is quoted."""
    for text, role in spans:
        if role in (_QUOTE, _MENTION):
            return WIDE_MARGIN if cols >= WIDE_COLS else NARROW_MARGIN
        if role == "speaker":
            named = f"{SPOKEN_MARGIN}{text}: "
            return Span(named if cols - len(named) >= TEXT_CELLS_MIN else SPOKEN_MARGIN)
    return None
