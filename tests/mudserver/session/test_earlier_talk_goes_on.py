"""Earlier talk is what the session has not shown, also after a change of process."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.mudserver.session.test_going_on import come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


@pytest.mark.parametrize("is_restarted", [False, True])
def test_who_comes_back_to_the_lobby_reads_nothing_again(is_restarted):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        for link, line in (
            (bob, "say heard"), (ann, "part lobby"), (ann, "open words"), (bob, "say missed"),
        ):  # fmt: skip
            link.type(line)
            await asyncio.sleep(2)
        assert "heard" in ann.text and "missed" not in ann.text
        history = server.app.channels.history.carried
        kept = list(history())
        if is_restarted:
            server = await restarted(server)
            for place, at_ms, line in kept:  # as in a planned restart
                server.app.channels.history.note(place, line, at_ms)
            ann = await go_on(server, ann, "ann")
        ann.type("leave")
        await asyncio.sleep(2)
        shown = ann.text.rpartition("Earlier here")[2]
        assert "missed" in shown and "heard" not in shown

    virtual.run(scenario())


def test_who_was_in_the_lobby_and_has_a_seat_where_the_session_goes_on_reads_nothing_again():
    """The table was taken over there before the session came."""

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, "ann"), await come(server, "bob")
        bob.type("say heard")
        await asyncio.sleep(2)
        capsule = ann.holder.capsule
        ann.type("open words")
        await asyncio.sleep(2)
        kept = list(server.app.channels.history.carried())
        server = await restarted(server)
        for place, at_ms, line in kept:  # as another server has heard it
            server.app.channels.history.note(place, line, at_ms)
        ann.holder.capsule = capsule
        ann = await go_on(server, ann, "ann")
        ann.type("leave")
        await asyncio.sleep(2)
        assert "Earlier here" not in ann.text

    virtual.run(scenario())


def test_a_guest_who_takes_back_an_old_seat_reads_nothing_again():
    """It is another person, but the same screen."""

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        before, bob = await come(server, "guest"), await come(server, "bob")
        before.type("open words")
        await asyncio.sleep(2)
        code = re.search(r"resume (\w{4}-\w{4}-\w{4})", before.text)[1]
        before.drop()
        guest = await come(server, "guest")
        for link, line in (
            (bob, "say heard"), (guest, f"resume {code}"), (bob, "say missed"), (guest, "leave"),
        ):  # fmt: skip
            link.type(line)
            await asyncio.sleep(2)
        assert "Welcome back" in guest.text and "bob: heard" in guest.text
        shown = guest.text.rpartition("Earlier here")[2]
        assert "missed" in shown and "heard" not in shown

    virtual.run(scenario())
