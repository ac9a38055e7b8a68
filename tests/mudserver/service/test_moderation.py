"""Keeping order: what staff do reaches those it concerns, is in the audit, and survives a crash."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest

from mudserver.accounts.events import KeyAdded
from mudserver.accounts.person import Person
from mudserver.accounts.roles import RANK
from mudserver.clock import format_minute
from mudserver.commands.families import VERBS
from mudserver.errors import JournalWriteError, UserError
from mudserver.moderation.permissions import PERMISSIONS
from mudserver.service.moderation import Login
from mudserver.transport.link import AuthenticatedUser
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world, proven_by_key

CONSOLE = Login("console:0", "console", True, "")
Scenario = Callable[[SimServer], Awaitable[object]]


def told(scenario: Scenario, **sections: object) -> object:
    async def whole():
        server = await SimServer(new_world(1, **sections)).open()
        try:
            return await scenario(server)
        finally:
            await server.stop()

    return virtual.run(whole())


def coming(server: SimServer, name: str, source: str, *, how: str = "key") -> Seatholder:
    """Somebody from an address; the name is registered on the first visit."""
    known = server.app.account_service.name_status(name)[0] == "known"
    proven = proven_by_key(name, is_known=known)
    if how == "guest":
        proven = AuthenticatedUser("guest", "guest")
    elif how == "password":
        proven = AuthenticatedUser(name, "password")
    return Seatholder(name, server.connect(FakeLink(ANSI, "ssh", source), proven))


async def cast(server: SimServer, **roles: str) -> dict[str, Seatholder]:
    """Registered people with their roles, each from an address of its own, in the lobby."""
    people = {}
    for number, (name, role) in enumerate(roles.items(), 1):
        people[name] = coming(server, name, f"203.0.113.{number}")
        await asyncio.sleep(0.5)
        if role != "player":
            await server.app.moderation.set_role(CONSOLE, name, role, "for the test")
    await asyncio.sleep(0.5)
    for person in people.values():
        person.forget()
    return people


async def says(person: Seatholder, line: str, pause_s: float = 4.0) -> str:
    """What the person reads after typing a line."""
    person.forget()
    person.type(line)
    await asyncio.sleep(pause_s)
    return " ".join(person.text.split())


async def at_one_table(*people: Seatholder) -> None:
    """They play elimination at table 1."""
    await says(people[0], "open elimination")
    for other in people[1:]:
        await says(other, "sit 1")
    for each in people:
        await says(each, "start")


def test_a_mute_lasts_its_time_and_leaves_tells_to_the_staff():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        done = await says(here["mia"], "mute cid 10m insults // second time")
        muted = " ".join(here["cid"].text.split())
        refused = await says(here["cid"], "say hello")
        to_ann, to_mia = (
            await says(here["cid"], "tell ann hi"),
            await says(here["cid"], "tell mia why"),
        )
        heard = here["ann"].text
        await asyncio.sleep(600)
        after = await says(here["cid"], "say hello again")
        return done, muted, refused, to_ann, to_mia, heard, after

    done, muted, refused, to_ann, to_mia, heard, after = told(scenario)
    assert "cid is muted until 20" in done and "(#2)" in done
    assert "(#2): insults" in muted and "second time" not in muted
    assert "You are muted by the staff until" in refused and "You are muted" in to_ann
    assert "You tell mia: why" in to_mia
    assert "hello" not in heard and "hi" not in heard
    assert "cid: hello again" in after


def test_times_are_in_the_time_zone_of_who_reads_them():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player")
        await says(here["cid"], "set timezone Asia/Tokyo")
        await says(here["mia"], "mute cid 1h insults")
        now_ms = server.clock.now_ms()
        muted, own = " ".join(here["cid"].text.split()), await says(here["cid"], "sanctions")
        refused = await says(here["cid"], "say hello")
        return muted, own, refused, now_ms

    muted, own, refused, now_ms = told(scenario)
    hour_ms = 3_600_000
    until = format_minute(now_ms - 4_000 + 10 * hour_ms)  # one hour on, nine hours east
    for said in (muted, own, refused):
        assert f"muted by the staff until {until} (#" in said, said


def test_each_guest_of_a_muted_address_is_told_and_can_be_spoken_of_by_number():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        first, second = (coming(server, "guest", "192.0.2.7", how="guest") for _ in range(2))
        elsewhere = coming(server, "guest", "192.0.2.8", how="guest")
        await asyncio.sleep(0.5)
        heard = []
        for line in ("mute guest1 10m noise", "sanction #2 1h more noise", "unban #2 enough"):
            for guest in (first, second, elsewhere):
                guest.forget()
            await says(here["mia"], line)
            heard.append([" ".join(it.text.split()) for it in (first, second, elsewhere)])
            if line.startswith("sanction"):
                own = await says(second, "sanctions")
        free = await says(second, "say hello")
        return heard, own, free, await says(here["ann"], "sanctions")

    (muted, changed, lifted), own, free, of_ann = told(scenario)
    for one, two, other in (muted, changed):
        assert "You are muted by the staff until" in one and "You are muted" in two
        assert "muted" not in other
    assert "more noise" in changed[0] and "more noise" in own
    assert all("You can talk again." in each for each in lifted[:2]) and "again" not in lifted[2]
    assert "guest2: hello" in free
    assert "none" in of_ann


def test_who_of_the_staff_may_not_read_a_list_is_in_the_audit():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", ann="player")
        said = [await says(here["hal"], line) for line in ("audit", "reports 1", "sanctions ann")]
        await says(here["ann"], "audit")
        return said, await says(here["hal"], "sanctions"), await says(here["mia"], "audit hal")

    said, own, audit = told(scenario)
    assert all("Only moderators can use" in each for each in said)
    assert "none" in own
    refused = re.findall(r"hal: ([\w ]+?) +\(refused\)", audit)[::-1]
    assert ["audit", "reports NUMBER", "sanctions"] == refused


def test_a_ban_ends_the_session_and_is_told_after_the_proof_alone():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player")
        done = await says(here["mia"], "ban cid 7d threats")
        ended = " ".join(here["cid"].text.split()), here["cid"].link.is_open
        again = coming(server, "cid", "203.0.113.99")
        await asyncio.sleep(0.5)
        known = server.app.account_service.name_status("cid")  # asked before any proof
        await says(here["mia"], "unban #2 a mistake")
        free = coming(server, "cid", "203.0.113.99")
        await asyncio.sleep(0.5)
        return done, ended, " ".join(again.text.split()), again.link.is_open, known, free.text

    done, (ended, was_open), again, is_open, known, free = told(scenario)
    assert "cid is banned until" in done
    assert "You are banned until" in ended and "Reason: threats" in ended and not was_open
    assert "(#2)" in again and "To appeal" in again
    assert is_open and again.endswith("banned>")  # for the own data alone
    assert ("known", "") == known
    assert "Welcome back, cid" in free


def test_the_key_of_a_banned_account_opens_no_other():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player")
        accounts = server.app.account_service
        second = await accounts.register("secundus", "correct horse battery", "here")
        streams = accounts.streams
        first = accounts.person_named("cid")
        stored = streams.accounts.by_id(first.id).keys[0]

        shared = KeyAdded(second.id, stored.key, stored.fingerprint, 1, proven=True)
        await streams.change(second.id, lambda: [shared])
        await says(here["mia"], "ban cid 30d spam")
        proven = AuthenticatedUser("secundus", "key", stored.key, stored.fingerprint)
        other = Seatholder("secundus", server.connect(FakeLink(ANSI, "ssh", "192.0.2.9"), proven))
        await asyncio.sleep(0.5)
        return " ".join(other.text.split())

    text = told(scenario)
    assert "You are banned until" in text and text.endswith("banned>")


def test_a_kick_is_short_keeps_the_seat_and_is_replaced_by_a_ban():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await at_one_table(here["ann"], here["cid"])
        await says(here["mia"], "kick cid shouting")
        soon = coming(server, "cid", "203.0.113.9")
        await asyncio.sleep(300)
        seat = server.app.table_manager.table_of(server.app.account_service.person_named("cid").id)
        back = coming(server, "cid", "203.0.113.9")
        await asyncio.sleep(1)
        await says(here["mia"], "kick cid again")
        banned = await says(here["mia"], "ban cid 1d and again")
        return soon.text, seat, back.text, banned, here["ann"].text

    soon, seat, back, banned, ann = told(scenario)
    assert "You are banned until" in soon
    assert seat == 1 and "Welcome back, cid" in back
    assert "cid is banned until" in banned and "(#4)" in banned
    assert "disconnected" in ann or "offline" in ann or "lost" in ann


def test_a_seat_of_somebody_banned_goes_to_a_computer_player():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await at_one_table(here["ann"], here["cid"])
        here["ann"].forget()
        await says(here["mia"], "ban cid 1d shouting")
        return " ".join(here["ann"].text.split())

    assert "cid left the game." in told(scenario)


def test_so_does_that_of_somebody_banned_who_is_not_here():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await at_one_table(here["ann"], here["cid"])
        here["cid"].link.drop()
        await asyncio.sleep(1)
        here["ann"].forget()
        await says(here["mia"], "ban cid 1d shouting")
        return " ".join(here["ann"].text.split()), server.app.table_manager.table_of("p2")

    heard, seat = told(scenario)
    assert "cid left the game." in heard and seat is None
    assert "connected again" not in heard


@pytest.mark.parametrize(("line", "seat"), [("ban cid 1d shouting", None), ("kick cid loud", 1)])
def test_death_between_a_ban_and_its_table_hands_the_seat_over_at_the_start(line, seat):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await at_one_table(here["ann"], here["cid"])
        died = server.journal.doom(1)
        here["mia"].type(line)
        await died.wait()
        await server.die()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        await asyncio.sleep(1)
        found = server.app.table_manager.table_of("p2"), server.app.table_manager.table_of("p3")
        await server.stop()
        return found

    assert (seat, 1) == virtual.run(scenario())


def test_who_sits_down_again_by_password_after_a_ban_of_a_key_keeps_that_seat_at_a_start():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await at_one_table(here["ann"], here["cid"])
        cid = Person("p2", "cid", is_guest=False)
        await server.app.account_service.set_password(cid, "correct horse battery", "here")
        key = proven_by_key("cid", is_known=True).fingerprint
        ended = await says(here["mia"], f"ban key {key} 1d shouting")
        tables = server.app.table_manager
        left = tables.table_of("p2")
        back = coming(server, "cid", "203.0.113.9", how="password")
        await asyncio.sleep(0.5)
        await says(back, "sit 1")
        again = tables.table_of("p2")
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        await asyncio.sleep(1)
        restored = server.app.table_manager.table_of("p2")
        await server.stop()
        return ended, left, again, restored

    ended, *tables = virtual.run(scenario())
    assert "is banned until" in ended and [None, 1, 1] == tables


def test_the_seat_of_a_guest_who_is_not_here_goes_with_a_ban():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        await at_one_table(here["ann"], guest)
        guest.link.drop()
        await asyncio.sleep(1)
        here["ann"].forget()
        await says(here["mia"], "ban guest1 1d flooding")
        return " ".join(here["ann"].text.split())

    assert "guest1 left the game." in told(scenario)


def test_a_banned_guest_takes_guests_and_new_names_of_that_source_along():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        done = await says(here["mia"], "ban guest1 1d flooding")
        again = coming(server, "guest", "192.0.2.7", how="guest")
        new = coming(server, "zed", "192.0.2.7")
        await asyncio.sleep(0.5)
        ann = coming(server, "ann", "192.0.2.7")
        elsewhere = coming(server, "guest", "192.0.2.8", how="guest")
        await asyncio.sleep(0.5)
        return (done, guest.link.is_open, again.text, new.text, ann.text, elsewhere.text,
                server.app.account_service.name_status("zed")[0])  # fmt: skip

    done, is_open, again, new, ann, elsewhere, zed = told(scenario)
    assert "guest1 is banned until" in done and not is_open
    assert "You are banned" in again and "You are banned" in new and zed == "free"
    assert "Welcome back, ann" in ann and "Welcome" in elsewhere


def test_a_new_name_from_a_banned_source_is_refused_before_a_password_is_chosen():
    async def scenario(server):
        here = await cast(server, mia="moderator")
        coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        await says(here["mia"], "ban guest1 1d flooding")
        new = Seatholder("zed", server.connect(FakeLink(ANSI, "telnet", "192.0.2.7")))
        await asyncio.sleep(0.5)
        by_ssh = [
            await server.app.authenticator.name_status("zed", source)
            for source in ("192.0.2.7", "192.0.2.8")
        ]
        return await says(new, "zed"), by_ssh

    said, (banned, elsewhere) = told(scenario)
    assert "You are banned until" in said and "password" not in said
    assert "refused" == banned[0] and "You are banned until" in banned[1]
    assert ("free", "") == elsewhere


def test_a_guest_who_has_left_is_known_for_an_hour():
    async def scenario(server):
        here = await cast(server, mia="moderator")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        guest.link.drop()
        await asyncio.sleep(1)
        soon = await says(here["mia"], "ban guest1 1h flooding")
        unknown = await says(here["mia"], "ban guest9 1h flooding")
        return soon, unknown

    soon, unknown = told(scenario)
    assert "guest1 is banned until" in soon and "Nobody is called guest9" in unknown


def test_a_network_ban_is_soft_unless_it_is_hard_and_spares_staff_with_their_key():
    async def scenario(server):
        here = await cast(server, opa="operator", hal="helper", ann="player")
        seen = {}
        for kind in ("", "hard "):
            await says(here["opa"], f"ban network 192.0.2.0/24 1d {kind}flooding")
            for name in ("ann", "hal"):
                person = coming(server, name, "192.0.2.77")
                await asyncio.sleep(0.5)
                seen[kind + name] = "Welcome back" in person.text
            guest = coming(server, "guest", "192.0.2.77", how="guest")
            await asyncio.sleep(0.5)
            seen[kind + "guest"] = "Welcome" in guest.text
            await says(here["opa"], "unban #5 enough" if kind else "unban #3 enough")
        return seen

    assert {
        "ann": True, "hal": True, "guest": False,
        "hard ann": False, "hard hal": True, "hard guest": False,
    } == told(scenario)  # fmt: skip


def test_gate_and_doors_know_at_once_who_is_kept_out_and_after_a_restart():
    async def scenario():
        world = new_world(1)
        server = await SimServer(world).open()
        heard: list[list[str]] = []

        def known(server: SimServer) -> tuple[str, list[str]]:
            return (
                server.app.listeners.gate.ban_of("192.0.2.77"),
                [f"{it.network} {it.text}" for it in server.app.wall.bans()],
            )

        here = await cast(server, opa="operator")
        tell = server.app.sanctions.on_network_bans
        server.app.sanctions.on_network_bans = lambda: (heard.append(known(server)[1]), tell())
        await says(here["opa"], "ban network 192.0.2.0/24 1d flooding softly")
        soft = known(server)
        await says(here["opa"], "unban #2 enough")
        await says(here["opa"], f"ban network 192.0.2.0/24 1d hard {'words ' * 12}")
        hard = known(server)
        await server.die()
        again = await SimServer(world).open()
        after = known(again)
        await again.app.sanctions.unban(CONSOLE, "#4", "enough")
        lifted = known(again)
        await again.stop()
        return heard, soft, hard, after, lifted

    heard, soft, hard, after, lifted = virtual.run(scenario())
    assert ("", []) == soft == lifted
    assert hard == after and [f"192.0.2.0/24 {hard[0]}"] == hard[1]
    rows = hard[0].split("\r\n")
    assert rows[0].startswith("You are banned until") and rows[1].startswith("    | words")
    assert rows[2].startswith("To appeal") and all(len(row) <= 80 for row in rows[:2])
    assert [[], [], hard[1]] == heard


def test_a_warning_is_shown_until_it_is_confirmed():
    async def scenario(server):
        here = await cast(server, hal="helper", cid="player")
        done = await says(here["hal"], "warn cid no shouting please")
        first = " ".join(here["cid"].text.split())
        again = coming(server, "cid", "203.0.113.2")
        await asyncio.sleep(0.5)
        at_login = " ".join(again.text.split())
        listed, empty = await says(again, "warnings"), await says(again, "warnings")
        quiet = coming(server, "cid", "203.0.113.2")
        await asyncio.sleep(0.5)
        return done, first, at_login, listed, empty, quiet.text

    done, first, at_login, listed, empty, quiet = told(scenario)
    assert "cid is warned (#2)." in done
    for text in (first, at_login):
        assert "Warning by the staff (#2): no shouting please" in text and "type warnings" in text
    assert "no shouting please" in listed and "no shouting please" not in empty
    assert "Warning" not in quiet


def test_staff_without_their_key_warn_and_mute_for_a_short_time():
    async def scenario(server):
        await cast(server, mia="moderator", cid="player")
        mia = coming(server, "mia", "203.0.113.1", how="password")
        await asyncio.sleep(0.5)
        return [await says(mia, line) for line in (
            "ban cid 1d spam", "mute cid 1h spam", "mute cid 15m spam", "warn cid spam", "audit",
        )]  # fmt: skip

    ban, long, short, warn, audit = told(scenario)
    assert "only over SSH with your key" in ban and "only over SSH with your key" in audit
    assert "Your longest time for mute is 15 minutes" in long
    assert "cid is muted" in short and "cid is warned" in warn


def test_refused_staff_are_in_the_audit_and_players_are_not():
    async def scenario(server):
        here = await cast(server, mia="moderator", opa="operator", cid="player")
        told_mia = await says(here["mia"], "ban opa 1d because")
        told_cid = await says(here["cid"], "ban mia 1d because")
        for line in ("ban", "ban mia", "ban mia soon", "ban mia 1d x", "ban network 10.1.2.3 1d x"):
            told_cid += await says(here["cid"], line)
        audit = await says(here["opa"], "audit")
        about = await says(here["opa"], "audit mia")
        return told_mia, told_cid, audit, about

    told_mia, told_cid, audit, about = told(scenario)
    assert "You can't do that to moderators or anybody above." in told_mia
    assert 6 == told_cid.count("Only moderators can use ban.")  # however it is typed
    assert "mia: ban opa (refused)" in audit and "cid" not in audit
    assert "mia: ban opa (refused)" in about and "console:0: role mia moderator" in about


def test_what_is_shown_and_completed_is_what_is_allowed():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", cid="player")
        for person in here.values():
            await says(person, "set height 0")
        pages = {name: await says(person, "commands") for name, person in here.items()}
        return pages, await says(here["mia"], "help staff")

    pages, help_page = told(scenario)
    assert "See also: sanctions, rename, report, commands" in help_page
    for verb in (each for each in VERBS.values() if each.permission):
        least = RANK[PERMISSIONS[verb.permission].least]
        for name, rank in (("cid", 1), ("hal", 2), ("mia", 3)):
            assert (f" {verb.usage} " in pages[name]) is (rank >= least), (verb.name, name)


def test_who_of_the_staff_is_here_is_known_to_everybody():
    async def scenario(server):
        here = await cast(server, mia="moderator", opa="operator", ann="player")
        here["opa"].link.drop()
        await asyncio.sleep(1)
        return [await says(here["ann"], line) for line in ("staff", "finger mia", "finger ann")]

    listed, mia, ann = told(scenario)
    assert re.search(r"mia +moderator", listed) and "opa" not in listed
    assert "moderator of this server" in mia and "of this server" not in ann


def test_two_acts_at_once_on_one_person_leave_one_sanction():
    async def scenario(server):
        await cast(server, mia="moderator", max="moderator", cid="player")
        people = server.app.account_service
        mia, max = (
            Login(people.person_named(name).id, name, True, "192.0.2.1") for name in ("mia", "max")
        )
        sanctions = server.app.sanctions
        return await asyncio.gather(
            sanctions.ban(mia, "cid", "1d", "spam"), sanctions.ban(max, "cid", "2d", "spam"),
            return_exceptions=True,
        )  # fmt: skip

    first, second = told(scenario)
    assert "cid is banned until" in first
    assert isinstance(second, UserError) and "type sanction #3 TIME REASON" in str(second)


def test_somebody_demoted_in_mid_command_is_refused():
    async def scenario(server):
        await cast(server, mia="moderator", cid="player")
        person = server.app.account_service.person_named("mia")
        moderation = server.app.moderation
        return await asyncio.gather(
            moderation.set_role(CONSOLE, "mia", "player", "misuse"),
            server.app.sanctions.ban(
                Login(person.id, "mia", True, "192.0.2.1"), "cid", "1d", "spam"
            ),
            return_exceptions=True,
        )

    done, refused = told(scenario)
    assert "mia is a player now." in done and "Only moderators can use ban." in str(refused)


def test_a_report_brings_what_its_reporter_was_shown_to_those_who_decide():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", cid="player", ann="player")
        await says(here["cid"], "say you are all idiots")
        await says(here["cid"], "tell ann and you most of all")
        await says(here["ann"], "tell cid please stop")
        await says(here["mia"], "tell cid what is it")
        await says(here["ann"], "open elimination")
        here["mia"].forget()
        here["hal"].forget()
        filed = await says(here["ann"], "report cid insults")
        news = {name: " ".join(here[name].text.split()) for name in ("mia", "hal")}
        listed, shown = await says(here["mia"], "reports"), await says(here["mia"], "reports 1")
        shown += await says(here["mia"], "reports one")
        numbers = await says(here["hal"], "reports")
        refused = await says(here["hal"], "reports 1") + await says(here["hal"], "report take 1")
        taken = await says(here["mia"], "report take 1")
        here["ann"].forget()
        too_long = await says(here["mia"], f"report decide 1 warned {'x' * 201}")
        decided = await says(here["mia"], "report decide 1 warned ok // told him")
        again = await says(here["mia"], "report decide 1 none twice")
        acts = await says(here["mia"], "audit")
        ann = " ".join(here["ann"].text.split())
        return (filed, news, listed, shown, refused, numbers, taken, ann, too_long, decided,
                again, acts)  # fmt: skip

    filed, news, listed, shown, refused, numbers, *after = told(scenario)
    taken, ann, too_long, decided, again, acts = after
    assert "A note has at most 200 characters." in too_long  # and may be short: nobody reads it
    assert "decide warned: ok // told him" in acts
    assert "Report 1 filed. Staff will look at it." in filed
    assert "Report 1: 3 lines, by ann about cid." in news["mia"]
    assert "There is a new report: 1." in news["hal"] and "cid" not in news["hal"]
    assert "cid, by ann, tell, 3 lines" in listed and ": insults" in listed
    for line in ("cid: you are all idiots", "cid: and you most of all", "ann: please stop"):
        assert line in shown
    assert '"one" is no number.' in shown
    assert "what is it" not in shown  # told by somebody else
    assert "Open reports Report 1 " in numbers and "ann" not in numbers and "cid" not in numbers
    assert "Only moderators can use reports NUMBER." in refused and "is yours" not in refused
    assert "Report 1 is yours." in taken
    assert "Report 1 has been dealt with." in ann and "warned" not in ann
    assert "Report 1 is decided: warned." in decided and "decided already" in again


def test_reports_about_staff_are_for_higher_roles_and_nobody_reports_too_often():
    async def scenario(server):
        here = await cast(server, opa="operator", mia="moderator", ann="player")
        first = await says(here["ann"], "report mia unfair mute")
        listed = {name: await says(here[name], "reports") for name in ("mia", "opa")}
        refused = await says(here["mia"], "report decide 1 none nothing to see")
        more = [await says(here["ann"], f"report mia again {n}") for n in range(5)]
        self_report = await says(here["ann"], "report ann look at me")
        return first, listed, refused, more, self_report

    first, listed, refused, more, self_report = told(scenario)
    assert "Report 1 filed" in first
    assert "unfair mute" in listed["opa"] and "none" in listed["mia"]
    assert "somebody of your role or above" in refused
    assert ["Staff will look" in it for it in more] == [True, True, True, True, False]
    assert "as many reports today as one can" in more[-1] and "report yourself" in self_report


def test_a_report_survives_a_restart_and_its_number_is_never_used_again():
    async def scenario():
        world = new_world(1)
        server = await SimServer(world).open()
        here = await cast(server, mia="moderator", ann="player", cid="player")
        await says(here["ann"], "report cid one of them")
        await server.stop()
        server = await SimServer(world).open()
        mia, ann = coming(server, "mia", "203.0.113.1"), coming(server, "ann", "203.0.113.2")
        await asyncio.sleep(0.5)
        seen = [await says(mia, "reports"), await says(ann, "report cid and another")]
        await server.stop()
        return seen

    listed, filed = virtual.run(scenario())
    assert "one of them" in listed and "Report 2 filed" in filed


def test_a_table_is_closed_with_its_reason_and_announcements_reach_all():
    async def scenario(server):
        here = await cast(server, opa="operator", ann="player", cid="player")
        await at_one_table(here["ann"], here["cid"])
        here["cid"].forget()
        done = await says(here["opa"], "close 1 insults at the table")
        closed = " ".join(here["cid"].text.split())
        nothing = await says(here["opa"], "close 1 once more")
        here["cid"].forget()
        await says(here["opa"], "announce back at nine")
        await says(here["opa"], "modsay be kind")
        return done, closed, nothing, " ".join(here["cid"].text.split())

    done, closed, nothing, heard = told(scenario)
    assert "Table 1 is closed." in done
    assert "The staff closed table 1: insults at the table" in closed
    assert "no table 1" in nothing.lower()
    assert "The staff: back at nine" in heard and "[operator] opa: be kind" in heard


@pytest.mark.parametrize(
    "line", ["ban cid 7d threats", "warn cid stop that", "mute cid 1h insults"]
)
def test_a_crash_leaves_an_act_with_its_audit_entry_or_neither(line):
    """SIGKILL before each record; nobody was told of what is not there."""

    async def scenario(records):
        world = new_world(1)
        server = await SimServer(world).open()
        here = await cast(server, opa="operator", cid="player")
        dead = server.journal.doom(records) if records else server.journal.fail()
        here["opa"].forget()
        here["opa"].type(line)
        await asyncio.sleep(1)
        said = " ".join(here["opa"].text.split())
        if dead is not None and dead.is_set():
            await server.die()
        else:
            await server.stop()
        again = await SimServer(world).open()
        moderation = again.app.moderation
        acts = [act.verb async for act in moderation._streams.acts()][::-1]
        sanctions = [it.kind for it in moderation._streams.sanctions]
        person = again.app.account_service.person_named("cid")
        warned = len(moderation.unread_warnings(person))
        await again.stop()
        return said, acts, sanctions, warned

    seen = set()
    for records in (0, 1, 2, 3):
        said, acts, sanctions, warned = virtual.run(scenario(records))
        is_done = acts[1:] == [line.split()[0]]
        assert is_done or acts[1:] == []
        assert is_done == bool(sanctions or warned)
        assert is_done or "(#2)" not in said
        seen.add(is_done)
    assert seen == {True, False}


def test_nothing_is_told_while_the_journal_cannot_write():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player")
        login = Login(server.app.account_service.person_named("mia").id, "mia", True, "192.0.2.1")
        server.journal.fail()
        with pytest.raises(JournalWriteError):
            await server.app.sanctions.ban(login, "cid", "1d", "spam")
        return here["cid"].link.is_open, [*server.app.moderation._streams.sanctions]

    assert (True, []) == told(scenario)
