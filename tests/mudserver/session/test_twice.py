"""Two sessions of one person go on after a restart: the later one stays, in whatever order."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.service.texts import LOGGED_IN_ELSEWHERE, SEAT_MOVES
from tests.mudserver.session.test_going_on import (
    FakeHolder,
    HeldLink,
    come,
    go_on,
    proof,
    restarted,
)
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


async def come_again(server: SimServer, number: int) -> HeldLink:
    """Ann, through another connection."""
    link = HeldLink(protocol="ssh")
    link.visit, link.holder = f"d1-{number}", FakeHolder(b"%08d" % number)
    link.holder.link = link
    server.connect(link, proof("ann", is_known=True))
    await asyncio.sleep(1)
    return link


def read(link: HeldLink) -> str:
    return re.sub(r"\s+", " ", link.text)


@pytest.mark.parametrize("is_older_first", [True, False])
def test_the_later_session_stays_and_the_other_reads_why(is_older_first):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        bob, older = await come(server, "bob"), await come(server, "ann")
        older.session.on_data(b"say hel")
        later = await come_again(server, 10)
        assert not older.is_open  # but its capsule stands, as if the door had not heard of it
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        both = [older, later] if is_older_first else [later, older]
        links = {link.visit: await go_on(server, link, "ann") for link in both}
        older, later = links["d1-1"], links["d1-10"]
        assert (False, True) == (older.is_open, later.is_open)
        assert read(older).endswith(f"{LOGGED_IN_ELSEWHERE} ")
        assert "lobby> " == later.text[:7] and LOGGED_IN_ELSEWHERE not in read(later)
        assert "lobby> " == bob.text and 2 == server.app.service.online_count()
        later.type("sessions")
        later.type("tell bob still here")
        await asyncio.sleep(1)
        assert "detached" not in later.text  # it went along when she came in again
        assert "still here" in bob.text

    virtual.run(scenario())


@pytest.mark.parametrize("has_seat", [True, False])
def test_who_has_logged_in_meanwhile_keeps_the_new_session(has_seat):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        older = await come(server, "ann")
        if has_seat:
            older.type("open elimination")
            await asyncio.sleep(1)
        server = await restarted(server)
        new = await come_again(server, 2)
        older = await go_on(server, older, "ann")
        assert (False, True) == (older.is_open, new.is_open)
        assert LOGGED_IN_ELSEWHERE + SEAT_MOVES * has_seat + " " == read(older)
        assert 1 == server.app.service.online_count()

    virtual.run(scenario())
