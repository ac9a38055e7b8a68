"""What every session is given: the services and config that all sessions share.

The session manager makes one `SessionContext` and passes it to each session.  No session imports
the manager.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.outbox import Deliverable
from mudserver.service.account_service import AccountService
from mudserver.service.game_service import GameService
from mudserver.session.detached import DetachedSessions
from mudserver.session.renderer import Renderer
from mudserver.session.screen_factory import ScreenFactory
from mudserver.ui.ticker import Ticker
from mudserver.wall.capsule import CapsuleSeal


class SessionRegistry(Protocol):
    """What a session needs from the session manager."""

    def next_session_id(self) -> str: ...
    def schedule_delivery(self, session: Deliverable) -> None:
        """Call `deliver` in the next delivery round."""

    def remove(self, session_id: str) -> None:
        """The session has ended."""


@dataclass
class SessionContext:
    """One object for all sessions.  A reload replaces `config`, so read it at each use."""

    service: GameService
    account_service: AccountService
    config: Config
    clock: Clock
    ticker: Ticker
    renderer: Renderer
    screen_factory: ScreenFactory
    registry: SessionRegistry
    detached: DetachedSessions
    seal: CapsuleSeal | None = None  # None: this process holds all connections
