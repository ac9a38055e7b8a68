"""The status bar: who is to act, the clock, the location and the name of the person.

Rule 1: the clock and who is to act are shown at every width.  As it gets narrower the hint at the
        help key is dropped first, then the name, then the location.
Rule 2: the digits show that time is short, and at last the word `hurry`; colour only supports
        them.  Both are for the person whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from mudserver.ui.width import cell_width, end_fitting
from variants.kit.text import Role, Span, StyledLine, clock_left, plain_text

SHORT_S, SHORT_OF_MS = 30, 60_000  # from here on in windows at least so long
URGENT_S, URGENT_OF_MS = 10, 25_000
HURRY = "hurry"
HINT = "F1 help"


@dataclass(frozen=True, slots=True)
class StatusBarState:
    """The content of the bar, as last set by the session."""

    where: str = ""  # "Table 3, elimination"
    where_short: str = ""  # "Table 3"
    who: str = ""  # "Ann, seat 2"
    asks: tuple[str, ...] = ()  # variants of one sentence, longest first
    is_mine: bool = False  # it is this person's turn
    deadline_ms: int | None = None  # UTC
    window_ms: int | None = None  # how long the whole window is


def seconds_left(status: StatusBarState, now_ms: int) -> int | None:
    """Whole seconds, rounded up: 0 only when time is up."""
    if status.deadline_ms is None:
        return None
    return max(0, -((now_ms - status.deadline_ms) // 1000))


def _clock_role(status: StatusBarState, left_s: int | None) -> Role:
    if not status.is_mine or left_s is None or status.window_ms is None:
        return "strong"
    if left_s <= URGENT_S and status.window_ms >= URGENT_OF_MS:
        return "bad"
    return "warn" if left_s <= SHORT_S and status.window_ms >= SHORT_OF_MS else "strong"


def render_status_bar(
    status: StatusBarState, now_ms: int, cols: int, new_count: int = 0
) -> StyledLine:
    """The bar, at most *cols* cells wide.

    Args:
        new_count: Entries that its reader has not seen; a row above the bar says them, too.
    """
    left_s = seconds_left(status, now_ms)
    clock = "" if left_s is None else clock_left(left_s)
    tails: tuple[list[str], ...] = (
        [status.where, status.who, HINT],
        [status.where, status.who],
        [status.where],
        [status.where_short],
        [],
    )
    asks_role: Role = "strong" if status.is_mine else ""
    for asks in status.asks or ("",):
        head = [Span(" ")]
        if clock:
            role = _clock_role(status, left_s)
            head += [Span(clock, role), Span(f" {HURRY}  " if role == "bad" else "  ")]
        head.append(Span(asks, asks_role))
        used = cell_width(plain_text(tuple(head)))
        news = (Span(f"{new_count} new", "news"), Span("   ")) if new_count else ()
        for tail in tails:
            right = " │ ".join(filter(None, tail))
            need = cell_width(right) + 3 if right else 0
            if used + need < cols and (tail or asks == (status.asks or ("",))[-1]):
                gap = cols - used - cell_width(right) - 1
                if (more := cell_width(plain_text(news))) + 2 > gap:
                    news, more = (), 0
                return (*head, Span(" " * (gap - more)), *news, Span(right), Span(" "))
    text = plain_text(tuple(head))
    return (Span(text[: end_fitting(text, cols)], asks_role),)
