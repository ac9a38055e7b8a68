"""Scenarios in a server whose people are programs, and what those read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world


def told(
    scenario: Callable[[SimServer], Awaitable[Any]], game: Any = None, **sections: object
) -> Any:
    async def whole() -> Any:
        world = new_world(1, **sections)
        if game is not None:
            world.catalogue = {game.name: game}
        return await scenario(await SimServer(world).open())

    return virtual.run(whole())


async def after(program: Seatholder, *lines: str, wait_s: float = 0.1) -> list[dict[str, Any]]:
    """What a program reads after it has written *lines*."""
    program.forget()
    for text in lines:
        program.type(text)
        await asyncio.sleep(wait_s)
    return program.objects


def types(objects: list[dict[str, Any]]) -> list[str]:
    return [one["type"] for one in objects]


def last(objects: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return [one for one in objects if one["type"] == kind][-1]
