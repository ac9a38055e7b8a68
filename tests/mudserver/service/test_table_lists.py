"""The tables that a screen in the lobby shows."""

from __future__ import annotations

from typing import Any

from mudserver.cluster.directory import Directory
from mudserver.service import table_lists
from mudserver.service.table_lists import TableLists
from mudserver.tables import requests as r
from tests.mudserver.tables.test_parking import alone, parks, passes
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP


def test_a_screen_shows_parked_tables_last_and_not_all_of_them(monkeypatch):
    monkeypatch.setattr(table_lists, "BOARD_PARKED_MAX", 2)

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        unused: Any = None
        lists = TableLists(
            *(world.tables, Directory(world.journal), unused, {}, world.clock, world.outbox)
        )
        await world.opened("a", "b", move="1d")
        world.tables.submit(1, r.Configure("a", {"code": "on"}))
        await passes(world, 3)
        await world.all_start()
        await alone(world, 1, "a", "b")
        for _ in range(3):
            await parks(world, "a", "b")
        await world.opened("c")
        assert [1, 2, 3, 4] == world.tables.parking.rows.numbers()
        tables, more = lists.board()
        assert ([5, 2, 3], 1) == ([it.number for it in tables], more)
        assert [1, 2, 3, 4, 5] == [it.number for it in lists.all()]

    run(scenario())
