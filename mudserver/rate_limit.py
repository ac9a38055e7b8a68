"""A token bucket: so much a second, with a burst.  Time is an argument, in seconds."""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    __slots__ = ("_at_s", "_burst", "_left", "_per_s")

    def __init__(self, per_s: float, burst: float, now_s: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._left, self._at_s = burst, now_s

    def has(self, now_s: float, amount: float = 1) -> bool:
        """Whether *amount* is there; *now_s* never goes back."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        return self._left >= amount

    def try_consume(self, now_s: float, amount: float = 1) -> bool:
        """Spend *amount*, or nothing (False) if it is not there."""
        if not self.has(now_s, amount):
            return False
        self._left -= amount
        return True

    def consume_with_debt(self, now_s: float, amount: float) -> float:
        """Spend *amount* in any case; seconds until the debt is paid, 0.0 if there is none."""
        self.has(now_s)
        self._left -= amount
        return max(0.0, -self._left / self._per_s)

    def set_rate(self, now_s: float, per_s: float, burst: float) -> None:
        """Other figures from now on; what was spent stays spent."""
        self.has(now_s)
        self._left += burst - self._burst
        self._per_s, self._burst = per_s, burst

    def is_full(self, now_s: float) -> bool:
        """Nothing was spent lately: the bucket can be forgotten."""
        return self.has(now_s, self._burst)


class KeyedTokenBuckets:
    """A budget for each key; forgotten when full again, or when there are *keys_max* others."""

    def __init__(self, per_s: float, burst: float, keys_max: int) -> None:
        self._per_s, self._burst, self._keys_max = per_s, burst, keys_max
        self._of: OrderedDict[str, TokenBucket] = OrderedDict()  # used longest ago first

    def __len__(self) -> int:
        return len(self._of)

    def try_consume(self, key: str, now_s: float) -> bool:
        """Spend one of *key*'s; False: none is left."""
        while self._of and next(iter(self._of.values())).is_full(now_s):
            self._of.popitem(last=False)
        budget = self._of.setdefault(key, TokenBucket(self._per_s, self._burst, now_s))
        self._of.move_to_end(key)
        if len(self._of) > self._keys_max:
            self._of.popitem(last=False)
        return budget.try_consume(now_s)

    def set_rate(self, now_s: float, per_s: float, burst: float) -> None:
        """Other figures from now on; what was spent stays spent."""
        self._per_s, self._burst = per_s, burst
        for budget in self._of.values():
            budget.set_rate(now_s, per_s, burst)
