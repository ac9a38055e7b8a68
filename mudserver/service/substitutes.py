"""Who takes over a seat that somebody has left in a running game, as far as a table cannot tell.

Rule 1: nobody comes to a game whom one of its players ignores.
Rule 2: nobody comes from the network address of somebody who has, or had, another seat in the game:
        that would be one person with two hands.  It is told to who asks alone.  Networks of many
        people are left out: `ratings.shared_networks`.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.service.rated_games import RatedGames
from mudserver.service.relations import Relations
from mudserver.tables import requests
from mudserver.tables.manager import TableManager
from mudserver.tables.substitute_texts import SHARES_ADDRESS
from mudserver.tables.vacant_seats import vacancies
from variants.contract import Seat


class Substitutes:
    """Args:
    is_program: Whether a program plays for a person.
    submit: Hands a request to a table, and counts it on its sender.
    """

    def __init__(
        self,
        tables: TableManager,
        rated: RatedGames,
        relations: Relations,
        is_program: Callable[[str], bool],
        submit: Callable[[int, requests.Request], None],
    ) -> None:
        self._tables, self._rated, self._relations = tables, rated, relations
        self._is_program, self._submit = is_program, submit

    def take(self, person: Person, number: int, seat: int | None, has_autopass: bool) -> None:
        """Take over a seat of table *number*; it answers.

        Args:
            seat: Its number, from 1; None: the only one.

        Raises:
            UserError: The table does not take the person, or the person has to stay elsewhere.
        """
        request = requests.Substitute(
            *(person.id, person.name, seat, person.is_guest, has_autopass),
            is_program=self._is_program(person.id),
        )
        here = self._tables.lists.people_at(number)
        if here is not None and person.id not in here.players:
            self._relations.check_may_play_with(person.id, here.players)
            if self._rated.share_address(person.id, self._others(number, seat)):
                raise UserError(SHARES_ADDRESS.format(number))
        self._submit(number, request)

    def _others(self, number: int, chosen: int | None) -> set[str]:
        """Ids of those who have, or had, another seat than the one to take over.  [rule 2]"""
        table = self._tables.lists.find(number)
        if table is None or table.game is None:
            return set()
        vacant = {*vacancies(table)}
        own = vacant.intersection([Seat((chosen or 0) - 1)]) if chosen else vacant
        former = {table.seats[seat].replaced_person for seat in own} if len(own) == 1 else set()
        return table.game.sitters - former
