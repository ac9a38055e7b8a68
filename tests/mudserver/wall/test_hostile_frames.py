"""Frames made by chance, heard by a whole game server and by a whole door.

Rule 1: whatever arrives, it is taken or the wall is closed; no other error leaves `data_received`,
        and nothing that a peer says makes this side say what is no frame.
Rule 2: after each close the same house hears the next wall, as after a crash of the other side.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mudserver.config.schema import WallConfig
from mudserver.transport.link import Terminal
from mudserver.wall.bodies import (
    DOOR_PROTOCOLS,
    GAME_PROTOCOLS,
    Handshake,
    Open,
    decode_body,
    encode_body,
)
from mudserver.wall.door import DoorClient
from mudserver.wall.frames import (
    BODY_MAX,
    FROM_DOOR,
    FROM_GAME,
    FrameReader,
    Kind,
    encode,
    encode_data,
    encode_many,
    encode_number,
    encode_progress,
    encode_send,
)
from mudserver.wall.game import DoorPeer, WallServer
from mudserver.wall.game_wall import GamePeer
from tests.counts import count
from tests.mudserver.transport.server import FakeAuthenticator, FakeHandler, HandClock
from tests.mudserver.wall.test_bodies import BODIES
from tests.simulation.server import FakeLink
from tests.slow_cases import slow_cases

FEW, MANY = 10_000, count(5_000_000, 200_000)
CONNECTIONS = 4
NUMBERS = (0, 1, 7, 16_384, 2**31, 2**32 - 1, 2**62, 2**63, 2**64 - 1)
HEAD = struct.Struct("<IBI")


class Transport(asyncio.Transport):
    """Takes everything; whoever is told that the wall is lost is told in the same turn."""

    def __init__(self) -> None:
        super().__init__()
        self.said = bytearray()
        self.is_closed = False

    def set_write_buffer_limits(self, high=None, low=None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data) -> None:
        self.said += data

    def is_closing(self) -> bool:
        return self.is_closed

    def abort(self) -> None:
        self.is_closed = True

    close = abort


class StoppedClock(HandClock):
    """Only what is due at once ever happens."""

    def __init__(self) -> None:
        super().__init__()
        self._soon: list[Callable[[], None]] = []

    def call_soon(self, call: Callable[[], None]) -> None:
        self._soon.append(call)

    def call_later(self, delay_s: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        handle = super().call_later(delay_s, call)
        self._due.clear()
        return handle

    def turn(self) -> None:
        while self._soon:
            calls, self._soon = self._soon, []
            for call in calls:
                call()


class Chance:
    """Makes frames: most continue what was said before, some are damaged, some are nothing."""

    def __init__(self, seed: int, known: frozenset[Kind]) -> None:
        self.rng = Random(seed)
        self._kinds = sorted(known - {Kind.HANDSHAKE})
        self._bodies: dict[int, list[bytes]] = {kind: [b""] for kind in self._kinds}
        for kind, body in BODIES:
            self._bodies.setdefault(kind, []).append(encode_body(body))
            self._bodies[kind] = [each for each in self._bodies[kind] if each]
        self.begin()

    def begin(self) -> None:
        """A new wall: nothing is open at it, nothing was typed."""
        self._offsets: dict[int, int] = {}
        self._opened = 0
        self.numbers: list[int] = []  # of a door's connections

    def frame(self) -> bytes:
        rng, roll = self.rng, self.rng.random()
        kind = rng.choice(self._kinds)
        if roll < 0.0005:
            return HEAD.pack(rng.choice((0, 9, BODY_MAX + 1, 2**32 - 1)), rng.randrange(256), 1)
        if roll < 0.001:
            kind = Kind.HANDSHAKE
        connection = rng.choice(self.numbers or [1])
        if Kind.OPEN in self._kinds and roll < 0.995:
            if kind is Kind.OPEN or not self._offsets:
                kind, self._opened = Kind.OPEN, self._opened + 1
                connection = self._opened
                self._offsets[connection] = 0
            else:
                connection = rng.choice(list(self._offsets))
            if kind is Kind.LOST:
                del self._offsets[connection]
        body = self._body(kind, connection)
        if roll > 0.99 and body:
            body = self._damaged(body)
        elif roll > 0.98:
            body = self._body(rng.choice(self._kinds), connection)
        return HEAD.pack(len(body), kind, connection) + body

    def _body(self, kind: Kind, connection: int) -> bytes:
        rng, number = self.rng, self.rng.choice(NUMBERS)
        data, is_odd = b"look\r\n" * rng.randrange(4), rng.random() < 0.005
        match kind:
            case Kind.DATA:
                offset = self._offsets.get(connection, 0)
                if not is_odd and connection in self._offsets:
                    self._offsets[connection] += len(data)
                return encode_data(number if is_odd else offset, data)
            case Kind.TAKEN:
                return encode_number(number if is_odd else 0)
            case Kind.PING | Kind.PONG:
                return encode_number(number)
            case Kind.PROGRESS:
                begun = number if is_odd else rng.choice((0, 3, 6))
                return encode_progress(begun, rng.choice((0, begun // 2, begun)))
            case Kind.SEND:
                return encode_send(data, number & 0xFFFFFFFF, rng.randrange(4))
            case Kind.MANY:
                numbers = rng.choices([*self.numbers, 2**32 - 1], k=rng.randrange(4))
                return encode_many(numbers, data, number & 0xFFFFFFFF, rng.randrange(4))
            case Kind.SECRET:
                return rng.choice((b"\0", b"\1", b"", b"yes"))
        return rng.choice(self._bodies[kind])

    def _damaged(self, body: bytes) -> bytes:
        at = self.rng.randrange(len(body))
        match self.rng.randrange(4):
            case 0:
                return body[:at]
            case 1:
                return body[:at] + self.rng.randbytes(1) + body[at + 1 :]
            case 2:
                return body[:at] + self.rng.randbytes(3) + body[at:]
        return body + body


class Wall:
    """A stream that hears what `Chance` makes, cut anywhere."""

    def __init__(self, stream, hello: bytes, reads: frozenset[Kind], rng: Random) -> None:
        self.stream, self.transport, self._rng = stream, Transport(), rng
        self._reader = FrameReader(reads)
        stream.connection_made(self.transport)
        stream.data_received(hello)

    def hear(self, data: bytes) -> None:
        cut = self._rng.randrange(len(data))
        for part in (data[:cut], data[cut:]):
            if not self.transport.is_closed:
                self.stream.data_received(part)

    def check_what_it_says(self) -> None:
        """The other side of the same release understands it [rule 1]."""
        said, self.transport.said = bytes(self.transport.said), bytearray()
        for frame in self._reader.feed(said):
            if frame.kind is Kind.OPEN:
                decode_body(Open, frame)

    def lose(self) -> None:
        self.stream.connection_lost(None)


def shake(protocols: tuple[int, int]) -> Handshake:
    return Handshake(*protocols, "0.5.0", "1", "boot", 1)


class GameHouse:
    """A game server; `FROM_DOOR` is what it reads."""

    reads, writes = FROM_DOOR, FROM_GAME

    def __init__(self, clock: StoppedClock) -> None:
        self.server = WallServer(
            WallConfig(), clock, FakeHandler, FakeAuthenticator(),  # type: ignore[arg-type]
            handshake=lambda: shake(GAME_PROTOCOLS), status=dict,
            on_failure=lambda *failed: None, on_door=lambda door: None,
            on_draining=lambda *drained: None,
        )  # fmt: skip
        self.server.may_connect = lambda door: True  # type: ignore[method-assign]

    def wall(self, rng: Random) -> Wall:
        stream = DoorPeer(self.server, 1).stream
        hello = encode(Kind.HANDSHAKE, 0, encode_body(shake(DOOR_PROTOCOLS)))
        return Wall(stream, hello, self.writes, rng)

    def tend(self, chance: Chance) -> None: ...


class DoorHouse:
    """A door with connections."""

    reads, writes = FROM_GAME, FROM_DOOR

    def __init__(self, clock: StoppedClock) -> None:
        self.door = DoorClient(
            WallConfig(), clock, lambda: shake(DOOR_PROTOCOLS), [Path("game.sock")]
        )
        self.clock = clock

    def wall(self, rng: Random) -> Wall:
        hello = encode(Kind.HANDSHAKE, 0, encode_body(shake(GAME_PROTOCOLS)))
        return Wall(GamePeer(self.door.walls[0], self.door).stream, hello, self.writes, rng)

    def tend(self, chance: Chance) -> None:
        """Who went is followed by somebody else; some type."""
        for _ in range(CONNECTIONS - len(self.door.connections)):
            link = FakeLink(Terminal(), "ssh")
            link.handler = self.door.open_connection(link, None)
        for connection in self.door.connections.values():
            connection.on_data(chance.rng.choice((b"", b"look", b"give 7h\r")))
        chance.numbers = list(self.door.connections)


@pytest.mark.parametrize("kind", [GameHouse, DoorHouse])
@pytest.mark.parametrize("frames", slow_cases([FEW, MANY], [str(MANY)]), ids=["few", "many"])
async def test_whatever_arrives_is_taken_or_ends_the_wall(frames, kind, caplog):
    caplog.set_level(logging.WARNING)
    clock = StoppedClock()
    house, chance = kind(clock), Chance(5, kind.reads)
    wall, walls = house.wall(chance.rng), 1
    for number in range(frames // 2):
        wall.hear(chance.frame())
        if not number % 16 or wall.transport.is_closed:
            clock.turn()
            wall.check_what_it_says()
            await asyncio.sleep(0)
            house.tend(chance)
        if wall.transport.is_closed:
            wall.lose()
            chance.begin()
            wall, walls = house.wall(chance.rng), walls + 1
    assert frames // 400 < walls < frames // 40  # it gets far, and no further than it may
