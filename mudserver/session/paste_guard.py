"""A pasted text: of its lines the first few are taken as talk, and the rest is refused once.

Rule 1: lines are of one paste if each comes within GAP_S of the one before, also where the terminal
        marks a paste.  Its talk counts only while that comes likewise: a client that plays by
        itself, line after line, may say something now and then.
Rule 2: what is no talk is read as always, until a line of talk is refused.  From then on the rest
        of the paste is dropped: nobody knows any more what it was meant for.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle
from mudserver.session import texts

GAP_S = 0.2


class PasteGuard:
    """
    Args:
        lines_max: How many lines of talk are said of a paste, now.
        refuse: Tells the person a sentence.
    """

    __slots__ = (
        "_clock",
        "_last_s",
        "_last_talk_s",
        "_lines",
        "_lines_max",
        "_refuse",
        "_talk",
        "_timer",
    )

    def __init__(
        self, clock: Clock, lines_max: Callable[[], int], refuse: Callable[[str], None]
    ) -> None:
        self._clock, self._lines_max, self._refuse = clock, lines_max, refuse
        self._last_s = self._last_talk_s = float("-inf")  # when the last line came, and was said
        self._lines = self._talk = 0  # of this paste
        self._timer: TimerHandle | None = None  # tells of what was dropped

    def takes_line(self) -> bool:
        """A line has come.  False: it is the rest of a paste, and is dropped."""
        now_s = self._clock.monotonic()
        if now_s - self._last_s > GAP_S:
            self._tell()
            self._lines = self._talk = 0
        self._last_s = now_s
        self._lines += 1
        return self._timer is None

    def takes_talk(self) -> bool:
        """Whether a line of talk is said.  False: the rest of the paste is dropped."""
        now_s = self._clock.monotonic()
        if now_s - self._last_talk_s > GAP_S:
            self._talk = 0
        self._last_talk_s = now_s
        self._talk += 1
        if self._talk <= self._lines_max():
            return True
        if self._timer is None:
            self._wait(GAP_S)
        return False

    def close(self) -> None:
        """The session is over."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self, span_s: float) -> None:
        self._timer = self._clock.call_later(span_s, self._on_time)

    def _on_time(self) -> None:
        left_s = self._last_s + GAP_S - self._clock.monotonic()
        if left_s > 0:
            self._wait(left_s)
        else:
            self._tell()

    def _tell(self) -> None:
        """The paste has ended."""
        if self._timer is None:
            return
        self._timer.cancel()
        self._timer = None
        metrics.REFUSALS.increment("paste")
        self._refuse(texts.PASTED.format(self._lines, self._lines_max()))
