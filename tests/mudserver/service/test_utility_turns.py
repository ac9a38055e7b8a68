from __future__ import annotations

import asyncio

import pytest

from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.service.utility_turns import BURST, WAITING_MAX, UtilityTurns
from tests.simulation import virtual


def test_sources_take_turns_when_more_is_asked_than_can_be_done():
    async def scenario() -> list[str]:
        turns, done = UtilityTurns(Clock(asyncio.get_running_loop())), []

        async def ask(source: str) -> None:
            await turns.wait(source)
            done.append(source)

        for _ in range(BURST):
            await turns.wait("192.0.2.1")
        asking = [asyncio.create_task(ask(source)) for source in ("192.0.2.1", "192.0.2.2")]
        await asyncio.sleep(0)
        with pytest.raises(UserError, match="busy with this"):
            await turns.wait("192.0.2.1")  # has its place already
        await asyncio.gather(*asking)
        return done

    assert ["192.0.2.1", "192.0.2.2"] == virtual.run(scenario())


def test_so_many_sources_wait_and_who_has_gone_makes_room():
    async def scenario() -> None:
        turns = UtilityTurns(Clock(asyncio.get_running_loop()))
        for _ in range(BURST):
            await turns.wait("192.0.2.1")
        asking = [asyncio.create_task(turns.wait(f"10.0.{n}.1")) for n in range(WAITING_MAX)]
        await asyncio.sleep(0)
        with pytest.raises(UserError, match="busy with this"):
            await turns.wait("192.0.2.1")
        asking.pop().cancel()
        await asyncio.sleep(0)
        await asyncio.wait_for(turns.wait("192.0.2.1"), WAITING_MAX + 1)
        await asyncio.gather(*asking)

    virtual.run(scenario())
