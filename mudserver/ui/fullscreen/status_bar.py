"""The status bar: who is asked, how long, where one is and who.

Rule 1: the clock and who is asked are there at every width; what is lost first as it gets narrower
        is the hint at the keys, then who one is, then where.
Rule 2: a time that runs out is told by its figures; the rendition only agrees.
"""

from __future__ import annotations

from dataclasses import dataclass

from mudserver.ui.width import cell_width, end_fitting
from variants.kit.text import Role, Span, StyledLine, plain_text

URGENT_S = 10  # from here the clock stands out
HINT = "F1 help"


@dataclass(frozen=True, slots=True)
class StatusBarState:
    """What the bar tells, as the visit last heard it."""

    where: str = ""  # "Table 3, elimination"
    where_short: str = ""  # "Table 3"
    who: str = ""  # "Ann, seat 2"
    asks: tuple[str, ...] = ()  # the same sentence, longest first
    is_mine: bool = False  # one is asked oneself
    deadline_ms: int | None = None  # UTC


def seconds_left(status: StatusBarState, now_ms: int) -> int | None:
    """Whole seconds, rounded up: 0 only when time is over."""
    if status.deadline_ms is None:
        return None
    return max(0, -((now_ms - status.deadline_ms) // 1000))


def render_status_bar(status: StatusBarState, now_ms: int, cols: int) -> StyledLine:
    """At most *cols* cells."""
    left_s = seconds_left(status, now_ms)
    clock = "" if left_s is None else f"{left_s // 60}:{left_s % 60:02}"
    tails: tuple[list[str], ...] = (
        [status.where, status.who, HINT],
        [status.where, status.who],
        [status.where],
        [status.where_short],
        [],
    )
    asked: Role = "strong" if status.is_mine else ""
    for asks in status.asks or ("",):
        head = [Span(" ")]
        if clock:
            role: Role = "bad" if left_s is not None and left_s <= URGENT_S else "strong"
            head += [Span(clock, role), Span("  ")]
        head.append(Span(asks, asked))
        used = cell_width(plain_text(tuple(head)))
        for tail in tails:
            right = " │ ".join(filter(None, tail))
            need = cell_width(right) + 3 if right else 0
            if used + need < cols and (tail or asks == (status.asks or ("",))[-1]):
                gap = cols - used - cell_width(right) - 1
                return (*head, Span(" " * gap), Span(right), Span(" "))
    text = plain_text(tuple(head))
    return (Span(text[: end_fitting(text, cols)], asked),)
