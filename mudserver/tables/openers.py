"""Who may open one more table.

Rule 1: every refusal is a sentence that says which limit it is and what can be done.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from math import ceil

from mudserver.budget import Budget, forget_full
from mudserver.config import Tables as Settings
from mudserver.errors import HouseError
from mudserver.people import Person
from variants.kit.text import counted

FULL = (
    "The house has no room to keep another game just now; games that run go on. "
    "Please tell the people who keep this house."
)


class Openers:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        # By person, until they are full again; as many as open a table meanwhile.
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def take(self, settings: Settings) -> None:
        """Other limits from now on; how quickly tables were opened is forgotten."""
        self._settings = settings
        self._budgets.clear()

    def check(self, person: Person, hosts: Mapping[int, str], now_s: float) -> None:
        """HouseError: *person* may not open one now.

        Args:
            hosts: Who opened which table, by number, of all that are open.
        """
        limits = self._settings
        if len(hosts) >= limits.all_max:
            raise HouseError(f"All {limits.all_max} tables are taken. tables shows free seats.")
        most = limits.per_guest_max if person.is_guest else limits.per_person_max
        own = [number for number, host in hosts.items() if host == person.id]
        if len(own) >= most:
            tables = counted(most, "table")
            raise HouseError(
                f"You have opened {tables} that {'are' if most > 1 else 'is'} still there: "
                f"{', '.join(map(str, own))}. One closes when everybody has left it."
            )
        if limits.opened_per_person_s:
            self._spend(person, limits, now_s)

    def _spend(self, person: Person, limits: Settings, now_s: float) -> None:
        forget_full(self._budgets, now_s)
        fresh = Budget(1 / limits.opened_per_person_s, limits.opened_burst, now_s)
        budget = self._budgets.setdefault(person.id, fresh)
        self._budgets.move_to_end(person.id)
        if not budget.take(now_s):
            wait = counted(ceil(limits.opened_per_person_s), "second")
            raise HouseError(f"You open tables too quickly. Please wait {wait}.")
