"""What is kept of an account, for its owner."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from mudserver.accounts.events import GamePlayed
from mudserver.accounts.played import PlayedGame
from mudserver.errors import UserError
from mudserver.messages import row_text
from mudserver.service.account_export import PIECE
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_moderation import CONSOLE, at_one_table, cast, coming, says, told
from tests.mudserver.service.test_results import come, in_a_world, play
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, proven_by_key

KEYS = {
    "format", "at", "account", "keys", "settings", "profile", "is_program", "friends", "ignored",
    "channels", "mail", "warnings", "sanctions", "reports_filed", "games",
    "results", "notify",
}  # fmt: skip


async def document(server: SimServer, name: str) -> dict:
    person = server.app.account_service.person_named(name)
    return await server.app.export.document(person.id)


async def asked(server: SimServer, name: str, proven: AuthenticatedUser | None = None) -> FakeLink:
    """The connection of `ssh NAME@HOST export`."""
    link = FakeLink(ANSI, "ssh", "203.0.113.77")
    link.wants_export = True
    server.connect(link, proven or proven_by_key(name, is_known=True))
    await asyncio.sleep(0.5)
    return link


def test_it_holds_all_that_is_kept_and_nothing_of_others_or_of_the_staff():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player", bob="player")
        ann = server.app.account_service.person_named("ann")
        await server.app.account_service.set_password(ann, "correct horse battery", "here")
        for line in ("profile Knits.", "friend bob", "ignore mia", "set bell off", "join chat"):
            await says(here["ann"], line)
        await says(here["bob"], "mail ann See you on Friday.")
        await says(here["bob"], "say you are all idiots")
        await says(here["ann"], "report bob insults")
        await says(here["bob"], "report ann something that bob says of her")
        await says(here["mia"], "warn ann be polite")
        await says(here["mia"], "mute ann 10m shouting // for the staff alone")
        played = PlayedGame("words", 3, 1, "", 2, 4, 1_000)
        streams = server.app.account_service.streams
        await streams.change(ann.id, lambda: [GamePlayed(ann.id, played)])
        return await document(server, "ann"), ann

    found, ann = told(scenario)
    assert KEYS == set(found) and 1 == found["format"]
    assert (ann.id, "ann", True) == (
        found["account"]["id"], found["account"]["name"], found["account"]["has_password"]
    )  # fmt: skip
    assert ["ssh-ed25519"] == [key["key"].split()[0] for key in found["keys"]]
    assert ({"bell": "off"}, "Knits.") == (found["settings"], found["profile"])
    assert ["bob"] == [it["name"] for it in found["friends"]]
    assert ["mia"] == [it["name"] for it in found["ignored"]]
    assert {"chat": True} == found["channels"]
    assert [("bob", "See you on Friday.")] == [
        (it["from"]["name"], it["text"]) for it in found["mail"]
    ]
    assert ["be polite"] == [it["reason"] for it in found["warnings"]]
    assert [("mute", "shouting", True)] == [
        (it["kind"], it["reason"], it["is_in_force"]) for it in found["sanctions"]
    ]
    assert [("bob", "insults")] == [
        (it["about"]["name"], it["reason"]) for it in found["reports_filed"]
    ]
    assert [
        {"table": 3, "game": 1, "variant": "words", "place": 2, "at": "1970-01-01T00:00:01.000Z"}
    ] == found["games"]
    text = json.dumps(found)
    for secret in ("hash of", "for the staff alone", "bob says of her", "idiots"):
        assert secret not in text


def test_a_page_to_copy_once_an_hour_for_accounts_alone():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        first, second = await says(here["ann"], "export"), await says(here["ann"], "export")
        await asyncio.sleep(3_600)
        again = await says(here["ann"], "export")
        return first, second, again, await says(guest, "export")

    first, second, again, of_guest = told(scenario)
    start = first.index("{")
    assert "ann" == json.loads(first[start : first.rindex("}") + 1])["account"]["name"]
    assert "within the last hour" in second and '"format": 1' in again
    assert '"format"' not in of_guest


def test_in_line_mode_its_rows_are_whole_so_that_a_copy_of_them_can_be_read():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["bob"], f"mail ann {'long words ' * 30}")
        link = FakeLink(replace(ANSI, cols=40), "ssh", "203.0.113.9")
        ann = Seatholder("ann", server.connect(link, proven_by_key("ann", is_known=True)))
        await asyncio.sleep(0.5)
        ann.forget()
        ann.type("export")
        await asyncio.sleep(2)
        return ann.text.replace("\r", "")

    text = told(scenario)
    document = json.loads(text[text.index("\n{\n") : text.index("\n}\n") + 2])
    assert "long words long words" in document["mail"][0]["text"]


def test_over_ssh_it_is_the_document_alone_and_the_session_goes_on():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        here["bob"].forget()
        link = await asked(server, "ann")
        again = await asked(server, "ann")
        return link, again, here["ann"].link.is_open, here["bob"].text

    link, again, goes_on, of_bob = told(scenario)
    assert "ann" == json.loads(link.heard)["account"]["name"]
    assert (False, "", True) == (link.is_open, link.refused, goes_on)
    assert (b"", False) == (again.heard, again.is_open)
    assert "within the last hour" in again.refused
    assert "ann" not in of_bob


def test_over_ssh_a_sentence_says_why_there_is_none_but_a_banned_account_has_its_data():
    async def scenario(server):
        await cast(server, ann="player", cid="player")
        guest = await asked(server, "guest", AuthenticatedUser("guest", "guest"))
        stranger = proven_by_key("bob", is_known=True)
        wrong = AuthenticatedUser("ann", "key", stranger.key, stranger.fingerprint)
        removed = await asked(server, "ann", wrong)
        await server.app.sanctions.ban(CONSOLE, "cid", "7d", "threats")
        banned = await asked(server, "cid")
        await server.app.sanctions.ban_network(
            CONSOLE, "203.0.113.0/24", "1d", "spam", is_hard=True
        )
        return guest, removed, banned, await asked(server, "ann")

    guest, removed, banned, hard = told(scenario)
    assert "Log in to your account" in guest.refused
    assert "removed from the account" in removed.refused
    assert "cid" == json.loads(banned.heard)["account"]["name"]
    assert "You are banned until" in hard.refused
    assert [b"", b"", b""] == [it.heard for it in (guest, removed, hard)]


def test_nothing_of_a_running_game_is_in_it():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        before = await document(server, "ann")
        await at_one_table(here["ann"], here["bob"])
        for _ in range(3):
            await says(here["ann"], "draw")
            await says(here["bob"], "draw")
        return before, await document(server, "ann"), here["ann"].text + here["bob"].text

    before, during, shown = told(scenario)
    assert "table 1" in shown
    assert {**before, "at": ""} == {**during, "at": ""}


def test_much_is_looked_through_in_pieces():
    async def scenario(server):
        await cast(server, ann="player")
        for number in range(2 * PIECE):
            network = f"203.0.{number}.0/24"
            await server.app.sanctions.ban_network(CONSOLE, network, "1d", "spam", is_hard=False)
        turns, is_done = 0, False

        async def count():
            nonlocal turns
            while not is_done:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await document(server, "ann")
        is_done = True
        await counting
        return turns

    assert 2 <= told(scenario) <= 10


def test_the_console_copies_it_with_an_entry_in_the_audit():
    async def scenario(server):
        here = await cast(server, ann="player")
        answer = await server.app.admin.answer("export", {"name": "ann"}, 0)
        await asyncio.sleep(0.5)
        with pytest.raises(UserError, match="Nobody is called zed"):
            await server.app.admin.answer("export", {"name": "zed"}, 0)
        return answer, here["ann"].text, await server.app.moderation.list_acts(CONSOLE, "export")

    answer, of_ann, audit = told(scenario)
    assert "The file has all that is kept of ann." == answer["text"]
    assert "ann" == answer["export"]["account"]["name"]
    assert "has copied your data" in " ".join(of_ann.split())
    assert 1 == len(audit) and "console:0: export ann" in row_text(audit[0].row)


def test_every_recorded_game_is_in_it_with_ones_own_seat():
    found = {}

    async def scenario(server):
        people = await come(server, "Ann", "Bob")
        await play(*people)
        for person in people:
            account = server.app.account_service.person_named(person.name)
            [result] = (await server.app.export.document(account.id))["results"]
            found[person.name] = result

    in_a_world(scenario)
    ann, bob = found["Ann"], found["Bob"]
    assert (0, 1) == (ann["seat"], bob["seat"]) and {1, 2} == {ann["place"], bob["place"]}
    assert [(1, "duel", 2, "stayed")] * 2 == [
        (it["number"], it["variant"], it["seats"], it["fate"]) for it in (ann, bob)
    ]
