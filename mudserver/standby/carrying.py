"""What a server takes along in `DATA/handover`, and takes up again: see `soft_state.py`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from mudserver.clock import Clock
from mudserver.messages import EmoteMessage, SayMessage
from mudserver.ops.shutdown import ShutdownCountdown
from mudserver.service.account_service import AccountService
from mudserver.service.channel_service import ChannelService
from mudserver.session.manager import SessionManager
from mudserver.source_budgets import SourceBudgets
from mudserver.standby import soft_state


class Carrying:
    def __init__(
        self,
        directory: Path,
        clock: Clock,
        accounts: AccountService,
        budgets: SourceBudgets,
        channels: ChannelService,
        sessions: SessionManager,
    ) -> None:
        self._directory, self._clock, self._accounts = directory, clock, accounts
        self._budgets, self._channels, self._sessions = budgets, channels, sessions
        self.countdown: ShutdownCountdown | None = None
        self.ends_at_ms: int | None = None  # UTC; what the server before has announced, if it has

    def leave(self) -> None:
        """For the server that follows."""
        lines = [
            soft_state.Line(
                *(place, at_ms, line if isinstance(line, SayMessage) else None),
                line if isinstance(line, EmoteMessage) else None,
            )
            for place, at_ms, line in self._channels.history.carried()
        ]
        state = soft_state.SoftState(
            self._clock.now_ms(),
            dict(list(self._accounts.failures.items())[-soft_state.FAILURES_MAX :]),
            tuple(islice(self._budgets.carried(), soft_state.SPENT_MAX)),
            tuple(lines[-soft_state.LINES_MAX :]),
            tuple(self._sessions.detached.give(soft_state.DETACHED_BYTES_MAX)),
            None if self.countdown is None else self.countdown.ends_at_ms,
        )
        soft_state.leave(self._directory, state)

    def take_up(self) -> None:
        """What the server before has left."""
        found = soft_state.find(self._directory, self._clock.now_ms())
        self._accounts.take_up_failures(found.failures)
        self._budgets.take_up(found.spent)
        for place, at_ms, say, emote in found.lines:
            if (line := say or emote) is not None:
                self._channels.history.note(place, line, at_ms)
        self._sessions.detached.take(found.detached)
        self.ends_at_ms = found.ends_at_ms
