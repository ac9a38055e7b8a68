"""Two servers on one real PostgreSQL behind a real door: one gives all to the other."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.wall.bodies import DOOR_PROTOCOLS, Handshake
from mudserver.wall.door import DoorClient
from tests.several_servers import Several, hears, one_line, says, until
from tests.terminal import Emulator

TITLE = re.compile(rb"\x1b\]2;[^\x1b]*\x1b\\")


class Town(Several):
    """All servers of a journal, and their door."""

    async def open_door(self) -> None:
        clock = Clock(asyncio.get_running_loop())
        paths = [self.directory / f"{it.app.directory.own}.sock" for it in self.opened]
        for server, path in zip(self.opened, paths, strict=True):
            await server.app.wall.open(path)
        self.door = DoorClient(
            WallConfig(), clock,
            lambda: Handshake(*DOOR_PROTOCOLS, "0.5.0", "1", "d1", 2, redirects=True), paths,
        )  # fmt: skip
        self._clock = clock
        await self.door.start()
        await until(lambda: all(wall.is_open for wall in self.door.walls))

    async def come(self, name: str):
        """Somebody at the server that has fewest people."""
        person = self.opened[-1].person(name, connect=self._connect)
        await hears(person, "lobby>")
        return person

    def _connect(self, link, proven) -> None:
        proven = replace(proven, at_ms=self._clock.now_ms())
        link.handler = self.door.open_connection(link, proven)

    async def stop(self) -> None:
        self.door.end_all("")
        self.door.close()
        await super().stop()


async def quiet(people) -> dict[str, bytes]:
    """All that each has been sent, once nothing comes any more."""
    before = None
    while before != (
        now := {it.name: b"".join(data for _, data in it.link.received) for it in people}
    ):
        before = now
        await asyncio.sleep(1)
    return now


def seen(data: bytes) -> tuple[list[str], tuple[int, int]]:
    """What a terminal shows of it, and where its cursor stands."""
    terminal = Emulator()
    terminal.feed(data)
    return terminal.rows, terminal.cursor


@pytest.fixture
async def town(database, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.several_servers.KNOWN_S", 90.0)
    monkeypatch.setattr("mudserver.cluster.mirror.LOOK_S", 0.1)
    made = Town(database, tmp_path, journal={"append_wait_s": 30.0, "lease_s": 60})
    await made.open("g1")
    await made.open("g2")
    await made.know_each_other()
    await made.open_door()
    yield made
    await made.stop()


async def test_tables_and_people_go_on_at_the_other_server_and_nobody_is_told(town):
    one, other = town.opened
    ann, bob, cid, dan = people = [await town.come(name) for name in ("ann", "bob", "cid", "dan")]
    assert [2, 2] == [len(wall.connections) for wall in town.door.walls]
    opened = await says(ann, "open elimination pace=instant seats=3", r"table \d+>")
    number = int(re.findall(r"table (\d+)>", opened)[-1])
    await says(bob, f"sit {number}", rf"table {number}>")
    await says(dan, f"watch {number}", rf"table {number}>")
    await says(ann, "bot", "computer")
    for person in (ann, bob):
        person.type("start")
    await hears(ann, "your turn>|table")
    cid.press(b"say half a li")
    shown = await quiet(people)
    table = one.app.table_manager.lists.find(number)
    assert table is not None
    evacuation = one.app.offer_evacuation()
    ended = asyncio.Event()
    evacuation.on_end = ended.set
    assert "evacuated: 1 table and 4 sessions go on at g2" == await evacuation.run()
    assert ended.is_set() and evacuation.is_over
    await until(lambda: 4 == len(town.door.walls[1].connections))
    await until(lambda: all(it.is_opened for it in town.door.connections.values()))
    assert await other.app.directory.is_own(number)
    assert other.app.table_manager.lists.find(number).sequence >= table.sequence
    await one.app.leave_others()
    town.opened.remove(one)
    now = await quiet(people)
    assert [seen(shown[name]) for name in shown] == [seen(now[name]) for name in shown]
    for name, before in shown.items():  # a screen reader would read a prompt that is drawn again
        assert b"" == TITLE.sub(b"", now[name].removeprefix(before)), name
    await says(cid, "ne", "cid: half a line")
    assert "4 people are here" in await says(cid, "who", "4 people are here")
    for person in (ann, bob, dan):
        await says(person, "look", rf"table {number}(, your turn)?>")
    assert "leaves" not in one_line(cid) and "No other server" not in one_line(cid)


async def test_a_line_typed_on_the_way_is_done_at_the_other_server(town):
    one, other = town.opened
    ann = await town.come("ann")
    await town.come("bob")
    opened = await says(ann, "open words", r"table \d+>")
    number = int(re.findall(r"table (\d+)>", opened)[-1])
    evacuating = asyncio.ensure_future(one.app.offer_evacuation().run())
    ann.forget()
    for _ in range(5):
        ann.type("whoami")
        await asyncio.sleep(0)
    await evacuating
    await until(lambda: 5 <= ann.text.count("You are ann"))
    await asyncio.sleep(0.3)
    assert 5 == ann.text.count("You are ann")
    assert other.app.table_manager.lists.find(number) is not None
    await one.app.leave_others()
    town.opened.remove(one)
