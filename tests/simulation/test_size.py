"""A server whose journal is full: nothing new begins, and nobody who plays notices.  And a server
that has been open for years: old tables leave its journal."""

from __future__ import annotations

import asyncio
from random import Random

from mudserver.config import schema
from tests.proofs.game import come_in, play_on, sit_down, table
from tests.simulation.server import SimServer, new_world
from tests.simulation.virtual import run

DAY_S = 86_400.0


def test_a_full_journal_refuses_what_is_new_and_lets_games_go_on():
    async def scenario() -> None:
        server = await SimServer(new_world(11)).open()
        people = await come_in(server)
        await sit_down(people, 1)
        server.journal.level = lambda: 1.0
        await play_on(server, people, Random(1))
        assert table(server).phase == "over"
        for who, line, sentence in (
            ("ann", "start", "no room for another game right now; running games go on"),
            ("bob", "open words", "no room for another game right now"),
        ):
            people[who].forget()
            people[who].type(line)
            await asyncio.sleep(0.1)
            assert sentence in " ".join(people[who].text.split())
        newcomer = server.person("cid")
        await asyncio.sleep(0.1)
        assert "no room for new accounts" in " ".join(newcomer.text.split())
        assert server.app.account_service.name_status("cid")[0] == "free"
        server.journal.level = lambda: 0.0
        for person in people.values():
            person.type("start")
        await asyncio.sleep(0.1)
        assert table(server).is_playing
        await server.die()

    run(scenario())


def test_tables_that_closed_long_ago_leave_the_journal(caplog):
    async def scenario() -> None:
        world = new_world(12, journal=schema.JournalConfig(keep_days=2, heartbeat_s=600.0))
        server = await SimServer(world).open()
        guest = server.guest()
        await asyncio.sleep(0.1)
        for _ in range(2):
            guest.type("open elimination")
            await asyncio.sleep(40)
            guest.type("leave")
            await asyncio.sleep(200)
        assert {"table/1", "table/2"} <= world.disk.closed
        await asyncio.sleep(1.5 * DAY_S)
        assert "table/1" in world.disk.records
        await asyncio.sleep(2 * DAY_S)
        assert "table/1" not in world.disk.records
        assert "table/2" in world.disk.records  # its number is not given out again
        await server.stop()

    with caplog.at_level("INFO", "mudserver"):
        run(scenario())
    assert any("retention removed tables=" in r.getMessage() for r in caplog.records)
