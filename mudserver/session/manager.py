"""All visits of one house: who opens the door when a line is ready, and the mail rounds.

Rule 1: one message is painted once for every way of reading, however many read it, and packed once
        for all programs; talk that came together is put together once.
Rule 2: one sweep for all visits watches idleness; no visit has a timer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mudserver import messages as m
from mudserver.accounts import Person
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.service.moves import listed_moves
from mudserver.service.service import GameService
from mudserver.session import json_protocol
from mudserver.session.gmcp_feed import GmcpFeed
from mudserver.session.json_session import JsonSession
from mudserver.session.presenter import RenderProfile, message_lines, with_timestamp
from mudserver.session.screen_factory import ScreenFactory
from mudserver.session.session import Session
from mudserver.session.terminal_session import TerminalSession
from mudserver.transport.link import AuthenticatedUser, Link
from mudserver.ui.encode import encode_lines
from mudserver.ui.ticker import Ticker
from variants.kit.text import StyledLine

AnySession = Session[Any]

RUN_ID_SPAN_S = 1 << 24  # half a year, until the runs of two houses may look alike
IDLE_CHECK_INTERVAL_S = 10.0  # how often idle visits are looked for
IDLE_WARNING_S = 120.0  # before an idle visit ends


class SessionManager:
    def __init__(self, service: GameService, config: Config, clock: Clock, ticker: Ticker) -> None:
        self.service, self.config, self.clock = service, config, clock
        self.sessions: dict[AnySession, None] = {}  # in the order they came
        self._ticker, self.screen_factory = ticker, ScreenFactory(config, clock, ticker)
        self._pending_delivery: list[AnySession] = []
        self._pending_since = 0.0
        # By identities, which are quick to compare; what is kept beside the paint keeps them alive.
        self._rendered: dict[tuple[int, ...], tuple[bytes, object, RenderProfile]] = {}
        self._rendered_chat: dict[tuple[int, ...], tuple[bytes | None, object, RenderProfile]] = {}
        self._encoded: dict[int, tuple[list[tuple[str, bytes]], object]] = {}
        self._shutdown_text: str | None = None  # the house closes
        self._run_id, self._session_count = f"{clock.now_ms() // 1000 % RUN_ID_SPAN_S:x}", 0
        self._idle_timer = clock.call_later(IDLE_CHECK_INTERVAL_S, self._end_idle_sessions)

    @property
    def server_name(self) -> str:
        """Of the house, as the greeting says it."""
        return self.config.server.name

    def reconfigure(self, config: Config) -> None:
        """Other limits: of idleness for everybody, the rest for who comes from now on."""
        self.config = self.screen_factory.config = config

    def open_session(self, link: Link, proven: AuthenticatedUser | None) -> AnySession:
        """What every door calls when a line is ready."""
        visit: AnySession
        if link.wants_json and proven is not None:
            visit = JsonSession(self, link, proven)
        else:
            visit = TerminalSession(self, link, proven)
        if self._shutdown_text is not None:  # who was on the way in when the house closed
            visit.disconnect(self._shutdown_text)
        if not visit.is_over:
            self.sessions[visit] = None
        return visit

    def next_session_id(self) -> str:
        """An id for a visit: which run of the house, and which visit in it."""
        self._session_count += 1
        return f"{self._run_id}-{self._session_count}"

    def remove(self, session: AnySession) -> None:
        self.sessions.pop(session, None)

    def schedule_delivery(self, session: AnySession) -> None:
        if not self._pending_delivery:
            self._pending_since = self.clock.monotonic()
            self.clock.call_soon(self._deliver_all)
        self._pending_delivery.append(session)

    def _deliver_all(self) -> None:
        woken, self._pending_delivery = self._pending_delivery, []
        woken_at = self._pending_since
        for visit in woken:
            visit.deliver()
        self._ticker.note_delivery(woken_at)
        self._rendered.clear()
        self._rendered_chat.clear()
        self._encoded.clear()

    def render_chat(self, messages: list[m.Message], profile: RenderProfile) -> bytes | None:
        """All of *mail* painted, if it is talk and nothing else."""
        key = (id(profile), *map(id, messages))
        known = self._rendered_chat.get(key)
        if known is None:
            paint = None
            if all(type(message) in m.DROPPABLE_TYPES for message in messages):
                paint = b"".join([self.render(message, profile, False) for message in messages])
            known = self._rendered_chat[key] = (paint, messages, profile)
        return known[0]

    def render(self, message: m.Message, profile: RenderProfile, is_fresh: bool) -> bytes:
        key = (id(message), id(profile), is_fresh)
        known = self._rendered.get(key)
        if known is not None:
            return known[0]
        lines = self.message_lines(message, profile, is_fresh)
        paint = encode_lines(lines, profile.terminal_profile) if lines else b""
        self._rendered[key] = (paint, message, profile)
        return paint

    def hello_object(self, person: Person) -> json_protocol.Hello:
        """What a program is greeted with."""
        games, now_ms = tuple(self.service.catalogue), self.clock.now_ms()
        return json_protocol.Hello(
            json_protocol.PROTOCOL, self.server_name, person.name, person.is_guest, games, now_ms
        )

    def message_lines(
        self, message: m.Message, profile: RenderProfile, is_fresh: bool = False
    ) -> list[StyledLine]:
        now_ms, games = self.clock.now_ms(), self.service.catalogue
        return with_timestamp(
            message, message_lines(message, profile, now_ms, is_fresh, games), profile, now_ms
        )

    def encoded_objects(self, message: m.Message) -> list[tuple[str, bytes]]:
        """The message as objects: the GMCP package of each, and its JSON."""
        known = self._encoded.get(id(message))
        if known is None:
            made = self._to_objects(message)
            texts = [
                (json_protocol.gmcp_package_name(one), json_protocol.encode(one)) for one in made
            ]
            known = self._encoded[id(message)] = (texts, message)
        return known[0]

    def _to_objects(self, message: m.Message) -> Iterator[json_protocol.ProtocolObject]:
        return json_protocol.to_objects(message, self.service.catalogue, self._listed_moves)

    def _listed_moves(self, message: m.ViewMessage) -> tuple[list[str], bool]:
        table = self.service.table_manager.find(message.table)
        return listed_moves(message, self.service.catalogue[message.variant], table)

    def gmcp_feed(self, link: Link) -> GmcpFeed:
        return GmcpFeed(self, link, self._ticker)

    def _end_idle_sessions(self) -> None:
        self._idle_timer = self.clock.call_later(IDLE_CHECK_INTERVAL_S, self._end_idle_sessions)
        self.service.flush_held_notices()
        limit_s, now = self.config.session.idle_s, self.clock.monotonic()
        for visit in list(self.sessions):
            idle_s = now - visit.last_input_at
            if idle_s >= limit_s:
                visit.disconnect("You were away for long; the line ends. Your seat is kept.")
            elif idle_s >= limit_s - IDLE_WARNING_S and not visit.is_warned_idle:
                visit.is_warned_idle = True
                visit.send_text(
                    "Still there? The line ends in two minutes unless you type something."
                )

    def close(self, text: str) -> None:
        """Tell everybody and end all lines; who comes from now on is told the same."""
        self._idle_timer.cancel()
        self._shutdown_text = text
        for visit in list(self.sessions):
            visit.disconnect(text)
