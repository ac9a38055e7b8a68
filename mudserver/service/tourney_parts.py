"""The parts of tournaments, put together for the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.journal import Journal
from mudserver.lobby.lobby import Lobby
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
from mudserver.tourneys.events import AnyTourneyEvent, DroppedWhy
from mudserver.tourneys.tourney import Tourney
from variants.catalogue import Catalogue

FOLLOWED_MS = 60_000  # in which another server's account is known here


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
        lobby: Lobby,
    ) -> None:
        known = self._accounts = accounts.streams.accounts
        self._clock, self._journal = clock, journal
        self._is_banned = tables.rounds.is_banned
        self._news = TourneyNews(
            *(clock, known, outbox, outside, announce),
            lambda person, table: tables.table_of(person) == table,
            lambda person: self.service.take_to_seat(person),
        )
        self.driver = TourneyDriver(
            *(clock, journal, streams, tables, known),
            lambda is_slow: limits().correspondence_max if is_slow else limits().all_max,
            self._gone,
            self._news.tell_of_wait,
            in_thread,
            lobby.has_typed,
        )
        self.service = Tourneys(
            *(clock, catalogue, streams, accounts, moderation, online.is_program),
            lambda: limits().tourneys_max,
            self._gone,
            self._news.greeting,
            lambda person: tables.limits.check_seats(tables.lists.slow_seats(person)),
            charge,
            charge_talk,
        )
        streams.on_events = self._on_events
        tables.rounds.on_closed = self.driver.note_closed
        tables.rounds.is_coming = lambda person: lobby.elsewhere.get(person) is not None
        tables.lists.promised = lambda person: sum(
            it.is_slow and it.waits_for_game(person) for it in streams.open_ones()
        )

    def _gone(self, tourney: Tourney) -> Mapping[str, DroppedWhy]:
        """Who plays in it, and has no account any more, or may not come in."""
        found: dict[str, DroppedWhy] = {}
        for person in tourney.active:
            if self._accounts.by_id(person) is None:
                if self._is_followed(tourney.entered_ms[person]):
                    found[person] = "deleted"
            elif self._is_banned(person):
                found[person] = "banned"
        return found

    def _is_followed(self, since_ms: int) -> bool:
        """Whether an account that was there then is known by now, whichever server opened it."""
        return not self._journal.is_shared or self._clock.now_ms() - since_ms >= FOLLOWED_MS

    def _on_events(self, tourney: Tourney, events: Sequence[AnyTourneyEvent]) -> None:
        self._news.tell(tourney, events)
        self.driver.note_change()
