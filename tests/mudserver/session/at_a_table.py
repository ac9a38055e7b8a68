"""One table: three people play, one watches, and what each of them reads."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from tests.toys.multistep.game import MULTISTEP

Play = Callable[..., Awaitable[dict[str, list[str]]]]


def run_at_a_table(
    scenario: Callable[[SimServer, Play, dict[str, Seatholder]], Awaitable[Any]],
    game: Any = MULTISTEP,
) -> Any:
    """Ann, Bob and Cyd play *game* and Wim watches; *scenario* types and reads."""

    async def told() -> Any:
        world = new_world(1)
        world.catalogue = {game.name: game}
        server = await SimServer(world).open()
        people = {name: server.person(name) for name in ("Ann", "Bob", "Cyd", "Wim")}
        await asyncio.sleep(0.1)

        async def play(*lines: str, wait_s: float = 0.1) -> dict[str, list[str]]:
            """Type lines (`Ann> step`); the rows that everybody has read since, prompts too."""
            for person in people.values():
                person.forget()
            for typed in lines:
                who, _, text = typed.partition("> ")
                people[who].type(text)
                await asyncio.sleep(wait_s)
            return {name: _rows(person) for name, person in people.items()}

        await play(f"Ann> open {game.name}", "Bob> sit 1", "Cyd> sit 1", "Wim> watch 1")
        await play("Bob> ready", "Cyd> ready", "Ann> start")
        return await scenario(server, play, people)

    return virtual.run(told())


def _rows(person: Seatholder) -> list[str]:
    # Where a row was erased the new one follows: what had stood there is of no interest.
    rows = [re.sub(r"^table \d(, your turn)?> (?=.)", "", r) for r in person.text.split("\n")]
    return [row.rstrip() for row in rows if row.strip()]
