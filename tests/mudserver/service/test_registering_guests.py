"""A guest who registers goes on as the account: seat, settings, lessons, whom the guest ignores."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest

from mudserver.accounts.person import Person
from tests.live import live_table
from tests.mudserver.service.test_admission import PASSWORD, at_the_prompt, code_in
from tests.mudserver.service.test_moderation import CONSOLE, at_one_table, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world


async def guest_of(server: SimServer, source: str = "192.0.2.7") -> Seatholder:
    guest = coming(server, "guest", source, how="guest")
    await asyncio.sleep(0.5)
    return guest


async def registers(guest: Seatholder, line: str, *passwords: str) -> str:
    said = await says(guest, line)
    for password in passwords or (PASSWORD, PASSWORD):
        said += " " + await says(guest, password)
    return said


def seats(server: SimServer, number: int = 1) -> list[tuple[str | None, str, bool]]:
    table = live_table(server.app.table_manager, number)
    return [(o.person, o.name, o.is_guest) for o in table.seats] if table is not None else []


def test_a_guest_registers_in_mid_game_and_goes_on_playing():
    async def scenario(server):
        here = await cast(server, ann="player", cid="player")
        guest = await guest_of(server)
        await at_one_table(here["ann"], guest)
        await says(here["cid"], "watch 1")
        here["ann"].forget()
        here["cid"].forget()
        said = await registers(guest, "register bob")
        told_others = here["ann"].text, here["cid"].text
        who = await says(guest, "whoami")
        looks = await says(guest, "look")
        heard = await says(here["ann"], "say hello bob"), " ".join(guest.text.split())
        moves = await says(guest, "moves")
        kept = seats(server)
        again = await at_the_prompt(server, "bob", PASSWORD)
        return said, told_others, who, looks, heard, moves, kept, again.text

    said, told_others, who, looks, (_, heard), moves, kept, again = told(scenario)
    assert "Choose a password:" in said and "Again:" in said
    assert "You are registered as bob." in said and "guest1 is now bob." not in said
    assert all("-- guest1 is now bob." in each for each in told_others)
    assert "You are bob, a registered player" in who and "resume" not in who
    assert "bob" in looks and "guest1" not in looks and "ann: hello bob" in heard
    assert "You can type" in moves or "You can't make a move now." in moves
    assert [("p1", "ann", False), ("p3", "bob", False)] == kept
    assert "Welcome back, bob" in again and "You have a seat at table 1" in again


def test_in_the_lobby_everybody_reads_it_and_the_number_is_not_given_again_at_once():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        here["ann"].forget()
        await registers(guest, "register bob")
        heard, who = here["ann"].text, await says(here["ann"], "who")
        other = await guest_of(server, "192.0.2.8")
        await says(guest, "tell ann hi")
        reply = await says(here["ann"], "reply hello")
        return heard, who, other.text, reply, await says(guest, "finger bob")

    heard, who, other, reply, finger = told(scenario)
    assert "-- guest1 is now bob." in heard and "bob" in who and "guest1" not in who
    assert "guest2" in other and "You tell bob: hello" in reply
    assert "registered since" in finger


def test_what_a_guest_has_set_learned_and_ignored_is_the_account_s_after_a_restart():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player")
        other, guest = await guest_of(server, "192.0.2.8"), await guest_of(server)
        for line in (
            "set bell off",
            "ignore ann",
            "ignore guests",
            f"ignore {other.name}1",
            "learn elimination",
        ):
            await says(guest, line)
        await says(guest, "skip")
        said = await registers(guest, "register bob")
        records = len(server.journal.disk.read("person/2"))
        learning = await says(guest, "repeat")
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        bob = coming(server, "bob", "203.0.113.5", how="password")
        await asyncio.sleep(0.5)
        told_bob = bob.text, await says(bob, "ignore"), await says(bob, "set bell")
        await server.stop()
        return said, records, learning, told_bob

    said, records, learning, (welcome, ignored, bell) = virtual.run(scenario())
    assert "You are registered as bob." in said and 1 == records
    assert "2 of" in learning or "2/" in learning
    assert "ann" in ignored and "guests" in ignored and "guest1" not in ignored
    assert "bell is off (your account)" in bell
    assert "Lesson elimination: step 2 of 6." in welcome


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("register ann", "The name ann is taken."),
        ("register 4nn", "Names begin with a letter."),
        ("register admin", "reserved"),
        ("register guest", "The name guest is taken."),
        ("register", "Type it like this: register NAME [CODE]"),
    ],
)
def test_a_name_that_is_not_free_is_refused_before_a_password_is_asked(line, answer):
    async def scenario(server):
        await cast(server, ann="player")
        guest = await guest_of(server)
        return await says(guest, line), await says(guest, "whoami")

    refused, who = told(scenario)
    assert answer in refused and "Choose a password" not in refused
    assert "You are guest1" in who


def test_an_empty_line_or_an_easy_password_registers_nobody():
    async def scenario(server):
        guest = await guest_of(server)
        easy = await registers(guest, "register bob", "aaaaaaaaaa", "")
        differ = await registers(guest, "register bob", PASSWORD, "something else", "")
        return (
            easy,
            differ,
            await says(guest, "whoami"),
            server.app.account_service.name_status("bob"),
        )

    easy, differ, who, status = told(scenario)
    assert "too easy to guess" in easy and "don't match" in differ
    assert "You are guest1" in who and ("free", "") == status


def test_who_has_an_account_is_told_so():
    async def scenario(server):
        here = await cast(server, ann="player")
        return await says(here["ann"], "register bob")

    assert "You are registered as ann already. For another name: rename NAME" in told(scenario)


def test_where_names_need_an_invitation_its_code_stands_behind_the_name():
    async def scenario(server):
        here = await cast(server, opa="operator")
        await says(here["opa"], "registration invite")
        code = code_in(await says(here["opa"], "invitation"))
        guest, late = await guest_of(server), await guest_of(server, "192.0.2.8")
        plain = await says(guest, "register bob")
        wrong = await says(guest, "register bob aaaaaaaaaaaa")
        done = await registers(guest, f"register bob {code}")
        used = await says(late, f"register zoe {code}")
        for _ in range(20):
            many = await says(late, "register zoe aaaaaaaaaaaa", 0.3)
        return plain, wrong, done, used, many

    plain, wrong, done, used, many = told(scenario)
    assert "Registration needs an invitation here: type register NAME CODE lobby>" in plain
    assert "isn't valid any more" in wrong and "isn't valid any more" in used
    assert "You are registered as bob." in done
    assert "Too many wrong codes. Please wait a minute." in many


def test_a_mute_of_the_guest_goes_over_to_the_account_and_is_in_the_audit():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, mia="moderator", opa="operator")
        guest = await guest_of(server)
        await says(here["mia"], "mute guest1 1h noise // loud")
        said = await registers(guest, "register bob")
        muted = await says(guest, "say hello")
        listed, acts = (
            await says(here["mia"], "sanctions bob"),
            await says(here["mia"], "audit bob"),
        )
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        bob = coming(server, "bob", "198.51.100.9", how="password")  # from elsewhere
        await asyncio.sleep(0.5)
        still = await says(bob, "say hello")
        mia = coming(server, "mia", "203.0.113.1")
        await asyncio.sleep(0.5)
        lifted = await says(mia, "unmute bob")
        free = await says(bob, "say hello")
        await server.stop()
        return said, muted, listed, acts, still, lifted, free

    said, muted, listed, acts, still, lifted, free = virtual.run(scenario())
    assert "You are registered as bob." in said
    assert "You are muted by the staff" in muted and "You are muted by the staff" in still
    assert "mute bob until" in listed and "by mia: noise // loud" in listed
    assert re.search(r"server: mute bob until .* #3: noise", acts)
    assert "bob can talk again." in lifted and "bob: hello" in free


def test_what_the_guest_said_is_the_account_s_for_the_staff_and_in_reports():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        guest = await guest_of(server)
        await says(guest, "say nasty words")
        await registers(guest, "register bob")
        filed = await says(here["ann"], "report guest1 insults")
        lines = await says(here["mia"], "reports 1")
        muted = await says(here["mia"], "mute guest1 10m insults")
        return filed, lines, muted, await says(guest, "say more")

    filed, lines, muted, more = told(scenario)
    assert "Report 1 filed." in filed and "nasty words" in lines and "bob" in lines
    assert "bob is muted until" in muted and "You are muted" in more


def test_a_guest_who_is_banned_while_the_password_is_hashed_gets_no_account():
    async def scenario(server):
        guest = await guest_of(server)
        for line in ("register bob", PASSWORD):
            await says(guest, line)
        guest.type(PASSWORD)
        await asyncio.sleep(0.01)
        await server.app.sanctions.ban(CONSOLE, "guest1", "1d", "threats")
        await asyncio.sleep(1)
        return guest.link.is_open, server.app.account_service.name_status("bob")

    assert (False, ("free", "")) == told(scenario)


def test_who_ignored_the_guest_goes_on_ignoring():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        await says(here["ann"], "ignore guest1")
        await registers(guest, "register bob")
        here["ann"].forget()
        await says(guest, "say can you hear me")
        heard = here["ann"].text
        here["ann"].link.drop()
        await asyncio.sleep(0.5)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        await says(guest, "say and now")
        return heard + ann.text, await says(ann, "ignore")

    heard, ignored = told(scenario)
    assert "hear me" not in heard and "bob: and now" not in heard and "bob" in ignored


def test_the_place_of_the_guest_is_free_for_another():
    async def scenario(server):
        guest = await guest_of(server)
        await registers(guest, "register bob")
        bob = server.app.online.named("bob")
        places = bob.guest_place, bob.guest_slot, bob.person, len(server.app.online)
        await guest_of(server)
        return places, [each.guest_slot for each in server.app.online.all()]

    places, slots = told(scenario)
    assert (None, None, Person("p1", "bob", is_guest=False), 1) == places
    assert [None, 0] == slots


def test_a_program_registers_and_is_told_who_it_is():
    async def scenario(server):
        guest = server.guest(is_program=True)
        await asyncio.sleep(0.5)
        for line in ("register bob", PASSWORD, PASSWORD, "whoami"):
            guest.type(line)
            await asyncio.sleep(1)
        return guest.objects

    objects = told(scenario)
    hellos = [each["name"] for each in objects if each["type"] == "hello"]
    prompts = [each["text"] for each in objects if each["type"] == "prompt"]
    assert ["guest1", "bob"] == hellos
    assert ["Choose a password: ", "Again: "] == prompts


async def killed_while_registering(seed: int, after_s: float) -> bool:
    """Whether an account is there; what must hold in any case does."""
    server = await SimServer(new_world(seed)).open()
    here = await cast(server, ann="player")
    guest = await guest_of(server)
    await at_one_table(here["ann"], guest)
    await says(guest, "register bob")
    await says(guest, PASSWORD)
    guest.type(PASSWORD)
    await asyncio.sleep(after_s)
    await server.die()
    server = await SimServer(server.world, server.clock.now_ms()).open()
    await asyncio.sleep(1)
    first, second = seats(server)
    accounts = server.app.account_service.streams.accounts
    is_registered = accounts.find("bob") is not None
    await server.stop()
    assert ("p1", "ann", False) == first and 1 + is_registered == len(accounts)
    assert second[1:] == (("bob", False) if is_registered else ("guest1", True))
    assert (second[0] == "p2") is is_registered
    return is_registered


@pytest.mark.parametrize("seed", range(8))
def test_death_at_any_moment_leaves_one_seat_and_at_most_one_account(seed):
    virtual.run(killed_while_registering(seed, 0.004 * (seed + 1)))


@pytest.mark.prove
def test_death_at_a_hundred_random_moments_leaves_one_seat_and_at_most_one_account():
    rng = Random(1)
    moments_s = [rng.uniform(0.015, 0.03) for _ in range(100)]
    found = [virtual.run(killed_while_registering(*it)) for it in enumerate(moments_s)]
    print(f"\n100 kills while a guest registers: {sum(found)} accounts")
    assert 0 < sum(found) < 100


@pytest.mark.parametrize("records", [1, 2])
def test_death_between_account_and_table_leaves_one_seat_and_one_account(records):
    """1: the account is written, the table is not; 2: both are."""

    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        await at_one_table(here["ann"], guest)
        await says(guest, "register bob")
        await says(guest, PASSWORD)
        died = server.journal.doom(records)
        guest.type(PASSWORD)
        await died.wait()
        await server.die()
        written = b"PersonReplaced" in server.world.disk.records["table/1"][-1].body
        server = await SimServer(server.world, server.clock.now_ms()).open()
        await asyncio.sleep(1)
        kept = seats(server)
        bob = coming(server, "bob", "192.0.2.7", how="password")
        await asyncio.sleep(0.5)
        found, plays = bob.text, await says(bob, "moves")
        taken = server.app.account_service.name_status("bob")[0]
        await server.stop()
        replaced = sum(
            record.body.count(b'"PersonReplaced"')
            for record in server.world.disk.records["table/1"]
        )
        return written, kept, found, plays, taken, replaced

    written, kept, found, plays, taken, replaced = virtual.run(scenario())
    assert written is (records == 2) and "known" == taken and 1 == replaced
    assert [("p1", "ann", False), ("p2", "bob", False)] == kept
    assert "You have a seat at table 1" in found and "No game is running" not in plays


def test_a_table_whose_record_is_not_saved_writes_it_later_and_the_session_goes_on():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        await at_one_table(here["ann"], guest)
        server.journal.fail(2)  # the account is saved, the table's record is not
        said = await registers(guest, "register bob")
        between = [name for _, name, _ in seats(server)]
        await asyncio.sleep(30)
        talk = await says(guest, "say here I am")
        return said, between, seats(server), talk, await says(guest, "moves")

    said, between, kept, talk, moves = told(scenario)
    assert "You are registered as bob." in said and ["ann", "guest1"] == between
    assert [("p1", "ann", False), ("p2", "bob", False)] == kept
    assert "bob: here I am" in talk and "No game is running" not in moves


def test_an_account_that_is_not_saved_leaves_the_guest_a_guest():
    async def scenario(server):
        guest = await guest_of(server)
        server.journal.fail_always()
        said = await registers(guest, "register bob")
        server.journal.fail_always(False)
        await asyncio.sleep(1)
        return said, await says(guest, "whoami"), await registers(guest, "register bob")

    said, who, again = told(scenario)
    assert "can't save right now" in said and "You are guest1" in who
    assert "You are registered as bob." in again


def test_channels_private_messages_and_being_quiet_go_along():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", cid="player")
        guest = await guest_of(server)
        for line in ("join chat", "part help", "quiet on"):
            await says(guest, line)
        await says(here["cid"], "ignore guest1")
        await says(here["ann"], "join chat")
        await says(guest, "#chat by a guest")
        await registers(guest, "register bob")
        quiet, tells = await says(here["ann"], "tell bob hi"), await says(guest, "tells")
        guest.forget()
        await says(here["ann"], "#chat to bob")
        heard, earlier = guest.text, await says(here["cid"], "join chat")
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        bob = await at_the_prompt(server, "bob", PASSWORD)
        listed = await says(bob, "channels")
        await server.stop()
        return quiet, tells, heard, earlier, listed

    quiet, tells, heard, earlier, listed = virtual.run(scenario())
    assert "bob is quiet now." in quiet and "There are none in this session." in tells
    assert "to bob" not in heard  # bob is quiet
    assert "to bob" in earlier and "by a guest" not in earlier
    assert "chat 1 here (joined)" in listed and "help 0 here:" in listed


@pytest.mark.parametrize("line", ["tell guest1 hi", "finger guest1", "ignore guest1"])
def test_for_an_hour_who_asks_for_the_guest_reads_who_that_is_now(line):
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = await guest_of(server)
        await registers(guest, "register bob")
        soon = await says(here["ann"], line)
        await says(guest, "rename rob"), await says(guest, "rob")
        renamed = await says(here["ann"], line)
        guest.link.drop()
        await asyncio.sleep(1)
        gone = await says(here["ann"], line)
        await server.app.deletion.erase_for(CONSOLE, "rob", "for the test")
        erased = await says(here["ann"], line)
        await asyncio.sleep(3_600)
        return soon, renamed, gone, erased, await says(here["ann"], line)

    soon, renamed, gone, erased, late = told(scenario)
    assert "guest1 is now called bob." in soon
    assert "guest1 is now called rob." in renamed and "guest1 is now called rob." in gone
    assert "guest1 has left." in erased and "guest1" in late and "is now called" not in late
