"""How long tables that have closed are kept."""

from __future__ import annotations

import asyncio

from mudserver.clock import Clock
from mudserver.office.retention import DAY_S, Retention
from tests.simulation import virtual

DAY_MS = 86_400_000


def test_another_number_of_days_counts_from_the_next_day_on():
    asked: list[int] = []  # how many days before now

    async def story() -> None:
        clock = Clock(asyncio.get_running_loop())

        async def prune(before_ms: int) -> int:
            asked.append(round((clock.now_ms() - before_ms) / DAY_MS))
            return 0

        retention = Retention(clock, prune, 0)
        running = asyncio.create_task(retention.run())
        for days in (0, 7, 2):
            retention.take(days)
            await asyncio.sleep(DAY_S)
        running.cancel()

    virtual.run(story())
    assert [7, 2] == asked
