"""A match of several deals as two people read it, with a server that dies between two deals."""

from __future__ import annotations

import asyncio

from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from tests.toys.multistep.game import MULTISTEP


async def _evening() -> tuple[str, str, str]:
    """What Ann reads: of the first deal, after the server died, of the last deal."""
    world = new_world(1)
    world.catalogue = {MULTISTEP.name: MULTISTEP}
    server = await SimServer(world).open()
    ann, bob = server.person("Ann"), server.person("Bob")
    await _typed((ann, "open multistep deals=2"), (bob, "sit 1"), (bob, "start"), (ann, "start"))
    await _typed((ann, "fall"), (ann, "stand"), (ann, "leave"), (ann, "look"), (ann, "start"))
    first = ann.text
    await server.die()
    server = await SimServer(world).open()
    ann, bob = server.person("Ann"), server.person("Bob")
    await _typed((bob, "start"))
    came_back = ann.text
    await asyncio.sleep(21)
    await _typed((ann, "look"), (ann, "fall"))
    last = ann.text
    await server.stop()
    return first, came_back, last


async def _typed(*lines) -> None:
    await asyncio.sleep(0.1)
    for person, line in lines:
        person.type(line)
        await asyncio.sleep(0.1)


def test_a_match_survives_the_death_of_the_server_between_two_deals():
    first, came_back, last = virtual.run(_evening())
    assert "Deal 1 of 2 is over. Points: Ann 0, Bob 1. The next begins in 20 s" in first
    assert "The match goes on with deal 2." in first
    assert "One more deal follows. Type leave again to give it to a computer player." in first
    assert "The server was restarted. The next deal begins in 20 s" in came_back
    assert "Deal 2 of 2 begins. Ann, Bob." in last and "Deal 2 of 2\n" in last.replace("\r", "")
    assert "The match is over: Bob wins. 1 Bob (2), 2 Ann (0)" in last
