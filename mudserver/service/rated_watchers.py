"""Nobody watches a rated table at which a player comes from the same network address.

Rule 1: that somebody comes from there is told to these alone.  Networks of many people are left
        out: `ratings.shared_networks`.
Rule 2: who watches already, when such a player sits down, watches no more.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.messages import Notice
from mudserver.outbox import Outbox
from mudserver.results import texts
from mudserver.service.rated_games import RatedGames
from mudserver.tables import requests
from mudserver.tables.manager import TableManager


class RatedWatchers:
    def __init__(self, tables: TableManager, rated: RatedGames, outbox: Outbox) -> None:
        self._tables, self._rated, self._outbox = tables, rated, outbox

    def check(self, number: int, request: requests.Sit | requests.Watch) -> None:
        """UserError: the person cannot watch there."""
        here = self._tables.people_at(number)
        if here is None or not here.is_rated or isinstance(request, requests.Sit):
            return
        if self._rated.share_address(request.person, here.players):
            raise UserError(texts.WATCHER_SHARES_ADDRESS, "not_allowed")

    def note_sat(self, number: int, person: str) -> None:
        """The person sits down there."""
        here = self._tables.people_at(number)
        if here is None or not here.is_rated:
            return
        for watcher in sorted(here.watchers - {person}):
            if self._rated.share_address(watcher, [person]):
                self._outbox.send(watcher, Notice(texts.WATCHER_SHARES_ADDRESS))
                self._tables.submit(number, requests.Unwatch(watcher))
