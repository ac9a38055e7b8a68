"""A wall that is cut inside a write: what the terminal was shown, and what its door knows of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mudserver.config.schema import WallConfig
from mudserver.transport.flow import InputTurns
from mudserver.transport.link import Terminal
from mudserver.wall.bodies import Keep, Open, decode_body, encode_body
from mudserver.wall.door_connection import GATHERED_BYTES_MAX, DoorConnection
from mudserver.wall.door_stats import RestartHistory
from mudserver.wall.frames import (
    FROM_GAME,
    MORE,
    SEND_MAX,
    Frame,
    FrameReader,
    FrameWriter,
    Kind,
    decode_output,
    encode,
    encode_send,
)
from mudserver.wall.remote_connection import RemoteConnection
from tests.mudserver.transport.server import HandClock
from tests.simulation.server import FakeLink

LINE = b'{"line": "who", "id": "a"}\n'
DONE = b'{"type":"done","id":"a","ok":true}\n'


class Turn(FrameWriter):
    """A wall whose other side hears what the test hands on."""

    lag_bytes = 0

    def when_sent(self, call: Callable[[], None]) -> None:
        call()


class Door:
    """Of a door, what one connection needs; the connection has typed *typed*."""

    config = WallConfig()

    def __init__(self, typed: bytes = LINE) -> None:
        self.said: list[Frame] = []
        self.clock = HandClock()
        self.restarts = RestartHistory(self.clock)  # type: ignore[arg-type]
        self.link = FakeLink(Terminal(), "ssh", wants_json=True)
        self.connection = DoorConnection(
            *(self, 1, self.link, None, "1-1", bytes(8))  # type: ignore[arg-type]
        )
        self.connection.home = self  # type: ignore[assignment]
        self.connection.open()
        self.connection.on_data(typed)

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        self.said.append(Frame(kind, connection, body))

    def owe(self, connection: DoorConnection) -> None: ...
    def discard(self, connection: DoorConnection) -> None: ...
    def may_keep(self, count: int) -> bool:
        return True

    def hear(self, data: bytes) -> None:
        for frame in FrameReader(FROM_GAME).feed(data):
            if frame.kind is Kind.SEND:
                output = decode_output(frame)
                self.connection.show(output.data, output.seen, output.flags)
            else:
                self.connection.on_frame(frame)

    @property
    def shown(self) -> bytes:
        return b"".join(data for _, data in self.link.received)

    def open_again(self) -> Open:
        """What the next game server is told."""
        self.connection.wall_lost(self)  # type: ignore[arg-type]
        self.connection.open()
        (opened,) = [each for each in self.said[-2:] if each.kind is Kind.OPEN]
        return decode_body(Open, opened)


class Session:
    """Begins a line, and does nothing more."""

    copies_input = True

    def __init__(self, link: RemoteConnection) -> None:
        self.link, self.place = link, 0

    def on_data(self, data: bytes) -> None:
        if data.endswith(b"\n"):
            self.place = self.link.take()
            self.link.begin(self.place, lambda: None)


def game() -> tuple[Turn, RemoteConnection, int]:
    """The game server, which has begun the line; its place."""
    turn, clock = Turn(), HandClock()
    opened = Open("ssh", "192.0.2.1", Terminal(), "1-1", bytes(8))
    remote = RemoteConnection(turn, 1, opened, 16_384, InputTurns(clock))  # type: ignore[arg-type]
    sessions = list[Session]()

    def begin(link: RemoteConnection, proven: None) -> Session:
        sessions.append(Session(link))
        return sessions[0]

    remote.start(begin, None)  # type: ignore[arg-type]
    for at in range(len(LINE)):
        remote.receive(at, LINE[at : at + 1])
    return turn, remote, sessions[0].place


@pytest.mark.parametrize("before", [0, 20, SEND_MAX - len(DONE) - 5])
async def test_a_line_is_done_at_the_door_if_and_only_if_its_done_was_shown(before):
    turn, remote, place = game()
    begun = turn.take()
    remote.send(b"x" * before)
    remote.send(DONE)
    remote.settle(place)
    remote.send(b"later")
    answer = turn.take()
    for cut in range(max(0, before - 20), len(answer) + 1):
        door = Door()
        door.hear(begun + answer[:cut])
        opened = door.open_again()
        assert (DONE in door.shown) is (opened.done == opened.begun == len(LINE)), cut
        assert len(LINE) == opened.begun


async def test_a_capsule_that_waits_is_kept_if_and_only_if_the_output_of_its_turn_was_shown():
    turn, remote, _ = game()
    remote.keep(b"before", b"wait 1")
    remote.send(b"step 1")
    before = turn.take()
    remote.send(b"step 2, ")
    remote.keep(b"behind", b"wait 2", waits=True)
    remote.send(b"the board", 7)
    remote.keep(b"later", b"wait 3")
    step = turn.take()
    found = set[tuple[bytes, bytes]]()
    for cut in range(len(step) + 1):
        door = Door()
        door.hear(before + step[:cut])
        kept = door.open_again().capsule
        found.add((kept, door.connection._wait_text))
        assert (b"the board" in door.shown) is (kept != b"before") is (b"step 2" in door.shown), cut
    assert {(b"before", b"wait 1"), (b"behind", b"wait 2"), (b"later", b"wait 3")} == found


async def test_output_while_a_line_is_under_way_settles_nothing():
    turn, remote, _ = game()
    remote.send(b"half an answer")
    door = Door()
    door.hear(turn.take())
    opened = door.open_again()
    assert b"half an answer" == door.shown and opened.begun > opened.done


async def test_of_output_in_several_frames_nothing_is_shown_before_the_last():
    turn, remote, place = game()
    remote.modules, remote.is_admitted = (("char", 1),), True
    package = b"\xff\xfa\xc9Char.Vitals {}\xff\xf0"
    remote.keep(b"before", b"")
    begun = turn.take()
    rows = b"".join(b'{"type":"row","n":%d}\n' % n for n in range(8_000))
    remote.send(rows)
    remote.send_gmcp("Char.Vitals", "{}")
    remote.keep(b"behind", b"", waits=True)
    remote.send(DONE, 117)
    remote.settle(place)
    answer = turn.take()
    *parts, last = output_ends(answer)
    assert 2 == len(parts) and len(rows) > 2 * SEND_MAX
    cuts = {end + by for end in (*parts, last) for by in (-30, -1, 0, 1, 30)} | {len(answer)}
    for cut in sorted(cuts):
        door = Door()
        door.link.speaks_gmcp = door.link.is_logged_in = True
        door.hear(begun + answer[:cut])
        is_shown = cut >= last
        whole = package + rows + DONE if is_shown else b""
        assert whole == door.shown, cut
        opened = door.open_again()
        assert (b"behind" if is_shown else b"before") == opened.capsule, cut
        assert 117 * is_shown == opened.seen, cut
        assert is_shown is (opened.done == opened.begun), cut
        door.hear(encode(Kind.SEND, 1, encode_send(b"{}\n", 0, 0)))  # the next session
        assert whole + b"{}\n" == door.shown, cut


async def test_output_without_end_is_not_gathered_without_end():
    door = Door()
    waiting = encode_body(Keep(b"", b"behind", waits=True))
    door.hear(encode(Kind.KEEP, 1, waiting))
    part, sent = b"x" * SEND_MAX, 0
    while sent <= 2 * GATHERED_BYTES_MAX:
        door.hear(encode(Kind.SEND, 1, encode_send(part, 0, MORE)))
        sent += SEND_MAX
        assert sent - len(door.shown) <= GATHERED_BYTES_MAX
    assert door.shown and b"" == door.connection._capsule
    door.hear(encode(Kind.SEND, 1, encode_send(b"end", 7, 0)))
    assert sent + 3 == len(door.shown)
    opened = door.open_again()
    assert (b"behind", 7) == (opened.capsule, opened.seen)


def output_ends(written: bytes) -> list[int]:
    """Where in *written* each frame of output ends."""
    ends, reader = list[int](), FrameReader(FROM_GAME)
    for at in range(len(written)):
        for frame in reader.feed(written[at : at + 1]):
            if frame.kind is Kind.SEND:
                ends.append(at + 1)
    return ends
