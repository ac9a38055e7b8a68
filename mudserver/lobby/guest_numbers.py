"""The numbers in guests' names: the lowest that is free, and none again within an hour.

Rule 1: for an hour after a guest has left nobody else gets the number.  So what somebody types for
        that guest reaches nobody else.
Rule 2: the memory is bounded.  Of more guests than can be remembered those who left first are
        forgotten, and others get higher numbers than theirs.
Rule 3: a number costs about the same however many guests come and go.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from heapq import heapify, heappop, heappush

HELD_S = 3_600.0  # after a guest has left
HELD_MAX = 10_000  # numbers of guests who have left


class GuestNumbers:
    """Times are monotonic, in seconds."""

    def __init__(self) -> None:
        self._left_at: OrderedDict[int, float] = OrderedDict()  # the first to leave comes first
        self._free: list[int] = []  # a heap of numbers whose hour is over
        self._next = 1  # all numbers that were given are lower, but for random ones

    def lowest_free(self, is_taken: Callable[[int], bool], now: float) -> int:
        """The number for the next guest, who may not come after all.

        Args:
            is_taken: Whether a guest who is here, or whose seat waits, has the number.
        """
        self._end_holds(now)
        while self._free and is_taken(self._free[0]):
            self._left_at[heappop(self._free)] = now  # a seat waits: try again in an hour
        if self._free:
            return self._free[0]
        while self._next in self._left_at or is_taken(self._next):
            self._next += 1
        return self._next

    def take(self, number: int) -> None:
        """A guest of that number is here: a new one, or the same again."""
        self._left_at.pop(number, None)
        if number == self._next:
            self._next += 1
        if self._free and self._free[0] == number:
            heappop(self._free)
        elif number in self._free:
            self._free.remove(number)
            heapify(self._free)

    def hold(self, number: int, now: float) -> None:
        """The guest of that number has left."""
        self._left_at[number] = now
        if len(self._left_at) > HELD_MAX:
            self._left_at.popitem(last=False)

    def is_held(self, number: int, now: float) -> bool:
        """Whether the guest of that number has left, and nobody else may have it yet."""
        left_at = self._left_at.get(number)
        return left_at is not None and now < left_at + HELD_S

    def _end_holds(self, now: float) -> None:
        while self._left_at and not self.is_held(number := next(iter(self._left_at)), now):
            del self._left_at[number]
            if number < self._next:
                heappush(self._free, number)
        if not self._left_at:  # also the forgotten are gone for an hour
            self._free.clear()
            self._next = 1
