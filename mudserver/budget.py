"""A token bucket: so much a second, with a burst.  Time is an argument."""

from __future__ import annotations


class Budget:
    __slots__ = ("_at", "_burst", "_left", "_per_s")

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s, self._burst, self._left, self._at = per_s, burst, burst, now

    def take(self, now: float, amount: float = 1) -> bool:
        """Spend *amount* if it is there; *now* in seconds, never going back."""
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    def is_full(self, now: float) -> bool:
        """Nothing was spent lately: the bucket can be forgotten."""
        return self._left + (now - self._at) * self._per_s >= self._burst
