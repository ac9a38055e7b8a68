"""Owners learn of every change of a role: at once if they are here, once more at the next login."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.accounts.account import ROLE_NOTES_MAX
from mudserver.accounts.events import RoleSet
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world

NEWS = "own has made cid a moderator; before, cid was a player (#4, "
REASON = "Reason: trusted by all"


async def read_by(person: Seatholder) -> str:
    await asyncio.sleep(1)
    return " ".join(person.text.split())


async def comes(server: SimServer, name: str, *, how: str = "key") -> str:
    """What somebody reads at a login."""
    person = coming(server, name, "203.0.113.50", how=how)
    read = await read_by(person)
    await says(person, "quit")
    return read


async def two_owners(server: SimServer) -> dict[str, Seatholder]:
    return await cast(server, own="owner", opa="owner", mia="moderator", cid="player")


def test_owners_who_are_here_are_told_at_once_and_nobody_else_is():
    async def scenario(server):
        here = await two_owners(server)
        done = await says(here["own"], "role cid moderator trusted by all")
        return done, {name: await read_by(person) for name, person in here.items()}

    done, read = told(scenario)
    assert "cid is a moderator now." in done and "has made" not in done
    assert NEWS in read["opa"] and REASON in read["opa"]
    assert "has made" not in read["mia"] + read["cid"]
    assert "You are a moderator here now." in read["cid"]


@pytest.mark.parametrize("is_restarted", [False, True])
def test_everybody_who_owns_the_server_reads_it_once_at_the_next_login(is_restarted):
    """Also who did it: the account may have been stolen.  So does whom it concerns."""

    async def scenario():
        world = new_world(1)
        server = await SimServer(world).open()
        here = await two_owners(server)
        for name in ("opa", "cid", "mia"):
            await says(here[name], "quit")
        await says(here["own"], "role cid moderator trusted by all")
        await says(here["own"], "quit")
        if is_restarted:
            await server.die()
            server = await SimServer(world).open()
        names = ("own", "opa", "cid", "mia")
        first = {name: await comes(server, name) for name in names}
        again = {name: await comes(server, name) for name in names}
        await server.stop()
        return first, again

    first, again = virtual.run(scenario())
    for name in ("own", "opa", "cid"):
        assert NEWS in first[name] and REASON in first[name], name
    assert "made cid" not in first["mia"]
    assert "has made" not in "".join(again.values())


def test_an_owner_who_is_one_no_more_is_told_by_whom():
    async def scenario(server):
        here = await two_owners(server)
        await says(here["opa"], "quit")
        done = await server.app.moderation.set_role(CONSOLE, "opa", "player", "left the club")
        return done, await read_by(here["own"]), await comes(server, "opa")

    done, at_once, later = told(scenario)
    assert done == "opa is a player now."
    for read in (at_once, later):
        assert "console:0 has made opa a player; before, opa was an owner (#4, " in read
        assert "Reason: left the club" in read


def test_the_end_of_a_staff_account_is_told_and_that_of_a_player_is_not():
    async def scenario(server):
        here = await two_owners(server)
        for name, account in (("cid", "player"), ("opa", "owner")):
            await server.app.deletion.erase_for(CONSOLE, name, f"erase the {account}")
        return await read_by(here["own"]), await comes(server, "own")

    at_once, later = told(scenario)
    for read in (at_once, later):
        assert "The account of an owner is erased, by console:0 (#5, " in read, read
        assert "account of a player" not in read


def test_a_login_keeps_no_more_notes_than_somebody_can_read():
    async def scenario(server):
        here = await two_owners(server)
        await says(here["opa"], "quit")
        for number in range(ROLE_NOTES_MAX):
            role = ("helper", "player")[number % 2]
            await server.app.moderation.set_role(CONSOLE, "cid", role, f"change {number}")
        await server.app.moderation.set_role(CONSOLE, "cid", "helper", "the last one")
        return await comes(server, "opa")

    read = told(scenario)
    assert read.count("has made") == ROLE_NOTES_MAX
    assert "change 0" not in read and "change 1" in read and "the last one" in read


def test_death_leaves_a_role_with_its_notes_or_neither():
    async def scenario(records: int) -> tuple[bool, int]:
        world = new_world(1)
        server = await SimServer(world).open()
        here = await two_owners(server)
        dead = server.journal.doom(records) if records else server.journal.fail()
        here["own"].type("role cid moderator trusted by all")
        await asyncio.sleep(1)
        await (server.die() if dead is not None and dead.is_set() else server.stop())
        again = await SimServer(world).open()
        accounts = again.app.account_service.streams.accounts
        people = [accounts.find(name) for name in ("cid", "own", "opa")]
        notes = {len([n for n in it.role_notes if n.number == 4]) for it in people}
        await again.stop()
        assert len(notes) == 1
        return people[0].role == "moderator", notes.pop()

    seen = {virtual.run(scenario(records)) for records in (0, 1, 2, 3)}
    assert seen == {(True, 1), (False, 0)}


def test_the_role_of_an_older_server_is_read_without_notes():
    """A record `role` alone, as releases before wrote it."""

    async def scenario(server):
        await two_owners(server)
        streams = server.app.account_service.streams
        account = streams.accounts.find("cid")
        alone = RoleSet(account.id, "helper", "console:0", "so", server.clock.now_ms())
        await streams.change(account.id, lambda: [alone])
        return account.role, account.role_notes

    assert told(scenario) == ("helper", ())
