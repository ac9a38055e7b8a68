"""What is typed for a table that is being opened for the person."""

from __future__ import annotations

import asyncio

import pytest

from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize("line", ["watch 1", "sit 1"])
def test_who_wants_to_the_own_table_before_it_is_open_is_answered_when_it_is(line):
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        ann = server.person("ann")
        await asyncio.sleep(1)
        ann.press(f"open words\r{line}\r".encode())
        await asyncio.sleep(1)
        return ann.text

    shown = virtual.run(scenario())
    assert "Something went wrong" not in shown and "ref " not in shown
    opened, answered = shown.index("Table 1, words"), shown.index("have a seat at table 1")
    assert opened < answered


def test_a_guest_who_sits_at_the_own_table_before_it_is_open_is_shown_the_code_once():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        guest = server.guest()
        await asyncio.sleep(1)
        guest.press(b"open words\rsit 1\r")
        await asyncio.sleep(1)
        return guest.text

    assert 1 == virtual.run(scenario()).count("\nresume ")
