"""Behind a door an answer and its prompt are one, whenever in a tick the line was typed."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, new_world
from tests.simulation.split import Cable, SplitHouse

DUMB = Terminal("dumb", 80, 24, is_character_mode=True)
LINES = Terminal("unknown", 80, 24)  # edits its own lines
TICK_S, PHASES = 0.02, 20
SLOW_S = 0.003  # for which what is written has not left


async def prompts(terminal: Terminal) -> list[int]:
    """How many prompts come with an answer, for a line typed at each moment of a tick."""
    house = await SplitHouse(new_world(1), delay_s=SLOW_S).open()
    ann = house.person("ann", FakeLink(terminal, protocol="ssh"))
    await asyncio.sleep(1)
    read = []
    for phase in range(PHASES):
        to_tick_s = -asyncio.get_running_loop().time() % TICK_S
        await asyncio.sleep(to_tick_s + phase * TICK_S / PHASES)
        ann.forget()
        ann.type("whoami")
        await asyncio.sleep(1)
        assert "You are ann" in ann.text
        read.append(ann.text.count("lobby> "))
    return read


@pytest.mark.parametrize("terminal", [ANSI, DUMB, LINES])
def test_an_answer_and_its_prompt_are_one(terminal, monkeypatch):
    monkeypatch.setattr(Cable, "get_write_buffer_size", lambda cable: cable.unarrived_bytes)
    assert [1] * PHASES == virtual.run(prompts(terminal))
