"""When each of many tables has something due: one time for each, the soonest first.  Pure.

Rule 1: a new time replaces the old one.  What is out of date stays in the heap for a while: at most
        as much as there is that is not, and STALE_MAX.
"""

from __future__ import annotations

import heapq

STALE_MAX = 1_000


class DueTimes:
    def __init__(self) -> None:
        self._ms: dict[int, int] = {}  # UTC, by number of the table
        self._heap: list[tuple[int, int]] = []  # the same; some are out of date

    def __len__(self) -> int:
        return len(self._ms)

    def get(self, number: int) -> int | None:
        """When the table is due, UTC; None: never."""
        return self._ms.get(number)

    def set(self, number: int, at_ms: int | None) -> None:
        """Args: at_ms: UTC; None: the table is not due any more."""
        if at_ms is None:
            self._ms.pop(number, None)
            return
        if self._ms.get(number) == at_ms:
            return
        self._ms[number] = at_ms
        heapq.heappush(self._heap, (at_ms, number))
        if len(self._heap) > 2 * len(self._ms) + STALE_MAX:
            self._heap = [(ms, it) for it, ms in self._ms.items()]
            heapq.heapify(self._heap)

    @property
    def next_ms(self) -> int | None:
        """When the first one is due, UTC; None: none ever is."""
        while self._heap and self._ms.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, now_ms: int) -> tuple[int, int] | None:
        """The number of the first one that is due, and since when, UTC; None: none is."""
        due_ms = self.next_ms
        if due_ms is None or due_ms > now_ms:
            return None
        number = heapq.heappop(self._heap)[1]
        del self._ms[number]
        return number, due_ms
