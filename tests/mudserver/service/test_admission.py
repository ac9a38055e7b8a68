"""Who may come in: registration open, by invitation or closed, and guests on or off."""

from __future__ import annotations

import asyncio
import re

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.codes import hash_code
from mudserver.config import schema
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
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
        code = code_in(await server.app.admission.invite(CONSOLE))
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
        code = code_in(await server.app.admission.invite(CONSOLE))
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
        code = code_in(await server.app.admission.invite(CONSOLE))
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
