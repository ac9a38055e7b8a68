"""The state of a game that its people have paused, and of those who want to go on.

Rule 1: the pause is a fact.  Who wants to go on is presence: a restart leaves the game paused.
Rule 2: the game goes on when all who were asked, and are connected, have wanted it for ALL_MS, or
        the first of them for FIRST_MS, and after PAUSE_MS at the latest.
"""

from __future__ import annotations

import msgspec

PAUSE_MS = 3_600_000
FIRST_MS = 60_000
ALL_MS = 10_000


class Pause(msgspec.Struct, frozen=True):
    asked: tuple[int, ...]  # the seats that have agreed to it
    since_ms: int  # UTC
    until_ms: int  # UTC, at the latest


class GoingOn:
    """Who wants to go on with a paused game."""

    def __init__(self) -> None:
        self.people: set[str] = set()
        self._first_ms = 0  # when the first of them said so, UTC
        self._all_ms: int | None = None  # since when nobody connected is missing, UTC

    def add(self, person: str, at_ms: int) -> None:
        self._first_ms = self._first_ms if self.people else at_ms
        self.people.add(person)

    def note_asked(self, connected: set[str], at_ms: int) -> None:
        """Args: connected: Who was asked for the pause and is connected now."""
        if not self.people or not connected <= self.people:
            self._all_ms = None
        elif self._all_ms is None:
            self._all_ms = at_ms

    def ends_ms(self, pause: Pause) -> int:
        """When the game goes on, as things are, UTC."""
        times = [pause.until_ms]
        if self.people:
            times.append(self._first_ms + FIRST_MS)
        if self._all_ms is not None:
            times.append(self._all_ms + ALL_MS)
        return min(times)
