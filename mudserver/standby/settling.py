"""What is under way is finished before a server ends whose connections another one will have.

Rule 1: nothing begins any more.  Lines that have begun, and tables that have been asked something,
        have SETTLE_S to finish.  A line that has not finished until then stays begun and not done:
        the next server tells its person so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Protocol

from mudserver.clock import Clock
from mudserver.wall.game import WallServer

SETTLE_S = 2.0
LOOK_S = 0.005  # between two looks
TURNS = 10  # of the loop, in which what was written is told

log = logging.getLogger("standby")


class Tables(Protocol):
    def busy(self) -> set[int]: ...


async def settle(clock: Clock, wall: WallServer, tables: Tables) -> Collection[int]:
    """Begin nothing more.  Wait until each line that has begun is handled, and each table has
    settled what was asked until then.  What that has caused is shown when capsules are left.

    Returns:
        The tables that were too slow.
    """
    wall.hold()
    until_s, busy = clock.monotonic() + SETTLE_S, None
    while clock.monotonic() < until_s:
        if busy is not None or wall.is_handled():
            busy = tables.busy() if busy is None else busy & tables.busy()
            if not busy:
                return ()
        await asyncio.sleep(LOOK_S)
    log.warning("lines under way are not waited for tables=%d", len(busy or ()))
    return busy or ()


async def finish(clock: Clock, wall: WallServer, tables: Tables) -> Collection[int]:
    """As `settle`: this server ends, and the doors wait for the next one, if there are doors."""
    if not wall.doors:
        return ()
    unanswered = await settle(clock, wall, tables)
    await tell_all()
    return unanswered


async def tell_all() -> None:
    """Let what was written be told."""
    for _ in range(TURNS):
        await asyncio.sleep(0)
