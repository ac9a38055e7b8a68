"""Mail: what somebody leaves for an account that reads it later."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.service.mail_streams import RECORDS_MAX
from tests.mudserver.service.test_moderation import cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

DAY_MS = 86_400_000


async def restarted(server: SimServer, days: float = 0) -> SimServer:
    later_ms = server.clock.now_ms() + int(days * DAY_MS)
    await server.stop()
    return await SimServer(server.world, later_ms).open()


async def back(server: SimServer, name: str):
    person = coming(server, name, f"203.0.113.{10 + len(name)}")
    await asyncio.sleep(0.5)
    return person


def box(server: SimServer, name: str):
    return server.app.mail_streams.box(server.app.account_service.person_named(name).id)


def test_a_message_waits_for_who_is_away_is_read_answered_and_removed():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        server.app.online.end(server.app.account_service.person_named("bob").id, "Bye.")
        sent = await says(here["ann"], "mail bob See you on Friday. \x1b[2J")
        server = await restarted(server)
        bob = await back(server, "bob")
        ann = await back(server, "ann")
        at_login, listed = bob.text, await says(bob, "mail")
        read, again = await says(bob, "mail read"), await says(bob, "mail read")
        answered = await says(bob, "mail reply 1 Yes, at eight")
        told_at_once, of_ann = " ".join(ann.text.split()), await says(ann, "mail read 1")
        removed = await says(bob, "mail delete 1"), await says(bob, "mail delete 1")
        server = await restarted(server)
        left = len(box(server, "bob")), len(box(server, "ann"))
        await server.stop()
        return sent, at_login, listed, read, again, answered, told_at_once, of_ann, removed, left

    sent, at_login, listed, read, again, answered, at_once, of_ann, removed, left = virtual.run(
        scenario()
    )
    assert "bob will read it." in sent and "1 unread message: mail" in at_login
    assert "ann new" in listed and "Friday" not in listed
    assert "1. ann wrote on 20" in read and "See you on Friday." in read and "\x1b[2J" not in read
    assert "read all your messages" in again
    assert "ann will read it." in answered and "You have a message from bob." in at_once
    assert "Yes, at eight" in of_ann
    assert "1 message removed." in removed[0] and "no message 1" in removed[1]
    assert (0, 1) == left


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("mail ann hello", "That is you."),
        ("mail zed hello", "Nobody is registered as zed."),
        ("mail bob", "Say what?"),
        ("mail bob " + "x" * 401, "That is too long (401 of 400 characters)."),
        ("mail read 7", "There is no message 7."),
        ("mail read", "You have read all your messages."),
        ("mail read zed", "Give the number of a message."),
        ("mail reply zed hello", "Give the number of a message."),
        ("mail delete", "Give the number of a message."),
    ],
)
def test_what_cannot_be_is_said_with_what_to_do(line, refusal):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        return await says(here["ann"], line), len(box(server, "bob"))

    said, kept = told(scenario)
    assert refusal in said and not kept


def test_who_is_not_wanted_reads_one_sentence_whatever_the_reason():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", mia="moderator")
        await says(here["bob"], "ignore ann")
        ignored = await says(here["ann"], "mail bob hello")
        await says(here["bob"], "set mail friends")
        stranger = await says(here["cid"], "mail bob hello")
        await says(here["bob"], "friend cid")
        friend = await says(here["cid"], "mail bob hello")
        await says(here["mia"], "mute cid 10m insults")
        muted = await says(here["cid"], "mail bob hello"), await says(here["cid"], "mail mia why")
        return ignored, stranger, friend, muted

    ignored, stranger, friend, muted = told(scenario)
    sentence = "bob isn't receiving your messages."
    assert sentence in ignored and sentence in stranger and "will read it" in friend
    assert "You are muted" in muted[0] and "mia will read it" in muted[1]


def test_nobody_fills_a_box_alone_or_writes_without_end():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", dan="player")
        five = [await says(here["ann"], f"mail bob {number}") for number in range(6)]
        many = [await says(here["ann"], f"mail cid {number}") for number in range(5)]
        for _ in range(2):
            await says(here["cid"], "mail delete all")
            many += [await says(here["ann"], f"mail cid {number}") for number in range(5)]
        await says(here["cid"], "mail delete all")
        return five, many, await says(here["ann"], "mail cid 21")

    five, many, last = told(scenario)
    assert all("will read it" in each for each in (*five[:5], *many))
    assert "bob has 5 messages from you that bob has not read." in five[5]
    assert "as many messages today" in last


def test_what_is_old_goes_and_a_box_that_is_used_for_long_stays_short():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, ann="player", bob="player")
        person, streams = server.app.account_service.person_named("bob"), server.app.mail_streams
        for number in range(RECORDS_MAX + 5):
            await streams.change(person.id, lambda it: it.send("bob", "p1", "ann", "hello", 1))
            if number < RECORDS_MAX + 3:
                await streams.change(
                    person.id, lambda it: it.remove([m.number for m in it], "owner", 2)
                )
        kept = len(server.journal.disk.read(f"mailbox/{person.id[1:]}"))
        numbers = [mail.number for mail in box(server, "bob")]
        server = await restarted(server)
        same = [mail.number for mail in box(server, "bob")] == numbers
        await server.app.mail.sweep()
        swept = len(box(server, "bob"))
        await server.stop()
        return kept, numbers, same, swept

    kept, numbers, same, swept = virtual.run(scenario())
    assert kept <= RECORDS_MAX + 1 and numbers == [RECORDS_MAX + 4, RECORDS_MAX + 5] and same
    assert swept == 0


def test_read_mail_goes_after_thirty_days_and_unread_after_ninety():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        for number in range(2):
            await says(here["ann"], f"mail bob {number}")
        await says(here["bob"], "mail read 1")
        left = []
        for days in (29, 2, 58, 2):
            server = await restarted(server, days)
            await server.app.mail.sweep()
            left.append([mail.number for mail in box(server, "bob")])
        await server.stop()
        return left

    assert [[1, 2], [2], [2], []] == virtual.run(scenario())


@pytest.mark.parametrize("records", [0, 1, 2])
def test_a_crash_leaves_a_message_whole_or_not_at_all_and_nobody_was_told(records):
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        dead = server.journal.doom(records) if records else server.journal.fail()
        here["ann"].forget()
        here["ann"].type("mail bob hello")
        await asyncio.sleep(1)
        said, heard = here["ann"].text, here["bob"].text
        await (server.die() if dead is not None and dead.is_set() else server.stop())
        again = await SimServer(server.world).open()
        kept = [mail.text for mail in box(again, "bob")]
        await again.stop()
        return said, heard, kept

    said, heard, kept = virtual.run(scenario())
    is_kept = records > 0
    assert kept == ["hello"] * is_kept
    if records < 2:  # written, but nobody knows of it; or not written
        assert "will read it" not in said and "message from" not in heard


def test_mails_and_tells_to_strangers_count_together_and_an_answer_to_mail_does_not():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        names = ("ann", "bob", "cid", "dan", "eve", "fay", "gil", "hal")
        here = await cast(server, **dict.fromkeys(names, "player"))
        await says(here["gil"], "mail ann hello")
        await says(here["ann"], "quit")
        ann = await back(server, "ann")  # gil has not written in this session
        for line in ("mail bob hi bob", "tell cid hi cid", "tell dan hi dan", "mail eve hi eve",
                     "tell bob me again", "tell fay hi fay"):  # fmt: skip
            await says(ann, line)
        read = [await says(ann, line) for line in ("mail hal hi", "tell hal hi", "mail gil hi")]
        await asyncio.sleep(600)
        later = await says(ann, "mail hal hi")
        await server.stop()
        return read, later

    read, later = virtual.run(scenario())
    many = "You have written to many new people. Wait a few minutes."
    assert [True, True, False] == [many in each for each in read]
    assert "gil will read it." in read[2] and "hal will read it." in later


def test_guests_tell_the_staff_alone():
    async def scenario(server):
        here = await cast(server, mia="helper", ann="player")
        guest = coming(server, "", "203.0.113.9", how="guest")
        await asyncio.sleep(0.5)
        refused = await says(guest, "tell ann hello")
        here["mia"].forget()
        await says(guest, "tell mia somebody is rude")
        return refused, here["mia"].text

    refused, heard = told(scenario)
    assert "Guests can't send private messages." in refused and "somebody is rude" in heard
