"""Warns a person whose turn it is that the time runs out.

Rule 1: a warning follows from the last view that its reader was shown, and from nothing else.  It
        is written nowhere, and nobody else hears of it.
Rule 2: another question or another deadline cancels the warnings that were still to come.
Rule 3: a warning is on time or it is dropped: nobody reads of 10 seconds that are over.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.clock import Clock, TimerHandle
from mudserver.messages import ViewMessage

WARNINGS_S = ((30, 60), (10, 25))
"""(seconds before the deadline, the shortest window in seconds that has this warning)."""
LAST_WARNING_S = WARNINGS_S[-1][0]  # with a bell
LATE_MS_MAX = 1_000  # what comes later is dropped
RETRY_MS = 500  # after which a connection that is behind may have caught up


class TurnWarnings:
    """The warnings of one session.

    Args:
        warn: Show that so many seconds are left.
        is_behind: Whether the connection still has output that its client has not taken.
    """

    def __init__(
        self, clock: Clock, warn: Callable[[int], None], is_behind: Callable[[], bool]
    ) -> None:
        self._clock, self._warn, self._is_behind = clock, warn, is_behind
        self._question: tuple[object, ...] = ()  # whose warnings are given; (): nobody is asked
        self._due: list[tuple[int, int]] = []  # (UTC ms, seconds left) still to come, last first
        self._timer: TimerHandle | None = None

    def follow(self, view: ViewMessage) -> None:
        """The reader is asked what *view* shows."""
        question = (view.table, view.window, view.deadline_ms)
        if question == self._question:
            return
        self.stop()
        self._question = question
        if view.deadline_ms is None:
            return
        window_s, now_ms = (view.window_ms or 0) / 1000, self._clock.now_ms()
        due = ((view.deadline_ms - s * 1000, s) for s, least_s in WARNINGS_S if window_s >= least_s)
        self._due = sorted((each for each in due if each[0] > now_ms), reverse=True)
        self._wait()

    def stop(self) -> None:
        """The reader is asked nothing."""
        self._question, self._due = (), []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = None
        if self._due:
            # Half a millisecond later: of two timers that are due at one instant asyncio runs
            # either first, and what else is waiting decides it.  [SEC-4]
            self._timer = self._clock.call_at_ms(self._due[-1][0] + 0.5, self._give)

    def _give(self) -> None:
        due_ms, left_s = self._due[-1]
        late_ms = self._clock.now_ms() - due_ms
        if late_ms < RETRY_MS and self._is_behind():
            self._timer = self._clock.call_at_ms(due_ms + RETRY_MS, self._give)
            return
        self._due.pop()
        if late_ms <= LATE_MS_MAX and not self._is_behind():
            self._warn(left_s)
        self._wait()
