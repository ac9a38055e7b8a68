"""A wall whose other end takes less than is said: what the connections behind it notice of that."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.transport.link import Terminal
from mudserver.wall.bodies import DOOR_PROTOCOLS, GAME_PROTOCOLS, Handshake, Open, encode_body
from mudserver.wall.door import DoorClient
from mudserver.wall.frames import (
    DATA_MAX,
    FROM_DOOR,
    FROM_GAME,
    Frame,
    FrameReader,
    Kind,
    decode_data,
    encode,
    encode_progress,
)
from mudserver.wall.game_wall import GamePeer
from mudserver.wall.remote_connection import RemoteConnection
from mudserver.wall.stream import PAUSE_BYTES, STALL_S, WallStream
from tests.mudserver.wall.full_socket import FullSocket
from tests.simulation.server import FakeLink
from tests.simulation.virtual import run

CONFIG = WallConfig()
MIB = 1_048_576
LINE = b"say hello\r\n"


def handshake(protocols: tuple[int, int], name: str) -> Handshake:
    return Handshake(*protocols, "0.5.0", name, f"{name}-1", 1)


class Door:
    """A door before a game server that takes what the test says."""

    def __init__(self) -> None:
        clock = Clock(asyncio.get_running_loop(), 0)
        self.client = DoorClient(
            CONFIG, clock, lambda: handshake(DOOR_PROTOCOLS, "1"), [Path("game.sock")]
        )
        self.wall = self.client.walls[0]
        self.connect()

    def connect(self) -> None:
        """A game server is there, and has shaken hands."""
        self.stream = GamePeer(self.wall, self.client).stream
        self.game = FullSocket(self.stream)
        self._frames = FrameReader(FROM_DOOR)
        self.hears(Kind.HANDSHAKE, 0, encode_body(handshake(GAME_PROTOCOLS, "game")))

    def hears(self, kind: Kind, connection: int, body: bytes = b"") -> None:
        self.stream.data_received(encode(kind, connection, body))

    def come(self) -> FakeLink:
        link = FakeLink()
        link.is_held = False
        link.handler = self.client.open_connection(link, None)
        return link

    def takes(self, count: int | None = None) -> list[Frame]:
        """What the game server reads."""
        return [*self._frames.feed(self.game.take(count))]


async def fill(door: Door, links: list[FakeLink]) -> None:
    """Type until the wall takes no more."""
    typed = 0
    while not any(link.is_held for link in links):
        for number, link in enumerate(links, start=1):
            link.handler.on_data(bytes(DATA_MAX // 2))  # and the lines begin at once
            door.hears(Kind.PROGRESS, number, encode_progress(typed + DATA_MAX // 2, typed))
        typed += DATA_MAX // 2
        await asyncio.sleep(0)


def test_from_a_mebibyte_on_that_has_not_left_nobody_is_read_until_most_of_it_has():
    async def scenario() -> None:
        door = Door()
        links = [door.come() for _ in range(5)]
        door.takes()
        await fill(door, links)
        unsent = door.stream.unsent_bytes()
        assert PAUSE_BYTES < unsent <= PAUSE_BYTES + 5 * DATA_MAX
        assert [True] * 5 == [link.is_held for link in links]
        late = door.come()  # it would bring more
        assert late.is_held
        door.takes(unsent // 2)
        assert late.is_held and all(link.is_held for link in links)
        door.takes()
        assert not (late.is_held or any(link.is_held for link in links))

    run(scenario())


def test_a_game_server_that_takes_nothing_is_given_up_and_the_next_one_gets_what_was_typed(caplog):
    async def scenario() -> None:
        door = Door()
        link = door.come()
        door.takes()
        link.handler.on_data(LINE)
        await asyncio.sleep(STALL_S + 0.01)
        assert "wall closed game=game error=nothing taken for 10 s" in caplog.text
        assert not door.client.is_open and link.is_open
        link.handler.on_data(LINE)
        door.connect()
        await asyncio.sleep(0)
        typed = [decode_data(frame) for frame in door.takes() if frame.kind is Kind.DATA]
        assert [(0, 2 * LINE)] == typed
        door.client.close()

    run(scenario())


def test_a_full_wall_that_breaks_holds_nobody_back_who_has_typed_little():
    async def scenario() -> None:
        door = Door()
        links = [door.come() for _ in range(3)]
        door.takes()
        await fill(door, links)
        links[0].handler.on_data(bytes(CONFIG.retained_bytes))
        await asyncio.sleep(STALL_S + 0.01)
        assert not door.client.is_open
        assert [True, False, False] == [link.is_held for link in links]
        door.client.close()

    run(scenario())


# -- the game server's side ------------------------------------------------------------------------


class Owner:
    """Of a stream to a door."""

    def on_made(self) -> None: ...
    def on_lost(self) -> None: ...
    def on_pause(self, is_paused: bool) -> None: ...


def test_over_a_quarter_of_what_may_wait_for_a_door_all_its_connections_lag_and_no_others():
    async def scenario() -> None:
        clock, queue_bytes = Clock(asyncio.get_running_loop(), 0), CONFIG.queue_mib_max * MIB
        owner = Owner()
        streams = [WallStream(owner, FROM_GAME, clock, queue_bytes, f"door={n}") for n in (1, 2)]
        sockets = [FullSocket(stream) for stream in streams]
        opened = Open("telnet", "192.0.2.1", Terminal(), "1-1", bytes(8))
        [reader, quiet], [other] = (
            [RemoteConnection(stream, n, opened, CONFIG.ack_bytes, None) for n in numbers]
            for stream, numbers in zip(streams, ((1, 2), (3,)), strict=True)
        )
        while sockets[0].get_write_buffer_size() <= 4 * MIB:
            assert 0 == quiet.backlog()
            reader.send(bytes(65_000))
            await asyncio.sleep(0)
        assert 4 * MIB < quiet.backlog() < 4 * MIB + 65_536
        assert 0 == other.backlog()
        sockets[0].take()
        assert 0 == quiet.backlog() < reader.backlog()  # of which nothing was acknowledged

    run(scenario())
