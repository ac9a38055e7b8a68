"""Whom people ignore, their friends, and what they say of themselves."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.accounts.person import Person
from mudserver.clock import format_date
from mudserver.lobby.lobby import WHO_ROWS_MAX
from mudserver.service.relations import WHO_S
from tests.mudserver.service.test_moderation import at_one_table, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

CAME, LEFT = "bob (friend) is here.", "bob (friend) has left."


async def leaves(server: SimServer, name: str) -> None:
    person = server.app.account_service.person_named(name)
    server.app.online.end(person.id, "Bye.")
    await asyncio.sleep(0.5)


async def restarted(server: SimServer, days: int = 0) -> SimServer:
    await server.stop()
    return await SimServer(server.world, server.clock.now_ms() + days * 86_400_000).open()


def test_who_is_ignored_stays_so_after_a_restart_also_if_offline():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player", cid="player")
        await leaves(server, "cid")
        done = await says(here["ann"], "ignore bob"), await says(here["ann"], "ignore cid")
        server = await restarted(server)
        ann, bob = coming(server, "ann", "203.0.113.1"), coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        listed = await says(ann, "ignore")
        refused = await says(bob, "tell ann hello")
        await says(bob, "say can you hear me")
        deaf = ann.text
        undone = await says(ann, "unignore BOB"), await says(ann, "unignore bob")
        server = await restarted(server)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        left = await says(ann, "ignore")
        await server.stop()
        return done, listed, refused, deaf, undone, left

    done, listed, refused, deaf, undone, left = virtual.run(scenario())
    assert "now ignoring bob" in done[0] and "now ignoring cid" in done[1]
    assert "bob" in listed and "cid" in listed
    assert "ann isn't receiving your messages." in refused and "hear me" not in deaf
    assert "You can hear bob again." in undone[0] and "aren't ignoring" in undone[1]
    assert "cid" in left and "bob" not in left


def test_friends_read_who_comes_and_a_minute_later_who_has_left():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        done = await says(here["ann"], "friend bob")
        await says(here["ann"], "open elimination")
        await leaves(server, "bob")  # who was here before ann wanted to know
        await asyncio.sleep(61)
        coming(server, "bob", "203.0.113.9")
        await asyncio.sleep(0.5)
        first = here["ann"].text
        here["ann"].forget()
        await leaves(server, "bob")
        await asyncio.sleep(30)
        silent = here["ann"].text
        coming(server, "bob", "203.0.113.9")  # the connection had dropped
        await asyncio.sleep(40)
        dropped = here["ann"].text
        await leaves(server, "bob")
        await asyncio.sleep(61)
        gone = here["ann"].text
        rows = await says(here["ann"], "friends")
        here["ann"].forget()
        coming(server, "bob", "203.0.113.9")
        await asyncio.sleep(0.5)
        soon = here["ann"].text
        return done, first, silent, dropped, gone, rows, soon, here["cid"].text

    done, first, silent, dropped, gone, rows, soon, cid = told(scenario)
    assert "told when bob comes and goes" in done and LEFT in first and CAME in first
    assert "bob" not in silent and "bob" not in dropped
    assert LEFT in gone and "bob offline" in rows
    assert CAME not in soon  # a pair in five minutes
    assert "friend" not in cid


def test_who_comes_and_goes_again_and_again_is_not_twice_running_told_to_have_left():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "friend bob"), await says(here["cid"], "friend bob")
        await leaves(server, "cid")
        await leaves(server, "bob")
        await asyncio.sleep(400)
        here["ann"].forget()
        for _ in range(3):  # the first coming is told, the others are within five minutes of it
            coming(server, "bob", "203.0.113.9")
            await asyncio.sleep(10)
            await leaves(server, "bob")
            await asyncio.sleep(70)
        often = here["ann"].text.count(CAME), here["ann"].text.count(LEFT)
        cid = coming(server, "cid", "203.0.113.3")
        coming(server, "bob", "203.0.113.9")
        await asyncio.sleep(1_000)
        await leaves(server, "bob")
        await asyncio.sleep(70)
        new = cid.text.count(LEFT), here["ann"].text.count(LEFT)
        coming(server, "bob", "203.0.113.9")
        await asyncio.sleep(1)
        await leaves(server, "bob")
        await asyncio.sleep(70)
        return often, new, (here["ann"].text.count(CAME), here["ann"].text.count(LEFT))

    assert ((1, 1), (1, 1), (2, 2)) == told(scenario)


def test_nobody_is_told_of_who_ignores_them_or_told_twice_in_the_lobby():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        for name in ("ann", "cid"):
            await says(here[name], "friend bob")
        await says(here["bob"], "ignore ann")
        await leaves(server, "bob")
        await asyncio.sleep(400)
        for person in here.values():
            person.forget()
        coming(server, "bob", "203.0.113.9")
        await asyncio.sleep(0.5)
        return here["ann"].text, here["cid"].text

    ann, cid = told(scenario)
    assert "friend" not in ann
    assert CAME in cid and "bob is here" not in cid


@pytest.mark.parametrize(
    ("value", "hears_cid", "hears_bob"),
    [("all", True, True), ("friends", False, True), ("off", False, False)],
)
def test_notices_are_all_of_friends_or_none(value, hears_cid, hears_bob):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "friend bob")
        await says(here["ann"], f"set notices {value}")
        for name in ("bob", "cid"):
            await leaves(server, name)
        await asyncio.sleep(400)
        here["ann"].forget()
        for number, name in enumerate(("bob", "cid"), 8):
            coming(server, name, f"203.0.113.{number}")
            await asyncio.sleep(1)
        return "cid is here." in here["ann"].text, CAME in here["ann"].text

    assert (hears_cid, hears_bob) == told(scenario)


def test_what_is_no_friend_is_refused_and_friends_are_kept():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        guest = coming(server, "guest", "192.0.2.1", how="guest")
        await asyncio.sleep(0.5)
        lines = ("friend ann", "friend guest1", "friend zed", "friend bob", "friend bob")
        said = [await says(here["ann"], line) for line in (*lines, "unfriend zed")]
        said.append(await says(guest, "friend bob"))
        server = await restarted(server)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        kept = await says(ann, "friends")
        gone = await says(ann, "unfriend bob"), await says(ann, "friends")
        await server.stop()
        return said, kept, gone

    said, kept, gone = virtual.run(scenario())
    assert "That is you." in said[0] and "is a guest" in said[1] and "zed" in said[2]
    assert "told when bob" in said[3] and "already" in said[4] and "no friend" in said[5]
    assert "bob" in kept and "won't be told" in gone[0] and "nobody yet" in gone[1]
    assert "told when" not in said[6]


def test_who_is_away_says_so_until_talking_again():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "away Dinner, back at eight")
        seen = [await says(here["bob"], line) for line in ("tell ann hi", "finger ann", "who")]
        await says(here["ann"], "say here I am")
        seen.append(await says(here["bob"], "who"))
        await says(here["ann"], "away")
        seen.append(await says(here["bob"], "tell ann hi"))
        await says(here["ann"], "back")
        seen.append(await says(here["bob"], "finger ann"))
        seen.append(await says(here["ann"], "away " + "x" * 81))
        return seen

    tells, finger, who, later, usual, back, long = told(scenario)
    assert "ann is away: Dinner, back at eight" in tells and "is away: Dinner" in finger
    assert "lobby away" in who and "away" not in later
    assert "ann is away: Back later." in usual and "away" not in back
    assert "in 80 characters" in long


def test_who_logs_in_again_is_neither_away_nor_quiet():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "away Dinner")
        await says(here["ann"], "quiet on")
        before = await says(here["bob"], "tell ann hi")
        coming(server, "ann", "203.0.113.9")  # the first session ends with that
        await asyncio.sleep(0.5)
        return before, await says(here["bob"], "tell ann hello"), await says(here["bob"], "who")

    before, after, who = told(scenario)
    assert "ann is quiet now" in before
    assert "You tell ann: hello" in after and "away" not in after + who


def test_a_profile_is_quoted_and_kept():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        none = await says(here["bob"], "finger ann")
        await says(here["ann"], "profile I play on Fridays.\x1b[2J")
        long = await says(here["ann"], "profile " + "x" * 241)
        server = await restarted(server)
        bob = coming(server, "bob", "203.0.113.1")
        await asyncio.sleep(0.5)
        shown = await says(bob, "finger ann")
        ann = coming(server, "ann", "203.0.113.2")
        await asyncio.sleep(0.5)
        await says(ann, "profile off")
        gone = await says(bob, "finger ann")
        await server.stop()
        return none, long, shown, gone

    none, long, shown, gone = virtual.run(scenario())
    assert "says" not in none and "at most 240 characters" in long
    assert "ann says: I play on Fridays." in shown and "says" not in gone


def test_who_is_muted_writes_nothing_that_others_read():
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player", ann="player")
        await says(here["cid"], "profile I am nice")
        await says(here["mia"], "mute cid 10m insults")
        refused = [await says(here["cid"], line) for line in ("profile ann smells", "away of ann")]
        finger = await says(here["ann"], "finger cid")
        return refused, finger, [await says(here["cid"], line) for line in ("away", "profile off")]

    refused, finger, (away, off) = told(scenario)
    assert all("You are muted by the staff until" in each for each in refused)
    assert "smells" not in finger and "of ann" not in finger and "I am nice" in finger
    assert "You are muted" not in away + off


@pytest.mark.parametrize("line", ["ignore bob", "friend bob", "profile hello"])
def test_nobody_is_told_what_was_not_kept(line):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        server.journal.fail()
        said = await says(here["ann"], line)
        person = server.app.account_service.person_named("ann")
        account = server.app.account_service.streams.accounts.by_id(person.id)
        return (
            said,
            account.ignored,
            account.friends,
            account.profile,
            await says(here["ann"], "ignore"),
        )

    said, ignored, friends, profile, listed = told(scenario)
    assert not ignored and not friends and not profile and "nobody" in listed
    assert "now ignoring" not in said and "told when" not in said and "everybody" not in said


def test_the_day_when_somebody_was_here_last_is_public_unless_set_otherwise():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player", bob="player")
        first = server.clock.now_ms()
        server = await restarted(server, days=40)
        ann, bob = coming(server, "ann", "203.0.113.1"), coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        here = await says(ann, "finger bob")
        server = await restarted(server, days=3)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        gone = await says(ann, "finger bob")
        bob = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        await says(bob, "set lastseen off")
        await leaves(server, "bob")
        hidden = await says(ann, "finger bob")
        await server.stop()
        return format_date(first + 40 * 86_400_000), here, gone, hidden

    day, here, gone, hidden = virtual.run(scenario())
    assert f"offline, last here {day}" in gone
    assert "last here" not in here and "last here" not in hidden and "offline" in hidden


def test_who_is_ignored_cannot_join_a_table_that_the_other_has_opened():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "open elimination")
        await says(here["cid"], "sit 1")
        await says(here["ann"], "ignore bob")
        refused = [await says(here["bob"], line) for line in ("sit 1", "watch 1")]
        await says(here["ann"], "leave")
        await leaves(server, "ann")  # an offline person ignores, too
        refused.append(await says(here["bob"], "watch 1"))
        opened = await says(here["bob"], "play elimination")
        await says(here["cid"], "stand")
        return refused, opened, await says(here["cid"], "watch 2")

    refused, opened, watched = told(scenario)
    assert all("You can't join this table." in each for each in refused)
    assert "table 2" in opened and "table 2" in watched


def test_who_is_seated_stays_and_comes_back_to_the_seat_whoever_ignores():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await at_one_table(here["ann"], here["bob"])
        await says(here["ann"], "ignore bob")
        seat = server.app.service.has_seat(server.app.account_service.person_named("bob"))
        await says(here["bob"], "leave")
        await says(here["bob"], "leave")
        return seat, await says(here["bob"], "return")

    is_seated, came_back = told(scenario)
    assert is_seated and "You have your seat back." in came_back


def test_all_guests_are_ignored_also_after_a_restart_and_may_still_watch():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player")
        done = await says(here["ann"], "ignore Guests"), await says(here["ann"], "friend guests")
        server = await restarted(server)
        ann, guest = (
            coming(server, "ann", "203.0.113.1"),
            coming(server, "", "203.0.113.2", how="guest"),
        )
        await asyncio.sleep(0.5)
        await says(ann, "open elimination")
        watched = await says(guest, "watch 1")
        ann.forget()
        await says(guest, "say can you hear me")
        deaf, undone = ann.text, await says(ann, "unignore guests")
        await says(guest, "say and now")
        heard = ann.text
        await server.stop()
        return done, watched, deaf, undone, heard

    done, watched, deaf, undone, heard = virtual.run(scenario())
    assert "You are now ignoring guests. To undo: unignore guests" in done[0]
    assert 'Nobody called "guests"' in done[1]
    assert "cannot join" not in watched and "hear me" not in deaf
    assert "You can hear guests again." in undone and "and now" in heard


def test_what_staff_say_as_staff_is_heard_by_who_ignores_them():
    async def scenario(server):
        here = await cast(server, mia="moderator", olga="operator", ann="player")
        for name in ("mia", "olga"):
            await says(here["ann"], f"ignore {name}")
        here["ann"].forget()
        await says(here["mia"], "say hidden")
        await says(here["mia"], "modsay be kind")
        await says(here["mia"], "warn ann too loud")
        await says(here["olga"], "announce tea at five")
        return " ".join(here["ann"].text.split())

    read = told(scenario)
    assert "hidden" not in read and "[moderator] mia: be kind" in read
    assert "too loud" in read and "tea at five" in read


# -- who is here ----------------------------------------------------------------------------------


def test_who_can_be_asked_for_names_friends_staff_or_a_table():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", bea="player", mia="moderator")
        await says(here["ann"], "friend bob")
        await says(here["bob"], "open elimination")
        asked = ("B", "friends", "staff", "table 1", "table 9", "zed", "is here", "table x")
        return {whom: await says(here["ann"], f"who {whom}") for whom in asked}

    read = told(scenario)
    assert "2 people of 4 who are here bea lobby" in read["B"] and "bob table 1" in read["B"]
    assert "1 person of 4 who are here bob table 1" in read["friends"]
    assert "1 person of 4 who are here mia lobby" in read["staff"]
    assert "1 person of 4 who are here bob table 1" in read["table 1"]
    for whom in ("table 9", "zed"):
        assert "None of them is here. To list everybody: who" in read[whom]
    for whom in ("is here", "table x"):
        assert f'who: I don\'t understand "{whom}". Type it like this: who [NAME...]' in read[whom]


def test_a_long_list_of_everybody_is_made_once_a_second():
    async def scenario(server):
        lobby, relations = server.app.lobby, server.app.relations
        people = [Person(f"g{n}", f"name{n}", is_guest=True) for n in range(WHO_ROWS_MAX + 2)]
        for person in people:
            lobby.enter(person, 0.0)
        pages = [relations.who_page(people[0], "")]
        lobby.leave("g0", 0.0)
        pages.append(relations.who_page(people[1], ""))
        await asyncio.sleep(WHO_S)
        pages.append(relations.who_page(people[1], ""))
        lobby.leave("g1", 0.0)
        pages.append(relations.who_page(people[2], ""))
        lobby.leave("g2", 0.0)
        pages.append(relations.who_page(people[3], ""))
        return [page.title for page in pages]

    assert [62, 62, 61, 60, 59] == [int(title.split()[0]) for title in told(scenario)]
