"""A tournament after its second round, and who reads its standings."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation.server import ANSI, SimServer, new_world

PAUSE_S = 0.5  # after a line, before the next
NAMES = ("Ann", "Bob", "Cara", "Dan", "Eve", "Fay")
OPENED = "tourney open elimination Winter Cup seats=3 rounds=3 preset=short"
STEPS_MAX = 4_000


async def seen(cols: int, rows: int) -> TwoScreenEmulator:
    """Nora's terminal, who watches the tournament from the lobby."""
    server, rng = await SimServer(new_world(4)).open(), Random(4)
    people = [Watched.comes_in(server, name, ANSI) for name in NAMES]
    await asyncio.sleep(PAUSE_S)
    for person, line in (
        (people[0], OPENED),
        *((person, "tourney 1 join") for person in people),
        (people[0], "tourney 1 start"),
    ):
        person.type(line)
        await asyncio.sleep(PAUSE_S)
    await asyncio.sleep(5)
    [tourney] = server.app.tourney_streams.all()
    for _ in range(STEPS_MAX):
        if len(tourney.rounds) == 2 and tourney.round.is_over:
            break
        for person in people:
            if moves := person.moves():
                person.type(rng.choice(moves))
                await asyncio.sleep(PAUSE_S)
        await asyncio.sleep(PAUSE_S)
    nora = Watched.comes_in(server, "Nora", replace(ANSI, cols=cols, rows=rows))
    await asyncio.sleep(PAUSE_S)
    for line in ("tourney 1", "tourney 1 standings"):
        nora.type(line)
        await asyncio.sleep(PAUSE_S)
    return nora.look()
