"""The input lines of a session whose connection another process holds.

Rule 1: a line is handled only after the holder has been told that it begins: after a crash it is
        not typed again.  All else is as in `input_queue.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mudserver.clock import Clock
from mudserver.config.schema import SessionLimits
from mudserver.session.input_queue import QUEUED_LINES_MAX, InputOwner, InputQueue
from mudserver.transport.link import Holder

T = TypeVar("T")


class AnnouncedInputQueue(InputQueue[T]):
    def __init__(
        self,
        holder: Holder,
        handle: Callable[[T], Awaitable[None] | None],
        owner: InputOwner,
        limits: SessionLimits,
        clock: Clock,
        warning_interval_s: float,
    ) -> None:
        super().__init__(handle, owner, limits, clock, warning_interval_s)
        self._holder = holder
        self._place: int | None = None  # of the line that is being handled
        self._places: deque[int] = deque()  # of the lines that wait
        self._is_announced = False  # the first line that waits

    def _accept(self, line: T) -> None:
        if len(self._queued) >= QUEUED_LINES_MAX:
            self._refuse_too_fast()
            return
        self._queued.append(line)
        self._places.append(self._holder.take())
        self._handle_next()

    def _handle_next(self) -> None:
        if self._queued and self._task is None and not self._is_announced:
            self._is_announced = True
            self._holder.begin(self._places[0], self._begin)

    def _begin(self) -> None:
        self._is_announced = False
        if self._owner.is_over or not self._queued:
            return
        self._place = self._places.popleft()
        self._handle_line(self._queued.popleft())
        if self._task is None:
            self._finished()

    def _finished(self) -> None:
        if self._place is not None:  # None: what had to be done first was no line
            self._holder.settle(self._place)
            self._place = None
        self._handle_next()


def input_queue(
    holder: Holder | None,
    handle: Callable[[T], Awaitable[None] | None],
    owner: InputOwner,
    limits: SessionLimits,
    clock: Clock,
    warning_interval_s: float,
) -> InputQueue[T]:
    """Args: holder: None: this process holds the connection."""
    if holder is None:
        return InputQueue(handle, owner, limits, clock, warning_interval_s)
    return AnnouncedInputQueue(holder, handle, owner, limits, clock, warning_interval_s)
