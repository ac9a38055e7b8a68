"""Another name for an account: what others read, what is held, and what a crash leaves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.accounts.account import DAY_MS
from mudserver.accounts.events import GamePlayed
from mudserver.accounts.names import claim_key
from mudserver.accounts.played import PlayedGame
from mudserver.errors import UserError
from mudserver.journal import Claim
from tests.mudserver.service.test_admission import PASSWORD, at_the_prompt
from tests.mudserver.service.test_moderation import CONSOLE, at_one_table, cast, coming, says, told
from tests.mudserver.service.test_registering_guests import seats
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world, proven_by_key

YEAR_MS = 365 * DAY_MS


async def renames(person: Seatholder, name: str) -> str:
    return await says(person, f"rename {name}") + " " + await says(person, name)


def with_key_of(server: SimServer, registered: str, name: str) -> Seatholder:
    """Who registered under one name logs in under another."""
    proven = replace(proven_by_key(registered, is_known=True), name=name)
    return Seatholder(name, server.connect(FakeLink(ANSI, "ssh", "203.0.113.2"), proven))


async def restarted(server: SimServer, after_ms: int = 0) -> SimServer:
    await server.stop()
    return await SimServer(server.world, server.clock.now_ms() + after_ms).open()


def test_everybody_here_and_at_the_table_reads_the_new_name_and_all_goes_on():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "friend bob")
        await says(here["cid"], "ignore bob")
        await at_one_table(here["ann"], here["bob"])
        for person in here.values():
            person.forget()
        said = await renames(here["bob"], "Rob")
        at_table, in_lobby = here["ann"].text, here["cid"].text
        friends, ignored = await says(here["ann"], "friends"), await says(here["cid"], "ignore")
        await says(here["bob"], "say hello")
        heard = here["ann"].text, here["cid"].text
        told_rob = await says(here["ann"], "tell rob hi"), await says(here["bob"], "whoami")
        who, looks = await says(here["cid"], "who"), await says(here["bob"], "look")
        return (
            said,
            at_table,
            in_lobby,
            friends,
            ignored,
            heard,
            told_rob,
            who,
            looks,
            seats(server),
        )

    said, at_table, in_lobby, friends, ignored, heard, (hi, whoami), who, looks, kept = told(
        scenario
    )
    assert "Type the new name again:" in said
    assert "You are called Rob now. Nobody else can take the name bob until 20" in said
    assert "-- bob is now Rob." in at_table and "is now" not in in_lobby
    assert "Rob" in friends and "bob" not in friends and "Rob" in ignored
    assert "Rob: hello" in heard[0] and "hello" not in heard[1]
    assert "You tell Rob: hi" in hi and "You are Rob, a registered player" in whoami
    assert "Rob" in who and "bob" not in who and "Rob" in looks and "bob" not in looks
    assert [("p1", "ann", False), ("p2", "Rob", False)] == kept


def test_in_the_lobby_the_others_read_it():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        said = await renames(here["bob"], "rob")
        return said, here["ann"].text

    said, heard = told(scenario)
    assert "-- bob is now rob." in heard and "is now rob" not in said


def test_the_old_name_is_taken_for_others_and_finger_says_who_that_is_now():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await renames(here["bob"], "rob")
        taken = await says(here["ann"], "rename bob"), (await at_the_prompt(server, "b0b")).text
        lines = ("finger BOB", "finger rob", "mail bob hello")
        return taken, *[await says(here["ann"], line) for line in lines]

    (renaming, registering), old, new, mailed = told(scenario)
    assert "The name bob is taken. Please choose another one." in renaming
    assert "The name b0b is taken. Please choose another one." in registering
    assert "bob is now called rob." in old and "was bob" in new
    assert "bob is now called rob." in mailed


@pytest.mark.parametrize(
    ("line", "again", "answer"),
    [
        ("rename ann", "", "The name ann is taken."),
        ("rename bob", "", "The name is bob already."),
        ("rename staff", "", "reserved"),
        ("rename rob", "rib", "That is another name. Nothing has changed."),
        ("rename rob", "", "Nothing has changed."),
        ("rename rob", "   ", "Nothing has changed."),
    ],
)
def test_what_is_no_name_or_is_typed_otherwise_changes_nothing(line, again, answer):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        said = await says(here["bob"], line) + " " + await says(here["bob"], again)
        return said, await says(here["bob"], "whoami"), len(server.journal.disk.read("person/2"))

    said, who, records = told(scenario)
    assert answer in said and "You are bob" in who and 1 == records


@pytest.mark.parametrize("line", ["tell bob secret", "ignore bob", "friend bob"])
def test_what_is_meant_for_a_former_name_reaches_nobody_whose_name_begins_so(line):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", bobby="player")
        await renames(here["bob"], "rob")
        here["bobby"].forget()
        return await says(here["ann"], line), here["bobby"].text

    answer, heard = told(scenario)
    assert "bob is now called rob." in answer and "secret" not in heard


def test_what_is_meant_for_an_erased_account_reaches_nobody_while_its_name_is_held():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", bobby="player")
        accounts = server.app.account_service.streams.accounts
        game = PlayedGame("words", 1, 1, "", 1, 2, server.clock.now_ms())
        accounts.apply(GamePlayed(accounts.find("bob").id, game))
        await server.app.deletion.erase_for(CONSOLE, "bob", "asked for it")
        here["bobby"].forget()
        return await says(here["ann"], "tell bob secret"), here["bobby"].text

    answer, heard = told(scenario)
    assert 'Nobody called "bob" is online. Did you mean bobby' in answer and "secret" not in heard


def test_guests_register_and_staff_is_renamed_by_others():
    async def scenario(server):
        here = await cast(server, mia="moderator", opa="operator", ann="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        own = await says(here["mia"], "rename maja"), await says(guest, "rename zed")
        peer = await says(here["mia"], "rename opa oma because I say so")
        player = await says(here["ann"], "rename mia maja because I say so")
        return own, peer, player

    (own, guest), peer, player = told(scenario)
    assert "Somebody of a higher role has to change the name of staff." in own
    assert "Only registered players can use rename. Type register NAME to register." in guest
    assert "You can't do that to moderators or anybody above." in peer
    assert "Only moderators can use rename." in player


def test_one_changes_the_name_once_in_30_days_and_a_restart_knows_it():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, bob="player")
        await renames(here["bob"], "rob")
        soon = await says(here["bob"], "rename tom")
        server = await restarted(server, 29 * DAY_MS)
        rob = with_key_of(server, "bob", "rob")
        await asyncio.sleep(0.5)
        late = await says(rob, "rename tom")
        server = await restarted(server, DAY_MS)
        rob = with_key_of(server, "bob", "rob")
        await asyncio.sleep(0.5)
        back = await renames(rob, "bob")
        await server.stop()
        return soon, late, back

    soon, late, back = virtual.run(scenario())
    assert "You have changed your name lately. You can do it again in 30 days." in soon
    assert "again in 1 day." in late
    assert "You are called bob now. Nobody else can take the name rob until" in back


def test_the_staff_gives_a_name_with_a_reason_that_the_person_reads_and_the_audit_keeps():
    async def scenario(server):
        here = await cast(server, mia="moderator", rude="player", ann="player")
        await at_one_table(here["ann"], here["rude"])
        here["rude"].forget()
        short = await says(here["mia"], "rename rude bob")
        done = await says(here["mia"], "rename rude bob no such names")
        read, at_table = " ".join(here["rude"].text.split()), here["ann"].text
        acts = await says(here["mia"], "audit rename")
        back = await says(here["rude"], "rename rude")
        finger = await says(here["ann"], "finger bob")
        stored = b"".join(it.body for it in server.world.disk.records[next(
            s for s in server.world.disk.records if s.startswith("audit/"))])  # fmt: skip
        return short, done, read, at_table, acts, back, finger, stored, seats(server)

    short, done, read, at_table, acts, back, finger, stored, kept = told(scenario)
    assert "Give a reason" in short
    assert "rude is now called bob." in done and "-- rude is now bob." in at_table
    assert "The staff has changed your name to bob: no such names" in read
    assert "mia: rename bob: no such names" in acts
    assert "The staff took the name rude away." in back and "was rude" not in finger
    assert b"rude" not in stored and [("p3", "ann", False), ("p2", "bob", False)] == kept


def test_who_was_renamed_meanwhile_comes_in_by_the_old_name_and_is_told_once():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        rude = await at_the_prompt(server, "rude", PASSWORD, PASSWORD)
        rude.type("quit")
        await asyncio.sleep(1)
        await server.app.names.rename_by_staff(CONSOLE, "rude", "bob", "no such names")
        server = await restarted(server)
        wrong = (await at_the_prompt(server, "rude", "not that one")).text
        person = await at_the_prompt(server, "rude", PASSWORD)
        first, who = person.text, await says(person, "whoami")
        second = (await at_the_prompt(server, "rude", PASSWORD)).text
        await server.stop()
        return wrong, first, who, second

    wrong, first, who, second = virtual.run(scenario())
    assert "Wrong password." in wrong and "no such names" not in wrong
    assert "Welcome back, bob." in first and "You are bob" in who
    assert "The staff has changed your name to bob: no such names" in " ".join(first.split())
    assert "Welcome back, bob." in second and "no such names" not in second


def test_the_console_renames_staff_but_never_the_only_owner():
    async def scenario(server):
        await cast(server, opa="owner", oma="owner", ann="player")
        moderation, rename = server.app.moderation, server.app.names.rename_by_staff
        done = await rename(CONSOLE, "opa", "grandpa", "asked for it")
        await moderation.set_role(CONSOLE, "oma", "player", "asked for it")
        with pytest.raises(UserError) as refused:
            await rename(CONSOLE, "grandpa", "opa", "asked for it")
        with pytest.raises(UserError) as guest:
            await rename(CONSOLE, "nobody", "zed", "asked for it")
        return done, str(refused.value), str(guest.value)

    done, refused, nobody = told(scenario)
    assert "opa is now called grandpa." == done and "the only owner" in refused
    assert "Nobody is called nobody" in nobody


@pytest.mark.parametrize("records", [1, 2])
def test_death_between_account_and_table_leaves_one_name_everywhere(records):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        await at_one_table(here["ann"], here["bob"])
        await says(here["bob"], "rename rob")
        died = server.journal.doom(records)
        here["bob"].type("rob")
        await died.wait()
        await server.die()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        await asyncio.sleep(1)
        kept, account = seats(server), server.app.account_service.present_person("p2")
        rob = with_key_of(server, "bob", "rob")
        await asyncio.sleep(0.5)
        found = rob.text
        await server.stop()
        written = sum(
            r.body.count(b'"PersonReplaced"') for r in server.world.disk.records["table/1"]
        )
        return kept, account.name, found, written

    kept, name, found, written = virtual.run(scenario())
    assert [("p1", "ann", False), ("p2", "rob", False)] == kept and "rob" == name
    assert "You have a seat at table 1" in found and 1 == written


def test_a_hold_lasts_a_year_over_restarts_then_the_daily_sweep_frees_the_name():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, bob="player")
        await renames(here["bob"], "rob")
        server = await restarted(server, YEAR_MS - DAY_MS)
        await server.app.names.sweep()
        held = (await at_the_prompt(server, "b0b")).text
        server = await restarted(server, 2 * DAY_MS)
        still = (await at_the_prompt(server, "b0b")).text  # no clock judges it, but the sweep
        await server.app.names.sweep()
        free = (await at_the_prompt(server, "bob", PASSWORD, PASSWORD)).text
        server = await restarted(server)
        names = [server.app.account_service.account_name(it) for it in ("bob", "rob")]
        await server.app.names.sweep()
        await server.stop()
        return held, still, free, names

    held, still, free, names = virtual.run(scenario())
    assert "The name b0b is taken." in held and "The name b0b is taken." in still
    assert "You are registered as bob." in free and ["bob", "rob"] == names


def test_renaming_within_one_likeness_and_back_leaves_one_account_a_name():
    """A start and a sweep after each: the claim stays the account's."""

    async def scenario():
        world = new_world(1)
        server = await SimServer(world).open()
        await cast(server, ann="player")
        seen = []
        for name in ("Ann", "ann", "a_nn", "ann"):
            server = await restarted(server, 31 * DAY_MS)
            person = server.app.account_service.person_named("ann" if not seen else seen[-1][0])
            await server.app.names.rename(person, name, "203.0.113.1")
            await server.app.names.sweep()
            server = await restarted(server)
            accounts = server.app.account_service.streams.accounts
            seen.append((accounts.find(name).name, len(accounts)))
        await server.stop()
        return seen

    assert [("Ann", 1), ("ann", 1), ("a_nn", 1), ("ann", 1)] == virtual.run(scenario())


def test_a_claim_of_another_server_refuses_the_name():
    async def scenario(server):
        here = await cast(server, bob="player")
        await server.journal.adopt_claims([Claim("name", claim_key("rob"), "p99")])
        return await renames(here["bob"], "rob"), await says(here["bob"], "whoami")

    said, who = told(scenario)
    assert "The name rob is taken." in said and "You are bob" in who


def test_nobody_registers_a_name_that_is_being_taken_by_a_rename():
    async def scenario(server):
        here = await cast(server, bob="player")
        with server.app.account_service.reserve_name("zed"):
            renaming = await renames(here["bob"], "zed")
            taken = await at_the_prompt(server, "zed", PASSWORD, PASSWORD)
        return renaming, taken.text, await says(here["bob"], "whoami")

    renaming, taken, who = told(scenario)
    assert "You are bob" in who
    assert all("Somebody else is registering zed right now" in each for each in (renaming, taken))


def test_a_change_that_is_not_saved_changes_nothing():
    async def scenario(server):
        here = await cast(server, bob="player")
        server.journal.fail()
        failed = await renames(here["bob"], "rob")
        return failed, await says(here["bob"], "whoami"), await renames(here["bob"], "rob")

    failed, who, again = told(scenario)
    assert "can't save right now" in failed and "You are bob" in who
    assert "You are called rob now." in again


def test_lookup_shows_a_tag_of_the_network_and_owners_the_address():
    async def scenario(server):
        here = await cast(server, owen="owner", mia="moderator", opa="operator", ann="player")
        near = coming(server, "bob", "203.0.113.77")
        far = coming(server, "guest", "198.51.100.9", how="guest")
        await asyncio.sleep(0.5)
        tags = [await says(here["mia"], f"lookup {it}") for it in ("ann", "bob", "guest1")]
        more = await says(here["opa"], "lookup ann"), await says(here["owen"], "lookup ann")
        refused = await says(here["ann"], "lookup bob"), await says(here["mia"], "lookup opa")
        near.link.drop()
        await asyncio.sleep(0.5)
        gone = await says(here["mia"], "lookup bob")
        acts = await says(here["mia"], "audit lookup")
        far.forget()
        console = await server.app.moderation.lookup(CONSOLE, "ann")
        return tags, more, refused, gone, acts, console

    (ann, bob, guest), (opa, owen), (player, peer), gone, acts, console = told(scenario)
    tag = ann.partition("network ")[2][:6]
    assert f"ann comes from the network {tag}." in ann and f"from the network {tag}." in bob
    assert tag not in guest and "guest1 comes from the network" in guest
    assert tag in opa and "203.0.113" not in opa
    address = f"ann comes from 203.0.113.4, in the network {tag}."
    assert address in owen and address == console
    assert "Only moderators can use lookup." in player and "You can't do that" in peer
    assert "bob isn't here, so nothing is known of the network." in gone
    assert "mia: lookup bob" in acts and "203.0.113" not in acts


def test_the_tags_of_a_month_say_nothing_of_the_next():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, mia="moderator", ann="player")
        first = await says(here["mia"], "lookup ann")
        server = await restarted(server)
        mia, _ = coming(server, "mia", "203.0.113.1"), coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        same = await says(mia, "lookup ann")
        server = await restarted(server, 40 * DAY_MS)
        mia, _ = coming(server, "mia", "203.0.113.1"), coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        later = await says(mia, "lookup ann")
        await server.stop()
        return [it.partition("network ")[2][:6] for it in (first, same, later)]

    first, same, later = virtual.run(scenario())
    assert first == same != later and 6 == len(later)
