"""Rate-limits a stream of values: values that come too often are dropped except the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from mudserver.clock import Clock, TimerHandle

T = TypeVar("T")


class Coalescer(Generic[T]):
    """Passes values on, at most *per_s* a second; the last one always arrives."""

    __slots__ = ("_call", "_clock", "_pause_s", "_timer", "_waiting")

    def __init__(self, per_s: float, clock: Clock, call: Callable[[T], None]) -> None:
        self._pause_s, self._clock, self._call = 1.0 / per_s, clock, call
        self._timer: TimerHandle | None = None
        self._waiting: list[T] = []  # empty, or the latest value

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
        """Drop what waits; nothing is passed on any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._waiting.clear()
