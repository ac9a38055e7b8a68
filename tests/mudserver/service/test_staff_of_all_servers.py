"""What the staff does on one server is done wherever the person or the table is."""

from __future__ import annotations

import asyncio

from mudserver.ops.shutdown import ShutdownCountdown
from mudserver.service.moderation import Login
from tests.linked_servers import Linked, Walker, run, table_in

CONSOLE = Login("console:0", "the console", has_key=True, source="")


async def moderator(town: Linked, server: str = "g1", role: str = "operator") -> Walker:
    """Ann, with a role that all servers know."""
    for each in town.servers.values():
        await each.app.moderation.set_role(CONSOLE, "ann", role, "for the test")
    return await town.come(server, "ann")


def test_staff_lists_those_on_all_servers():
    async def scenario(town: Linked) -> None:
        await moderator(town)
        bob = await town.come("g2", "bob")
        await asyncio.sleep(1)
        assert "ann operator" in await bob.types("staff")

    run(scenario)


def test_a_table_of_another_server_is_closed_where_it_is():
    async def scenario(town: Linked) -> None:
        ann, bob = await moderator(town), await town.come("g2", "bob")
        number = table_in(await bob.types("open words"))
        assert "There is no table 77" in await ann.types("close 77 for the test")
        assert f"Table {number} is closed" in await ann.types(f"close {number} far too loud")
        await town.write_of("g1", "close")
        await asyncio.sleep(1)
        assert "far too loud" in bob.text and not town.server_of(number)

    run(scenario)


def test_a_guest_of_another_server_is_warned_muted_and_banned_like_one_here():
    async def scenario(town: Linked) -> None:
        ann, guest = await moderator(town), await town.come("g2", "guest")
        name, sanctions = guest.called, town.servers["g1"].app.staff_streams.sanctions
        await asyncio.sleep(1)
        await ann.types(f"warn {name} be polite please")
        await town.write_of("g1", "warn")
        await asyncio.sleep(1)
        assert "be polite please" in guest.text
        assert f"{name} is muted" in await ann.types(f"mute {name} 10m be silent please")
        assert [guest.link.peer] == [it.target for it in sanctions]
        assert "be silent please" in await ann.types(f"sanctions {name}")
        assert f"{name} can talk again" in await ann.types(f"unmute {name}")
        assert f"{name} comes from the network" in await ann.types(f"lookup {name}")
        assert guest.link.peer not in " ".join(it for it in town.told if '"told"' not in it)
        town.deaf.add("g2")
        assert "which does not answer" in await ann.types(f"ban {name} 1d insults", 5)
        assert f"{name} is banned" in await ann.types(f"kick {name} insults", 5)

    run(scenario)


def test_a_shutdown_ends_all_servers_together():
    async def scenario(town: Linked) -> None:
        ended = list[str]()
        for name, server in town.servers.items():
            server.app.moderation.countdown = ShutdownCountdown(
                server.clock, server.app.service.broadcast, lambda name=name: ended.append(name)
            )
        ann, bob = await moderator(town), await town.come("g2", "bob")
        await ann.types("shutdown 2 new machine")
        await town.write_of("g1", "shutdown")
        await asyncio.sleep(1)
        assert "The server closes in" in bob.text and "new machine" in bob.text
        await asyncio.sleep(60)
        await ann.types("shutdown cancel it works")
        await town.write_of("g1", "shutdown")
        await asyncio.sleep(1)
        assert "The server stays open after all." in bob.text and not ended
        await ann.types("shutdown 1 new machine")
        await town.write_of("g1", "shutdown")
        await asyncio.sleep(61)
        assert ["g1", "g2"] == sorted(ended)

    run(scenario)
