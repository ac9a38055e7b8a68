"""The clock of one open window.  Pure: every time is an argument.

Rule 1: a deadline is an absolute UTC time in ms, the server's own, and it is in the journal.
        [TIME-1]
Rule 2: a clock either runs (deadline), or stands still (what it has left, and until when at
        most), or there is none.
Rule 3: time the server was away is given back, and nothing more than a full window.  A stepped
        system clock can neither end a window nor stretch it.  [TIME-2, TIME-6]
"""

from __future__ import annotations

from typing import NamedTuple


class WindowClock(NamedTuple):
    deadline_ms: int | None = None  # runs until then
    left_ms: int | None = None  # stands still with so much left
    until_ms: int | None = None  # and runs again then at the latest
    seat: int | None = None  # whom it waits for


def remaining_ms(end_ms: int, since_ms: int | None, full_ms: int) -> int:
    """What was left until *end_ms* when the server was last known alive, 0..*full_ms*.

    Args:
        since_ms: None: not known, and then the whole *full_ms* is given.
    """
    return full_ms if since_ms is None else max(0, min(full_ms, end_ms - since_ms))


def give_time_back(
    clock: WindowClock, since_ms: int | None, now_ms: int, full_ms: int, pause_ms: int
) -> tuple[int | None, int | None]:
    """(deadline_ms, until_ms) after the server was away from *since_ms* to *now_ms*."""
    deadline_ms, until_ms = clock.deadline_ms, clock.until_ms
    if deadline_ms is not None:
        deadline_ms = now_ms + remaining_ms(deadline_ms, since_ms, full_ms)
    if until_ms is not None:
        until_ms = now_ms + remaining_ms(until_ms, since_ms, pause_ms)
    return deadline_ms, until_ms
