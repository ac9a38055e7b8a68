"""Two servers on one PostgreSQL are one town: lists, talk, tells, friends, and who keeps order."""

from __future__ import annotations

import pytest

from tests.mudserver.service.test_moderation import CONSOLE
from tests.several_servers import (
    come_in,
    hears,
    one_line,
    says,
    soon_reads,
    until,
)


@pytest.fixture
async def two(several):
    servers = await several.open("g1"), await several.open("g2")
    await several.know_each_other()
    return servers


async def test_lists_show_people_and_tables_of_all_servers(two):
    one, other = two
    ann, bob = await come_in(one, "ann"), await come_in(other, "bob")
    await says(bob, "away Dinner", "You are away")
    await says(bob, "open words", r"table \d+>")
    who = await soon_reads(ann, "who", r"bob +table \d+ +away")
    assert "2 people are here" in who and "ann" in who
    assert "bob" in await says(ann, "who b", "1 person of 2 who are here")
    assert "at table" in await says(ann, "finger bob", "online, at table")
    tables = await soon_reads(ann, "tables", r"words, waiting, \d free seats: bob")
    number = int(tables.split("Tables")[1].split()[0])
    assert "bob" in await says(ann, f"who table {number}", "1 person of 2")
    assert "g2" == one.app.directory.server_of(number) and "" == other.app.directory.server_of(
        number
    )
    await says(bob, "leave", "lobby>")
    await soon_reads(ann, "tables", "nobody")
    await soon_reads(ann, "who", "bob +lobby")
    bob.type("quit")
    await soon_reads(ann, "who", "1 person is here")


async def test_talk_reaches_the_people_of_all_servers_but_who_ignores_the_speaker(two):
    one, other = two
    ann, bob, cid = [await come_in(s, n) for s, n in ((one, "ann"), (other, "bob"), (other, "cid"))]
    await hears(ann, "cid is here")
    await says(cid, "ignore ann", "ignoring ann")
    await says(ann, "say good evening bob", "ann: good evening")
    await hears(bob, "ann: good evening bob")
    await says(bob, "me waves", "bob waves")
    await hears(ann, "bob waves")
    for person in (ann, bob):
        await says(person, "join chat", "hear chat|joined chat")
    await says(bob, "#chat anybody there", "anybody there")
    await hears(ann, r"\[chat\] bob: anybody there")
    assert "good evening" not in cid.text
    dan = await come_in(other, "dan")
    await hears(dan, "Earlier here: .*ann: good evening bob")


async def test_a_tell_reaches_somebody_on_another_server_and_is_answered(two):
    one, other = two
    ann, bob = await come_in(one, "ann"), await come_in(other, "bob")
    await hears(ann, "bob is here")
    await says(ann, "tell bo are you there", "You tell bob: are you there")
    await hears(bob, "ann tells you: are you there")
    await says(bob, "reply yes", "You tell ann: yes")
    await hears(ann, "bob tells you: yes")
    await says(bob, "away Dinner", "You are away")
    away = await says(ann, "reply good", "bob is away: Dinner")
    assert "You tell bob: good" in away
    await says(bob, "ignore ann", "ignoring ann")
    refused = await says(ann, "tell bob hello", "bob isn't receiving your messages")
    assert "You tell" not in refused
    await says(ann, "ignore bob", "ignoring bob")
    await says(ann, "tell bob hello", "You are ignoring bob")
    bob.type("quit")
    await soon_reads(ann, "who", "1 person is here")
    await says(ann, "tell bob hello", "bob is offline. Type mail bob TEXT")


async def test_a_tell_that_nobody_answers_is_refused(two, monkeypatch):
    one, other = two
    monkeypatch.setattr("mudserver.cluster.asking.ANSWER_S", 0.3)
    ann, _ = await come_in(one, "ann"), await come_in(other, "bob")
    await hears(ann, "bob is here")
    monkeypatch.setattr(other.app.exchange, "tell", lambda event: False)
    await says(ann, "tell bob hello", "bob can't be reached right now")
    assert not one.app.asking.open_count


async def test_friends_read_who_comes_on_another_server(two):
    one, other = two
    ann = await come_in(one, "ann")
    bob = await come_in(other, "bob")
    await hears(ann, "bob is here")
    bob.type("quit")
    await hears(ann, "bob has left")
    await says(ann, "friend bob", "You will be told when bob")
    ann.forget()
    await come_in(other, "bob")
    read = await hears(ann, r"bob \(friend\) is here")
    assert "bob is here" not in read
    await says(ann, "friends", "bob +in the lobby")


async def test_somebody_who_logs_in_on_another_server_neither_leaves_nor_comes(two):
    one, other = two
    ann, bob = await come_in(one, "ann"), await come_in(other, "bob")
    await hears(ann, "bob is here")
    # His account may be known a moment later: until then this server takes him for somebody new.
    await until(lambda: one.app.account_service.name_status("bob")[0] == "known")
    ann.forget()
    again = await come_in(one, "bob")
    await hears(bob, "logged in at another server")
    await until(lambda: not bob.link.is_open)
    await says(again, "say back again", "back again")
    read = await hears(ann, "bob: back again")
    assert "bob is here" not in read and "bob has left" not in read
    cid = await come_in(other, "cid")
    assert "3 people are here" in await soon_reads(cid, "who", "bob +lobby")


async def test_play_finds_a_table_of_another_server_where_people_wait(two, monkeypatch):
    one, other = two
    went = list[tuple[int, str]]()
    ann, bob, cid = [await come_in(s, n) for s, n in ((one, "ann"), (other, "bob"), (one, "cid"))]
    await says(bob, "play words", r"table \d+>")
    number = other.app.table_manager.table_of(other.app.account_service.person_named("bob").id)
    await until(lambda: (row := one.app.directory.row_of(number)) and row.seats)
    await says(cid, "play elimination", r"table \d+>")  # another game
    await says(cid, "leave", "lobby>")

    def go(context: object, table: int, errand: str) -> bool:
        went.append((table, errand))
        return True

    monkeypatch.setattr("mudserver.commands.tables.go_to_table", go)
    ann.type("play words")
    await until(lambda: went)
    assert [(number, "/play words")] == went and "table" not in one_line(ann).split(">")[-1]
    await says(cid, "play words short", r"table \d+>")  # other options
    assert 1 == len(went)


async def test_a_guest_on_another_server_is_kicked(two):
    one, other = two
    mia, guest = await come_in(one, "mia"), other.guest()
    await hears(guest, "lobby>")
    [name] = [it.person.name for it in other.app.online.all()]
    await hears(mia, f"{name} is here")
    await one.app.moderation.set_role(CONSOLE, "mia", "moderator", "for the test")
    await says(mia, f"mute {name} 10m insults", f"{name} is muted")
    await hears(guest, "You are muted")
    await says(mia, f"kick {name} insults", f"{name}")
    await hears(guest, "insults")
    await until(lambda: not guest.link.is_open)


async def test_what_a_lost_notification_has_not_told_is_told_in_the_next_round(two, monkeypatch):
    one, other = two
    ann = await come_in(one, "ann")
    hear = one.app.exchange._bus.on_heard
    one.app.exchange._bus.on_heard = lambda server, number, text: None
    bob = await come_in(other, "bob")
    await says(bob, "open words", r"table \d+>")
    assert "1 person is here" in await says(ann, "who", "here")
    one.app.exchange._bus.on_heard = hear
    other.app.mirror._tell_all()
    await soon_reads(ann, "who", r"bob +table \d+")
    await soon_reads(ann, "tables", "words")


async def test_nothing_is_shown_of_a_server_that_is_gone(two, several):
    one, other = two
    ann, bob = await come_in(one, "ann"), await come_in(other, "bob")
    await hears(ann, "bob is here")
    assert bob.link.is_open
    await other.stop()
    several.opened.remove(other)
    await soon_reads(ann, "who", "1 person is here")
    await until(lambda: ["g1"] == [it.name for it in one.app.directory.servers()])
    assert not one.app.exchange.has_others
