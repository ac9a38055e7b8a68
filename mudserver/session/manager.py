"""All sessions of one server: opens them, delivers their messages in rounds, ends them.

Rule 1: all sessions with new messages are served in one round per pass of the event loop, so that
        the renderer can reuse what it has rendered for the first one.
Rule 2: one sweep over all sessions finds the idle ones; no session has an idle timer of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any

from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import JournalWriteError
from mudserver.logs import log_exception
from mudserver.outbox import Deliverable
from mudserver.service.account_service import AccountService
from mudserver.service.game_service import GameService
from mudserver.session import texts
from mudserver.session.context import SessionContext
from mudserver.session.detached import DetachedSessions
from mudserver.session.export_session import ExportSession
from mudserver.session.json_session import JsonSession
from mudserver.session.renderer import Renderer
from mudserver.session.replay_painter import ReplayPainter
from mudserver.session.screen_factory import ScreenFactory
from mudserver.session.session import Session
from mudserver.session.terminal_session import TerminalSession
from mudserver.source_budgets import SourceBudgets
from mudserver.transport.link import AuthenticatedUser, Link, LinkHandler
from mudserver.ui.ticker import Ticker
from mudserver.wall.capsule import Capsule, CapsuleRefused, CapsuleSeal
from variants.kit.text import duration

log = logging.getLogger("session")

AnySession = Session[Any]

RUN_ID_SPAN_S = 1 << 24  # half a year; after that a run id may come again
IDLE_CHECK_INTERVAL_S = 10.0  # between two sweeps for idle sessions
IDLE_WARNING_S = 120.0  # before an idle session ends


class SessionManager:
    """`context.SessionRegistry` for its sessions."""

    def __init__(
        self,
        service: GameService,
        account_service: AccountService,
        config: Config,
        clock: Clock,
        ticker: Ticker,
        budgets: SourceBudgets,
    ) -> None:
        self._service, self._config, self._clock, self._ticker = service, config, clock, ticker
        self._sessions: dict[str, AnySession] = {}  # by session id, oldest first
        service.exports.painter = ReplayPainter(service.catalogue)
        service.tourneys.take_to_seat = self.take_to_seat
        self.renderer = Renderer(service, clock)
        self.screen_factory = ScreenFactory(config, clock, ticker, budgets)
        self.detached = DetachedSessions(config, clock, service.directory.left)
        self._context = SessionContext(
            service=service,
            account_service=account_service,
            config=config,
            clock=clock,
            ticker=ticker,
            renderer=self.renderer,
            screen_factory=self.screen_factory,
            registry=self,
            detached=self.detached,
        )
        self._pending_delivery: list[Deliverable] = []
        self._pending_since = 0.0
        self._shutdown_text: str | None = None  # set once the server shuts down
        self._run_id, self._session_count = f"{clock.now_ms() // 1000 % RUN_ID_SPAN_S:x}", 0
        self._idle_timer = clock.call_later(IDLE_CHECK_INTERVAL_S, self._end_idle_sessions)

    @property
    def sessions(self) -> Collection[AnySession]:
        """All open sessions, logged in or not, oldest first."""
        return self._sessions.values()

    def session(self, session_id: str) -> AnySession | None:
        """The open session of that id."""
        return self._sessions.get(session_id)

    def take_to_seat(self, person_id: str) -> bool:
        """Have somebody go to the seat in a game of another server.  False: not from here."""
        return any(
            it.walking.go_to_seat(it.person)
            for it in list(self._sessions.values())
            if it.person is not None and it.person.id == person_id and not it.is_over
        )

    def reconfigure(self, config: Config) -> None:
        """Apply the idle limit to all sessions and every other limit to future ones."""
        self._config = self._context.config = self.screen_factory.config = config
        self.detached.config = config

    def open_session(self, link: Link, proven: AuthenticatedUser | None) -> LinkHandler:
        """Every listener calls this for a connection that is ready.

        Args:
            proven: Whom SSH has authenticated; None over telnet, where the session asks.
        """
        if (link.wants_export or link.wanted_game) and proven is not None:
            return ExportSession(self._context, link, proven)
        session: AnySession
        capsule = self._capsule_of(link)
        if link.wants_json and proven is not None:
            session = JsonSession(self._context, link, proven, capsule)
        else:
            session = TerminalSession(self._context, link, proven, capsule)
        if self._shutdown_text is not None:  # the connection was made before the shutdown
            session.disconnect(self._shutdown_text)
        if not session.is_over:
            self._sessions[session.id] = session
        return session

    def use_seal(self, seal: CapsuleSeal) -> None:
        """Sign and read capsules with it from now on; nobody has come in before."""
        self._context.seal = self.detached.seal = seal

    def _capsule_of(self, link: Link) -> Capsule | None:
        """What another process has left of the session; None: it begins here."""
        holder, seal = link.holder, self._context.seal
        if holder is None or seal is None or not holder.capsule:
            return None
        try:
            capsule = seal.open(holder.capsule, holder.nonce)
        except CapsuleRefused as exc:
            log.info("capsule refused session=%s error=%s", link.visit, exc)
            return None
        return capsule if link.wants_json is (capsule.kind == "json") else None

    async def may_come(self, link: Link) -> bool:
        """Whether the session of who comes from another server can go on here.

        What is known of its person there is known here then.
        """
        capsule = self._capsule_of(link)
        if capsule is None or self._shutdown_text is not None:
            return False
        if not self._service.walks.has_room_for(capsule.person):
            return False
        if not capsule.is_guest:
            try:
                await self._context.account_service.streams.catch_up(capsule.person)
            except JournalWriteError:
                return False
        return await self._service.walks.wait_for_table(link.holder.walked_to if link.holder else 0)

    def resumable_count(self) -> int:
        """How many sessions leave capsules."""
        return sum(session.person is not None for session in self.sessions)

    def leave_capsules(self, *, is_planned: bool = True, unanswered: Collection[int] = ()) -> None:
        """The process ends; connections that another one holds go on.

        Args:
            is_planned: False: the process goes on after all.
            unanswered: Tables that have not answered all that they were asked.
        """
        self._service.going_on.unanswered = unanswered if is_planned else None
        self._deliver_all()
        self.detached.close(is_closed=is_planned)
        for session in self.sessions:
            try:
                session.leave_capsule(is_planned=is_planned)
            except Exception as bug:  # it has the capsule of before; the others have theirs
                log_exception(log, "capsule not left", bug, session=session.id)

    def close(self, text: str) -> None:
        """End all sessions with *text*; sessions opened later end with it, too."""
        self._idle_timer.cancel()
        self._shutdown_text = text
        for session in list(self.sessions):
            session.disconnect(text)

    # -- what sessions ask for -----------------------------------------------------------------

    def next_session_id(self) -> str:
        """A number for this run of the server, and the number of the session in it."""
        self._session_count += 1
        return f"{self._run_id}-{self._session_count}"

    def remove(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)

    def schedule_delivery(self, session: Deliverable) -> None:
        if not self._pending_delivery:
            self._pending_since = self._clock.monotonic()
            self._clock.call_soon(self._deliver_all)
        self._pending_delivery.append(session)

    def _deliver_all(self) -> None:
        pending, self._pending_delivery = self._pending_delivery, []
        pending_since = self._pending_since
        for session in pending:
            session.deliver()
        self._ticker.note_delivery(pending_since)
        self.renderer.clear()

    # -- idle sessions -------------------------------------------------------------------------

    def _end_idle_sessions(self) -> None:
        self._idle_timer = self._clock.call_later(IDLE_CHECK_INTERVAL_S, self._end_idle_sessions)
        self._service.flush_held_notices()
        self.detached.expire()
        limit_s, now = self._config.session.idle_s, self._clock.monotonic()
        for session in list(self.sessions):
            idle_s = now - session.last_input_at
            if idle_s >= limit_s:
                is_kept = session.person is not None and self._service.keeps_seat(session.person)
                idle = texts.IDLE.format(duration(limit_s))
                session.attachment.leave()
                session.disconnect(idle + texts.SEAT_KEPT * is_kept)
            elif idle_s >= limit_s - IDLE_WARNING_S and not session.is_warned_idle:
                session.is_warned_idle = True
                session.send_text(texts.STILL_THERE)
