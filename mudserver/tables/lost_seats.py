"""What people read at their next login who lost a seat while they were offline.  State without I/O.

Rule 1: nobody loses a seat without being told in the second person: who is connected reads it at
        once, who is not reads it here, once.
Rule 2: the oldest are forgotten: memory is bounded.  A restart forgets all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from mudserver.tables import records as f
from mudserver.tables import texts
from mudserver.tables.absence_texts import forfeit_text
from mudserver.tables.substitute_texts import seat_is_gone
from mudserver.tables.table import Table

ENTRIES_MAX = 10_000


class LostSeats:
    def __init__(self) -> None:
        self._told_later: OrderedDict[str, str] = OrderedDict()  # by person

    def note(
        self,
        table: Table,
        fact: f.AnyFact,
        is_here: Callable[[str], bool] = lambda person: False,
    ) -> None:
        """Args:
        fact: It is applied.
        is_here: Whether somebody is connected, and reads at once what is told elsewhere.
        """
        is_told = False
        match fact:
            case f.Stood(person=person, is_gone=True):
                text = texts.lost_seat(table.number)
            case f.Unseated(person=person):
                text = texts.unseated(table.number)
            case f.HandedOver(person=person, name=name, why="forfeit"):
                text = forfeit_text(name)
            case f.Substituted(left=person, name=name):
                text, is_told = seat_is_gone(name, table.number), is_here(person)
            case _:
                return
        if not person or person in table.online or is_told:
            return
        self._told_later[person] = text
        self._told_later.move_to_end(person)
        if len(self._told_later) > ENTRIES_MAX:
            self._told_later.popitem(last=False)

    def take(self, person: str) -> str:
        """What the person has not read yet; "": nothing."""
        return self._told_later.pop(person, "")
