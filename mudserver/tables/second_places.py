"""Places that people have at tables taken over while they are at another table.  State without I/O.

Rule 1: a person is at one table at a time, and stays at the one where they are.  When that ends,
        or when they ask for it, they are at the other one again.
Rule 2: what stands here was true when the table was taken over; who reads it looks at the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from mudserver.errors import UserError
from mudserver.tables import texts
from mudserver.tables.runner import TableRunner
from mudserver.tables.table import Table


class SecondPlaces:
    """Args: runners: All tables, by number."""

    def __init__(self, runners: Mapping[int, TableRunner]) -> None:
        self._runners = runners
        self._numbers: dict[str, list[int]] = {}  # by person

    def note(self, person: str, number: int) -> None:
        self._numbers.setdefault(person, []).append(number)

    def has(self, person: str, number: int) -> bool:
        return number in self._numbers.get(person, ()) and self._is_there(person, number)

    def take(self, person: str, number: int | None = None) -> int | None:
        """Where the person is from now on: at *number*, or at the first one.  None: nowhere."""
        numbers = [it for it in self._numbers.pop(person, ()) if self._is_there(person, it)]
        if not numbers:
            return None
        taken = numbers[0] if number is None else number
        if others := [it for it in numbers if it != taken]:
            self._numbers[person] = others
        return taken

    def _is_there(self, person: str, number: int) -> bool:
        runner = self._runners.get(number)
        return runner is not None and not runner.table.is_closed and person in runner.table.people()


def check_may_go(table: Table, person: str, is_passed_over: bool) -> None:
    """UserError: the person may not go from *table* to another one without `leave`."""
    number = table.number
    if table.binds(person):
        raise UserError(texts.PLAYING_ELSEWHERE.format(number), tables=(number,))
    is_waited_for = table.seat_of(person) is not None and len(table.seated) > 1
    if not table.is_playing and is_waited_for and not is_passed_over:
        # People wait there for this one; nobody may wait at two tables.
        raise UserError(texts.SITS_ELSEWHERE.format(number), tables=(number,))
