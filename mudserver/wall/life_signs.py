"""Whether the game server lives: it says something at least every third of `wall.notice_s`.

Rule 1: silence counts only while the event loop of the door runs, so that a door which was stopped
        itself blames nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.clock import Clock, TimerHandle

SIGNS = 3  # in `wall.notice_s`; so many that fail are silence


class LifeSigns:
    """Args:
    notice_s: How long silence lasts before it is noticed.
    on_silence: It has lasted so long.  Called once.
    on_sign: Something was heard after that.
    """

    def __init__(
        self,
        clock: Clock,
        notice_s: float,
        on_silence: Callable[[], None],
        on_sign: Callable[[], None],
    ) -> None:
        self._clock, self._interval_s = clock, notice_s / SIGNS
        self._on_silence, self._on_sign = on_silence, on_sign
        self._missing = 0
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        self._missing = 0
        if self._timer is None:
            self._timer = self._clock.call_later(self._interval_s, self._look)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def note(self) -> None:
        """The game server has said something."""
        was_silent, self._missing = self._missing > SIGNS, 0
        if was_silent:
            self._on_sign()

    def _look(self) -> None:
        self._timer = self._clock.call_later(self._interval_s, self._look)
        self._missing += 1  # the first one: since the last sign
        if self._missing == SIGNS + 1:
            self._on_silence()
