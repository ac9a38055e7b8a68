"""An account that was banned, erased or renamed before its session goes on in the next process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from mudserver.accounts.texts import ERASED
from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.session.test_going_on import HeldLink, come, proof, restarted, typed
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

HOW = ("telnet", "ssh", "program")


def after(how: str, change: Callable[[SimServer], Awaitable[str]]) -> tuple[HeldLink, SimServer]:
    """Ann's connection, and the server in which it has gone on after *change*."""

    async def scenario() -> tuple[HeldLink, SimServer]:
        server = await SimServer(new_world(1)).open()
        if how == "telnet":
            ann = await typed(server, "ann", "open sesame", "open sesame")
        else:
            ann = await come(server, "ann", wants_json=how == "program")
        assert "ann" == ann.session.person.name
        server = await restarted(server)
        await change(server)
        again = ann.again()
        server.connect(again, None if how == "telnet" else proof("ann", is_known=True))
        await asyncio.sleep(1)
        again.type("whoami")
        await asyncio.sleep(1)
        return again, server

    return virtual.run(scenario())


@pytest.mark.parametrize("how", HOW)
def test_a_deleted_one_reads_so_and_leaves(how):
    ann, server = after(how, lambda it: it.app.deletion.erase_for(CONSOLE, "ann", "a wish"))
    assert not ann.is_open and 0 == server.app.service.online_count()
    assert ERASED in ann.text and "Name: " not in ann.text


@pytest.mark.parametrize("how", HOW)
def test_a_banned_one_reads_why_and_is_not_here(how):
    ann, server = after(how, lambda it: it.app.sanctions.ban(CONSOLE, "ann", "7d", "threats"))
    text = " ".join(ann.text.split())
    assert "You are banned until" in text and "threats" in text
    assert 0 == server.app.service.online_count() and "wrong on the server" not in text
    assert ann.is_open is (how != "program")  # five minutes for the own data
    assert how == "program" or "These work here for five minutes" in text


@pytest.mark.parametrize("how", HOW)
def test_a_renamed_one_goes_on_under_the_new_name(how):
    ann, server = after(how, lambda it: it.app.names.rename_by_staff(CONSOLE, "ann", "rob", "rude"))
    assert ann.is_open and "You are rob" in ann.text
    assert "rob" == server.app.online.named("rob").person.name
    assert server.app.online.named("ann") is None
