"""The title of the terminal's window."""

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.session.terminal_title import takes_title
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

XTERM = replace(ANSI, name="xterm-256color")
KEEP, RESTORE = b"\x1b[22;2t", b"\x1b[23;2t"


def titles(heard: bytes) -> list[str]:
    return [found.decode() for found in re.findall(rb"\x1b\]2;(.*?)\x1b\\", heard)]


def test_the_title_says_whose_turn_it_is_and_the_old_one_comes_back():
    async def told() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = (server.person(name, XTERM) for name in ("Ann", "Bob"))
        await asyncio.sleep(1)
        for line in ("open elimination clocks=off", "bot easy", "start"):
            ann.type(line)
            await asyncio.sleep(1)
        await asyncio.sleep(30)  # the other may begin
        heard = ann.link.heard
        assert titles(heard)[:2] == ["Lockdown: lobby", "Lockdown: table 1"]
        assert "Lockdown: your turn" in titles(heard)
        assert heard.count(KEEP) == 1 and RESTORE not in heard
        assert titles(bob.link.heard) == ["Lockdown: lobby"]
        bob.type("set title off")
        await asyncio.sleep(1)
        assert bob.link.heard.count(RESTORE) == 1
        bob.type("set title auto")
        await asyncio.sleep(1)
        assert titles(bob.link.heard) == ["Lockdown: lobby"] * 2
        bob.type("quit")
        await asyncio.sleep(1)
        assert bob.link.heard.count(RESTORE) == 2

    virtual.run(told())


@pytest.mark.parametrize(
    ("name", "is_ansi", "may"),
    [("xterm", True, True), ("tmux-256color", True, True), ("linux", True, False),
     ("unknown", True, False), ("vt100", True, False), ("xterm", False, False)],
)  # fmt: skip
def test_only_terminals_that_are_known_to_take_a_title_get_one(name, is_ansi, may):
    assert takes_title(replace(ANSI, name=name, is_ansi=is_ansi)) is may


def test_a_screen_reader_gets_no_title():
    async def told() -> None:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann", replace(XTERM, is_screen_reader=True))
        await asyncio.sleep(1)
        assert titles(ann.link.heard) == []

    virtual.run(told())
