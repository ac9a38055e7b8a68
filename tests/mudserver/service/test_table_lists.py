"""The tables that a screen in the lobby shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from mudserver.cluster.directory import Directory
from mudserver.service import table_lists
from mudserver.service.table_lists import TableLists
from mudserver.tables import requests as r
from mudserver.tables.parked_rows import ParkedRows
from mudserver.tables.summary import TableSummary
from tests.mudserver.tables.test_parking import alone, parks, passes
from tests.mudserver.tables.world import World, run
from tests.toys.multistep.game import MULTISTEP


def lists_of(world: World) -> TableLists:
    programs: Any = SimpleNamespace(tables_data=lambda *about: None)
    games: Any = {MULTISTEP.name: MULTISTEP}
    directory = Directory(world.journal)
    return TableLists(world.tables, directory, programs, games, world.clock, world.outbox)


def test_a_screen_shows_parked_tables_last_and_not_all_of_them(monkeypatch):
    monkeypatch.setattr(table_lists, "BOARD_PARKED_MAX", 2)

    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        lists = lists_of(world)
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


def test_a_list_names_some_of_very_many_games_that_nobody_looks_at(monkeypatch):
    monkeypatch.setattr(table_lists, "QUIET_MAX", 2)

    async def scenario() -> None:
        world, unpacked = World(variant=MULTISTEP), list[int]()
        lists = lists_of(world)
        for _ in range(4):
            await parks(world, "a", "b")
        await world.opened("c")
        honest = ParkedRows.summary

        def summary(self: ParkedRows, number: int) -> TableSummary:
            unpacked.append(number)
            return honest(self, number)

        monkeypatch.setattr(ParkedRows, "summary", summary)
        ann = world.person("a")
        for only, more in (((), 2), (("rated",), 0), (("open",), 0)):
            rows = [str(row) for row in lists.page(ann, None, only).rows]
            numbers = [int(row.split("\t")[0]) for row in rows if "\t" in row]
            assert numbers == {(): [1, 2, 5], ("rated",): [], ("open",): [5]}[only]
            assert more == 2 * any(row.startswith("2 more games by corr") for row in rows)
        assert [1, 2, 3, 4] == unpacked  # once in a moment
        await world.tables.fetch(1)
        assert [1, 2, 3, 5] == [it.number for it in lists.listed([MULTISTEP.name], ())[0]]
        await passes(world, table_lists.UNPACKED_S)
        lists.listed([MULTISTEP.name], ())
        assert [1, 2, 3, 4, 2, 3, 4] == unpacked

    run(scenario())
