"""A ban of a guest is one of the address: which addresses it may meet."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.config.schema import DoorLimits
from tests.mudserver.service.test_moderation import at_one_table, cast, coming, says
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize("source", ["127.0.0.1", "::1", "198.51.100.7"])
def test_no_ban_and_no_kick_of_a_guest_meets_everybody_behind_a_proxy(source):
    """Whose own address is not known is kicked alone, and does not get back to the seat."""

    async def scenario():
        door = DoorLimits(proxy_from=("198.51.100.0/24",))
        server = await SimServer(new_world(1, door=door)).open()
        here = await cast(server, mia="moderator")
        guest, other = [coming(server, "guest", source, how="guest") for _ in range(2)]
        await asyncio.sleep(0.5)
        await at_one_table(guest, other)
        code = re.search(r"resume (\S+-\S+-\S+)", await says(guest, "whoami"))[1]
        refused, is_here = await says(here["mia"], "ban guest1 1h flooding"), guest.link.is_open
        done = await says(here["mia"], "kick guest1 flooding")
        listed = await says(here["mia"], "sanctions")
        again = coming(server, "guest", source, how="guest")
        await asyncio.sleep(0.5)
        can_come = again.link.is_open
        kept_out = await says(again, f"resume {code}")
        await asyncio.sleep(300)
        later = coming(server, "guest", source, how="guest")
        await asyncio.sleep(0.5)
        back = await says(later, f"resume {code}")
        left = guest.link.is_open, other.link.is_open
        await server.stop()
        return refused, is_here, done, listed, left, can_come, kept_out, back

    refused, is_here, done, listed, left, can_come, kept_out, back = virtual.run(scenario())
    assert "That is an address of this server, its proxy" in refused and is_here
    assert "guest1 is banned until" in done and "guest1" in listed and source not in listed
    assert ((False, True), True) == (left, can_come)
    assert "You are banned until" in kept_out and "flooding" in kept_out
    assert "You have a seat at table 1" in back and "banned" not in back


def test_a_kick_of_a_guest_with_an_own_address_meets_all_guests_from_there_and_no_others():
    async def scenario():
        door = DoorLimits(proxy_from=("198.51.100.0/24",))
        server = await SimServer(new_world(1, door=door)).open()
        here = await cast(server, mia="moderator")
        sources = "192.0.2.7", "192.0.2.7", "192.0.2.8"
        guests = [coming(server, "guest", each, how="guest") for each in sources]
        await asyncio.sleep(0.5)
        await says(here["mia"], "kick guest1 flooding")
        new = [coming(server, "guest", each, how="guest") for each in sources[1:]]
        await asyncio.sleep(0.5)
        found = [each.link.is_open for each in (*guests, *new)]
        await server.stop()
        return found

    assert [False, False, True, False, True] == virtual.run(scenario())
