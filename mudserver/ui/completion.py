"""Tab completion: inserts what the completer offers.

Rule 1: the completer knows what may be typed; this module only edits the line.
Rule 2: case is ignored: `bo` becomes `Bob`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LISTED_MAX = 60  # candidates shown; the rest is only counted


class Completion(NamedTuple):
    """Words that may replace text[start:cursor], in display order."""

    start: int
    candidates: tuple[str, ...]


def common_prefix(words: Sequence[str]) -> str:
    """The longest prefix that all *words* share, ignoring case, spelled as in the first."""
    if not words:
        return ""
    first, length = words[0], len(words[0])
    for word in words[1:]:
        length = min(length, len(word))
        while first[:length].casefold() != word[:length].casefold():
            length -= 1
    return first[:length]


def apply_completion(text: str, cursor: int, completion: Completion) -> tuple[str, int] | None:
    """The line and cursor after Tab, or None if nothing changes.

    A single candidate is inserted with a space after it; several insert their common prefix.
    """
    start, candidates = completion
    if not candidates or not 0 <= start <= cursor:
        return None
    word = common_prefix(candidates)
    if len(candidates) == 1:
        if text[cursor : cursor + 1] != " ":
            word += " "
    elif len(word) < cursor - start or word == text[start:cursor]:
        return None
    return text[:start] + word + text[cursor:], start + len(word)


def join_candidates(candidates: Sequence[str]) -> str:
    """The candidates in one sentence, for screen readers."""
    more = len(candidates) - LISTED_MAX
    return ", ".join(candidates[:LISTED_MAX]) + (f" and {more} more" if more > 0 else "")


def arrange_in_columns(candidates: Sequence[str], cols: int) -> list[str]:
    """The candidates in columns, as rows of at most *cols* characters where they fit."""
    listed = candidates[:LISTED_MAX]
    step = max(map(len, listed), default=0) + 2
    per_row = max(1, (cols + 2) // step)
    rows = [
        "".join(word.ljust(step) for word in listed[at : at + per_row]).rstrip()
        for at in range(0, len(listed), per_row)
    ]
    if len(candidates) > LISTED_MAX:
        rows.append(f"... and {len(candidates) - LISTED_MAX} more")
    return rows
