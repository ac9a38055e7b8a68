"""What a session remembers of the line before: what `y` confirms, what `'` says, and what a number
alone means.

Rule 1: an offer ("Did you mean ...?") holds for the very next line, OFFER_S seconds, and only while
        the table waits for the same decision.
Rule 2: a line that was not understood can be said by `'` alone, once, within OFFER_S.  It is never
        sent by itself.
Rule 3: behind a list a number alone is the number of a row, in the very next line, within OFFER_S.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

OFFER_S = 60.0

_NO_OFFER = ("", "", 0.0)  # (line, window, when)
_NO_OTHERS: Mapping[str, str] = {}
_NO_ROWS = ("", _NO_OTHERS, 0.0)  # (verb, verbs of other rows, when)


class LastLine:
    """Args: now_s: a clock that never goes back."""

    __slots__ = ("_listed", "_now_s", "_offer", "_pending", "_rows", "_typed", "_unread")

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._typed = ""
        self._offer = self._pending = _NO_OFFER
        self._unread = ("", 0.0)
        self._rows = self._listed = _NO_ROWS

    def begin(self, line: str) -> None:
        """A line is typed: what was offered after the one before may be confirmed by it."""
        self._typed, self._offer, self._pending = line, self._pending, _NO_OFFER
        self._rows, self._listed = self._listed, _NO_ROWS

    def note(self, line: str, suggestion: str = "", window: str = "") -> None:
        """A line was not understood, and *suggestion* was offered, where *window* was open."""
        self._unread = (line, self._now_s())
        if line == self._typed:  # else another line has been typed since
            self._pending = (suggestion, window, self._now_s())

    def confirmed(self, window: str) -> str:
        """The line that was offered before this one; "": none, or none any more."""
        line, where, since_s = self._offer
        return line if where == window and self._now_s() - since_s <= OFFER_S else ""

    def list_rows(self, verb: str, others: Mapping[str, str] = _NO_OTHERS) -> None:
        """A list answers the line.

        Args:
            verb: What one types before the number of a row.
            others: The same of rows where it is another verb, by number.
        """
        self._listed = (verb, others, self._now_s())

    def verb_of_row(self, number: str) -> str:
        """The verb that a number alone means after the list that was asked for; "": none."""
        verb, others, since_s = self._rows
        return others.get(number, verb) if self._now_s() - since_s <= OFFER_S else ""

    def take_unread(self) -> str:
        """The last line that was not understood; "": none, or none any more."""
        (line, since_s), self._unread = self._unread, ("", 0.0)
        return line if self._now_s() - since_s <= OFFER_S else ""
