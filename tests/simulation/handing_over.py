"""A planned restart in virtual time: the real handover, with a standby that is made on the spot.

Rule 1: what the active server does is `mudserver.standby.handover`.  The standby does at each
        message what `mudserver.standby.waiting` does there, but has nothing to fold in advance.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mudserver.journal.sqlite.migrations import newest_schema
from mudserver.standby.handover import Handover
from mudserver.standby.messages import (
    GoOn,
    Hello,
    Listening,
    Released,
    Resumed,
    Taken,
    TakeOver,
    Willing,
)
from mudserver.wall.bodies import GAME_PROTOCOLS
from mudserver.wall.capsule import OLDEST_VERSION, VERSION
from tests.simulation.server import SimServer

LOOK_S = 0.005
RESUMED_S = 3.0


class SimStandby:
    """The standby, as `mudserver.standby.feeding.Standby` shows it to the active server."""

    not_ready = ""

    def __init__(self, old: SimServer, connect: Callable[[SimServer], None]) -> None:
        self._old, self._connect = old, connect
        self.hello = Hello("0.5.0", 1, newest_schema(), GAME_PROTOCOLS, (OLDEST_VERSION, VERSION))
        self.line = self
        self.server: SimServer | None = None
        self._said: Any = None
        self._sessions = 0

    def say(self, message: Any) -> None:
        self._said = message

    def close(self) -> None: ...

    def end(self) -> None:
        raise AssertionError("the standby does not hang")

    async def answer(self, kind: type[Any], within_s: float) -> Any:
        """What the standby says to what it was told last; `Resumed` comes of itself."""
        match self._said:
            case TakeOver():
                return Willing()
            case Released(sessions=sessions):
                self._sessions = sessions
                self.server = await SimServer(self._old.world).open()
                self._said = None
                return Taken()
            case GoOn():
                self._said = None
                return Listening()
        assert kind is Resumed and self.server is not None
        self._connect(self.server)
        manager = self.server.app.session_manager
        for _ in range(int(RESUMED_S / LOOK_S)):
            if manager.resumable_count() >= self._sessions:
                break
            await asyncio.sleep(LOOK_S)
        return Resumed(manager.resumable_count(), self.server.clock.now_ms())


class SimFeeding:
    """What the active server sends a standby; this one reads the disk."""

    def __init__(self, standby: SimStandby) -> None:
        self.standby = standby

    def send_round(self, line: SimStandby) -> None: ...


async def hand_over(old: SimServer, connect: Callable[[SimServer], None]) -> SimServer:
    """Have *old* hand over; the server that follows, to which doors come by *connect*."""
    app, standby = old.app, SimStandby(old, connect)
    tasks = asyncio.all_tasks()
    handover = Handover(
        *(old.clock, old.journal, SimFeeding(standby), app.wall, app.control),  # type: ignore[arg-type]
        *(app.session_manager, app.table_manager),
        keep=lambda: None,
        is_writable=lambda: True,
    )
    await handover.run()
    me = asyncio.current_task()
    for task in tasks:
        if task is not me and not task.get_name().startswith("sim"):
            task.cancel()
    assert standby.server is not None
    return standby.server
