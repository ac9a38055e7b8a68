"""Somebody who comes in and has games that wait: one for the own move, one for Bob's, and one that
is adjourned."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from mudserver.transport.link import Terminal
from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation.server import ANSI, SimServer, new_world

PAUSE_S = 0.5  # after a line, before the next
AWAY_S = 2 * 3_600.0
WHO = "Ann"
OPENED = ("elimination move=1d seats=2", "stockpile move=3d seats=2", "words seats=3")


async def comes_back(server: SimServer, terminal: Terminal, cols: int, rows: int) -> Watched:
    """Ann, two hours after she has left three games."""
    people = {name: Watched.comes_in(server, name, ANSI) for name in (WHO, "Bob", "Cara")}
    await asyncio.sleep(PAUSE_S)
    for number, options in enumerate(OPENED, 1):
        seated = [*people][: 3 if number == 3 else 2]
        await _types(people, f"{WHO}> open {options}")
        for name in seated[1:]:
            await _types(people, f"{name}> sit {number}")
        for name in seated:
            await _types(people, f"{name}> ready")
        plays = {1: "Bob", 2: WHO}.get(number)  # until the other one is asked
        while plays and (moves := people[plays].moves()):
            await _types(people, f"{plays}> {moves[0]}")
        if number == 3:
            await _types(people, f"{WHO}> offer adjourn")
            await asyncio.sleep(4)
            await _types(people, "Bob> accept", "Cara> accept")
        await _types(people, *(f"{name}> lobby" for name in seated))
    await _types(people, f"{WHO}> quit", "Bob> quit", "Cara> quit")
    await asyncio.sleep(AWAY_S)
    people["Nora"] = Watched.comes_in(server, "Nora", ANSI)
    await asyncio.sleep(PAUSE_S)
    await _types(people, "Nora> open words")
    own = Watched.comes_in(server, WHO, replace(terminal, cols=cols, rows=rows))
    await asyncio.sleep(PAUSE_S)
    return own


async def _types(people: dict[str, Watched], *lines: str) -> None:
    for line in lines:
        name, _, text = line.partition("> ")
        people[name].type(text)
        await asyncio.sleep(PAUSE_S)


async def seen(
    cols: int, rows: int, typed: Sequence[str], *, is_aloud: bool = False
) -> TwoScreenEmulator:
    """Ann's terminal when she has come back and has typed these lines."""
    server = await SimServer(new_world(3)).open()
    own = await comes_back(server, replace(ANSI, is_screen_reader=is_aloud), cols, rows)
    for line in typed:
        own.type(line)
        await asyncio.sleep(1.5)
    return own.look()
