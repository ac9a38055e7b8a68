"""Cards as boxes, side by side.

Rule 1: a box says nothing that words do not say: where it does not fit, words stand in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from variants.kit.text import Role, Span, StyledLine, plain_text

BOX_WIDTH_MIN = 72  # of the pane
GAP = " "  # between two boxes


_FIRST, _BETWEEN, _LAST = (Span(text, "panel") for text in (" │", "│ │", "│"))


class CardBox(NamedTuple):
    """The rows inside of one box, each as wide as the box."""

    rows: tuple[str, ...]
    role: Role = ""
    below: str = ""  # what is said under it: no longer than the box with its borders
    before: str = ""  # what is said left of it


def box_row(boxes: Sequence[CardBox], width: int) -> list[StyledLine]:
    """The boxes in one row of at most *width* cells; nothing if they do not fit."""
    wide = sum([len(box.before) + len(box.rows[0]) + 3 for box in boxes])
    if not boxes or wide > width:
        return []
    height = max(len(box.rows) for box in boxes)
    said = "".join([box.before + _border(box, "┌", "┐") for box in boxes])
    lines: list[StyledLine] = [(Span(said, "panel"),)]
    for at in range(height):
        row: list[Span] = []
        for box in boxes:
            text = box.rows[at] if at < len(box.rows) else " " * len(box.rows[0])
            edge = _BETWEEN if row else _FIRST
            if row and box.before:
                edge = Span(f"│{' ' * len(box.before)} │", "panel")
            row += [edge, Span(text, box.role)]
        lines.append((*row, _LAST))
    said = "".join([" " * len(box.before) + _border(box, "└", "┘") for box in boxes])
    lines.append((Span(said, "panel"),))
    if any(box.below for box in boxes):
        below = [" " * len(b.before) + GAP + b.below.ljust(len(b.rows[0]) + 2) for b in boxes]
        lines.append((Span("".join(below).rstrip(), "dim"),))
    return lines


def _border(box: CardBox, left: str, right: str) -> str:
    return GAP + left + "─" * len(box.rows[0]) + right


def frame(rows: Sequence[StyledLine], width: int) -> list[StyledLine]:
    """*rows* in a frame of *width* cells, which asks for attention."""
    inner = width - 4
    edge = Span("║", "warn")
    framed = [
        (Span(" "), edge, Span(" "), *row, Span(" " * (inner - 1 - len(plain_text(row)))), edge)
        for row in rows
    ]
    line = "═" * inner
    return [(Span(f" ╔{line}╗", "warn"),), *framed, (Span(f" ╚{line}╝", "warn"),)]
