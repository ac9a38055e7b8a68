"""The way back for somebody who lost key and password."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.errors import UserError
from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.mudserver.service.test_account_service import key_of
from tests.mudserver.service.test_admission import PASSWORD, at_the_prompt
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import (
    ANSI,
    FakeLink,
    Seatholder,
    SimServer,
    new_world,
    proven_by_key,
)

DAY_MS = 86_400_000


async def code_for(server: SimServer, name: str) -> str:
    """`ann+CODE`."""
    said = (await server.app.moderation.recover(CONSOLE, name)).text
    found = re.search(rf"Log in over telnet as ({name}\+\w{{16}}), or", said)
    assert found, said
    return found[1]


def keys_of(server: SimServer, name: str) -> int:
    accounts = server.app.account_service
    return len(accounts.keys.list(accounts.person_named(name)))


@pytest.mark.parametrize(("answer", "keys"), [("", 0), ("yes", 0), ("no", 1)])
def test_a_new_password_ends_the_open_session_and_takes_the_other_keys_along(answer, keys):
    async def scenario(server):
        here = await cast(server, ann="player")
        typed = await code_for(server, "ann")
        back = await at_the_prompt(server, typed, PASSWORD, PASSWORD, answer)
        left = " ".join(here["ann"].text.split()), here["ann"].link.is_open
        again = await at_the_prompt(server, "ann", PASSWORD)
        used = await at_the_prompt(server, typed)
        return back.text, left, again.text, used.text, keys_of(server, "ann")

    back, (left, is_open), again, used, left_keys = told(scenario)
    assert "Remove the other 1 key of this account, too?" in back
    assert "Welcome back, ann" in back and "An operator issued a recovery code" in back
    assert "recovered with a code" in left and not is_open
    assert "Welcome back, ann" in again and "An operator issued" not in again
    assert "This code isn't valid any more." in used and keys == left_keys


def test_over_ssh_a_key_is_added_after_two_questions():
    async def scenario(server):
        await cast(server, ann="player")
        typed = await code_for(server, "ann")
        proven = AuthenticatedUser(typed, "code", *parse_public_key(key_of(1)))
        line = server.connect(FakeLink(ANSI, "ssh", "192.0.2.9"), proven)
        person = Seatholder("ann", line)
        await asyncio.sleep(0.3)
        asked = await says(person, "yes", 0.3), await says(person, "", 0.3)
        new = AuthenticatedUser("ann", "key", proven.key, proven.fingerprint)
        back = Seatholder("ann", server.connect(FakeLink(ANSI, "ssh", "192.0.2.9"), new))
        await asyncio.sleep(0.3)
        old = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.3)
        return asked, back.text, old.text, keys_of(server, "ann")

    (first, second), back, old, keys = told(scenario)
    assert "Remove the other 1 key" in first and "Key added" in second
    assert "Welcome back, ann" in back and "An operator issued" in back and keys == 1
    assert "Welcome" not in old


def test_a_code_expires_and_a_new_one_replaces_it():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player")
        first, second = await code_for(server, "ann"), await code_for(server, "ann")
        recovery = server.app.account_service.recovery
        seen = [recovery.other_keys(each) for each in (first, second)]
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms() + DAY_MS).open()
        later = server.app.account_service.recovery.other_keys(second)
        await server.stop()
        return seen, later

    assert ([None, 1], None) == virtual.run(scenario())


def test_operators_recover_whom_they_may_act_on_five_times_an_hour():
    async def scenario(server):
        here = await cast(server, opa="operator", mia="moderator", boss="owner", ann="player")
        said = [await says(here["mia"], "recover ann"), await says(here["opa"], "recover boss")]
        said += [await says(here["opa"], "recover ann") for _ in range(6)]
        guest = coming(server, "guest", "192.0.2.4", how="guest")
        await asyncio.sleep(0.5)
        said.append(await says(here["opa"], "recover guest1"))
        return said, await says(here["opa"], "audit recover"), guest.name

    said, audit, _ = told(scenario)
    assert "Only operators can use recover" in said[0] and "can't do that to operators" in said[1]
    assert (
        "Log in over telnet as ann+" in said[6] and "ann has had 5 codes within an hour" in said[7]
    )
    assert "registered names only" in said[8]
    assert audit.count("recover ann") == 6 and not re.search(r"ann\+\w", audit)


def test_on_forty_columns_a_code_with_its_host_is_one_row():
    narrow = Terminal("xterm-256color", 40, 24, is_ansi=True, is_character_mode=True)

    async def scenario(server):
        await cast(server, opa="operator", ann="player")
        opa = proven_by_key("opa", is_known=True)
        person = Seatholder("opa", server.connect(FakeLink(narrow, "ssh", "192.0.2.9"), opa))
        await asyncio.sleep(0.5)
        person.forget()
        person.type("recover ann")
        person.type("invitation")
        await asyncio.sleep(1.0)
        return person.text

    rows = told(scenario).split("\n")
    assert max(map(len, rows)) <= 40
    assert [31, 28] == [len(row) for row in rows if row.startswith("  ssh ")]


def test_of_two_who_use_a_code_at_once_one_is_in():
    async def scenario(server):
        await cast(server, ann="player")
        typed, accounts = await code_for(server, "ann"), server.app.account_service
        both = await asyncio.gather(
            accounts.recover(typed, "here", password=PASSWORD, keeps_keys=False),
            accounts.recover(typed, "there", password=PASSWORD + "x", keeps_keys=False),
            return_exceptions=True,
        )
        return [type(each) is UserError for each in both]

    assert [False, True] == sorted(told(scenario))


@pytest.mark.parametrize("records", [0, 1])
def test_after_a_crash_the_code_is_used_with_all_it_did_or_not_at_all(records):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player")
        typed, accounts = await code_for(server, "ann"), server.app.account_service
        dead = server.journal.doom(records) if records else server.journal.fail()
        using = accounts.recover(typed, "here", password=PASSWORD, keeps_keys=False)
        await asyncio.wait([asyncio.ensure_future(using)], timeout=5)
        await (server.die() if dead is not None and dead.is_set() else server.stop())
        again = await SimServer(server.world).open()
        live = again.app.account_service.recovery.other_keys(typed) is not None
        person = again.app.account_service.person_named("ann")
        state = live, keys_of(again, "ann"), again.app.account_service.has_password(person)
        await again.stop()
        return state

    assert virtual.run(scenario()) == ((False, 0, True) if records else (True, 1, False))
