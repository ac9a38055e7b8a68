"""One game of two people and computer players in the simulated server, for crash proofs.

Rule 1: people play what `moves` offers, picked by a seed of their own, so that a game repeats
        itself whatever else happens.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from random import Random
from typing import Any

from msgspec import structs

from mudserver.messages import ViewMessage
from mudserver.session.presenter import message_lines
from mudserver.ui.encode import encode_lines
from tests.games import profile_of
from tests.inline_bots import InlineBots
from tests.live import live_table
from tests.memory_journal import Disk
from tests.simulation.server import ANSI, Seatholder, SimServer, World

TERMINALS = {"ann": ANSI, "bob": replace(ANSI, cols=40, charset="ascii")}


class HeldBots(InlineBots):
    """Computer players that think until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def choose(self, *question: Any) -> Any:  # type: ignore[override]
        await self.gate.wait()
        return await super().choose(*question)


async def come_in(server: SimServer) -> dict[str, Seatholder]:
    people = {name: server.person(name, terminal) for name, terminal in TERMINALS.items()}
    await asyncio.sleep(0.1)
    return people


async def sit_down(
    people: dict[str, Seatholder],
    computers: int,
    options: str = "",
    variant: str = "elimination",
) -> None:
    """Ann opens table 1, Bob joins, and the game starts."""
    lines = [("ann", f"open {variant} pace=instant {options}".strip()), ("bob", "sit 1")]
    for name, line in (*lines, *[("ann", "bot")] * computers, ("bob", "ready"), ("ann", "start")):
        people[name].type(line)
        await asyncio.sleep(0.1)


def one_round(variant: str) -> str:
    """Options under which a game that goes on for rounds is a short one."""
    return " ".join(f"{name}={value}" for name, value in profile_of(variant).one_round.items())


def table(server: SimServer) -> Any:
    return live_table(server.app.table_manager, 1)


async def play_on(
    server: SimServer, people: dict[str, Seatholder], rng: Random, turns: int = 10_000
) -> None:
    """Until the game is over, or somebody has played *turns* times."""
    while turns and (now := table(server)) is not None and now.is_playing:
        for person in people.values():
            if turns and person.is_asked and (moves := await person.moves()):
                person.type(rng.choice(moves))
                turns -= 1
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.05)


def forked(world: World, records: int) -> World:
    """The same world as if its server had died with so many records of table 1 on the disk."""
    streams = {s: list(stored) for s, stored in world.disk.records.items()}
    kept = streams["table/1"] = streams["table/1"][:records]
    is_whole = len(kept) == len(world.disk.records["table/1"])
    closed = world.disk.closed if is_whole else world.disk.closed - {"table/1"}
    disk = Disk(streams, set(closed), kept[-1].at_ms)
    return World(world.seed, disk, world.settings, world.make_chance, runs=records)


def masked(data: bytes) -> bytes:
    """Without the time that is left; a row may end between the number and its unit."""
    return re.sub(rb"\b\d+((?: |\r\n|\x1b\[[\d;]*m)+)(?:s|min)\b", rb"-\1t", data)


def look_of(server: SimServer, person: Seatholder, shown: ViewMessage) -> bytes:
    """The bytes with which that person's terminal shows *shown* when asked to look."""
    session: Any = person.link.handler
    message = structs.replace(shown, why="look")
    games = server.app.platform.catalogue
    rows = message_lines(message, session.profile, server.clock.now_ms(), True, games)
    return masked(encode_lines(rows, session.terminal_profile))


async def looks(server: SimServer, person: Seatholder) -> bytes:
    """What the person is shown on typing look."""
    person.forget()
    person.type("look")
    await asyncio.sleep(0.1)
    return masked(person.link.heard)
