"""Who watches which table, for people who want to watch, and for those who are watched.

Rule 1: nobody watches in secret: everybody at a table can ask who does.
Rule 2: what is told of a table that one is not at stands in its lists.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.data_people import WatcherRow, WatchersData
from mudserver.errors import UserError
from mudserver.lobby.lobby import Lobby
from mudserver.messages import Page
from mudserver.service.rated_games import RatedGames
from mudserver.service.rated_watchers import RatedWatchers
from mudserver.service.table_lists import TableLists
from mudserver.tables import requests
from mudserver.tables.manager import TableManager
from mudserver.tables.texts import NO_TABLE
from mudserver.tables.watchers import Watchers, delay_at, watchers_of
from variants.kit.text import quantity

IN_LOBBY = "{0} is at no table. For the games that are played: tables"
NO_GAME = "No public game is being played now. For all tables: tables"
NO_OTHER = "No other public game is being played now."
NEXT_WORD = "next"


class Watching:
    """Args:
    check_may_join: Whether a person may come to a table at all, as far as the server knows.
    submit: Hands a request to a table, and counts it on its sender.
    """

    def __init__(
        self,
        tables: TableManager,
        lists: TableLists,
        rated: RatedGames,
        lobby: Lobby,
        clock: Clock,
        check_may_join: Callable[[int, str], None],
        submit: Callable[[int, requests.Request], None],
    ) -> None:
        self._tables, self._lists, self._lobby, self._clock = tables, lists, lobby, clock
        self._rated, self._submit = RatedWatchers(tables, rated), submit
        self._check_may_join = check_may_join

    def watch(self, person: Person, number: int, code: str = "") -> None:
        """Ask to watch a table, which answers.  UserError: it shares an address with a player."""
        self._rated.check(number, person.id)
        self._submit(number, requests.Watch(person.id, person.name, code))

    # -- where to watch ------------------------------------------------------------------------

    def is_somebody(self, name: str) -> bool:
        """Whether somebody is online, on whichever server, who is called exactly so."""
        return name.lower() in self._lobby.names_of_all()

    def table_of(self, name: str) -> int:
        """Where the person of that name is.  UserError: nowhere, or as of `Lobby.find`."""
        found = self._lobby.find(name, self._clock.monotonic())
        if found.table is None:
            raise UserError(IN_LOBBY.format(found.person.name), "not_found")
        return found.table

    def next_table(self, person: Person) -> int:
        """The public game with most watchers; for who watches one, the one behind it.

        Of those with as many a live one comes first.  Left out are games in which the person plays,
        and those that do not take that person, unless there is no other.

        UserError: there is none, or no other one.
        """
        here = self._tables.seat_status(person.id)
        own = here.table if here is not None and here.is_watching else None
        rows = [it for it in self._lists.board()[0] if it.phase == "playing"]
        rows.sort(key=lambda it: (-(it.watchers - (it.number == own)), it.is_slow, it.number))
        order = [it.number for it in rows if not self._plays_at(it.number, person.id)]
        order = [it for it in order if it == own or self._takes(it, person.id)] or order
        if order in ([], [own]):
            raise UserError(NO_OTHER if rows else NO_GAME, "not_found")
        return order[(order.index(own) + 1) % len(order)] if own in order else order[0]

    def _plays_at(self, number: int, person: str) -> bool:
        here = self._tables.lists.people_at(number)
        return here is not None and person in here.players

    def _takes(self, number: int, person: str) -> bool:
        """Whether the person may watch there, as far as it is known here."""
        try:
            self._check_may_join(number, person)
            self._rated.check(number, person)
        except UserError:
            return False
        return True

    # -- who watches ---------------------------------------------------------------------------

    def page(self, person: Person) -> Page:
        """Who watches at the person's table.  UserError: at no table."""
        found = self._at(person)
        if found is None:
            raise UserError(NO_TABLE, "not_seated")
        names = tuple([it.name for it in found.people]) or ("nobody",)
        is_late = found.behind and found.people
        late = (f"They are {quantity(found.behind, 'decision')} behind.",) if is_late else ()
        rows = tuple([WatcherRow(*it) for it in found.people])
        data = WatchersData(found.table, rows, found.behind)
        return Page(f"Watchers of table {found.table}", (*names, *late), data=data)

    def sentence(self, person: Person) -> str:
        """`2 watchers: Cid, Dora`, of the person's table; "": nobody watches."""
        found = self._at(person)
        if found is None or not found.people:
            return ""
        names = ", ".join([it.name for it in found.people])
        return f"{quantity(len(found.people), 'watcher')}: {names}"

    def place(self, person: Person | None, number: int) -> str:
        """`table 7`, as a prompt says it; in a game with a delay also who is how far behind."""
        found = None
        if person is not None:
            found = delay_at(self._tables.table_at(person.id), person.id)
        if found is None or found.table != number:
            return f"table {number}"
        late = f"{quantity(found.behind, 'decision')} behind"
        return f"table {number} ({f'watchers are {late}' if found.is_seated else late})"

    def _at(self, person: Person) -> Watchers | None:
        return watchers_of(self._tables.table_at(person.id))
