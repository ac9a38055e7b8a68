"""Cards as boxes, side by side.

Rule 1: a box says nothing that words do not say: where it does not fit, words stand in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from variants.kit.text import Role, Span, StyledLine

BOX_WIDTH_MIN = 72  # of the pane
GAP = " "  # between two boxes


_FIRST, _BETWEEN, _LAST = (Span(text, "panel") for text in (" │", "│ │", "│"))


class CardBox(NamedTuple):
    """The rows inside of one box, each as wide as the box."""

    rows: tuple[str, ...]
    role: Role = ""
    below: str = ""  # what is said under it: no longer than the box with its borders


def box_row(boxes: Sequence[CardBox], width: int) -> list[StyledLine]:
    """The boxes in one row of at most *width* cells; nothing if they do not fit."""
    inner = [len(box.rows[0]) for box in boxes]
    if not boxes or sum(inner) + 3 * len(boxes) > width:
        return []
    height = max(len(box.rows) for box in boxes)
    lines: list[StyledLine] = [_border("┌", "┐", inner)]
    for at in range(height):
        row: list[Span] = []
        for box, wide in zip(boxes, inner, strict=True):
            text = box.rows[at] if at < len(box.rows) else " " * wide
            row += [_BETWEEN if row else _FIRST, Span(text, box.role)]
        lines.append((*row, _LAST))
    lines.append(_border("└", "┘", inner))
    if any(box.below for box in boxes):
        below = "".join([GAP + box.below.ljust(w + 2) for box, w in zip(boxes, inner, strict=True)])
        lines.append((Span(below.rstrip(), "dim"),))
    return lines


def _border(left: str, right: str, inner: Sequence[int]) -> StyledLine:
    return (Span("".join([GAP + left + "─" * wide + right for wide in inner]), "panel"),)
