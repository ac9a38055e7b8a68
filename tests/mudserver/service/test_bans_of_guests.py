"""A ban of a guest is one of the address: which addresses it may meet."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config.schema import DoorLimits
from tests.mudserver.service.test_moderation import cast, coming, says
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize("source", ["127.0.0.1", "::1", "198.51.100.7"])
def test_no_ban_of_a_guest_keeps_out_everybody_behind_a_proxy_and_a_kick_works(source):
    async def scenario():
        door = DoorLimits(proxy_from=("198.51.100.0/24",))
        server = await SimServer(new_world(1, door=door)).open()
        here = await cast(server, mia="moderator")
        guest = coming(server, "guest", source, how="guest")
        await asyncio.sleep(0.5)
        refused, is_here = await says(here["mia"], "ban guest1 1h flooding"), guest.link.is_open
        done = await says(here["mia"], "kick guest1 flooding")
        await server.stop()
        return refused, is_here, done, guest.link.is_open

    refused, is_here, done, is_left = virtual.run(scenario())
    assert "That is an address of this server, its proxy" in refused and is_here
    assert "guest1 is banned until" in done and not is_left
