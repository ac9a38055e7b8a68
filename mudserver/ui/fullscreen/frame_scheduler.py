"""When full screens are drawn.

Rule 1: a screen is drawn on a fixed grid of time, at most once a beat; when follows from when it
        was touched, and tells nothing of what others did just before.  [SEC-4]
Rule 2: one drawing of the beat in a turn of the event loop, and one that answers a key.  They take
        milliseconds, and between two turns everybody else is heard; where there are more than fit
        a beat, the beats come later.
Rule 3: no timer runs while nobody has anything to show.
"""

from __future__ import annotations

from collections import deque

from mudserver.clock import Clock
from mudserver.ui.ticker import Flushable

ROUNDING_S = 0.001  # a timer may come early by less


class FrameScheduler:
    __slots__ = ("_beat_s", "_clock", "_due", "_has_answered", "_is_running", "_touched")

    def __init__(self, clock: Clock, beat_ms: int) -> None:
        self._clock, self._beat_s = clock, beat_ms / 1000
        self._touched: list[Flushable] = []  # at most one entry per screen
        self._due: deque[Flushable] = deque()  # whose beat has come
        self._has_answered = False  # a key, in this turn
        self._is_running = False  # a timer waits for the beat, or those who are due have their turn

    def schedule_flush(self, screen: Flushable) -> None:
        """Flush *screen* at the next beat.  The screen asks only once, and catches its faults."""
        self._touched.append(screen)
        if not self._is_running:
            self._wait()

    def may_draw_now(self) -> bool:
        """Whether a screen may be drawn at once for a key; it is asked when it is about to be."""
        if self._has_answered:
            return False
        self._has_answered = True
        self._clock.call_soon(self._turn_over)
        return True

    def _turn_over(self) -> None:
        self._has_answered = False

    def _wait(self) -> None:
        self._is_running = True
        to_next_s = self._beat_s - self._clock.monotonic() % self._beat_s
        if to_next_s < ROUNDING_S:  # this beat has just been: who is touched now waits for the next
            to_next_s += self._beat_s
        self._clock.call_later(to_next_s, self._begin)

    def _begin(self) -> None:
        self._due.extend(self._touched)
        self._touched.clear()
        self._next()

    def _next(self) -> None:
        self._due.popleft().flush()
        if self._due:
            self._clock.call_soon(self._next)
        elif self._touched:
            self._wait()
        else:
            self._is_running = False
