"""Who pays for changes at tables that wait."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config.schema import PeopleLimits
from mudserver.transport.link import AuthenticatedUser
from tests.live import live_table
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world

TIRED = "Too many changes at tables at once."


def said(person: Seatholder) -> str:
    return " ".join(person.text.split())


def test_a_guest_goes_on_where_the_last_one_of_the_address_has_left():
    """Each is somebody new at every visit.  Who is in beside him pays for himself."""

    async def scenario():
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.2)
        ann.type("open elimination seats=8")
        beside = server.guest()
        await asyncio.sleep(0.2)
        answers = []
        for _ in range(2):
            guest = server.guest()
            await asyncio.sleep(0.2)
            for _ in range(20):
                guest.type("sit 1")
                await asyncio.sleep(0.2)
                guest.type("stand")
                await asyncio.sleep(0.2)
            answers.append(TIRED in guest.text)
            guest.link.drop()
            await asyncio.sleep(0.2)
        link = FakeLink(ANSI, "ssh", "203.0.113.77")
        other = Seatholder("guest", server.connect(link, AuthenticatedUser("guest", "guest")))
        await asyncio.sleep(0.2)
        other.type("sit 1")
        beside.type("sit 1")
        ann.type("bot")
        await asyncio.sleep(0.2)
        return answers, [TIRED in one.text for one in (other, beside, ann)]

    assert ([False, True], [False] * 3) == virtual.run(scenario())


@pytest.mark.parametrize(
    ("people", "refusal"),
    [
        (PeopleLimits(changed_per_person_s=0), TIRED),
        (PeopleLimits(changed_burst=9), "You have changed a lot in a short time. Please wait 5 s"),
    ],
)
def test_autopass_that_the_table_or_the_account_refuses_changes_neither(people, refusal):
    async def scenario():
        server = await SimServer(new_world(1, people=people)).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.2)
        ann.type("open elimination")
        for turn in range(40):
            await asyncio.sleep(0.15)
            if refusal in said(ann):
                break
            ann.type(f"autopass {('on', 'off')[turn % 2]}")
        accounts = server.app.account_service
        table = live_table(server.app.table_manager, 1)
        kept = accounts.preference(accounts.person_named("Ann"), "autopass")
        return refusal in said(ann), (kept == "on") == table.seats[0].has_autopass

    assert (True, True) == virtual.run(scenario())
