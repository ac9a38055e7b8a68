"""Whom a person ignores and which channels a guest hears goes along with the session."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.session.test_attachment import drop, resumed, seated_guest
from tests.mudserver.session.test_going_on import HeldLink, come, go_on, restarted
from tests.mudserver.session.test_planned_restart import handed_over
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


async def typed(link: HeldLink, *lines: str) -> str:
    link.received.clear()
    for line in lines:
        link.type(line)
        await asyncio.sleep(1)
    return " ".join(link.text.split())


async def gone_on(server: SimServer, link: HeldLink, name: str, *, is_planned: bool) -> HeldLink:
    if is_planned:
        return await handed_over(server, link, name)
    return await go_on(await restarted(server), link, name)


@pytest.mark.parametrize("is_planned", [False, True])
def test_a_guest_goes_on_ignoring_accounts_guests_and_all_guests(is_planned):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, bob = await come(server, "guest"), await come(server, "bob")
        other = await come(server, "guest")
        await typed(guest, "ignore bob", "ignore guest2", "ignore guests")
        await typed(bob, "quit")
        await typed(other, "quit")
        guest = await gone_on(server, guest, "guest", is_planned=is_planned)
        assert "bob guest2 guests" in await typed(guest, "ignore")
        assert "You can hear guest2 again" in await typed(guest, "unignore guest2")

    virtual.run(scenario())


def test_an_account_goes_on_ignoring_a_guest_who_goes_on_too():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, guest = await come(server, "ann"), await come(server, "guest")
        await typed(ann, "ignore guest1")
        server = await restarted(server)
        ann, guest = await go_on(server, ann, "ann"), await go_on(server, guest, "guest")
        ann.received.clear()
        await typed(guest, "say hello")
        assert "hello" not in ann.text
        await typed(ann, "unignore guest1")
        await typed(guest, "say again")
        assert "again" in ann.text

    virtual.run(scenario())


def test_who_has_registered_meanwhile_is_ignored_under_the_new_name():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, bob = await come(server, "guest"), await come(server, "bob")
        await typed(guest, "ignore bob")
        ignored = bob.session.person.id
        server = await restarted(server)
        server.app.account_service.streams.accounts.by_id(ignored).name = "Robert"
        guest = await go_on(server, guest, "guest")
        assert "Robert" in await typed(guest, "ignore")

    virtual.run(scenario())


@pytest.mark.parametrize("is_planned", [False, True])
def test_a_guest_goes_on_hearing_what_was_joined_and_not_what_was_left(is_planned):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest = await come(server, "guest")
        await typed(guest, "join chat", "part help")
        guest = await gone_on(server, guest, "guest", is_planned=is_planned)
        person, channels = guest.session.person, guest.session._context.service.channels
        assert {"help": False, "chat": True} == channels.of_guest(person.id)

    virtual.run(scenario())


def test_a_channel_that_is_gone_is_no_obstacle():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest = await come(server, "guest")
        await typed(guest, "join chat")
        server = await restarted(server)
        limits = server.app.config.chat
        server.app.channels.reconfigure(type(limits)(channels=("help",)))
        guest = await go_on(server, guest, "guest")
        assert "There isn't a channel" in await typed(guest, "join chat")

    virtual.run(scenario())


def test_a_guest_who_comes_back_with_a_code_has_them_too():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        guest, code = await seated_guest(server)
        bob = server.person("bob")
        await asyncio.sleep(1)
        for line in ("ignore bob", "join chat"):
            guest.type(line)
            await asyncio.sleep(1)
        await drop(guest)
        guest = await resumed(server, code)
        guest.forget()
        bob.type("tell guest1 psst")
        guest.type("channels")
        await asyncio.sleep(1)
        assert "psst" not in guest.text
        assert "chat" in guest.text and "here (joined)" in guest.text.partition("chat")[2][:40]

    virtual.run(scenario())
