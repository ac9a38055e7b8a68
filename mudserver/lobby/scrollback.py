"""The last lines of each place: of channels, of the lobby and of tables.

Rule 1: memory only.  A place keeps so many lines, and none for longer than KEPT_MS.
Rule 2: a line is shown to nobody who was not to hear it, or who has heard it: the caller says since
        when, and from whom the reader takes no talk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, takewhile

from msgspec.structs import replace

from mudserver.messages import EmoteMessage, SayMessage

KEPT_MS = 86_400_000

Place = str | int
"""A channel, or the number of a table."""
Line = SayMessage | EmoteMessage


class Scrollback:
    def __init__(self, lines_max: int) -> None:
        self.lines_max = lines_max  # of one place; changes with the settings
        self._lines: dict[Place, deque[tuple[int, Line]]] = {}  # with UTC times in ms

    def add(self, place: Place, at_ms: int, line: Line) -> None:
        lines = self._lines.setdefault(place, deque())
        lines.append((at_ms, line))
        while len(lines) > self.lines_max or (lines and lines[0][0] <= at_ms - KEPT_MS):
            lines.popleft()

    def last(
        self,
        place: Place,
        count: int,
        now_ms: int,
        *,
        since_ms: int,
        is_heard: Callable[[Line], bool],
    ) -> list[tuple[int, Line]]:
        """The last *count* lines that were said later than *since_ms*, oldest first.

        Args:
            is_heard: Whether the reader takes talk of who has said that line.
        """
        after_ms = max(since_ms, now_ms - KEPT_MS)
        later = takewhile(lambda it: it[0] > after_ms, reversed(self._lines.get(place, ())))
        return [*islice((it for it in later if is_heard(it[1])), count)][::-1]

    def outside_tables(self) -> Iterator[tuple[str, int, Line]]:
        """All lines with their places and times, but those of tables."""
        for place, lines in self._lines.items():
            if isinstance(place, str):
                for at_ms, line in lines:
                    yield place, at_ms, line

    def remove_of(self, person_id: str) -> int:
        """Remove what a person has said, everywhere; returns how many lines."""
        removed = 0
        for place, lines in self._lines.items():
            kept = deque(it for it in lines if it[1].speaker != person_id)
            removed += len(lines) - len(kept)
            self._lines[place] = kept
        return removed

    def replace_person(self, old: str, new: str) -> None:
        """Who has said lines under the id *old* has another one now."""
        for place, lines in self._lines.items():
            if any(line.speaker == old for _, line in lines):
                self._lines[place] = deque(
                    (at_ms, replace(line, speaker=new) if line.speaker == old else line)
                    for at_ms, line in lines
                )

    def forget(self, place: Place) -> None:
        self._lines.pop(place, None)
