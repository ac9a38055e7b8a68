"""A door and a game server in one virtual time: whole, with a wall that delays, breaks and dies.

Rule 1: door and game server are the real ones; only the socket between them and those behind and
        before them are simulated.
Rule 2: frames are counted as they arrive, on either side, and something can happen at any of them.
        Then what is on the way is lost (`is_torn`); or it arrives, as with a real socket that is
        not full: that takes a write whole, and keeps it when the writer dies.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from dataclasses import replace
from pathlib import Path
from random import Random

from mudserver.clock import Clock
from mudserver.transport.link import AuthenticatedUser, Authenticator
from mudserver.wall.bodies import DOOR_PROTOCOLS, Handshake
from mudserver.wall.door import DoorClient
from mudserver.wall.frames import Frame, FrameReader, Kind
from mudserver.wall.game import DoorPeer
from mudserver.wall.game_wall import GamePeer
from mudserver.wall.stream import WallStream
from tests.simulation.handing_over import HandingOver
from tests.simulation.process import Process
from tests.simulation.server import (
    WALL_MS,
    FakeLink,
    Seatholder,
    SimServer,
    World,
    proven_by_key,
)

RESTART_S = 1.0  # of a game server that begins
STANDBY_S = 0.05  # of one that was waiting; and no less than three times the delay of the socket


class Cable(asyncio.Transport):
    """One end of the wall; what is written arrives after a while, frame by frame.

    Args:
        other: Where it arrives.
        context: Of the process there.
        is_to_door: Whether that is the door.
    """

    def __init__(
        self, wall: SimWall, other: WallStream, context: Context, *, is_to_door: bool
    ) -> None:
        super().__init__()
        self._wall, self._other, self._is_to_door = wall, other, is_to_door
        self._context = context
        self._reader = FrameReader(Kind)
        # Timers of one moment have no order.  b"": the end.
        self._on_the_way: deque[bytes] = deque()
        self._is_closing = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return self.unarrived_bytes if self._wall.is_torn else 0  # what is lost has not left

    @property
    def unarrived_bytes(self) -> int:
        return sum(map(len, self._on_the_way))

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._on_the_way.append(bytes(data))
        loop = asyncio.get_running_loop()
        loop.call_later(self._wall.delay_s, self._arrive, context=self._context)

    def _arrive(self) -> None:
        if not (data := self._on_the_way.popleft()):
            self._wall.break_off()
            return
        for frame in self._reader.feed(data):
            if not self._wall.delivers_to(self._other):
                return
            self._other.data_received(_bytes_of(frame.kind, frame.connection, frame.body))
            self._wall.on_frame(frame, self._is_to_door)
        self._wall.on_write_end()

    def is_closing(self) -> bool:
        return self._is_closing or self._wall.is_broken

    def close(self) -> None:
        if not self.is_closing():
            self._is_closing = True
            self.write(b"")

    def abort(self) -> None:
        self._wall.break_off()


def _bytes_of(kind: int, connection: int, body: bytes) -> bytes:
    return len(body).to_bytes(4, "little") + bytes([kind]) + connection.to_bytes(4, "little") + body


class SimWall:
    """The socket between the two.  `on_frame` and `on_write_end` are its `SimDoor`'s.

    Args:
        at: Which of the door's walls it is.
    """

    def __init__(self, door: SimDoor, server: SimServer, at: int = 0) -> None:
        self.delay_s, self.is_torn = door.delay_s, door.is_torn
        self.on_frame, self.on_write_end = door.on_frame, door.on_write_end
        self.is_broken = self._game_is_dead = False
        self.server, there, here = server, server.process.context, door.context
        wall = door.client.walls[at]
        peers = GamePeer(wall, door.client), DoorPeer(server.app.wall, door.number)
        self._streams = ours, theirs = peers[0].stream, peers[1].stream
        self._contexts = here, there
        there.run(theirs.connection_made, Cable(self, ours, here, is_to_door=True))
        here.run(ours.connection_made, Cable(self, theirs, there, is_to_door=False))

    def break_off(self, *, game_is_dead: bool = False) -> None:
        """Both sides hear of it, unless they are dead."""
        if not self.is_broken:
            self.is_broken, self._game_is_dead = True, game_is_dead
            last_s = 0.0 if self.is_torn else 2 * self.delay_s
            sides = zip(self._streams, self._contexts, strict=True)
            for stream, context in [*sides][: 1 if game_is_dead else 2]:
                asyncio.get_running_loop().call_later(
                    last_s, stream.connection_lost, None, context=context
                )

    def delivers_to(self, stream: WallStream) -> bool:
        """Whether *stream* is there, and hears what was said to it."""
        is_dead = self._game_is_dead and stream is self._streams[1]
        return not self.is_broken or not (self.is_torn or is_dead)


class SimDoor:
    """A door whose listeners are the test; behind each wall is one game server at a time.

    Its nonces, and the ids of sessions, follow from the seed of the world.

    Args:
        number: Of the door, from 1.
        walls: How many it has.
        on_frame: A frame has arrived; whether at the door.
        on_write_end: All frames of a write have.
    """

    def __init__(
        self, world: World, delay_s: float, on_frame: Callable[[Frame, bool], None],
        on_write_end: Callable[[], None] = lambda: None, *, is_torn: bool = True,
        number: int = 1, walls: int = 1,
    ) -> None:  # fmt: skip
        self.delay_s, self.is_torn, self.number = delay_s, is_torn, number
        self.on_frame, self.on_write_end = on_frame, on_write_end
        self.on_connect: Callable[[], None] = lambda: None
        self._clock, self.context = Clock(asyncio.get_running_loop(), WALL_MS), copy_context()
        self.client = DoorClient(
            world.settings.wall, self._clock,
            lambda: Handshake(
                *(*DOOR_PROTOCOLS, "0.5.0", "1", f"d{number}", 1), redirects=walls > 1
            ),
            [Path(f"game{at or ''}.sock") for at in range(walls)],
            Random(f"door {number} of {world.seed}").randbytes,
        )  # fmt: skip

    def connect(self, server: SimServer, at: int = 0) -> SimWall:
        server.app.wall.may_connect = lambda door: True  # type: ignore[method-assign]
        self.on_connect()
        self.wall = SimWall(self, server, at)
        return self.wall

    @property
    def is_connected(self) -> bool:
        return not self.wall.is_broken

    def come(self, link: FakeLink, proven: AuthenticatedUser | None) -> int:
        """Somebody has connected; the number of the connection."""
        if proven is not None:  # just now
            proven = replace(proven, at_ms=self._clock.now_ms())
        link.handler = handler = self.client.open_connection(link, proven)
        return handler.number


class SplitHouse:
    """Attributes: has_standby: When a game server dies, the next one is there already.

    Args:
    what: What happens, at the *happens_at*-th frame: "kill", "stop" or "hand over" of the game
        server, "break" of the wall, or "" for nothing.  While one hands over to the next: "kill
        active" or "kill standby".
    is_torn: Whether what is on the way then is lost.
    """

    has_standby = False

    def __init__(
        self, world: World, *, delay_s: float = 0.001, what: str = "", happens_at: int = 0,
        is_torn: bool = True,
    ) -> None:  # fmt: skip
        self.world, self.what, self.happens_at = world, what, happens_at
        self.frames, self.is_torn, self._is_due = 0, is_torn, False
        self.door = SimDoor(world, delay_s, self._count, self._end_write, is_torn=is_torn)
        self.handing: HandingOver | None = None  # under way
        self.dies = ""  # in the next one, as `HandingOver` has it
        self.said: list[str] = []  # what the operator has read of each
        self._tasks: list[asyncio.Task[None]] = []
        if (people := asyncio.current_task()) is not None:
            people.set_name("sim people")  # they outlive the game server

    async def open(self) -> SplitHouse:
        await self._start()
        await asyncio.sleep(0.1)
        return self

    def make_server(self) -> SimServer:
        """The first one, or the next."""
        return SimServer(self.world)

    async def _start(self) -> None:
        async def started() -> SimServer:
            return await self.make_server().open()

        self.server = await Process().run(started())
        self.door.connect(self.server)

    def _count(self, frame: Frame, is_to_door: bool) -> None:
        self.frames += 1
        if self.frames == self.happens_at:
            self._is_due = True
            if self.is_torn:
                self._end_write()

    def _end_write(self) -> None:
        if self._is_due:
            self._is_due = False
            self.happens()

    def happens(self) -> None:
        """As planned: the game server dies or hands over, or only the socket breaks."""
        happen: dict[str, Callable[[], Awaitable[None]]] = {
            "kill": self._die, "break": self._break,
            "stop": self._stop, "hand over": self.hand_over,
            "kill active": self._die_while_handing_over,
            "kill standby": self._die_while_handing_over,
        }  # fmt: skip
        if self.what in ("kill", "break"):
            self.door.wall.break_off(game_is_dead=self.what == "kill")
        task = asyncio.get_running_loop().create_task(
            happen[self.what](), name="sim restart", context=self.door.context.copy()
        )
        self._tasks.append(task)

    async def _die(self) -> None:
        await self.server.die()
        await self._start_again()

    async def _stop(self) -> None:
        """It ends as planned, and nobody is there to take over."""
        await self.server.process.run(self.server.stop())
        await self.server.die()
        await self._start_again()

    async def _start_again(self) -> None:
        waits_s = max(STANDBY_S, 3 * self.door.delay_s) if self.has_standby else RESTART_S
        await asyncio.sleep(waits_s)
        await self._start()

    async def _break(self) -> None:
        await asyncio.sleep(RESTART_S)
        self.door.connect(self.server)

    async def hand_over(self) -> None:
        """A planned restart."""
        self.handing = handing = HandingOver(self.server, self.door, self.make_server, self.dies)
        server = await handing.run()
        self.handing, self.dies = None, ""
        self.said.append(handing.said)
        if server is not None:
            self.server = server
        else:
            await self._start_again()

    async def _die_while_handing_over(self) -> None:
        if self.handing is not None:
            is_active = self.what == "kill active"
            (self.handing.kill_active if is_active else self.handing.kill_standby)()

    def check(self) -> None:
        """Raise what went wrong in what has happened."""
        for task in self._tasks:
            if task.done():
                task.result()

    def person(self, name: str, link: FakeLink) -> Seatholder:
        """Somebody who comes in by a key over SSH."""
        status = self.server.app.account_service.name_status(name)[0]
        self.door.come(link, proven_by_key(name, is_known=status == "known"))
        return Seatholder(name, link)

    # -- as `people.Entrance` --------------------------------------------------------------------

    @property
    def authenticator(self) -> Authenticator:
        return self.door.client.authenticator

    def connect(self, link: FakeLink, proven: AuthenticatedUser | None = None) -> None:
        self.door.come(link, proven)
