"""Whose clock runs at a table and what it has left, in a sentence for one person."""

from __future__ import annotations

from mudserver.tables.offer_texts import PAUSED
from mudserver.tables.summary import ClockStatus
from variants.kit.text import clock_left, join_words, quantity

WAITED_MS_MIN = 30_000  # for so long somebody waits before an empty line tells the clock


def describe_clock(clock: ClockStatus | None, now_ms: int) -> str:
    """The answer to `time`.  Args: clock: None: no game runs."""
    if clock is None:
        return "No game is running here."
    if clock.is_paused:
        return PAUSED
    who, has = ("You", "have") if clock.is_asked else _who(clock.others)
    if clock.behind:
        return f"You watch {quantity(clock.behind, 'decision')} behind, without the clock."
    if clock.deadline_ms is not None:
        return f"{who} {has} {_spoken(clock.deadline_ms - now_ms)}."
    if clock.paused_for:
        left_ms = max(0, (clock.until_ms or 0) - now_ms)
        return f"The clock is paused for {clock.paused_for}, at most {_spoken(left_ms)}."
    return f"{who} {has} no time limit."


def describe_wait(clock: ClockStatus | None, now_ms: int) -> str:
    """What an empty line tells somebody who has waited for a while; "": nothing."""
    if clock is not None and clock.is_paused:
        return PAUSED
    if clock is None or clock.is_asked or clock.deadline_ms is None or clock.window_ms is None:
        return ""
    if now_ms - (clock.deadline_ms - clock.window_ms) < WAITED_MS_MIN:
        return ""
    left_s = _seconds(clock.deadline_ms - now_ms)
    return f"{' '.join(_who(clock.others))} {clock_left(left_s)} left."


def _who(names: tuple[str, ...]) -> tuple[str, str]:
    return join_words(names), "has" if len(names) == 1 else "have"


def _seconds(left_ms: int) -> int:
    """Rounded up, as in the bar of the full screen: 0 only when time is up."""
    return max(0, -(-left_ms // 1000))


def _spoken(left_ms: int) -> str:
    """`41 seconds`, `2 minutes 5 seconds`, `3 days 2 hours`: two numbers at most."""
    left_s = _seconds(left_ms)
    if left_s <= 90:
        return quantity(left_s, "second")
    if left_s >= 7_200:
        days, rest_s = divmod(left_s, 86_400)
        amounts = {"day": days, "hour": rest_s // 3600, "minute": rest_s % 3600 // 60}
        return " ".join([quantity(n, unit) for unit, n in amounts.items() if n][:2])
    minutes, seconds = divmod(left_s, 60)
    return quantity(minutes, "minute") + (f" {quantity(seconds, 'second')}" if seconds else "")
