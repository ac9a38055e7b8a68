"""A planned restart in virtual time: the real handover, and the real standby but for its feed.

Rule 1: both sides are `mudserver.standby`'s.  The standby has nothing to fold in advance: it reads
        the disk, which has one owner as the directory has one lock.
Rule 2: either of the two can be killed at any time, or as it says a message, before or after.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import Any, Protocol

from mudserver.errors import UserError
from mudserver.journal.sqlite.migrations import newest_schema
from mudserver.standby.feeding import Standby as FedStandby
from mudserver.standby.handover import Handover
from mudserver.standby.messages import Hello
from mudserver.standby.waiting import Operator, Standby
from mudserver.wall.bodies import GAME_PROTOCOLS
from mudserver.wall.capsule import OLDEST_VERSION, VERSION
from tests.simulation.process import Process
from tests.simulation.server import SimServer

LOOK_S = 0.005


class SimLine:
    """One end of what the two say to each other.

    Args:
        on_said: Whether the message is said; it may be the last thing that its side does.
    """

    other: SimLine

    def __init__(self, on_said: Callable[[Any], bool]) -> None:
        self._on_said = on_said
        self._heard: asyncio.Queue[Any] = asyncio.Queue()
        self.has_ended = False

    def say(self, *messages: Any) -> None:
        for message in messages:
            if self._on_said(message):
                self.other._heard.put_nowait(message)

    async def hear(self) -> Any:
        if (message := await self._heard.get()) is None:
            self.has_ended = True
            raise ConnectionError("the other side has gone")
        return message

    async def drained(self) -> None: ...

    def close(self) -> None:
        self.other._heard.put_nowait(None)


class SimStandby(Standby[SimServer]):
    """The standby: see rule 1."""

    def __init__(self, old: SimServer, line: SimLine, make: Callable[[], SimServer]) -> None:
        operator = Operator(lambda state: None, lambda: False)
        super().__init__(Path(), old.clock, lambda fed: make(), operator)
        self._disk, self._line, self._make_server = old.world.disk, line, make
        self.server: SimServer | None = None  # from the moment that it has the disk

    async def follow(self) -> None:
        try:
            await self._listen_to(self._line)  # type: ignore[arg-type]
        except ConnectionError:
            self._line.close()
            if self._line.has_ended and await self._lock_soon() is not None:
                await self._take_over_alone(0)

    def _begin_anew(self) -> None: ...

    async def _fold(self, bytes_min: int) -> None: ...

    async def _take_over_alone(self, lock: int) -> SimServer:
        server = await self._open(lock, is_alone=True)
        await server.serve()
        return server

    def _try_lock(self) -> int | None:
        return 0 if self._disk.owner is None else None

    async def _open(self, lock: int, *, is_alone: bool = False) -> SimServer:
        self.server = server = self._make_server()
        if not is_alone:
            server.journal.wait_for_resume()
        await server.app.restore()
        return server


class _Fed(FedStandby):
    """The standby, as the active server knows it."""

    def __init__(self, line: SimLine, kill: Callable[[], object]) -> None:
        spans = GAME_PROTOCOLS, (OLDEST_VERSION, VERSION)
        super().__init__(line, Hello("0.5.0", 1, newest_schema(), *spans), 0, 0)  # type: ignore[arg-type]
        self.not_ready = ""
        self._line, self._kill = line, kill

    def end(self) -> None:
        self._kill()

    async def hear(self) -> None:
        try:
            while True:
                self.note(await self._line.hear())
        except ConnectionError:
            self.note(None)


class _Feeding:
    """What the active server sends a standby; this one reads the disk."""

    def __init__(self, standby: _Fed) -> None:
        self.standby = standby

    def send_round(self, line: object) -> None: ...


class Wall(Protocol):
    server: SimServer

    def break_off(self, *, game_is_dead: bool = False) -> None: ...


class Door(Protocol):
    @property
    def wall(self) -> Wall: ...
    @property
    def is_connected(self) -> bool: ...
    def connect(self, server: SimServer) -> None: ...


class HandingOver:
    """One handover.

    Args:
        make: The next server; from then on it has the disk.
        dies: "TakeOver before", "Taken after": at which message who says it dies.
    """

    def __init__(
        self, old: SimServer, door: Door, make: Callable[[], SimServer], dies: str = ""
    ) -> None:
        self.old, self._door, self._dies = old, door, dies
        self._outside = copy_context()
        self.process = Process()  # the standby's
        self.said = ""  # what the operator has read
        self._kills: list[asyncio.Task[None]] = []
        self._line = SimLine(lambda message: self._say(message, self.kill_active))
        far = SimLine(lambda message: self._say(message, self.kill_standby))
        self._line.other, far.other = far, self._line
        self.standby = SimStandby(old, far, make)

    async def run(self) -> SimServer | None:
        """Who serves in the end; None: nobody."""
        old, me = self.old, self.old.process
        fed = _Fed(self._line, self.kill_standby)
        handover = Handover(
            *(old.clock, old.journal, _Feeding(fed), old.app.wall, old.app.control),  # type: ignore[arg-type]
            *(old.app.session_manager, old.app.table_manager),
            keep=lambda: None,
            is_writable=lambda: True,
        )
        hearing = me.run(fed.hear())
        handing = me.run(handover.run())
        waiting = self.process.run(self.standby.follow())

        def goes_on() -> bool:
            return not (handover.is_over or old.is_dead)

        while not (handing.done() and (goes_on() or (waiting.done() and self._is_settled))):
            if self._next is not None and not self._door.is_connected:
                self._door.connect(self._next)
            await asyncio.sleep(LOOK_S)
        hearing.cancel()
        self.said = _told(handing)
        if waiting.done() and not waiting.cancelled():
            waiting.result()
        await asyncio.gather(*self._kills)
        if self._next is None:
            await self.process.kill()
        if goes_on():
            return old
        await old.die()  # it ends by itself
        return self._next

    @property
    def _next(self) -> SimServer | None:
        """The standby, once it serves."""
        server = self.standby.server
        is_there = server is not None and server.is_serving and not server.is_dead
        return server if is_there else None

    @property
    def _is_settled(self) -> bool:
        """Whether the door has who serves; the end of the wall before may still be on its way."""
        door, server = self._door, self._next
        return server is None or (door.is_connected and door.wall.server is server)

    def _say(self, message: object, kill: Callable[[], None]) -> bool:
        name, _, when = self._dies.partition(" ")
        if type(message).__name__ != name:
            return True
        self._dies = ""
        kill()
        return when == "after"

    def kill_active(self) -> None:
        self._kill(self.old, self.old.process, self._line)

    def kill_standby(self) -> None:
        self._kill(self.standby.server, self.process, self._line.other)

    def _kill(self, server: SimServer | None, process: Process, line: SimLine) -> None:
        async def killed() -> None:
            if self._door.wall.server is server:
                self._door.wall.break_off(game_is_dead=True)
            await (process.kill() if server is None else server.die())
            line.close()

        loop = asyncio.get_running_loop()
        self._kills.append(loop.create_task(killed(), name="sim kill", context=self._outside))


def _told(handing: asyncio.Task[str]) -> str:
    """What the operator reads; "": the server has died before."""
    try:
        return "" if handing.cancelled() else handing.result()
    except UserError as refused:
        return str(refused)
