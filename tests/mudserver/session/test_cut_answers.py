"""A wall that is cut inside the answer to a line of a program: its events and its `done`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from mudserver.transport.flow import InputTurns
from mudserver.transport.link import Terminal
from mudserver.wall.bodies import Open
from mudserver.wall.frames import FrameWriter, Kind
from mudserver.wall.remote_connection import RemoteConnection
from tests.mudserver.service.test_results import duel_world, types
from tests.mudserver.wall.test_cut_walls import Door
from tests.simulation import virtual
from tests.simulation.server import SimServer, proven_by_key


class Writes(FrameWriter):
    """The game server's end of a wall, and what each turn of the loop writes to it."""

    lag_bytes = 0

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self._is_due = False
        self._waiting: list[Callable[[], None]] = []

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        super().add(kind, connection, body)
        self._flush_soon()

    def send(self, connection: int, data: bytes, seen: int = 0, flags: int = 0) -> None:
        super().send(connection, data, seen, flags)
        self._flush_soon()

    def package(self, connection: int, body: bytes, kind: Kind = Kind.GMCP) -> None:
        super().package(connection, body, kind)
        self._flush_soon()

    def when_sent(self, call: Callable[[], None]) -> None:
        self._waiting.append(call)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._is_due = False
        if data := self.take():
            self.written.append(data)
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call()


class Program:
    """Speaks protocol 2 with a session behind a wall."""

    def __init__(self, server: SimServer, name: str) -> None:
        self.wall, self.typed = Writes(), b""
        opened = Open(
            *("ssh", "192.0.2.1", Terminal(), "1-1", bytes(8)), wants_json=True, json_protocol=2
        )
        self._remote = RemoteConnection(
            *(self.wall, 1, opened, 16_384, InputTurns(server.clock))  # type: ignore[arg-type]
        )
        self._remote.start(
            server.app.session_manager.open_session, proven_by_key(name, is_known=False)
        )

    async def type(self, *lines: str) -> None:
        for line in lines:
            data = b'{"line": "%s", "id": "%s"}\n' % (line.encode(), line.encode())
            at, self.typed = len(self.typed), self.typed + data
            self._remote.receive(at, data)
            await asyncio.sleep(1)

    def door(self, heard: bytes) -> Door:
        """One that has heard *heard* of the wall."""
        door = Door(self.typed)
        door.hear(heard)
        return door


def test_events_are_shown_and_their_line_is_done_at_the_door_or_neither():
    async def scenario() -> None:
        server = await SimServer(duel_world()).open()
        program, ann = Program(server, "bob"), server.person("ann")
        await asyncio.sleep(1)
        await types(ann, "open duel seats=2 rounds=2")
        await program.type("sit 1", "start")
        await types(ann, "start")
        await asyncio.sleep(2)
        (bid, *_) = re.findall(r"(?m)^- (.+?)\s*$", await types(ann, "moves"))
        await types(ann, bid)
        hand = program.door(b"".join(program.wall.written)).shown
        (card, *_) = re.findall(rb'"hand":\["([^"]+)"', hand)
        mark = len(program.wall.written)
        await program.type(f"bid {card.decode()}")
        writes = program.wall.written
        (at,) = [at for at in range(mark, len(writes)) if b'"type":"done"' in writes[at]]
        before, answer = b"".join(writes[:at]), writes[at]
        assert b'"type":"event"' in answer
        was = program.door(before)
        shown, seen = len(was.shown), was.open_again().seen
        found = set[bool]()
        for cut in range(len(answer) + 1):
            door = program.door(before + answer[:cut])
            news, opened = door.shown[shown:], door.open_again()
            is_done = opened.done == opened.begun == len(program.typed)
            assert is_done is (b'"type":"done"' in news) is (b'"type":"event"' in news), cut
            assert is_done is (opened.seen > seen), cut
            found.add(is_done)
        assert {False, True} == found

    virtual.run(scenario())
