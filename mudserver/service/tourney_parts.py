"""The parts of tournaments, put together for the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.journal import Journal
from mudserver.outbox import Outbox
from mudserver.service.account_service import AccountService
from mudserver.service.moderation import Moderation
from mudserver.service.notices import Outside
from mudserver.service.online_people import OnlinePeople
from mudserver.service.tourney_driver import TourneyDriver
from mudserver.service.tourney_news import TourneyNews
from mudserver.service.tourney_streams import TourneyStreams
from mudserver.service.tourneys import Tourneys
from mudserver.tables.manager import TableManager
from mudserver.tourneys.events import AnyTourneyEvent
from mudserver.tourneys.tourney import Tourney
from variants.catalogue import Catalogue


class TourneyParts:
    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        catalogue: Catalogue,
        streams: TourneyStreams,
        tables: TableManager,
        accounts: AccountService,
        moderation: Moderation,
        online: OnlinePeople,
        outbox: Outbox,
        outside: Outside,
        *,
        announce: Callable[[str], None],
        charge: Callable[[Person], None],
        charge_talk: Callable[[str], None],
        limits: Callable[[], TablesConfig],
        in_thread: Callable[..., Awaitable[Any]],
        has_typed: Callable[[str, float], bool],
    ) -> None:
        known = accounts.streams.accounts
        self._news = TourneyNews(
            *(clock, known, outbox, outside, announce),
            lambda person, table: tables.table_of(person) == table,
        )
        self.driver = TourneyDriver(
            *(clock, journal, streams, tables, known),
            lambda: limits().all_max,
            self._news.tell_of_wait,
            in_thread,
            has_typed,
        )
        self.service = Tourneys(
            *(clock, catalogue, streams, accounts, moderation, online.is_program),
            lambda: limits().tourneys_max,
            charge,
            charge_talk,
        )
        streams.on_events = self._on_events

    def _on_events(self, tourney: Tourney, events: Sequence[AnyTourneyEvent]) -> None:
        self._news.tell(tourney, events)
        self.driver.note_change()
