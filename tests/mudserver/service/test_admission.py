"""Who may come in: registration open, by invitation or closed, and guests on or off."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.codes import hash_code
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.moderation.codec import decode as decode_staff
from mudserver.moderation.site import Site
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.mudserver.service.test_relations import restarted
from tests.mudserver.service.test_staff_lists import DOCS
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world, proven_by_key

PASSWORD = "correct horse battery"


async def at_the_prompt(server: SimServer, *lines: str) -> Seatholder:
    """Somebody at the prompt for a name, over telnet."""
    person = Seatholder("somebody", server.connect(FakeLink(ANSI, "telnet", "192.0.2.50")))
    for line in lines:
        await asyncio.sleep(0.2)
        person.type(line)
    await asyncio.sleep(1)
    return person


def code_in(text: str) -> str:
    found = re.search(r"NAME\+(\w{12}), or", text)
    assert found, text
    return found[1]


def test_where_registration_is_closed_old_names_and_guests_come_in():
    async def scenario(server):
        here = await cast(server, opa="operator", ann="player")
        done = await says(here["opa"], "registration closed")
        zed = await at_the_prompt(server, "zed")
        by_key = coming(server, "zed", "192.0.2.9")
        ann, guest = coming(server, "ann", "203.0.113.2"), await at_the_prompt(server, "guest")
        await asyncio.sleep(0.5)
        await says(here["opa"], "guests off")
        refused = await at_the_prompt(server, "zed"), await at_the_prompt(server, "guest")
        return done, zed.text, by_key.text, ann.text, guest.text, [it.text for it in refused]

    done, zed, by_key, ann, guest, (zed_now, no_guest) = told(scenario)
    assert "Nobody can register a name now." in done
    sentence = "Registration is closed here. You can log in as guest."
    assert sentence in zed and sentence in by_key
    assert "Welcome back, ann" in ann and "Welcome to" in guest
    assert "Registration is closed here." in zed_now and "as guest." not in zed_now
    assert "Guests are not admitted here right now." in no_guest


def test_an_invitation_opens_as_many_names_as_it_says():
    async def scenario(server):
        here = await cast(server, opa="operator", mia="moderator")
        await says(here["opa"], "registration invite")
        several = await says(here["mia"], "invitation uses=2")
        code = code_in(await says(here["mia"], "invitation"))
        plain = await at_the_prompt(server, "zed")
        wrong = await at_the_prompt(server, "zed+aaaaaaaaaaaa")
        first = await at_the_prompt(server, f"zed+{code}", PASSWORD, PASSWORD)
        second = await at_the_prompt(server, f"zoe+{code}")
        pair = code_in(await says(here["opa"], "invitation uses=2 days=1"))
        proven = proven_by_key("kim", is_known=False)
        by_key = AuthenticatedUser(f"kim+{pair}", "newkey", proven.key, proven.fingerprint)
        kim = Seatholder("kim", server.connect(FakeLink(ANSI, "ssh", "192.0.2.8"), by_key))
        await asyncio.sleep(0.5)
        await asyncio.sleep(600)
        unused = code_in(await says(here["opa"], "invitation days=1"))
        later_ms = server.clock.now_ms() + 86_400_000
        await server.stop()
        server = await SimServer(server.world, later_ms).open()
        late = await at_the_prompt(server, f"zoe+{unused}")
        await server.stop()
        return several, plain.text, wrong.text, first.text, second.text, kim.text, late.text

    several, plain, wrong, first, second, kim, late = told(scenario)
    assert "Only operators can invite several" in several
    words = "needs an invitation here: type NAME+CODE as your name. You can log in as guest."
    assert f"Registration {words}" in " ".join(plain.split())
    assert "This code isn't valid any more." in wrong and "isn't valid any more" in second
    assert "You are registered as zed." in first and '"kim" is now registered' in kim
    assert "isn't valid any more" in late


def test_two_who_come_with_the_last_use_at_once_are_one_account():
    async def scenario(server):
        code = code_in((await server.app.admission.invite(CONSOLE)).text)
        await server.app.admission.set_registration(CONSOLE, "invite")
        accounts = server.app.account_service
        both = await asyncio.gather(
            accounts.register(f"zed+{code}", PASSWORD, "here"),
            accounts.register(f"zoe+{code}", PASSWORD, "there"),
            return_exceptions=True,
        )
        names = [accounts.account_name(name) for name in ("zed", "zoe")]
        return [type(each).__name__ for each in both], names

    assert (["Person", "UserError"], ["zed", None]) == told(scenario)


def test_a_crash_spends_an_invitation_with_its_account_or_neither():
    async def scenario(records):
        world = new_world(1)
        server = await SimServer(world).open()
        code = code_in((await server.app.admission.invite(CONSOLE)).text)
        accounts = server.app.account_service
        dead = server.journal.doom(records) if records else server.journal.fail()
        await asyncio.wait(
            [asyncio.ensure_future(accounts.register(f"zed+{code}", PASSWORD, "here"))], timeout=5
        )
        await (server.die() if dead is not None and dead.is_set() else server.stop())
        again = await SimServer(world).open()
        is_there = again.app.account_service.account_name("zed") is not None
        is_spent = again.app.account_service.name_status(f"zoe+{code}")[0] != "free"
        await again.stop()
        return is_there, is_spent

    seen = [virtual.run(scenario(records)) for records in (0, 1, 2)]
    assert [(False, False), (True, True), (True, True)] == seen


def test_an_account_remembers_which_invitation_it_came_with_also_in_a_snapshot():
    async def scenario(server):
        code = code_in((await server.app.admission.invite(CONSOLE)).text)
        accounts = server.app.account_service
        invited = await accounts.register(f"zed+{code}", PASSWORD, "here")
        other = await accounts.register("zoe", PASSWORD, "here")
        opened = [decode(server.journal.disk.read(f"person/{it.id[1:]}")[0].body)[0]
                  for it in (invited, other)]  # fmt: skip
        kept = accounts.streams.accounts
        (snapshot,) = decode(encode(kept.snapshot(invited.id, 0)))
        again = Accounts()
        again.apply(snapshot)
        return hash_code(code), [it.invite for it in opened], again.by_id(invited.id).invite

    hashed, opened, kept = told(scenario)
    assert [hashed, ""] == opened and hashed == kept


def test_the_settings_say_what_holds_until_staff_sets_it():
    async def scenario():
        world = new_world(1, people=schema.PeopleLimits(registration="closed", guests=False))
        server = await SimServer(world).open()
        first = server.app.admission.mode, server.app.admission.has_guests
        await server.app.admission.set_registration(CONSOLE, "open")
        await server.app.admission.set_guests(CONSOLE, is_on=True)
        await server.stop()
        server = await SimServer(world).open()
        second = server.app.admission.mode, server.app.admission.has_guests
        await server.stop()
        return first, second

    assert (("closed", False), ("open", True)) == virtual.run(scenario())


def test_an_invitation_is_withdrawn_by_its_number_or_its_code_and_opens_nothing_then():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, opa="operator", mia="moderator", eve="helper")
        await says(here["opa"], "registration invite")
        shown = [await says(here[name], "invitation", 6.0) for name in ("opa", "mia", "opa")]
        codes = [code_in(text) for text in shown]
        number = re.search(r"until \S+ \(#(\d+)\)\.", shown[0])[1]
        refused = await says(here["eve"], f"invitation revoke #{number}", 6.0)
        which = await says(here["mia"], "invitation revoke")
        wrong = [
            await says(here["mia"], f"invitation revoke {it}", 6.0) for it in ("#1", "#0", "x")
        ]
        by_number = await says(here["mia"], f"invitation revoke #{number}", 6.0)
        server = await restarted(server)
        by_code = await server.app.admin.answer("invite-revoke", {"which": f"NAME+{codes[1]}"}, 0)
        with pytest.raises(UserError, match="No such invitation is open"):
            await server.app.admission.revoke(CONSOLE, codes[1])
        late = [(await at_the_prompt(server, f"zed+{code}")).text for code in codes]
        acts = [it.data["arguments"] for it in
                await server.app.moderation.list_acts(CONSOLE, "invitation")]  # fmt: skip
        await server.stop()
        return number, refused, which, wrong, by_number, by_code, late, acts, codes

    number, refused, which, wrong, by_number, by_code, late, acts, codes = virtual.run(scenario())
    assert "Only moderators can use invitation." in refused
    assert "Say which one, by its number or its code" in which
    assert all("No such invitation is open." in each for each in wrong)
    assert f"The invitation #{number} can't be used any more." in by_number
    assert by_code["text"].startswith("The invitation #")
    assert [True, True, False] == ["This code isn't valid any more." in text for text in late]
    assert 2 == sum(each.startswith("revoke #") for each in acts)
    assert not any(code in " ".join(acts) for code in codes)


def test_an_invitation_that_an_older_server_made_is_withdrawn_by_its_code():
    events = decode_staff(json.dumps([
        {"type": "invite", "hash": hash_code("aaaabbbbcccc"), "uses": 1, "expires_ms": 9,
         "by": "p1", "at_ms": 1},
        {"type": "snapshot", "registration": None, "has_guests": None,
         "invites": {hash_code("ddddeeeeffff"): [1, 9]}},
    ]).encode())  # fmt: skip
    site = Site()
    for event, code in zip(events, ("aaaabbbbcccc", "ddddeeeeffff"), strict=True):
        site.apply(event)
        assert (hash_code(code), 0) == site.find_invite(0, hash_code(code), 1)
        for number, hashed in ((0, "no such"), (1, "no such")):
            with pytest.raises(UserError):
                site.find_invite(number, hashed, 1)
        with pytest.raises(UserError):  # expired
            site.find_invite(0, hash_code(code), 9)


def test_programs_read_codes_as_fields_of_their_own():
    async def scenario(server):
        await cast(server, ann="player")
        answer = server.app.admin.answer
        invited = await answer("invite", {"uses": 2, "days": 3}, 0)
        return invited, await answer("recover", {"name": "Ann"}, 0)

    invited, recovered = told(scenario)
    assert invited["code"] == code_in(invited["text"])
    assert (2, f"(#{invited['invitation']})") == (
        invited["uses"], invited["text"].rpartition(" ")[2].rstrip(".")
    )  # fmt: skip
    assert f"ann+{recovered['code']}," in recovered["text"] and "ann" == recovered["name"]
    for each in (invited, recovered):
        assert each["expires"].endswith("Z") and each["expires"][:10] in each["text"]
        assert [] == [key for key in each if f"`{key}`" not in DOCS.read_text("utf-8")]
