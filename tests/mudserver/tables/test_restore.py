"""Tables of the previous run that take longer to replay than a start may take."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace

from mudserver.tables import replay
from mudserver.tables.restore import TableRestorer
from tests.live import live_table
from tests.memory_journal import Disk, MemoryJournal
from tests.mudserver.tables.world import World
from tests.simulation.virtual import run


async def test_a_table_begun_before_the_listeners_open_is_finished_later():
    clock, steps = SimpleNamespace(now_s=0.0), []
    clock.monotonic = lambda: clock.now_s

    def set_up(stream: str, stored: object) -> Iterator[None]:
        for n in range(3):
            clock.now_s += 1.0
            steps.append(f"{stream}.{n}")
            yield

    restoring = TableRestorer(MemoryJournal(), clock, set_up)
    restoring.start(["1", "2"], within_s=1.5)
    assert (["1.0", "1.1"], 2) == (steps, restoring.pending_count())
    for _ in range(20):
        await asyncio.sleep(0)
    assert 0 == restoring.pending_count()
    assert ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"] == steps


def test_a_table_of_many_records_is_folded_a_piece_a_turn(monkeypatch):
    monkeypatch.setattr(replay, "RECORDS_PER_STEP", 1)

    async def before(disk: Disk) -> None:
        world = World(disk)
        await world.opened("ann")

    async def driver(disk: Disk) -> None:
        world, turns = World(disk, within_s=0.0), 0
        while world.tables.restorer.pending_count():
            await asyncio.sleep(0)
            turns += 1
            assert bool(live_table(world.tables, 1)) == (not world.tables.restorer.pending_count())
        assert turns > len(disk.records["table/1"]) >= 1

    disk = Disk()
    run(before(disk))
    run(driver(disk))
