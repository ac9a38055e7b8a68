"""Tables that another server is about to have: they stop here, and are forgotten.

Rule 1: a table stops with its last record acknowledged; nobody is told, and what is asked later is
        refused with a sentence.
Rule 2: a table that is suspended stays: nobody knows what of it is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from mudserver.tables.parking import Parking
from mudserver.tables.places import Places
from mudserver.tables.runner import TableRunner
from mudserver.tables.searching_tables import SearchingTables


class LeavingTables:
    """Args:
    runners: Tables in memory, by number.
    parking: The others, which have nothing to stop.
    places: Where people are.
    """

    def __init__(
        self,
        runners: dict[int, TableRunner],
        parking: Parking,
        places: Places,
        searching: SearchingTables,
    ) -> None:
        self._runners, self._parking = runners, parking
        self._places, self._searching = places, searching

    def numbers(self) -> list[int]:
        """Those that can be given away, oldest first."""
        in_memory = [number for number, it in self._runners.items() if it.can_leave]
        return sorted([*in_memory, *self._parking.rows.numbers()])

    def people_at(self, number: int) -> set[str]:
        """Ids of those who are at the table, and at no other one first."""
        known = self._runners[number].known_people if number in self._runners else set[str]()
        return {person for person in known if self._places.number_of(person) == number}

    async def stop(self, numbers: Collection[int]) -> list[int]:
        """Stop tables [rule 1]; those that have not closed meanwhile, and did stop."""
        parked = [number for number in numbers if number in self._parking]
        self._parking.forget(parked)  # at once: nobody may fetch them meanwhile
        runners = [self._runners[number] for number in numbers if number in self._runners]
        await asyncio.gather(*(runner.leave() for runner in runners))
        return [*parked, *(it.table.number for it in runners if it.can_leave)]

    def forget(self, numbers: Collection[int]) -> None:
        """They are another server's."""
        for number in numbers:
            self._searching.forget(number)
            self._runners.pop(number, None)
