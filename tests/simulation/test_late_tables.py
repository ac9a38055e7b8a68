"""A server with more tables than can be set up before its listeners open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from mudserver import app
from mudserver.errors import JournalCorruptError, JournalWriteError
from mudserver.journal import StoredRecord
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.messages import ViewMessage
from mudserver.source_budgets import Kind
from mudserver.tables import restore
from tests.proofs.game import come_in, play_on, sit_down, table
from tests.simulation.server import Seatholder, SimServer, World, new_world
from tests.simulation.virtual import run


def in_a_game() -> World:
    """Ann and Bob are in the middle of a game at table 1 when the server dies."""
    world = new_world(21)

    async def scenario() -> None:
        server = await SimServer(world).open()
        people = await come_in(server)
        await sit_down(people, 1)
        await play_on(server, people, server.app.platform.rng, turns=4)
        assert table(server).is_playing
        await server.die()

    run(scenario())
    return world


@pytest.fixture
def late(monkeypatch):
    """A server whose tables are set up when the test lets them."""
    monkeypatch.setattr(app, "RESTORE_BEFORE_OPEN_S", 0.0)

    async def opened(
        world: World, read: Callable[[str, int], Awaitable[list[StoredRecord]]]
    ) -> SimServer:
        server = SimServer(world)
        whole = server.journal.read
        server.journal.read = lambda stream, after=0: (
            read(stream, after) if TABLE_STREAMS.owns(stream) else whole(stream, after)
        )
        return await server.open()

    return opened


async def says(person: Seatholder, line: str) -> str:
    person.forget()
    person.type(line)
    await asyncio.sleep(0.1)
    return " ".join(person.text.split())


def test_people_come_in_first_and_into_their_seats_when_the_table_is_there(late):
    world = in_a_game()

    async def scenario() -> None:
        gate = asyncio.Event()

        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            await gate.wait()
            return world.disk.records[stream]

        server = await late(world, read)
        people = await come_in(server)
        ann, cid = people["ann"], server.person("cid")
        guest = server.guest()
        await asyncio.sleep(0.1)
        for person in (ann, cid):  # nobody can tell yet which of them has a seat
            said = " ".join(person.text.split())
            assert "The server has just restarted" in said
            assert "If you have a seat, you will see it in a moment." in said
            assert "Type help to begin" not in said
        for person, line in ((ann, "open words"), (ann, "sit 1"), (ann, "look"), (ann, "start"),
                             (ann, "draw"), (ann, "discards"), (cid, "watch 1"),
                             (guest, "resume abcd-efgh")):  # fmt: skip
            assert "is loading the tables. Please try again" in await says(person, line)
        assert "1 more is being loaded" in await says(cid, "tables")
        ann.forget()
        gate.set()
        await asyncio.sleep(0.1)
        assert "Table 1, elimination. Players: ann, bob" in " ".join(ann.text.split())
        assert 1 == server.app.budgets.held(Kind.TABLES)  # whoever was here first holds it
        assert ann.is_asked or people["bob"].is_asked
        assert isinstance(server.app.table_manager.look("p1"), ViewMessage)
        assert "still restoring" not in await says(cid, "watch 1")
        await play_on(server, people, server.app.platform.rng)
        assert table(server).phase == "over"
        await server.die()

    run(scenario())


def test_nobody_is_given_the_name_of_a_guest_whose_table_is_late(late):
    world = new_world(5)

    async def before() -> str:
        server = await SimServer(world).open()
        guest, bob = server.guest(), server.person("bob")
        await asyncio.sleep(0.1)
        for who, line in ((guest, "open elimination"), (bob, "sit 1"), (guest, "start")):
            who.type(line)
            await asyncio.sleep(0.1)
        await server.die()
        return guest.text.partition("resume ")[2].split()[0]

    code = run(before())

    async def scenario() -> None:
        gate = asyncio.Event()

        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            await gate.wait()
            return world.disk.records[stream]

        server = await late(world, read)
        other = server.guest()
        await asyncio.sleep(0.1)
        assert "You are guest1," not in await says(other, "whoami")
        gate.set()
        await asyncio.sleep(0.1)
        again = server.guest()
        await asyncio.sleep(0.1)
        assert "guest1." in await says(again, f"resume {code}")
        assert 1 == (await says(other, "who")).count("guest1 ")
        await server.die()

    run(scenario())


@pytest.mark.parametrize("is_broken", [True, False])
def test_a_table_that_cannot_be_set_up_is_a_line_and_the_server_goes_on(late, caplog, is_broken):
    world = in_a_game()

    async def scenario() -> None:
        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            if is_broken:
                raise JournalCorruptError("journal broken stream=table/1")
            return [StoredRecord(1, 0, b'{"at_ms":0,"facts":[]}')]

        server = await late(world, read)
        ann = server.person("ann")
        await asyncio.sleep(0.1)
        assert "Table 2" in await says(ann, "open elimination")
        await server.die()

    run(scenario())
    assert 1 == sum("table not restored stream=table/1" in r.getMessage() for r in caplog.records)


def test_a_disk_that_cannot_be_read_is_asked_again(late):
    world = in_a_game()

    async def scenario() -> None:
        failures = 3

        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            nonlocal failures
            failures -= 1
            if failures:
                raise JournalWriteError("no")
            return server.journal.disk.read(stream)

        server = await late(world, read)
        await asyncio.sleep(2 * restore.RETRY_S + 1)
        assert table(server).is_playing
        await server.stop()

    run(scenario())


def test_closing_does_not_wait_for_tables_that_are_not_set_up(late):
    world = in_a_game()

    async def scenario() -> None:
        never = asyncio.Event()

        async def read(stream: str, after: int = 0) -> list[StoredRecord]:
            await never.wait()
            return []

        server = await late(world, read)
        await asyncio.sleep(0.1)
        await server.stop()

    run(scenario())
