"""How a door ends: it accepts nobody any more, keeps its people, and tells them before.

Rule 1: a door that drains ends when its last connection has ended, or when its time is over.
Rule 2: people read of it from their game server, once, NOTICE_S before the end; one that is away
        just then tells them when it is back.
Rule 3: at the end the game server says farewell.  To whom is left after FAREWELL_S, and where there
        is no game server, the door says a sentence of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import UserError
from mudserver.transport.listener_manager import ListenerManager
from mudserver.wall import texts
from mudserver.wall.bodies import Draining, encode_body
from mudserver.wall.door import DoorClient
from mudserver.wall.frames import Kind
from mudserver.wall.settings import WITHIN_S_MAX
from variants.kit.text import duration, quantity

NOTICE_S = 600.0
LOOK_S = 1.0  # between two looks whether anybody is left
FAREWELL_S = 2.0

log = logging.getLogger("wall")


class Drain:
    """Args: end: Ends the process."""

    def __init__(
        self, door: DoorClient, listeners: ListenerManager, clock: Clock, end: Callable[[], None]
    ) -> None:
        self._door, self._listeners, self._clock, self._end = door, listeners, clock, end
        self._end_at: float | None = None
        self._is_told = False
        self._timer: TimerHandle | None = None

    def left_s(self) -> float | None:
        """Seconds until the door ends; None: it stays."""
        if self._end_at is None:
            return None
        return max(0.0, self._end_at - self._clock.monotonic())

    def begin(self, within_s: float) -> str:
        """Accept nobody any more, and end after *within_s* at the latest; what happens.

        A second call sets another time.  UserError: it is no time.
        """
        if not isinstance(within_s, int | float) or not 0 < within_s <= WITHIN_S_MAX:
            raise UserError(
                f"The time is a number of seconds from 1 to {WITHIN_S_MAX:.0f}.", "usage"
            )
        if self._end_at is None:
            self._listeners.stop_accepting()
            self._timer = self._clock.call_later(0.0, self._look)
        self._end_at, self._is_told = self._clock.monotonic() + within_s, False
        count = len(self._door.connections)
        log.info("draining within_s=%g connections=%d", within_s, count)
        left = quantity(count, "connection")
        return f"accepting nobody any more; {left} left, and the end in {duration(within_s)}"

    def _look(self) -> None:
        left_s = self.left_s()
        assert left_s is not None
        if not left_s or not self._listeners.gate.connections:
            self._end()
            return
        if left_s <= NOTICE_S and not self._is_told and self._door.is_open:
            self._is_told = True
            self._tell(left_s)
        self._timer = self._clock.call_later(min(LOOK_S, left_s), self._look)

    def _tell(self, left_s: float) -> None:
        self._door.tell_all(Kind.DRAINING, encode_body(Draining(left_s)))

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def say_farewell(self) -> None:
        """End all connections: the game server says why, or this door does [rule 3]."""
        self.stop()
        self._tell(0.0)
        for _ in range(round(FAREWELL_S / 0.02)):
            if not (self._door.is_open and self._door.connections):
                break
            await asyncio.sleep(0.02)
        self._door.end_all(texts.DOOR_CLOSES)
