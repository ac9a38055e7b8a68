"""The order in which a door hands its connections to a game server that has just begun.

Rule 1: only a few are on their way at a time, since a game server takes up one session after the
        other.  Who types meanwhile comes before all that are not on their way.
Rule 2: those come first who have typed a line that is not begun, then those with half a line.  But
        where all can be on their way at once their order is that in which they came: among a few
        people it would tell who has typed.  [SEC-4]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

UNANSWERED_MAX = 16  # on their way: some 20 ms of the game server's time


class Openings:
    """Args: open_one: Opens the connection of this number, if it is still there and not open."""

    def __init__(self, open_one: Callable[[int], bool]) -> None:
        self._open_one = open_one
        self._waiting: dict[int, None] = {}  # in their order
        self._hurried: dict[int, None] = {}  # those of them who type, which come before the others
        self._unanswered: set[int] = set()
        self.is_paused = False  # the wall takes no more for now

    def add(self, connections: Iterable[tuple[int, bytes | bytearray]]) -> None:
        """Open these, too: numbers, and what was typed that is not begun."""
        ordered = list(connections)
        if len(ordered) > UNANSWERED_MAX:  # rule 2
            ordered.sort(key=lambda each: _rank(each[1]))
        self._waiting |= dict.fromkeys(number for number, _ in ordered)
        self.go_on()

    def hurry(self, number: int) -> None:
        """Somebody types there."""
        if number in self._waiting:
            del self._waiting[number]
            self._hurried[number] = None

    def note_answered(self, number: int) -> None:
        """The game server has it, or the connection is gone."""
        self._waiting.pop(number, None)
        self._hurried.pop(number, None)
        if number in self._unanswered:
            self._unanswered.discard(number)
            self.go_on()

    def go_on(self) -> None:
        while not self.is_paused and len(self._unanswered) < UNANSWERED_MAX:
            queue = self._hurried or self._waiting
            if not queue:
                return
            number = next(iter(queue))
            del queue[number]
            if self._open_one(number):
                self._unanswered.add(number)

    def stop(self) -> None:
        """The game server is gone."""
        self.is_paused = False
        self._waiting.clear()
        self._hurried.clear()
        self._unanswered.clear()


def _rank(typed: bytes | bytearray) -> int:
    if b"\r" in typed or b"\n" in typed:
        return 0
    return 1 if typed else 2
