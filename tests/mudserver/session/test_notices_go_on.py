"""What everybody is told while the game server changes stands in the next picture, once."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.session.test_going_on import HeldLink, come, go_on, proof, restarted
from tests.mudserver.session.test_missed import playing
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world
from tests.terminal import Emulator

SOON = "The server restarts in 5 minutes."


def picture(link: HeldLink) -> str:
    shown = Emulator()
    shown.feed(link.heard)
    return " ".join("\n".join(shown.rows).split())


async def tell(server: SimServer, how: str) -> None:
    if how == "server":
        server.app.service.broadcast(SOON)
    else:
        await server.app.moderation.announce(CONSOLE, SOON)


async def in_panes(place: str) -> tuple[SimServer, HeldLink]:
    if place == "table":
        server, _, bob = await playing()
    else:
        server = await SimServer(new_world(1)).open()
        bob = await come(server, "bob")
    bob.type("set screen on")
    await asyncio.sleep(1)
    return server, bob


@pytest.mark.parametrize("how", ["server", "staff"])
@pytest.mark.parametrize("place", ["lobby", "table"])
def test_what_was_told_just_before_is_in_the_next_picture_and_in_the_one_after(how, place):
    async def scenario() -> None:
        server, bob = await in_panes(place)
        await tell(server, how)
        for _ in range(2):
            server.app.session_manager.leave_capsules()
            server = await restarted(server)
            bob = await go_on(server, bob, "bob")
            assert 1 == picture(bob).count(SOON), picture(bob)
        assert ("The staff: " in picture(bob)) is (how == "staff")

    virtual.run(scenario())


@pytest.mark.parametrize("how", ["server", "staff"])
@pytest.mark.parametrize("place", ["lobby", "table"])
def test_what_is_told_before_the_place_is_known_is_in_the_picture_once(how, place):
    async def scenario() -> None:
        server, bob = await in_panes(place)
        server.app.session_manager.leave_capsules()
        server = await restarted(server)
        again = bob.again()
        server.connect(again, proof("bob", is_known=True))
        await tell(server, how)
        await asyncio.sleep(1)
        assert 1 == picture(again).count(SOON), picture(again)
        rows = [str(line) for line in again.session.screen.model.log.last_lines]
        assert 1 == sum(SOON in row for row in rows)

    virtual.run(scenario())


def test_in_line_mode_nothing_is_written_again():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        bob = await come(server, "bob")
        await tell(server, "staff")
        await asyncio.sleep(1)
        server.app.session_manager.leave_capsules()
        bob = await go_on(await restarted(server), bob, "bob")
        assert SOON not in bob.text
        bob.type("set screen on")
        await asyncio.sleep(1)
        assert 1 == picture(bob).count(SOON)

    virtual.run(scenario())


def test_what_was_told_to_one_person_is_in_no_capsule():
    async def scenario() -> None:
        server, bob = await in_panes("lobby")
        await tell(server, "server")
        bob.type("away at lunch")
        await asyncio.sleep(1)
        server.app.session_manager.leave_capsules()
        seal = server.app.session_manager._context.seal
        told = seal.open(bob.holder.capsule, bob.holder.nonce).told
        assert [(SOON, "")] == [(it.text, it.head) for it in told]

    virtual.run(scenario())
