"""An account goes: who may ask for it, when it is due, and what is left of it."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.events import GamePlayed, ProfileSet, RoleSet
from mudserver.accounts.names import claim_key
from mudserver.accounts.played import PlayedGame
from mudserver.clock import format_date
from mudserver.config.schema import PeopleLimits
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Claim, Entry
from mudserver.journal.streams import SITE_STREAMS
from mudserver.messages import row_text
from mudserver.moderation.events import OwnersSet
from mudserver.service.moderation import Login
from mudserver.service.staff_streams import Change
from tests.mudserver.service.test_moderation import CONSOLE, at_one_table, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import FOR_DAYS, Seatholder, SimServer, new_world

DAY_MS = 86_400_000
PASSWORD = "correct horse battery"
STRANGER = Claim("name", claim_key("ann"), "p99")


def of(server: SimServer, name: str) -> str:
    return server.app.account_service.person_named(name).id


def accounts_of(server: SimServer) -> Accounts:
    return server.app.account_service.streams.accounts


async def days_later(server: SimServer, days: float) -> SimServer:
    """The server is started again after so many days, and sweeps."""
    later_ms = server.clock.now_ms() + int(days * DAY_MS)
    await server.stop()
    server = await SimServer(server.world, later_ms).open()
    await server.app.deletion.sweep()
    return server


async def plays(server: SimServer, name: str) -> None:
    """A game of the account is over."""
    account_id, at_ms = of(server, name), server.clock.now_ms()
    game = GamePlayed(account_id, PlayedGame("words", 1, 1, "", 1, 2, at_ms))
    await server.app.account_service.streams.change(account_id, lambda: [game])


async def asks(person: Seatholder, name: str) -> str:
    """`account delete`, with the name; the key was proved a moment ago."""
    return await says(person, "account delete") + await says(person, name)


def is_there(server: SimServer, name: str) -> bool:
    return accounts_of(server).find(name) is not None


# -- asking and taking back ------------------------------------------------------------------------


def test_who_asks_reads_the_day_at_each_login_and_can_take_it_back():
    async def scenario(server):
        here = await cast(server, ann="player")
        before = await says(here["ann"], "account")
        asked = await asks(here["ann"], "ANN")
        again = await says(here["ann"], "account delete")
        other = coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        at_login = " ".join(other.text.split())
        kept = await says(other, "account keep"), await says(other, "account keep")
        third = coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        return before, asked, again, at_login, kept, third.text

    before, asked, again, at_login, (kept, nothing), third = told(scenario)
    assert "Your account stays. To delete it: account delete" in before
    due = "Your account will be deleted on 20"
    assert "type its name" in asked and due in asked and "account keep" in asked
    assert "will be deleted already" in again and due in at_login
    assert "Your account stays." in kept and "Nobody has asked" in nothing
    assert "will be deleted" not in third


def test_another_name_and_a_wrong_password_change_nothing():
    async def scenario(server):
        here = await cast(server, ann="player")
        ann = server.app.account_service.person_named("ann")
        await server.app.account_service.set_password(ann, PASSWORD, "here")
        wrong_name, empty = await asks(here["ann"], "bob"), await asks(here["ann"], "")
        await asyncio.sleep(16 * 60)  # the key was proved too long ago
        wrong = await asks(here["ann"], "ann"), await says(here["ann"], "incorrect horse")
        right = await asks(here["ann"], "ann"), await says(here["ann"], PASSWORD)
        return (wrong_name, empty), wrong, right, await says(here["ann"], "who")

    unchanged, (asked, wrong), (_, right), after = told(scenario)
    for each in unchanged:
        assert "Nothing has changed." in each and "deleted on" not in each
    assert "Now type your password." in asked
    assert "Wrong password." in wrong and "Your account will be deleted on" in right
    assert "ann" in after


def test_without_a_password_the_key_must_have_been_proved_lately():
    async def scenario(server):
        here = await cast(server, ann="player")
        await asyncio.sleep(16 * 60)
        return await says(here["ann"], "account delete")

    assert "Log in again with your key first." in told(scenario)


def test_what_the_staff_asks_only_the_staff_takes_back_and_what_the_owner_asks_only_the_owner():
    async def scenario(server):
        here = await cast(server, ola="operator", ann="player", bob="player")
        done = await says(here["ola"], "delete ann asked by letter")
        read = " ".join(here["ann"].text.split())
        refused = await says(here["ann"], "account keep"), await says(here["ann"], "account delete")
        kept = await says(here["ola"], "keep ann")
        await asks(here["bob"], "bob")
        of_bob = await says(here["ola"], "keep bob")
        await says(here["ola"], "delete bob spam alone")
        replaced = await says(here["bob"], "account keep")
        return done, read, refused, kept, of_bob, replaced, await says(here["ola"], "audit")

    done, read, refused, kept, of_bob, replaced, audit = told(scenario)
    assert "The account of ann will be deleted on 20" in done and "type keep ann" in done
    assert "The staff will delete your account on 20" in read and "asked by letter" in read
    assert "The staff will delete your account" in refused[0] and "already" in refused[1]
    assert "The account of ann stays." in kept and "bob has asked for that" in of_bob
    assert "The staff will delete your account" in replaced
    assert "keep ann" in audit and "delete ann: asked by letter" in audit


@pytest.mark.parametrize("line", ["delete mia any reason", "erase ann any reason"])
def test_who_may_not_is_refused_and_that_is_in_the_audit(line):
    async def scenario(server):
        here = await cast(server, ola="operator", mia="operator", ann="player")
        refused = await says(here["ola"], line)
        return refused, await says(here["mia"], "audit ola"), is_there(server, "ann")

    refused, audit, is_left = told(scenario)
    assert "You can't do that to operators" in refused or "Only owners can use erase" in refused
    assert "(refused)" in audit and is_left


def test_the_last_owner_stays_and_one_who_goes_does_not_count():
    async def scenario(server):
        here = await cast(server, ona="owner", oto="player")
        alone = await says(here["ona"], "account delete")
        with pytest.raises(UserError, match="only owner"):
            await server.app.deletion.ask_for(CONSOLE, "ona", "for the test")
        with pytest.raises(UserError, match="only owner"):
            await server.app.deletion.erase_for(CONSOLE, "ona", "for the test")
        await server.app.moderation.set_role(CONSOLE, "oto", "owner", "for the test")
        await asks(here["ona"], "ona")
        left = await says(here["oto"], "account delete")
        with pytest.raises(UserError, match="only owner"):
            await server.app.moderation.set_role(CONSOLE, "oto", "player", "for the test")
        return alone, left

    alone, left = told(scenario)
    assert "You are the only owner. First make somebody else owner." in alone
    assert "You are the only owner." in left


def test_an_owner_who_is_the_last_when_it_falls_due_is_put_off_by_a_day():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ona="owner", oto="owner")
        await asks(here["ona"], "ona")
        await server.app.moderation._streams.change(lambda _: _without_owner(server, "oto"))
        server = await days_later(server, 14)
        put_off = accounts_of(server).find("ona").deletion.due_ms - server.clock.now_ms()
        await server.app.moderation.set_role(CONSOLE, "oto", "owner", "for the test")
        server = await days_later(server, 1)
        gone = is_there(server, "ona")
        owners = server.app.moderation._streams.site.owners, of(server, "oto")
        await server.stop()
        return put_off, gone, owners

    put_off, is_left, (owners, oto) = virtual.run(scenario())
    assert 0 < put_off <= DAY_MS and not is_left and (oto,) == owners


def _without_owner(server: SimServer, name: str) -> Change:
    """Another server has demoted somebody at the same time."""
    demoted = RoleSet(of(server, name), "player", "console:0", "for the test", 1)
    change = Change(None, accounts={of(server, name): lambda: [demoted]})
    return change.add(SITE_STREAMS, 1, OwnersSet((of(server, "ona"),), 1))


# -- the end ---------------------------------------------------------------------------------------


def test_when_it_is_due_all_is_gone_but_the_hash_of_the_name():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player", mia="moderator")
        await plays(server, "ann")
        for line in ("profile Knits in winter.", "friend bob", "mail bob See you on Friday."):
            await says(here["ann"], line)
        await says(here["bob"], "mail ann At eight, then.")
        await says(here["bob"], "friend ann")
        await says(here["mia"], "mute ann 1d shouting")
        ann, key = of(server, "ann"), accounts_of(server).find("ann").fingerprints[0]
        number = await asks(here["ann"], "ann")
        early = await days_later(server, 13)
        is_early = is_there(early, "ann")
        server = await days_later(early, 1)
        late = is_there(server, "ann"), accounts_of(server).opened_by(key)
        streams = {
            name: [record.body for record in server.journal.disk.read(name)]
            for name in (f"person/{ann[1:]}", f"mailbox/{ann[1:]}")
        }
        open_now = [*server.journal.disk.streams("person/", is_open=True)]
        taken = server.app.account_service.name_status("ANN")
        other = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        read, friends = await says(other, "mail read"), await says(other, "friends")
        finger = await says(other, "finger ann")
        mute = server.app.sanctions.count_in_force()
        audit = await server.app.moderation.list_acts(CONSOLE, "erase")
        assert number
        await server.stop()
        return is_early, late, streams, ann, open_now, taken, read, friends, finger, mute, audit

    is_early, late, streams, ann, open_now, taken, read, friends, finger, mute, audit = virtual.run(
        scenario()
    )
    assert is_early and (False, ()) == late
    (end,), (box,) = streams.values()
    assert end.startswith(b'[{"type":"erased",') and b'"why":"asked"' in end and b"ann" not in end
    assert box.startswith(b'[{"type":"erased",')
    assert f"person/{ann[1:]}" not in open_now
    assert ("refused", "The name ANN is taken. Please choose another one.") == taken
    assert "former player wrote on" in read and "See you on Friday." in read
    assert "ann" not in friends and "former player" not in friends
    assert 'Nobody called "ann" is online.' in finger
    assert 0 == mute["mute"]
    (erased,) = audit
    assert f"server: erase former player ({ann}) asked" in row_text(erased.row)


def test_the_session_ends_with_a_sentence_and_the_seat_goes_to_a_computer_player():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        for line in ("open elimination", "start"):
            await says(here["ann"], line)
        await says(here["bob"], "sit 1")
        await says(here["ann"], "start")
        await says(here["bob"], "start")
        here["bob"].forget()
        said = await server.app.deletion.erase_for(CONSOLE, of(server, "ann"), "asked by letter")
        await asyncio.sleep(1)
        table = server.app.table_manager.table_of("p1")
        return said, here["ann"], " ".join(here["bob"].text.split()), table

    said, ann, of_bob, table = told(scenario)
    assert "ann is erased." == said
    assert "This account has been deleted." in ann.text and not ann.link.is_open
    assert "former player left the game." in of_bob and "(computer) takes over" in of_bob
    assert "ann" not in of_bob and table is None


def test_what_a_table_has_not_heard_when_the_server_dies_the_next_start_writes():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "open elimination")
        for name in ("bob", "cid"):
            await says(here[name], "sit 1")
        for name in here:
            await says(here[name], "start")
        server.app.deletion._leave = lambda account_id: None  # the server dies here
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        await server.app.deletion.erase_for(CONSOLE, "bob", "for the test")
        server = await SimServer(server.world).open()
        await asyncio.sleep(1)
        server = await SimServer(server.world).open()  # nothing is written twice
        await asyncio.sleep(1)
        records = [record.body for record in server.journal.disk.read("table/1")]
        cid = coming(server, "cid", "203.0.113.3")
        await asyncio.sleep(0.5)
        look = await says(cid, "look")
        await server.stop()
        return b"".join(records).decode(), look

    records, look = virtual.run(scenario())
    replaced = re.findall(
        r'"fact":"PersonReplaced","old":"(p\d)","new":"\1","name":"([^"]*)"', records
    )
    assert [("p1", "former player"), ("p2", "former player 2")] == replaced
    handed = re.findall(r'"left":"([^"]*)"', records)
    assert ["former player", "former player 2"] == handed and 2 == records.count('"why":"deleted"')
    assert "ann" not in look.split() and "bob" not in look.split()


def test_the_name_is_free_when_nobody_holds_it_any_more_and_nothing_is_left():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player", bob="player")
        await plays(server, "ann")
        await plays(server, "bob")
        ann, bob = of(server, "ann"), of(server, "bob")
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        await server.app.deletion.erase_for(CONSOLE, "bob", "for the test")
        server = await days_later(server, 364)
        held = server.app.account_service.name_status("ann")[0]
        server = await days_later(server, 2)
        free = server.app.account_service.name_status("ann")[0]
        newest = server.app.account_service.name_status("bob")[0]
        left = server.journal.disk.streams("person/"), server.journal.disk.streams("mailbox/")
        person = await server.app.account_service.register("ann", PASSWORD, "here")
        await server.stop()
        return held, free, newest, left, ann, bob, person.id

    held, free, newest, (people, boxes), ann, bob, new = virtual.run(scenario())
    assert ("refused", "free", "refused") == (held, free, newest)
    assert [f"person/{bob[1:]}"] == people and [f"mailbox/{bob[1:]}"] == boxes
    assert new not in (ann, bob)


def test_streams_are_kept_short_also_after_one_has_gone():
    async def scenario(server):
        await cast(server, ann="player", bob="player", cid="player")
        for name in ("ann", "bob"):
            await server.app.deletion.erase_for(CONSOLE, name, "for the test")
            await server.app.deletion.sweep()  # nothing is held, so it goes whole
        cid = of(server, "cid")
        for number in range(120):
            texts = [ProfileSet(cid, f"{number}", number)]
            await server.app.account_service.streams.change(cid, lambda events=texts: events)
        await asyncio.sleep(1)
        return server.journal.disk.streams("person/"), len(server.journal.disk.read("person/3"))

    streams, records = told(scenario)
    assert ["person/3"] == streams and records < 101


def test_the_claim_of_an_erased_name_survives_restarts_and_ends_with_the_hold():
    async def may_claim(server: SimServer) -> bool:
        try:
            await server.journal.append_all([Entry("x/1", 1, b"")], [STRANGER])
        except JournalConflictError:
            return False
        return True

    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player", bob="player")
        await plays(server, "ann")
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        found = [await may_claim(server)]
        for days in (1, 365):
            server = await days_later(server, days)
            found.append(await may_claim(server))
        await server.stop()
        return found

    assert [False, False, True] == virtual.run(scenario())


def test_the_name_of_an_account_that_finished_no_game_is_free_at_once():
    async def scenario(server):
        await cast(server, ann="player", bob="player")
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        return server.app.account_service.name_status("ann")[0], (
            await server.app.account_service.register("ann", PASSWORD, "here")
        ).name

    assert ("free", "ann") == told(scenario)


def test_reports_and_sanctions_name_a_former_player():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await says(here["ann"], "report cid insults")
        await says(here["cid"], "report ann lies")
        await server.app.sanctions.ban(CONSOLE, "cid", "7d", "threats")
        await server.app.deletion.erase_for(CONSOLE, "cid", "for the test")
        return await says(here["mia"], "reports"), await says(here["mia"], "sanctions")

    reports, sanctions = told(scenario)
    assert "former player, by ann" in reports and "ann, by former player" in reports
    assert "ban former player" in sanctions and "cid" not in sanctions


def test_a_ban_of_the_keys_goes_on():
    async def scenario(server):
        await cast(server, cid="player")
        await server.app.sanctions.ban(CONSOLE, "cid", "7d", "threats")
        await server.app.deletion.erase_for(CONSOLE, "cid", "for the test")
        again = coming(server, "cid", "203.0.113.9")  # registers the name with the same key
        await asyncio.sleep(0.5)
        return again.text

    assert "You are banned until" in told(scenario)


def test_mail_to_an_erased_account_reads_that_nobody_is_registered_so():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["bob"], "mail ann hello")
        await says(here["ann"], "mail bob hello")
        await says(here["ann"], "tell bob hello")
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        return [
            await says(here["bob"], f"{line} hi") for line in ("mail ann", "mail reply 1", "reply")
        ]

    by_name, by_reply, told_last = told(scenario)
    assert "is a former player" in told_last
    assert "Nobody is registered as ann." in by_name
    assert "Nobody is registered as former player." in by_reply


def test_lists_of_others_lose_who_is_erased_when_they_are_shown_next():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        for line in ("friend ann", "friend cid", "ignore ann"):
            await says(here["bob"], line)
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        before = accounts_of(server).find("bob").friends
        friends = await says(here["bob"], "friends")
        account = accounts_of(server).find("bob")
        after = account.friends, dict(account.ignored)
        return before, friends, after, await says(here["bob"], "ignore"), of(server, "cid")

    before, friends, after, ignored, cid = told(scenario)
    assert 2 == len(before) and ((cid,), {}) == after
    assert "Your friends cid in the lobby lobby>" == friends[friends.index("Your friends") :]
    assert "nobody" in ignored


def test_lists_lose_who_is_erased_also_where_a_crash_came_before_and_no_name_is_held():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        for line in ("friend ann", "ignore ann"):
            await says(here["bob"], line)
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        await server.die()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        await server.app.deletion.sweep()
        bob = accounts_of(server).find("bob")
        found = bob.friends, dict(bob.ignored), server.journal.disk.streams("person/")
        written = b"".join(record.body for record in server.journal.disk.read("person/2"))
        await server.stop()
        return found, written

    found, written = virtual.run(scenario())
    assert ((), {}, ["person/2"]) == found and b'"ann"' not in written


@pytest.mark.parametrize("keeps", [False, True])
def test_a_crash_while_it_is_written_leaves_all_or_nothing(keeps):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        await plays(server, "ann")
        await says(here["bob"], "mail ann hello")
        ann = of(server, "ann")
        await server.app.sanctions.mute(CONSOLE, "ann", "7d", "shouting")
        server.journal.fail(keeps=keeps)
        with pytest.raises(JournalWriteError):
            await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        server = await SimServer(server.world).open()
        await server.app.deletion.sweep()
        found = (
            is_there(server, "ann"),
            len(server.app.mail_streams.box(ann)),
            server.app.sanctions.count_in_force()["mute"],
            len(await server.app.moderation.list_acts(CONSOLE, "erase")),
            server.app.account_service.name_status("ann")[0],
            len(server.journal.disk.read(f"mailbox/{ann[1:]}")),
        )
        await server.stop()
        return found

    erased, kept = (False, 0, 0, 1, "refused", 1), (True, 1, 1, 0, "known", 1)
    assert (erased if keeps else kept) == virtual.run(scenario())


def test_after_a_failed_write_the_next_try_finds_out_what_is_true():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await at_one_table(here["cid"], here["bob"])
        here["bob"].link.drop()
        await asyncio.sleep(1)
        for name in ("ann", "bob"):
            server.journal.fail(keeps=True)
            with pytest.raises(JournalWriteError):
                await server.app.deletion.erase_for(CONSOLE, name, "for the test")
        await server.app.deletion.sweep()
        await asyncio.sleep(1)
        there = is_there(server, "ann"), is_there(server, "bob"), len(server.app.online)
        return there, here["cid"].text

    there, of_cid = told(scenario)
    assert (False, False, 1) == there
    assert "former player left the game." in " ".join(of_cid.split())


def test_erasures_since_a_day_are_listed_with_their_ids_and_done_again_after_a_restore():
    async def scenario(server):
        await cast(server, ann="player", bob="player")
        await server.app.deletion.erase_for(CONSOLE, "ann", "for the test")
        await asyncio.sleep(86_400)
        await server.app.deletion.erase_for(CONSOLE, of(server, "bob"), "for the test")
        today = format_date(server.clock.now_ms())
        listed = await server.app.admin.answer("audit", {"about": "erase", "since": today}, 0)
        with pytest.raises(UserError, match="is no date"):
            await server.app.admin.answer("audit", {"since": "today"}, 0)
        return listed["acts"], (await server.app.admin.answer("audit", {"about": "erase"}, 0))

    since, whole = told(scenario, journal=FOR_DAYS)
    assert 1 == len(since) and "(p2)" in since[0]["text"]
    assert 2 == len(whole["acts"]) and "(p1)" in whole["acts"][1]["text"]


# -- inactivity ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "has_played", "was_back", "is_left"),
    [
        (29, False, False, True), (31, False, False, False),  # never used
        (31, True, False, True), (31, False, True, True),
        (1_094, True, False, True), (1_097, True, False, False),  # not used for long
    ],
)  # fmt: skip
def test_an_account_that_nobody_uses_goes_after_its_span(days, has_played, was_back, is_left):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await server.app.deletion.sweep()
        await server.app.account_service.register("ann", PASSWORD, "here")
        if has_played:
            await plays(server, "ann")
        if was_back:
            server = await days_later(server, 1)
            person = server.app.account_service.person_named("ann")
            server.app.account_service.note_login(person, "password", "")
            await asyncio.sleep(1)
        server = await days_later(server, days)
        found = is_there(server, "ann")
        await server.stop()
        return found

    assert is_left is virtual.run(scenario())


def test_staff_the_banned_and_who_is_here_stay_however_long():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await server.app.deletion.sweep()
        await cast(server, mia="helper", cid="player", ann="player")
        await server.app.sanctions.ban(CONSOLE, "cid", "forever", "threats")
        server = await days_later(server, 2_000)
        left = [account.name for account in accounts_of(server).all()]
        await server.stop()
        return left

    assert ["mia", "cid"] == virtual.run(scenario())


def test_who_is_here_stays():
    async def scenario(server):
        await server.app.deletion.sweep()
        here = await cast(server, ann="player")
        server.app.deletion.limits = PeopleLimits(keep_days=1, keep_unused_days=1)
        for _ in range(60):
            await says(here["ann"], "who", 1_800)
        await server.app.deletion.sweep()
        is_left = is_there(server, "ann")
        await says(here["ann"], "quit")
        await server.app.deletion.sweep()
        return is_left, is_there(server, "ann")

    assert (True, False) == told(scenario, journal=FOR_DAYS)


def test_an_account_of_before_logins_were_noted_counts_from_then():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await server.app.account_service.register("ann", PASSWORD, "here")
        server = await days_later(server, 500)
        first = is_there(server, "ann")
        server = await days_later(server, 29)
        second = is_there(server, "ann")
        server = await days_later(server, 2)
        third = is_there(server, "ann")
        await server.stop()
        return first, second, third

    assert (True, True, False) == virtual.run(scenario())


def test_forty_five_accounts_go_in_steps_of_twenty():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await server.app.deletion.sweep()
        for number in range(45):
            await server.app.account_service.register(f"ann{number}x", PASSWORD, f"here{number}")
        later_ms = server.clock.now_ms() + 31 * DAY_MS
        await server.stop()
        server = await SimServer(server.world, later_ms).open()
        started = server.clock.monotonic()
        await server.app.deletion.sweep()
        took_s, left = server.clock.monotonic() - started, len(accounts_of(server))
        await server.stop()
        return took_s, left

    took_s, left = virtual.run(scenario())
    assert 2 <= took_s < 3 and 0 == left


def test_an_unknown_name_and_a_name_that_is_also_an_id_are_refused():
    async def scenario(server):
        await cast(server, ann="player")
        for number in range(2, 13):
            name = "p12" if number == 5 else f"bob{number}x"
            await server.app.account_service.register(name, PASSWORD, f"here{number}")
        found = []
        for name in ("zed", "p99", "p12"):
            with pytest.raises(UserError) as refused:
                await server.app.deletion.erase_for(CONSOLE, name, "for the test")
            found.append(str(refused.value))
        login = Login("console:0", "console", True, "")
        done = await server.app.deletion.erase_for(login, of(server, "p12"), "for the test")
        return found, done

    (zed, p99, p12), done = told(scenario)
    assert "Nobody is called zed" in zed and "Nobody is called p99" in p99
    assert "is the name of one account and the id of another" in p12
    assert "p12 is erased." == done
