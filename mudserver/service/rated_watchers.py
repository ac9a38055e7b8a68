"""Nobody begins to watch a rated table at which a player comes from the same network address.

Rule 1: that somebody comes from there is told to who wants to watch alone.  Networks of many people
        are left out: `ratings.shared_networks`.
Rule 2: nobody who watches already is sent away when such a player comes, for others would see it:
        the game is unrated then, see `rated_games.py`.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.results import texts
from mudserver.service.rated_games import RatedGames
from mudserver.tables.manager import TableManager


class RatedWatchers:
    def __init__(self, tables: TableManager, rated: RatedGames) -> None:
        self._tables, self._rated = tables, rated

    def check(self, number: int, person: str) -> None:
        """UserError: the person cannot watch there."""
        here = self._tables.lists.people_at(number)
        if here is None or not here.is_rated:
            return
        if self._rated.share_address(person, here.players - {person}):
            raise UserError(texts.WATCHER_SHARES_ADDRESS, "not_allowed")
