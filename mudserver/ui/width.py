"""The width of text on a terminal, in cells.

Rule 1: one measure for editing, encoding and layout: wcwidth, character by character.  Sequences on
        whose width terminals disagree never get here: `sanitize` removes joiners and variation
        selectors.
Rule 2: a character with its marks is one cursor stop.
"""

from __future__ import annotations

from wcwidth import wcwidth


def cell_width(text: str) -> int:
    """The cells that printable *text* takes."""
    return len(text) if text.isascii() else sum(map(wcwidth, text))


def end_fitting(text: str, room: int, start: int = 0) -> int:
    """The largest *end* such that text[start:end] takes at most *room* cells."""
    if text.isascii():
        return min(len(text), start + room)
    for end in range(start, len(text)):
        room -= wcwidth(text[end])
        if room < 0:
            return end
    return len(text)


def next_cursor_stop(text: str, at: int) -> int:
    """The next cursor position after *at*."""
    at += 1
    while at < len(text) and not wcwidth(text[at]):
        at += 1
    return min(at, len(text))


def previous_cursor_stop(text: str, at: int) -> int:
    """The last cursor position before *at*."""
    at -= 1
    while at > 0 and not wcwidth(text[at]):
        at -= 1
    return max(at, 0)
