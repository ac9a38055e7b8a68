"""The lobby and the channels, as one place for the people of all servers.

Rule 1: a line is heard at once where it is said, elsewhere as it comes; the lines of one speaker
        keep their order.  Whom somebody ignores is applied where that person is.
Rule 2: talk is not kept for a server that cannot be reached: its people in the lobby read once that
        some may be missing.
"""

from __future__ import annotations

from collections.abc import Collection

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.cluster.events import News, Said
from mudserver.cluster.exchange import Exchange
from mudserver.lobby import texts
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.scrollback import Line
from mudserver.messages import EmoteMessage, SayMessage
from mudserver.outbox import Outbox
from mudserver.service.channel_service import ChannelService
from mudserver.service.relations import Relations


class TownTalk:
    def __init__(
        self,
        clock: Clock,
        exchange: Exchange,
        lobby: Lobby,
        channels: ChannelService,
        relations: Relations,
        outbox: Outbox,
    ) -> None:
        self._clock, self._exchange, self._lobby = clock, exchange, lobby
        self._channels, self._relations, self._outbox = channels, relations, outbox
        if exchange.is_possible:
            channels.on_said, lobby.on_news = self._tell_line, self._tell_news
            exchange.on_talk_lost = self._tell_of_loss
            exchange.on(Said, self._hear_line)
            exchange.on(News, self._hear_news)

    def hear_of(self, person: Person, is_here: bool) -> None:
        """Somebody has come in on another server, or has left it."""
        now = self._clock.monotonic()
        announced = self._lobby.note_elsewhere(person.name, now, is_here=is_here)
        told = self._relations.hear_of(person, announced, is_here=is_here)
        self._outbox.send_each(it for it in told if it[0] != person.id)

    def _tell_line(self, line: Line) -> None:
        if self._exchange.has_others:
            is_done = isinstance(line, EmoteMessage)
            self._exchange.tell(Said(line.channel, line.who, line.speaker, line.text, is_done))

    def _hear_line(self, server: str, said: Said) -> None:
        kind = EmoteMessage if said.is_done else SayMessage
        self._channels.hear(kind(said.who, said.text, None, said.speaker, channel=said.channel))

    def _tell_of_loss(self) -> None:
        self._outbox.send_each(self._lobby.hear_news(texts.MISSED))

    def _tell_news(self, text: str, but: Collection[str]) -> None:
        if self._exchange.has_others:
            self._exchange.tell(News(text, tuple(sorted(but))))

    def _hear_news(self, server: str, news: News) -> None:
        self._outbox.send_each(self._lobby.hear_news(news.text, news.but))
