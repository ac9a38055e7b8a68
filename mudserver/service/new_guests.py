"""New guests, and what they are called.

Rule 1: where no other server writes, a guest gets the lowest name that nobody here has, or has had
        within the last hour.
Rule 2: else the numbers in the names come from the journal, and none is ever given again: no guest
        is called like one on another server.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.names import guest_name
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.journal import Journal
from mudserver.journal.numbers import Numbers
from mudserver.lobby.lobby import Lobby
from mudserver.service.account_service import AccountService
from mudserver.service.admission import Admission
from mudserver.tables.manager import TableManager

KIND = "guest/"  # of the numbers; there are no such streams
AT_HAND = 100  # so many may come at once


class NewGuests:
    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        accounts: AccountService,
        admission: Admission,
        lobby: Lobby,
        tables: TableManager,
    ) -> None:
        self._clock, self._accounts, self._admission = clock, accounts, admission
        self._lobby, self._tables = lobby, tables
        self._numbers = Numbers(journal, KIND, AT_HAND) if journal.is_shared else None

    async def fill(self) -> None:
        """Have names at hand.  JournalWriteError: there are none now."""
        if self._numbers is not None:
            await self._numbers.fill()

    async def close(self) -> None:
        if self._numbers is not None:
            await self._numbers.close()

    def make(self) -> Person:
        """UserError: no guests are admitted, or there is no name at hand."""
        self._admission.check_guests()
        seated = {person.name for person in self._tables.lists.seated_guests()}

        def is_taken(number: int) -> bool:
            name = guest_name(number)
            return name in seated or self._lobby.is_named(name)

        return self._accounts.new_guest(self._number(is_taken))

    def _number(self, is_taken: Callable[[int], bool]) -> int:
        now = self._clock.monotonic()
        if self._numbers is not None:
            number = self._numbers.take()
            while is_taken(number):  # by one of a journal that was moved here
                number = self._numbers.take()
        elif self._tables.restorer.pending_count():
            number = self._accounts.random_guest_number()
            while is_taken(number) or self._lobby.is_guest_number_held(number, now):
                number += 1
        else:
            number = self._lobby.free_guest_number(is_taken, now)
        return number
