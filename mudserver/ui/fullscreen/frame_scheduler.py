"""Schedules when full screens are drawn.

Rule 1: screens are drawn on a fixed time grid, at most once per frame.  The time follows from the
        request alone, and reveals nothing about what others did just before.  [SEC-4]
Rule 2: one turn of the event loop draws one scheduled screen, and one more in answer to a key.  A
        draw takes milliseconds, and other input is processed between two turns.  If more screens
        are due than fit a frame, later frames are delayed.
Rule 3: no timer runs while no screen has anything to draw.
Rule 4: when drawing took more than BUSY of the last second, the scheduler gets twice as slow, up to
        SLOWNESS_MAX; when it takes less than CALM it gets quicker again.  While it is slow, frames
        are so many times longer, up to FRAME_S_MAX, and keys wait for them too; and a screen waits
        COSTLY times so many of what its last draw took, up to PAUSE_S_MAX.  So large screens that
        always change get slow first, and full screens before anybody else.
"""

from __future__ import annotations

from collections import deque

from mudserver.clock import Clock
from mudserver.ui.ticker import Flushable

ROUNDING_S = 0.001  # a timer may fire early by less
FRAME_S_MAX = 0.4
SLOWNESS_MAX = 16
COSTLY, PAUSE_S_MAX = 25, 3.0
BUSY, CALM = 0.2, 0.1  # parts of the last second that went into drawing
MEASURED_S = 1.0


class FrameScheduler:
    __slots__ = (
        *("_clock", "_drawing_s", "_due", "_frame_s_min", "_has_drawn_early", "_is_running"),
        *("_measured_since_s", "_requested", "_slowness"),
    )

    def __init__(self, clock: Clock, frame_ms: int) -> None:
        self._clock, self._frame_s_min, self._slowness = clock, frame_ms / 1000, 1
        self._requested: list[Flushable] = []  # at most one entry per screen
        self._due: deque[Flushable] = deque()  # to be drawn in this frame
        self._has_drawn_early = False  # in answer to a key, in this turn
        self._is_running = False  # a timer is set, or screens are due
        self._measured_since_s, self._drawing_s = clock.monotonic(), 0.0

    def count_drawing(self, seconds: float) -> None:
        """What a draw has taken, of any screen."""
        self._drawing_s += seconds

    @property
    def frame_s(self) -> float:
        longest_s = max(FRAME_S_MAX, self._frame_s_min)
        return min(self._slowness * self._frame_s_min, longest_s)

    def pause_s(self, drawing_s: float) -> float:
        """From one draw of a screen, which took *drawing_s*, to its next."""
        if self._slowness == 1:
            return self.frame_s
        return max(self.frame_s, min(self._slowness * COSTLY * drawing_s, PAUSE_S_MAX))

    def schedule_flush(self, screen: Flushable) -> None:
        """Flush *screen* in the next frame.  It asks once per frame, and catches its exceptions."""
        self._requested.append(screen)
        if not self._is_running:
            self._wait_for_frame()

    def may_draw_now(self) -> bool:
        """Whether a screen may be drawn at once in answer to a key; call it just before drawing."""
        if self._has_drawn_early or self._slowness > 1:
            return False
        self._has_drawn_early = True
        self._clock.call_soon(self._end_turn)
        return True

    def _end_turn(self) -> None:
        self._has_drawn_early = False

    def _wait_for_frame(self) -> None:
        self._is_running = True
        to_next_s = self.frame_s - self._clock.monotonic() % self.frame_s
        if to_next_s < ROUNDING_S:  # this frame is over: wait for the next
            to_next_s += self.frame_s
        self._clock.call_later(to_next_s, self._begin_frame)

    def _begin_frame(self) -> None:
        self._adapt_frames()
        self._due.extend(self._requested)
        self._requested.clear()
        self._flush_next()

    def _flush_next(self) -> None:
        self._due.popleft().flush()
        if self._due:
            self._clock.call_soon(self._flush_next)
        elif self._requested:
            self._wait_for_frame()
        else:
            self._is_running = False

    def _adapt_frames(self) -> None:
        now_s = self._clock.monotonic()
        measured_s = now_s - self._measured_since_s
        if measured_s < MEASURED_S:
            return
        part = self._drawing_s / measured_s
        if part > BUSY:
            self._slowness = min(2 * self._slowness, SLOWNESS_MAX)
        elif part < CALM:
            self._slowness = max(1, self._slowness // 2)
        self._measured_since_s, self._drawing_s = now_s, 0.0
