"""How much of its table a session has shown, for the process that takes it up.

Rule 1: the number moves with the bytes that show it: whoever holds the connection is told it in the
        frame that carries them.  What waits, behind a page or to be folded, is not shown.
Rule 2: a number belongs to one table.  Until something of another table was shown there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver import messages as m
from mudserver.transport.link import Link


class Shown:
    __slots__ = ("_link", "_sent", "_taken", "seen", "table")

    def __init__(self, link: Link) -> None:
        self._link = link
        self.table = 0  # 0: none
        self.seen = 0  # the record up to which all was shown; 0: nothing was
        self._taken = 0  # the record up to which all is with the session
        self._sent = 0

    def begin(self, table: int, seen: int) -> None:
        """Another process has shown *table* up to the record *seen*."""
        self.table, self.seen, self._taken, self._sent = table, seen, seen, seen

    def take(self, table: int, sequence: int) -> None:
        """All of *table* up to the record *sequence* was taken from the inbox."""
        if table != self.table:
            self.table, self.seen, self._sent = table, 0, 0
        self._taken = sequence

    def settle(self, waiting: Iterable[m.Message], shown_until: Callable[[int, int], int]) -> None:
        """All that was taken is handed to the screen, but for *waiting*.

        Args:
            shown_until: The record up to which all was shown, by the one up to which all was taken
                and the number of events that wait.
        """
        if not self.table:
            return
        new = [it for it in waiting if isinstance(it, m.ViewMessage) or _is_new_event(it)]
        events = sum(isinstance(it, m.EventMessage) for it in new)
        if events or not new:  # else a view waits, and nobody knows of which record
            self.seen = max(self.seen, shown_until(self._taken, events))

    def send(self) -> None:
        """Say it, with what is sent in this turn."""
        if self.seen != self._sent:
            self._sent = self.seen
            self._link.send(b"", self.seen)


def _is_new_event(message: m.Message) -> bool:
    return isinstance(message, m.EventMessage) and not message.is_past
