"""How long tables that have closed are kept."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.clock import Clock
from mudserver.ops.retention import DAY_S, FIRST_S, Retention
from tests.simulation import virtual

DAY_MS = 86_400_000


def test_another_number_of_days_counts_from_the_next_day_on():
    asked: list[int] = []  # how many days before now

    async def scenario() -> None:
        clock = Clock(asyncio.get_running_loop())

        async def prune(before_ms: int) -> int:
            asked.append(round((clock.now_ms() - before_ms) / DAY_MS))
            return 0

        retention = Retention(clock, prune, 0)
        running = asyncio.create_task(retention.run())
        for days in (0, 7, 2):
            retention.reconfigure(days)
            await asyncio.sleep(DAY_S)
        running.cancel()

    virtual.run(scenario())
    assert [7, 2] == asked


@pytest.mark.parametrize(("away_days", "wait_s"), [(6, FIRST_S), (8, DAY_S), (-300, FIRST_S)])
def test_a_clock_that_has_jumped_takes_nothing_out_on_its_first_day(away_days, wait_s):
    async def scenario() -> float:
        clock, loop = Clock(asyncio.get_running_loop(), 900 * DAY_MS), asyncio.get_running_loop()
        pruned = loop.create_future()
        begun_s = loop.time()

        async def prune(before_ms: int) -> int:
            pruned.set_result(loop.time() - begun_s)
            return 0

        retention = Retention(clock, prune, 7, clock.now_ms() - away_days * DAY_MS)
        running = asyncio.create_task(retention.run())
        waited_s = await pruned
        running.cancel()
        return waited_s

    assert wait_s == virtual.run(scenario())
