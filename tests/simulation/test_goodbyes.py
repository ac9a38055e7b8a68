"""`quit` behind a door, in virtual time, by somebody whose client takes long to close.

Rule 1: whatever happens, and at whichever frame: somebody whose connection was closed is not here
        any more.  Somebody whose connection was not has read that the line may be lost.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.proofs.sitters import UNCERTAIN
from tests.simulation import virtual
from tests.simulation.server import LingeringLink, new_world
from tests.simulation.split import SplitHouse

LONG_S = 30.0  # a restart, and more


async def goodbye(what: str = "", at: int = 0) -> tuple[int, bool]:
    """How many frames there were, and whether she has left."""
    house = await SplitHouse(new_world(3), is_torn=False).open()
    link = LingeringLink(protocol="ssh")
    ann = house.person("ann", link)
    await asyncio.sleep(1)
    assert 1 == house.server.app.service.online_count()
    house.frames, house.what, house.happens_at = 0, what, at
    ann.type("quit")
    await asyncio.sleep(1)
    frames = house.frames
    await asyncio.sleep(LONG_S)
    house.check()
    where = what, at
    assert link.is_closing == (0 == house.server.app.service.online_count()), where
    is_told = UNCERTAIN in " ".join(ann.text.split())
    assert link.is_closing or is_told, where
    said = len(link.received)
    link.let_go()
    await asyncio.sleep(1)
    assert (0, said) == (house.server.app.service.online_count(), len(link.received)), where
    assert not house.door.client.connections, where
    return frames, not is_told


@pytest.mark.parametrize("what", ["kill", "break", "hand over"])
def test_who_was_told_goodbye_is_not_brought_back(what):
    frames, has_left = virtual.run(goodbye())
    assert has_left
    ends = [virtual.run(goodbye(what, at))[1] for at in range(1, frames + 1)]
    assert ends.count(True) > frames // 2
