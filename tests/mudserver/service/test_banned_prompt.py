"""What somebody who is banned can do: five minutes for the own data."""

from __future__ import annotations

import asyncio

from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, proven_by_key

PASSWORD = "correct horse battery"


async def banned(server: SimServer, name: str) -> Seatholder:
    await server.app.sanctions.ban(CONSOLE, name, "7d", "threats")
    back = coming(server, name, "203.0.113.9")
    await asyncio.sleep(0.5)
    return back


def test_who_is_banned_has_a_prompt_for_the_own_data_and_nothing_else():
    async def scenario(server):
        here = await cast(server, cid="player", ann="player")
        here["ann"].forget()
        cid = await banned(server, "cid")
        first = " ".join(cid.text.split())
        said = [await says(cid, line) for line in ("who", "say hello", "account", "help")]
        page, privacy = await says(cid, "export"), await says(cid, "help privacy")
        asked = await says(cid, "account delete") + await says(cid, "cid")
        kept = await says(cid, "account keep")
        await says(here["ann"], "say is cid here")
        who = await says(here["ann"], "who")
        unheard = cid.text
        end = await says(cid, "quit")
        return first, said, page, privacy, asked, kept, who, unheard, end, cid.link.is_open

    first, said, page, privacy, asked, kept, who, unheard, end, is_open = told(scenario)
    assert "You are banned until" in first and "banned>" in first and "five minutes" in first
    assert all("These work here for five minutes" in each for each in said)
    assert '"format": 1' in page and "account" in privacy
    assert "Your account will be deleted on 20" in asked and "Your account stays." in kept
    assert "cid" not in who.replace("say is cid here", "").replace("ann: is cid here", "")
    assert "is cid here" not in unheard
    assert "Goodbye." in end and not is_open


def test_the_prompt_ends_after_five_minutes():
    async def scenario(server):
        await cast(server, cid="player")
        cid = await banned(server, "cid")
        await asyncio.sleep(299)
        was_open = cid.link.is_open
        await asyncio.sleep(2)
        return was_open, cid.link.is_open, cid.text

    was_open, is_open, text = told(scenario)
    assert was_open and not is_open and "The five minutes are over." in text


def test_a_banned_program_reads_the_sentence_and_the_end():
    async def scenario(server):
        await cast(server, cid="player")
        await server.app.sanctions.ban(CONSOLE, "cid", "7d", "threats")
        link = FakeLink(ANSI, "ssh", "203.0.113.9", wants_json=True)
        server.connect(link, proven_by_key("cid", is_known=True))
        await asyncio.sleep(0.5)
        return link.heard, link.is_open

    heard, is_open = told(scenario)
    assert b"You are banned until" in heard and not is_open


def test_a_hard_ban_of_the_network_leaves_no_prompt():
    async def scenario(server):
        await cast(server, ann="player")
        await server.app.sanctions.ban_network(
            CONSOLE, "203.0.113.0/24", "1d", "spam", is_hard=True
        )
        ann = coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        return ann.text, ann.link.is_open

    text, is_open = told(scenario)
    assert "You are banned until" in text and "banned>" not in text and not is_open


def test_a_deletion_from_the_prompt_asks_for_the_password_of_who_came_in_with_it():
    async def scenario(server):
        here = await cast(server, cid="player")
        person = server.app.account_service.person_named("cid")
        await server.app.account_service.set_password(person, PASSWORD, "here")
        here["cid"].type("quit")
        await server.app.sanctions.ban(CONSOLE, "cid", "7d", "threats")
        cid = coming(server, "cid", "203.0.113.9", how="password")
        await asyncio.sleep(0.5)
        name = await says(cid, "account delete") + await says(cid, "cid")
        wrong, again = await says(cid, "wrong horse battery"), await says(cid, "who")
        return name, wrong, again, await says(cid, "account")

    name, wrong, again, _ = told(scenario)
    assert "Now type your password." in name and "Wrong password." in wrong
    assert "These work here for five minutes" in again
