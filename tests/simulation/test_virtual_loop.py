"""The clock of the simulation, after as long as a run may take."""

from __future__ import annotations

import asyncio
import math

from tests.simulation.virtual import run


def test_a_timer_that_is_nearer_than_the_clock_can_tell_is_met():
    async def scenario() -> bool:
        loop, is_met = asyncio.get_running_loop(), asyncio.Event()
        loop.virtual_s = 200.0 * 86_400  # type: ignore[attr-defined]
        loop.call_at(math.nextafter(loop.time(), math.inf), is_met.set)
        for _ in range(100):
            loop.call_soon(lambda: None)
        await asyncio.wait_for(is_met.wait(), 1.0)
        return is_met.is_set()

    assert run(scenario())
