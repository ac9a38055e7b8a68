"""How long a program waits before its line is done while it is asked in a rated game.

Rule 1: nothing is refused: a line waits until `tables.program_wait_ms` have passed since the
        program was sent the question, and since its line before.  So it does not flood people.
Rule 2: the time follows from the questions to this program alone, so it tells nothing of sealed
        answers of others.  [G-11]
"""

from __future__ import annotations

from mudserver.clock import Clock
from mudserver.messages import ViewMessage

NEVER_S = float("-inf")


class ProgramPace:
    __slots__ = ("_asked_s", "_clock", "_done_s", "_question")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._question: str | None = None  # the one that was sent last
        self._asked_s = self._done_s = NEVER_S  # on the monotonic clock

    def note_view(self, view: ViewMessage) -> None:
        """It is sent to the program."""
        if view.question != self._question:
            self._question, self._asked_s = view.question, self._clock.monotonic()

    def note_line(self) -> None:
        """A line is done now."""
        self._done_s = self._clock.monotonic()

    def wait_s(self, wait_ms: int) -> float:
        """How long the next line has to wait.  Args: wait_ms: `tables.program_wait_ms`."""
        if self._question is None:
            return 0.0
        end_s = max(self._asked_s, self._done_s) + wait_ms / 1000
        return max(0.0, end_s - self._clock.monotonic())
