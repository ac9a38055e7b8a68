"""Leaves a capsule of a session with the process that holds its connection.

Rule 1: at entry, at the end of the process, and when settings, screen or place have changed, it is
        left at once; for what changes with each line, such as the history, at most every
        `wall.keep_every_s`.
Rule 2: what must not be known before it is shown, nor shown before it is known, is left with the
        output of the same turn: a crash takes both, or neither.
Rule 3: nobody needs it while nothing has changed: no session has a timer that runs without end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import WallConfig
from mudserver.session.context import SessionContext
from mudserver.transport.link import Holder, Link
from mudserver.wall.capsule import Capsule, CapsuleSeal

RESUMED_SHOWN = 20  # sessions that go on; of more only the detailed log has a line each

log = logging.getLogger("session")


class Keeper:
    """Args: make: The capsule as it is now, and what is shown to who waits; None: there is none."""

    def __init__(
        self,
        holder: Holder,
        seal: CapsuleSeal,
        clock: Clock,
        config: WallConfig,
        make: Callable[[], tuple[Capsule, bytes] | None],
    ) -> None:
        self._holder, self._seal, self._clock, self._config = holder, seal, clock, config
        self._make = make
        self._timer: TimerHandle | None = None
        self._is_due = False  # at the end of this turn

    def note(self) -> None:
        """Something has changed that may wait."""
        if self._timer is None and not self._is_due:
            self._timer = self._clock.call_later(self._config.keep_every_s, self.keep)

    def note_now(self) -> None:
        """Something has changed that the next process has to know."""
        if not self._is_due:
            self._is_due = True
            self._clock.call_soon(self.keep)

    def note_entry(self) -> None:
        """A session goes on here.  The next turn shows it its place; one capsule has both."""
        if not self._is_due:
            self._is_due = True
            self._clock.call_soon(partial(self._clock.call_soon, self.keep))

    def keep(self, *, waits: bool = False) -> None:
        """Leave a capsule now, if there is one.  Args: waits: with what this turn shows."""
        self._is_due = False
        self.stop()
        if (made := self._make()) is None:
            return
        capsule, wait_text = made
        packed = self._seal.pack(capsule, self._config.capsule_bytes)
        if not packed:
            log.warning("capsule too large session=%s", capsule.visit)
            return
        self._holder.keep(packed, wait_text, waits=waits)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def keeper_of(
    link: Link, context: SessionContext, make: Callable[[], tuple[Capsule, bytes] | None]
) -> Keeper | None:
    """None: the session ends with this process."""
    if link.holder is None or context.seal is None:
        return None
    return Keeper(link.holder, context.seal, context.clock, context.config.wall, make)


def log_resumed(session_id: str, person_id: str, protocol: str) -> None:
    """A session goes on here by its capsule; of many the first have a line in the log."""
    metrics.RESUMED.increment("capsule")
    is_shown = metrics.RESUMED.values["capsule"] <= RESUMED_SHOWN
    log.log(logging.INFO if is_shown else logging.DEBUG,
            "session resumed session=%s person=%s protocol=%s how=capsule", session_id, person_id,
            protocol)  # fmt: skip
