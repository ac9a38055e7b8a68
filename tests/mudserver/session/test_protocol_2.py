"""What programs of protocol 2 read as data, and all others as sentences."""

from __future__ import annotations

import asyncio
from typing import Any

from mudserver.transport.link import Terminal
from tests.mudserver.service.test_moderation import CONSOLE, says
from tests.mudserver.session.programs import told
from tests.simulation.server import ANSI, Seatholder, SimServer

DATA = ("sanctioned", "warned", "presence")
MINUTE_MS = 60_000


async def programs(server: SimServer) -> list[Seatholder]:
    """Ann reads protocol 1, Bob protocol 2."""
    here = [
        server.person(name, is_program=True, json_protocol=number)
        for name, number in (("Ann", 1), ("Bob", 2))
    ]
    await asyncio.sleep(0.5)
    for each in here:
        each.forget()
    return here


def data(program: Seatholder) -> list[dict[str, Any]]:
    return [each for each in program.objects if each["type"] in DATA]


def sentences(program: Seatholder) -> str:
    return " ".join(each["text"] for each in program.objects if "text" in each)


def test_a_mute_its_change_a_warning_and_a_ban_are_data():
    async def scenario(server: SimServer) -> Any:
        here = await programs(server)
        now_ms = server.clock.now_ms()
        sanctions, moderation = server.app.sanctions, server.app.moderation
        for name in ("ann", "bob"):
            await moderation.warn(CONSOLE, name, "too loud")
            await sanctions.mute(CONSOLE, name, "10m", "insults")
        await sanctions.change_sanction(CONSOLE, "#4", "forever", "again")
        for name in ("ann", "bob"):
            await sanctions.ban(CONSOLE, name, "1h", "no end of it")
        await asyncio.sleep(0.5)
        return [data(each) for each in here], [sentences(each) for each in here], now_ms

    (first, second), said, now_ms = told(scenario)
    assert [] == first
    warned, muted, changed, banned = second
    assert {"type": "warned", "id": 3, "reason": "too loud"} == warned
    until_ms = muted.pop("until")
    assert now_ms + 10 * MINUTE_MS <= until_ms < now_ms + 11 * MINUTE_MS
    assert {"type": "sanctioned", "kind": "mute", "id": 4, "reason": "insults"} == muted
    assert (4, None) == (changed["id"], changed["until"])
    assert ("ban", 7, "no end of it") == (banned["kind"], banned["id"], banned["reason"])
    assert all(
        "too loud" in each and "insults" in each and "You are banned" in each for each in said
    )


def test_who_is_banned_reads_it_as_data_before_the_end_at_each_login():
    async def scenario(server: SimServer) -> Any:
        await programs(server)
        for name in ("ann", "bob"):
            await server.app.sanctions.ban(CONSOLE, name, "1h", "no end of it")
        await asyncio.sleep(1.0)
        again = [
            server.person(name, is_program=True, json_protocol=number)
            for name, number in (("Ann", 1), ("Bob", 2))
        ]
        await asyncio.sleep(0.5)
        return [[one["type"] for one in each.objects] for each in again]

    assert [["bye"], ["sanctioned", "bye"]] == told(scenario)


def test_unread_warnings_are_data_at_the_next_login():
    async def scenario(server: SimServer) -> Any:
        here = await programs(server)
        await server.app.moderation.warn(CONSOLE, "bob", "too loud")
        here[1].link.drop()
        await asyncio.sleep(0.5)
        back = server.person("Bob", is_program=True, json_protocol=2)
        await asyncio.sleep(0.5)
        return data(back)

    assert [{"type": "warned", "id": 1, "reason": "too loud"}] == told(scenario)


def test_friends_that_come_and_go_are_data():
    async def scenario(server: SimServer) -> Any:
        here = await programs(server)
        for each in here:
            await says(each, "friend cid")
            each.forget()
        cid = server.person("Cid")
        await asyncio.sleep(1.0)
        cid.link.drop()
        await asyncio.sleep(61.0)
        return [data(each) for each in here], [sentences(each) for each in here]

    objects, said = told(lambda server: with_cid(server, scenario))
    came, left = (
        {"type": "presence", "name": "Cid", "is_here": is_here} for is_here in (True, False)
    )
    assert [[], [came, left]] == objects
    assert all(
        "Cid (friend) is here." in each and "Cid (friend) has left." in each for each in said
    )


async def with_cid(server: SimServer, scenario: Any) -> Any:
    """Cid has an account, and is not here."""
    server.person("Cid").link.drop()
    await asyncio.sleep(0.5)
    return await scenario(server)


def test_mail_that_is_read_is_told_with_its_sender():
    async def scenario(server: SimServer) -> Any:
        here = await programs(server)
        await says(here[0], "mail bob See you on Friday.")
        await says(here[1], "mail ann At eight.")
        for each in here:
            await says(each, "mail read")
        await says(here[0], "tell bob hello")
        return [[one for one in each.objects if one["type"] in ("told", "notice")] for each in here]

    first, second = told(scenario)
    mailed = {"type": "told", "who": "Ann", "text": "See you on Friday.", "to": None, "mail": True}
    hello = {"type": "told", "who": "Ann", "text": "hello", "to": None, "mail": False}
    assert [mailed, hello] == second
    assert {"type": "told", "who": "Ann", "text": "hello", "to": "Bob"} == first[-1]


def test_a_mud_client_has_the_same_as_packages_and_a_terminal_shows_the_sentence_alone():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", Terminal("mudlet", 100, 40, is_ansi=True), speaks_gmcp=True)
        bob = server.person("Bob", ANSI)
        ann.link.json_protocol = 2
        await asyncio.sleep(0.5)
        for name in ("ann", "bob"):
            await server.app.sanctions.mute(CONSOLE, name, "10m", "insults")
        await asyncio.sleep(0.5)
        return [name for name, _ in ann.link.packages], ann.text, bob.text

    packages, of_ann, of_bob = told(scenario)
    assert "Lockdown.Sanctioned" in packages
    assert 1 == of_ann.count("insults") == of_bob.count("insults")
