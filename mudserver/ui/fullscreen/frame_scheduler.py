"""Schedules when full screens are drawn.

Rule 1: screens are drawn on a fixed time grid, at most once per frame.  The time follows from the
        request alone, and reveals nothing about what others did just before.  [SEC-4]
Rule 2: one turn of the event loop draws one scheduled screen, and one more in answer to a key.  A
        draw takes milliseconds, and other input is processed between two turns.  If more screens
        are due than fit a frame, later frames are delayed.
Rule 3: no timer runs while no screen has anything to draw.
Rule 4: when drawing took more than a fifth of the last second, the frames become twice as long, up
        to FRAME_S_MAX, and keys wait for them too; when it takes less than a tenth they get shorter
        again.  So full screens get slower before anybody else does.
"""

from __future__ import annotations

from collections import deque

from mudserver.clock import Clock
from mudserver.ui.ticker import Flushable

ROUNDING_S = 0.001  # a timer may fire early by less
FRAME_S_MAX = 0.8
BUSY, CALM = 0.2, 0.1  # parts of the last second that went into drawing
MEASURED_S = 1.0


class FrameScheduler:
    __slots__ = (
        *("_clock", "_drawing_s", "_due", "_frame_s_min", "_has_drawn_early", "_is_running"),
        *("_measured_since_s", "_requested", "frame_s"),
    )

    def __init__(self, clock: Clock, frame_ms: int) -> None:
        self._clock, self.frame_s, self._frame_s_min = clock, frame_ms / 1000, frame_ms / 1000
        self._requested: list[Flushable] = []  # at most one entry per screen
        self._due: deque[Flushable] = deque()  # to be drawn in this frame
        self._has_drawn_early = False  # in answer to a key, in this turn
        self._is_running = False  # a timer is set, or screens are due
        self._measured_since_s, self._drawing_s = clock.monotonic(), 0.0

    def count_drawing(self, seconds: float) -> None:
        """What a draw has taken, of any screen."""
        self._drawing_s += seconds

    def schedule_flush(self, screen: Flushable) -> None:
        """Flush *screen* in the next frame.  It asks once per frame, and catches its exceptions."""
        self._requested.append(screen)
        if not self._is_running:
            self._wait_for_frame()

    def may_draw_now(self) -> bool:
        """Whether a screen may be drawn at once in answer to a key; call it just before drawing."""
        if self._has_drawn_early or self.frame_s > self._frame_s_min:
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
            self.frame_s = max(self.frame_s, min(2 * self.frame_s, FRAME_S_MAX))
        elif part < CALM:
            self.frame_s = max(self._frame_s_min, self.frame_s / 2)
        self._measured_since_s, self._drawing_s = now_s, 0.0
