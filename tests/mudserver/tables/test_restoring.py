"""Tables of the run before that take longer to fold than people want to wait at the door."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

from mudserver.journal import Stored
from mudserver.tables import folding
from mudserver.tables.restoring import Restoring
from tests.memory_journal import Disk
from tests.mudserver.tables.hallway import World
from tests.simulation.virtual import run


class Shelf:
    """A journal whose streams hold nothing."""

    def read(self, stream: str) -> list[Stored]:
        return []

    async def read_again(self, stream: str) -> list[Stored]:
        return []


async def test_a_table_begun_before_the_doors_open_is_finished_behind_them():
    clock, steps = SimpleNamespace(now_s=0.0), []
    clock.monotonic = lambda: clock.now_s

    def set_up(stream: str, stored: object) -> Iterator[None]:
        for n in range(3):
            clock.now_s += 1.0
            steps.append(f"{stream}.{n}")
            yield

    restoring = Restoring(Shelf(), clock, set_up)
    restoring.begin(["1", "2"], within_s=1.5)
    assert (["1.0", "1.1"], 2) == (steps, restoring.left())
    for _ in range(20):
        await asyncio.sleep(0)
    assert 0 == restoring.left()
    assert ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"] == steps


def test_a_table_of_many_records_is_folded_a_piece_a_turn(monkeypatch):
    monkeypatch.setattr(folding, "PIECE", 1)

    async def before(disk: Disk) -> None:
        world = World(disk)
        await world.opened("ann")

    async def story(disk: Disk) -> None:
        world, turns = World(disk, within_s=0.0), 0
        while world.hall.restoring.left():
            await asyncio.sleep(0)
            turns += 1
            assert bool(world.hall.find(1)) == (not world.hall.restoring.left())
        assert turns > len(disk.records["table/1"]) >= 1

    disk = Disk()
    run(before(disk))
    run(story(disk))
