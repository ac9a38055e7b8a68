"""Who is ready for the next game of a table, and what has changed since.  State without I/O.

Rule 1: a mark is for the table exactly as it is: any change of it (an option, a seat, a computer
        player) ends all marks.
Rule 2: marks are facts; a restart keeps them.  That somebody was told to hurry is presence.
"""

from __future__ import annotations

MARK_MS = 300_000  # a mark ends after this time
OFFLINE_MARK_MS = 10_000  # or when its person has been offline for this time
HURRY_MS = 60_000  # for so long the others are ready, then the last one is told


class Readiness:
    def __init__(self) -> None:
        self.marks: dict[str, int] = {}  # since when, UTC ms, by person
        self.change_count = 0  # changes of the table that have ended all marks
        self.change = ""  # the last one, in words
        self.is_hurry_told = False

    def set_mark(self, person: str, is_ready: bool, at_ms: int) -> None:
        if is_ready:
            self.marks[person] = at_ms
        else:
            self.marks.pop(person, None)
        self.is_hurry_told = False

    def clear(self) -> None:
        self.marks, self.is_hurry_told = {}, False

    def note_change(self, text: str) -> None:
        """The table is another: nobody is ready for it yet."""
        self.clear()
        self.change_count += 1
        self.change = text

    def ends_ms(self, offline_since_ms: dict[str, int]) -> dict[str, int]:
        """When each mark ends, UTC, by person."""
        return {
            person: min(
                since_ms + MARK_MS,
                offline_since_ms.get(person, since_ms + MARK_MS) + OFFLINE_MARK_MS,
            )
            for person, since_ms in self.marks.items()
        }

    def hurry_ms(self, people: list[str]) -> int | None:
        """When the one of *people* who is not ready is told, UTC; None: there is no such one."""
        if self.is_hurry_told or len(people) < 2 or self.missing(people) != 1:
            return None
        return max(self.marks.values()) + HURRY_MS

    def missing(self, people: list[str]) -> int:
        return sum(person not in self.marks for person in people)
