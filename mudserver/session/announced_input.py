"""The input lines of a session whose connection another process holds.

Rule 1: a line is handled only after the holder has been told that it begins: after a crash it is
        not typed again.  All else is as in `input_queue.py`.
Rule 2: a line is done when its answer has been shown, and that is later than it was handled: when
        a table has written what it asks for, or given up, with the next tick, or when a full screen
        is painted.  Whoever saw no answer before a crash reads that nobody knows.  To have read it
        is the answer to that line, so it is said once.
        The same goes for a line whose table has not answered when the process ends as planned.
Rule 3: where it is known when all that answers a line was sent (`note_answered`), it is done then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import SessionLimits
from mudserver.session.input_queue import InputOwner, InputQueue
from mudserver.transport.link import Holder

SHOWN_S = 0.25  # from the end of a line to its answer on the screen; looked at again
SCREEN_S = 3.0  # the same, at most: a full screen, or somebody who does not read
ROUNDING_S = 1e-6  # of times, which are sums of fractions

T = TypeVar("T")


class AnnouncedInputQueue(InputQueue[T]):
    def __init__(
        self,
        holder: Holder,
        handle: Callable[[T], Awaitable[None] | None],
        owner: InputOwner[T],
        limits: SessionLimits,
        clock: Clock,
        warning_interval_s: float,
        hold_input: Callable[[bool], None] | None = None,
        *,
        append_wait_s: float,
    ) -> None:
        super().__init__(handle, owner, limits, clock, warning_interval_s, hold_input)
        self._holder, self._shown_s_max = holder, append_wait_s + SCREEN_S
        self._place: int | None = None  # of the line that is being handled
        self._places: deque[int] = deque()  # of the lines that wait
        self.is_announced = False
        self._unsettled: deque[tuple[int, float]] = deque()  # lines whose answers are on their way
        self._timer: TimerHandle | None = None  # while there are some

    def _accept(self, line: T) -> None:
        if not self._has_room():  # else the holder keeps what is not begun, up to a bound
            self._refuse_too_fast()
            return
        self._queued.append(line)
        self._places.append(self._holder.take())
        self._handle_next()

    def _handle_next(self) -> None:
        if self._queued and self._task is None and not self.is_announced:
            self.is_announced = True
            self._owner.note_begin(self._queued[0], self._places[0])
            self._holder.begin(self._places[0], self._begin)

    def _begin(self) -> None:
        self.is_announced = False
        if self._owner.is_over or not self._queued:
            return
        self._place = self._places.popleft()
        self._handle_line(self._queued.pop(0))
        if self._task is None:
            self._finished()

    def _finished(self) -> None:
        if self._place is not None:  # None: what had to be done first was no line
            self._settle_when_shown(self._place)
            self._place = None
        self._handle_next()

    def hand_over(self) -> None:
        self._place = None
        self._settle_all()

    def note_answered(self) -> None:
        if self._place is not None:
            self._holder.settle(self._place)
            self._place = None

    def note_uncertain(self, pending: Awaitable[None] | None = None) -> None:
        place = self._holder.take_uncertain()
        if pending is None:
            self._settle_when_shown(place)
        else:
            self._place = place
            self.hold_until(pending)

    def _settle_when_shown(self, place: int) -> None:
        self._holder.note_handled(place)
        self._unsettled.append((place, self._clock.monotonic()))
        if self._timer is None:
            self._timer = self._clock.call_later(SHOWN_S, self._look)

    def _look(self) -> None:
        """Settle what has had its time; each line has its own."""
        self._timer = None
        wait_s = SHOWN_S if self._owner.is_shown else self._shown_s_max
        self._settle_until(self._clock.monotonic() - wait_s + ROUNDING_S)
        if self._unsettled:
            self._timer = self._clock.call_later(SHOWN_S, self._look)

    def settle(self) -> None:
        if self._owner.is_shown:  # else nobody knows in time what has become of the last line
            self._settle_all()

    def _settle_all(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._settle_until(float("inf"))

    def _settle_until(self, handled_s: float) -> None:
        while self._unsettled and self._unsettled[0][1] <= handled_s:
            self._holder.settle(self._unsettled.popleft()[0])

    def stop(self) -> None:
        super().stop()
        self._settle_all()


def input_queue(
    holder: Holder | None,
    handle: Callable[[T], Awaitable[None] | None],
    owner: InputOwner[T],
    limits: SessionLimits,
    clock: Clock,
    warning_interval_s: float,
    hold_input: Callable[[bool], None] | None = None,
    *,
    append_wait_s: float,
) -> InputQueue[T]:
    """Args:
    holder: None: this process holds the connection.
    append_wait_s: How long a table waits for the journal, at most, before it says that it stops.
    """
    if holder is None:
        return InputQueue(handle, owner, limits, clock, warning_interval_s, hold_input)
    return AnnouncedInputQueue(
        *(holder, handle, owner, limits, clock, warning_interval_s, hold_input),
        append_wait_s=append_wait_s,
    )
