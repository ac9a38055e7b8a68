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
from collections.abc import Callable
from pathlib import Path

from mudserver.clock import Clock
from mudserver.transport.link import AuthenticatedUser
from mudserver.wall.bodies import DOOR_PROTOCOLS, Handshake
from mudserver.wall.door import DoorClient, _GamePeer
from mudserver.wall.frames import FrameReader, Kind
from mudserver.wall.game import DoorPeer
from mudserver.wall.stream import WallStream
from tests.simulation.server import FakeLink, Seatholder, SimServer, World, proven_by_key

RESTART_S = 1.0


class Cable(asyncio.Transport):
    """One end of the wall; what is written arrives after a while, frame by frame."""

    def __init__(self, wall: SimWall, other: WallStream) -> None:
        super().__init__()
        self._wall, self._other = wall, other
        self._reader = FrameReader(Kind)
        self._on_the_way: deque[bytes] = deque()  # timers of one moment have no order

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    @property
    def unarrived_bytes(self) -> int:
        return sum(map(len, self._on_the_way))

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._on_the_way.append(bytes(data))
        asyncio.get_running_loop().call_later(self._wall.delay_s, self._arrive)

    def _arrive(self) -> None:
        for frame in self._reader.feed(self._on_the_way.popleft()):
            if not self._wall.delivers_to(self._other):
                return
            self._other.data_received(_bytes_of(frame.kind, frame.connection, frame.body))
            self._wall.count()
        self._wall.end_write()

    def is_closing(self) -> bool:
        return self._wall.is_broken

    def abort(self) -> None:
        self._wall.break_off()

    close = abort


def _bytes_of(kind: int, connection: int, body: bytes) -> bytes:
    return len(body).to_bytes(4, "little") + bytes([kind]) + connection.to_bytes(4, "little") + body


class SimWall:
    """The socket between the two."""

    def __init__(self, house: SplitHouse, delay_s: float) -> None:
        self.delay_s, self.is_broken, self._house = delay_s, False, house
        self._is_due = self._game_is_dead = False
        peers = _GamePeer(house.door), DoorPeer(house.server.app.wall, 1)
        self._streams = tuple(peer.stream for peer in peers)
        ours, theirs = self._streams
        theirs.connection_made(Cable(self, ours))
        ours.connection_made(Cable(self, theirs))

    def count(self) -> None:
        self._house.frames += 1
        if self._house.frames == self._house.happens_at:
            self._is_due = True
            if self._house.is_torn:
                self.end_write()

    def end_write(self) -> None:
        if self._is_due:
            self._is_due = False
            self._house.happens()

    def break_off(self, *, game_is_dead: bool = False) -> None:
        """Both sides hear of it, unless they are dead."""
        if not self.is_broken:
            self.is_broken, self._game_is_dead = True, game_is_dead
            last_s = 0.0 if self._house.is_torn else 2 * self.delay_s
            for stream in self._streams[: 1 if game_is_dead else 2]:
                asyncio.get_running_loop().call_later(last_s, stream.connection_lost, None)

    def delivers_to(self, stream: WallStream) -> bool:
        """Whether *stream* is there, and hears what was said to it."""
        is_dead = self._game_is_dead and stream is self._streams[1]
        return not self.is_broken or not (self._house.is_torn or is_dead)


class SplitHouse:
    """Args:
    what: What happens, at the *happens_at*-th frame: "kill", "break" or "" for nothing.
    is_torn: Whether what is on the way then is lost.
    """

    def __init__(
        self, world: World, *, delay_s: float = 0.001, what: str = "", happens_at: int = 0,
        is_torn: bool = True,
    ) -> None:  # fmt: skip
        self.world, self._delay_s, self.what, self.happens_at = world, delay_s, what, happens_at
        self.frames, self.is_torn = 0, is_torn
        clock = Clock(asyncio.get_running_loop(), 1_800_000_000_000)
        self.door = DoorClient(
            world.settings.wall, clock,
            lambda: Handshake(*DOOR_PROTOCOLS, "0.5.0", "1", "d1", 1), Path("game.sock"),
        )  # fmt: skip
        self._tasks: list[asyncio.Task[None]] = []
        if (people := asyncio.current_task()) is not None:
            people.set_name("sim people")  # they outlive the game server

    async def open(self) -> SplitHouse:
        self.server = await SimServer(self.world).open()
        self._connect()
        await asyncio.sleep(0.1)
        return self

    def _connect(self) -> None:
        self.server.app.wall.may_connect = lambda door: True  # type: ignore[method-assign]
        self.wall = SimWall(self, self._delay_s)

    def happens(self) -> None:
        """As planned: the game server dies, or only the socket breaks."""
        happen: Callable[[], object] = self._die if self.what == "kill" else self._break
        self.wall.break_off(game_is_dead=self.what == "kill")
        self._tasks.append(asyncio.ensure_future(happen()))  # type: ignore[arg-type]
        self._tasks[-1].set_name("sim restart")

    async def _die(self) -> None:
        await self.server.die()
        await asyncio.sleep(RESTART_S)
        self.server = await SimServer(self.world).open()
        self._connect()

    async def _break(self) -> None:
        await asyncio.sleep(RESTART_S)
        self._connect()

    def person(self, name: str, link: FakeLink) -> Seatholder:
        """Somebody who comes in by a key over SSH."""
        status = self.server.app.account_service.name_status(name)[0]
        proven: AuthenticatedUser = proven_by_key(name, is_known=status == "known")
        link.modules, link.hold_input = None, lambda is_held: None  # type: ignore[attr-defined]
        link.handler = self.door.open_connection(link, proven)
        return Seatholder(name, link)
