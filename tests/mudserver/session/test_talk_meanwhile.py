"""What others say in the next process before a session goes on there."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.session.test_going_on import HeldLink, come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


async def typed(link: HeldLink, *lines: str) -> None:
    for line in lines:
        link.type(line)
        await asyncio.sleep(2)


async def both(server: SimServer, *lines: tuple[str, str]) -> tuple[HeldLink, HeldLink]:
    """ann and bob, who have typed *lines*."""
    links = {name: await come(server, name) for name in ("ann", "bob")}
    for name, line in lines:
        await typed(links[name], line)
    return links["ann"], links["bob"]


def words(link: HeldLink) -> list[str]:
    """What was heard of bob, in its order."""
    return [row.rpartition("bob: ")[2] for row in link.text.splitlines() if "bob: " in row]


AT_TABLE = (("ann", "open elimination"), ("bob", "join 1"))
IN_GAME = (*AT_TABLE, ("ann", "start"), ("bob", "start"), ("ann", "start"))
WATCHED = (*(("bob", line) for line in ("open elimination", "bot", "start")), ("ann", "watch 1"))

HEARS_LOBBY = tuple((name, "join lobby") for name in ("ann", "bob"))


@pytest.mark.parametrize(
    ("before", "spoken", "heard"),
    [
        ((), ("say one", "#help two", "say three"), ["one", "two", "three"]),
        (AT_TABLE, ("say one", "say two"), ["one", "two"]),
        (IN_GAME, ("/say one",), ["one"]),
        (WATCHED, ("/say one",), ["one"]),
        ((*AT_TABLE, *HEARS_LOBBY), ("#lobby one", "say two"), ["one", "two"]),
        ((("ann", "open words"),), ("say one", "#help two"), ["two"]),
        ((("ann", "ignore bob"),), ("say one",), []),
        ((("ann", "quiet on"),), ("say one",), []),
        ((*AT_TABLE, ("ann", "quiet on")), ("#help one", "say two"), ["two"]),
        ((("ann", "part help"),), ("#help one", "say two"), ["two"]),
    ],
)
def test_who_goes_on_later_reads_what_was_said_meanwhile_where_it_would_have_been_heard(
    before, spoken, heard
):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await both(server, *before, ("bob", "/say before"))
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        await typed(bob, *spoken)
        ann = await go_on(server, ann, "ann")
        assert heard == words(ann)
        await typed(bob, "/me nods")
        assert heard == words(ann)

    virtual.run(scenario())


@pytest.mark.parametrize("screen", ["lines", "full"])
def test_who_goes_on_later_reads_what_everybody_was_told_meanwhile(screen):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        if screen == "full":
            await typed(ann, "screen on")
        server.app.service.broadcast("The first.")
        await asyncio.sleep(31)
        for said in ("The second.", "The third."):
            server = await restarted(server)
            await asyncio.sleep(1)
            server.app.service.broadcast(said)
            await asyncio.sleep(1)
            ann = await go_on(server, ann, "ann")
            assert 1 == ann.text.count(said)
            assert (screen == "full") == ("The first." in ann.text)  # it is drawn anew

    virtual.run(scenario())


def test_a_program_reads_it_and_hears_its_name():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        cid, bob = await come(server, "cid", wants_json=True), await come(server, "bob")
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        await typed(bob, "say hello cid")
        cid = await go_on(server, cid, "cid")
        assert 1 == cid.text.count("hello cid")

    virtual.run(scenario())


def test_nothing_of_before_is_read_again_where_it_was_carried_along():
    """As in a planned restart, which takes the last lines of the lobby along."""

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await both(server, ("bob", "say before"))
        carried = list(server.app.channels.history.carried())
        server = await restarted(server)
        for place, at_ms, line in carried:
            server.app.channels.history.note(place, line, at_ms)
        bob = await go_on(server, bob, "bob")
        await typed(bob, "say meanwhile")
        ann = await go_on(server, ann, "ann")
        assert ["meanwhile"] == words(ann)

    virtual.run(scenario())


@pytest.mark.parametrize("name", ["ann", "guest"])
def test_after_a_broken_wall_nothing_is_read_twice(name):
    """The process is the same: it knows when the connection of an account was lost."""

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await come(server, name), await come(server, "bob")
        await typed(bob, "say before")
        ann.drop()
        await asyncio.sleep(1)
        await typed(bob, "say meanwhile")
        again = await go_on(server, ann, name)
        await typed(bob, "say after")
        missed = ["meanwhile"] if name == "ann" else []
        assert [*missed, "after"] == words(again)

    virtual.run(scenario())


def test_what_somebody_has_said_reads_nobody_who_was_at_another_table_meanwhile():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann, bob = await both(server, ("ann", "open words"), ("bob", "watch 1"))
        server = await restarted(server)
        bob = await go_on(server, bob, "bob")
        await typed(bob, "say at the table", "leave", "say in the lobby")
        ann = await go_on(server, ann, "ann")
        assert ["at the table"] == words(ann)

    virtual.run(scenario())
