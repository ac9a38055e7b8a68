"""Token buckets: a sustained rate and a burst.  Time is an argument, in seconds."""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    __slots__ = ("_at_s", "_burst", "_left", "_per_s")

    def __init__(self, per_s: float, burst: float, now_s: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._left, self._at_s = burst, now_s

    def has(self, now_s: float, amount: float = 1) -> bool:
        """Whether *amount* is available; *now_s* never goes back."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        return self._left >= amount

    def left(self, now_s: float) -> int:
        """How often 1 can be consumed at once."""
        return int(self._left) if self.has(now_s) else 0

    def wait_s(self, now_s: float, amount: float = 1) -> float:
        """Seconds until *amount* is available, rounded up; 0.0: it is."""
        return 0.0 if self.has(now_s, amount) else (amount - self._left) / self._per_s + 0.001

    def level(self, now_s: float) -> float:
        """What is left, also less than 1."""
        self.has(now_s)
        return self._left

    def restore(self, level: float, now_s: float) -> None:
        """Go on with what another process has left; never with more than a burst."""
        self._left, self._at_s = min(level, self._burst), now_s

    def try_consume(self, now_s: float, amount: float = 1) -> bool:
        """Consume *amount*, or nothing (False) if it is not available."""
        left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s, is_there = now_s, left >= amount
        self._left = left - amount if is_there else left
        return is_there

    def consume_with_debt(self, now_s: float, amount: float) -> float:
        """Consume *amount* in any case; returns seconds until the debt is paid, 0.0 if none."""
        left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s) - amount
        self._left, self._at_s = left, now_s
        return 0.0 if left >= 0 else -left / self._per_s

    def set_rate(self, now_s: float, per_s: float, burst: float) -> None:
        """Apply another rate from now on; what was consumed stays consumed."""
        if (per_s, burst) == (self._per_s, self._burst):
            return
        self.has(now_s)
        self._left += burst - self._burst
        self._per_s, self._burst = per_s, burst

    @property
    def state(self) -> tuple[float, float, float]:
        """What is left, the rate and the burst, for another process."""
        return self._left, self._per_s, self._burst

    def is_full(self, now_s: float) -> bool:
        """Whether the bucket is full: it can be forgotten."""
        return self.has(now_s, self._burst)


class KeyedTokenBuckets:
    """A bucket per key; forgotten when full, or when there are *keys_max* others."""

    def __init__(self, per_s: float, burst: float, keys_max: int) -> None:
        self._per_s, self._burst, self._keys_max = per_s, burst, keys_max
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._buckets)

    def has(self, key: str, now_s: float) -> bool:
        """Whether one of *key* is left."""
        bucket = self._buckets.get(key)
        return bucket is None or bucket.has(now_s)

    def try_consume(self, key: str, now_s: float) -> bool:
        """Consume one of *key*; False: none is left."""
        while self._buckets and next(iter(self._buckets.values())).is_full(now_s):
            self._buckets.popitem(last=False)
        bucket = self._buckets.setdefault(key, TokenBucket(self._per_s, self._burst, now_s))
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._keys_max:
            self._buckets.popitem(last=False)
        return bucket.try_consume(now_s)

    def charge(self, key: str, now_s: float, amount: float) -> None:
        """Consume *amount* of *key* in any case; what is not there is owed."""
        bucket = self._buckets.setdefault(key, TokenBucket(self._per_s, self._burst, now_s))
        bucket.consume_with_debt(now_s, amount)

    def owes(self, key: str, now_s: float) -> bool:
        bucket = self._buckets.get(key)
        return bucket is not None and bucket.level(now_s) < 0

    def set_rate(self, now_s: float, per_s: float, burst: float) -> None:
        """Apply another rate from now on; what was consumed stays consumed."""
        self._per_s, self._burst = per_s, burst
        for bucket in self._buckets.values():
            bucket.set_rate(now_s, per_s, burst)
