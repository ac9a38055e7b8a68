"""Notices of games on their way to people: few for each person, what comes meanwhile is joined.

Rule 1: a person is told at most once in EVERY_MS, and not before `not_before` says.
Rule 2: who waits, and what waits for each of them, is bounded.  What is beyond is dropped and
        counted.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mudserver import metrics
from mudserver.tables.notices import TableNotice

EVERY_MS = 600_000
PEOPLE_MAX = 10_000  # for whom something waits
WAITING_MAX = 100  # notices of one person


class PlacedNotice(NamedTuple):
    table: int
    variant: str
    notice: TableNotice


Waiting = dict[tuple[str, str, str], PlacedNotice]  # by the key of the notice


class JoinedNotices:
    """Args: not_before: The first moment from UTC ms on at which that person wants to be told."""

    def __init__(self, not_before: Callable[[str, int], int] = lambda person, ms: ms) -> None:
        self._not_before = not_before
        self._waiting: dict[str, Waiting] = {}
        self._due: list[tuple[int, str]] = []  # (UTC ms, person), one for each who waits; a heap
        self._told_ms: dict[str, int] = {}  # when, of the last EVERY_MS, oldest first

    @property
    def next_ms(self) -> int | None:
        """When somebody is to be told, UTC; None: nobody waits."""
        return self._due[0][0] if self._due else None

    def add(self, placed: PlacedNotice, now_ms: int) -> None:
        person, waiting = placed.notice.person, self._waiting.get(placed.notice.person)
        if waiting is None:
            if len(self._waiting) >= PEOPLE_MAX:
                metrics.NOTICES.increment("dropped")
                return
            waiting = self._waiting[person] = {}
            heapq.heappush(self._due, (self._ready_ms(person, now_ms), person))
        elif len(waiting) >= WAITING_MAX:
            metrics.NOTICES.increment("dropped")
            return
        waiting[placed.notice.key] = placed

    def take(self, now_ms: int) -> Iterator[tuple[str, list[PlacedNotice]]]:
        """Who is to be told now, and of what, in the order in which it came."""
        while self._due and self._due[0][0] <= now_ms:
            _, person = heapq.heappop(self._due)
            ready_ms = self._ready_ms(person, now_ms)
            if ready_ms > now_ms:  # other quiet hours than when it was noted
                heapq.heappush(self._due, (ready_ms, person))
                continue
            yield person, list(self._waiting.pop(person).values())

    def note_told(self, person: str, now_ms: int) -> None:
        before_ms = self._told_ms.pop(person, now_ms)
        self._told_ms[person] = max(now_ms, before_ms)  # another server's clock may be behind
        while now_ms - self._told_ms[oldest := next(iter(self._told_ms))] >= EVERY_MS:
            del self._told_ms[oldest]

    def _ready_ms(self, person: str, now_ms: int) -> int:
        told_ms = self._told_ms.get(person)
        free_ms = now_ms if told_ms is None else max(now_ms, told_ms + EVERY_MS)
        return self._not_before(person, free_ms)
