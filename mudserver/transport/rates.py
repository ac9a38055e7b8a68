"""How often something may happen.

Rule 1: time is an argument or comes from the clock that was handed in; nothing here sleeps.
Rule 2: what is too often is refused or put off, never queued: a bucket is two numbers, and of
        many values put off only the last is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from mudserver.clock import Clock, TimerHandle

T = TypeVar("T")


class Bucket:
    """A token bucket: *burst* at once, *per_s* in the long run."""

    __slots__ = ("_at_s", "_level", "burst", "per_s")

    def __init__(self, per_s: float, burst: float, now_s: float) -> None:
        self.per_s, self.burst = per_s, burst
        self._level, self._at_s = float(burst), now_s

    def _refill(self, now_s: float) -> None:
        self._level = min(self.burst, self._level + (now_s - self._at_s) * self.per_s)
        self._at_s = now_s

    def holds(self, now_s: float, amount: float) -> bool:
        self._refill(now_s)
        return self._level >= amount

    def take(self, now_s: float, amount: float = 1.0) -> bool:
        """Take *amount*, or nothing (False) if there is not enough."""
        if not self.holds(now_s, amount):
            return False
        self._level -= amount
        return True

    def owe(self, now_s: float, amount: float) -> float:
        """Take *amount* in any case; seconds until the debt is paid, 0.0 if there is none."""
        self._refill(now_s)
        self._level -= amount
        return max(0.0, -self._level / self.per_s)

    def is_full(self, now_s: float) -> bool:
        return self.holds(now_s, self.burst)


class Latest(Generic[T]):
    """Passes values on, at most *per_s* in a second; the last one always arrives.  [C3]"""

    __slots__ = ("_call", "_clock", "_pause_s", "_timer", "_waiting")

    def __init__(self, per_s: float, clock: Clock, call: Callable[[T], None]) -> None:
        self._pause_s, self._clock, self._call = 1.0 / per_s, clock, call
        self._timer: TimerHandle | None = None
        self._waiting: list[T] = []  # none or one

    def offer(self, value: T) -> None:
        if self._timer is not None:
            self._waiting[:] = [value]
            return
        self._timer = self._clock.call_later(self._pause_s, self._due)
        self._call(value)

    def _due(self) -> None:
        self._timer = None
        if self._waiting:
            self.offer(self._waiting.pop())

    def close(self) -> None:
        """Nothing arrives any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._waiting.clear()
