"""Private lines are for a person, however often somebody else gets the name."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world

MODES = {
    "line mode": (ANSI, "who"),
    "full screen": (ANSI, "screen on"),
    "screen reader": (replace(ANSI, is_screen_reader=True), "who"),
}
GONE = "guest1 has left. The next guest1 is somebody else."


async def talks(server: SimServer, ann: Watched, *lines: str) -> str:
    """What Ann's terminal shows after she has typed *lines*."""
    for line in lines:
        ann.type(line)
        await asyncio.sleep(1.5)
    return " ".join(ann.look().text.split())


async def leaves(guest: Seatholder) -> None:
    guest.type("quit")
    await asyncio.sleep(0.5)


@pytest.mark.parametrize("mode", MODES)
def test_a_reply_to_a_guest_who_has_left_reaches_nobody_else(mode):
    terminal, wish = MODES[mode]

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = Watched.comes_in(server, "ann", terminal)
        first = server.guest()
        await asyncio.sleep(0.5)
        await talks(server, ann, wish, "tell guest1 hello")
        first.type("reply hello ann")
        await asyncio.sleep(0.5)
        await leaves(first)
        second = server.guest()
        await asyncio.sleep(0.5)
        assert "Lockdown, guest2!" in second.text
        assert GONE in await talks(server, ann, "reply the key is below the mat")
        assert "guest1 has left." in await talks(server, ann, "tell guest1 the key, as I said")
        await leaves(second)
        await asyncio.sleep(3_600)
        later = server.guest()
        await asyncio.sleep(0.5)
        assert "Lockdown, guest1!" in later.text  # an hour later the number is free
        assert GONE in await talks(server, ann, "clear", "reply the key is below the mat")
        assert "key" not in second.text + later.text
        await talks(server, ann, "tell guest1 hello, whoever you are")
        assert "ann tells you: hello, whoever you are" in later.text

    virtual.run(scenario())


def test_a_guest_who_takes_the_seat_back_gets_the_reply():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = Watched.comes_in(server, "ann", ANSI)
        first = server.guest()
        await asyncio.sleep(0.5)
        await talks(server, ann, "open elimination", "tell guest1 sit down")
        first.type("sit 1")
        first.type("reply hello ann")
        await asyncio.sleep(0.5)
        found = re.search(r"resume (\S{14})", " ".join(first.text.split()))
        assert found
        await talks(server, ann, "bot", "start")
        first.link.drop()
        await asyncio.sleep(0.5)
        again = server.guest()
        await asyncio.sleep(0.5)
        assert "Lockdown, guest2!" in again.text
        again.type(f"resume {found[1]}")
        await asyncio.sleep(0.5)
        await talks(server, ann, "/reply there you are")
        assert "ann tells you: there you are" in again.text

    virtual.run(scenario())
