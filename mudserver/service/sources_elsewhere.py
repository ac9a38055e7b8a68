"""From where somebody on another server came in, for a sanction or `lookup` of the staff.

Rule 1: it is asked for one person, when somebody of the staff acts, and told to the server that
        asks alone: what it writes then is in force on all.
"""

from __future__ import annotations

from mudserver.cluster.asking import Asking
from mudserver.cluster.events import AskSource, Told
from mudserver.cluster.exchange import Exchange
from mudserver.lobby.lobby import Lobby
from mudserver.service.online_people import OnlinePeople


class SourcesElsewhere:
    def __init__(
        self, lobby: Lobby, online: OnlinePeople, exchange: Exchange, asking: Asking
    ) -> None:
        self._lobby, self._online, self._asking, self._exchange = lobby, online, asking, exchange
        exchange.on(AskSource, self._hear)

    async def ask(self, person_id: str) -> str:
        """The source of the person; "": that server does not answer."""
        there = self._lobby.elsewhere.get(person_id)
        if there is None:
            return ""
        server = there.server
        told = await self._asking.ask(lambda number: AskSource(server, number, person_id))
        return "" if told is None else told.source

    def _hear(self, server: str, ask: AskSource) -> None:
        if ask.server == self._exchange.own:
            source = self._online.source_of(ask.person)
            self._asking.answer(Told(server, ask.number, source=source))
