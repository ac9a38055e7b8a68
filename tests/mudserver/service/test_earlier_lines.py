"""What was said before somebody came, and the private messages of a session."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.mudserver.service.test_channels import flat, rows
from tests.mudserver.service.test_moderation import (
    CONSOLE,
    at_one_table,
    cast,
    coming,
    says,
    told,
)
from tests.mudserver.service.test_relations import leaves, restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


def test_who_comes_into_the_lobby_reads_its_last_lines_in_the_own_time_zone():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["cid"], "set timezone Asia/Tokyo")
        await says(here["ann"], "ignore bob")
        for name in ("ann", "cid"):
            await leaves(server, name)
        for number in range(12):
            await says(here["bob"], f"say line {number}")
        ann, cid = coming(server, "ann", "203.0.113.1"), coming(server, "cid", "203.0.113.3")
        await asyncio.sleep(0.5)
        return rows(ann), rows(cid)

    ann, cid = told(scenario)
    assert not any("Earlier here" in row or "bob" in row for row in ann)
    earlier = cid[cid.index("Earlier here:") + 1 :][:10]
    assert [f"bob: line {number}" for number in range(2, 12)] == [row[6:] for row in earlier]
    assert all(re.match(r"17:0\d ", row) for row in earlier), earlier  # 08:00 UTC and a little


@pytest.mark.parametrize(("count", "shown"), [("0", []), ("2", ["line 1", "line 2"])])
def test_how_many_earlier_lines_are_shown_is_a_setting(count, shown):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], f"set scrollback {count}")
        await leaves(server, "ann")
        for number in range(3):
            await says(here["bob"], f"say line {number}")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return re.findall(r"line \d", ann.text)

    assert shown == told(scenario)


def test_who_joins_a_channel_reads_its_last_lines_but_none_twice():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["bob"], "join chat"), await says(here["bob"], "#chat before")
        joined = await says(here["ann"], "join chat")
        await says(here["bob"], "#chat heard")
        await says(here["ann"], "part chat")
        await says(here["bob"], "#chat missed")
        return joined, await says(here["ann"], "join chat")

    joined, again = told(scenario)
    assert re.search(r"Earlier here: \d\d:\d\d \[chat\] bob: before", joined)
    assert "missed" in again and "heard" not in again and "before" not in again


def test_who_joins_the_lobby_at_a_table_reads_what_was_said_since():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["bob"], "say heard")
        await says(here["ann"], "open elimination")
        await says(here["bob"], "say missed")
        return await says(here["ann"], "join lobby")

    joined = told(scenario)
    assert "bob: missed" in joined and "heard" not in joined


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ((), ["missed"]),
        (("set scrollback 0",), []),
        (("ignore bob",), []),
        (("quiet on",), []),
        (("join lobby",), []),  # it was heard at the table
    ],
)
def test_who_comes_back_from_a_table_reads_what_the_lobby_said_meanwhile(before, shown):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["bob"], "say heard")
        for line in before:
            await says(here["ann"], line)
        await says(here["ann"], "open elimination")
        await says(here["bob"], "say missed")
        here["ann"].forget()
        await says(here["ann"], "leave")
        left = flat(here["ann"])
        await says(here["ann"], "open elimination")
        here["ann"].forget()
        await says(here["ann"], "leave")
        return left, flat(here["ann"])

    left, again = told(scenario)
    assert shown == re.findall("heard|missed", left)
    assert bool(shown) is ("Earlier here:" in left) and "Earlier here:" not in again


def test_who_goes_from_one_table_to_another_does_not_read_the_lobby():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["bob"], "open elimination"), await says(here["cid"], "open elimination")
        await says(here["ann"], "watch 1")
        await says(here["bob"], "leave"), await says(here["bob"], "say missed")
        here["ann"].forget()
        await says(here["ann"], "watch 2")
        at_other = flat(here["ann"])
        await says(here["ann"], "leave")
        return at_other, flat(here["ann"])

    at_other, back = told(scenario)
    assert "missed" not in at_other and "bob: missed" in back


def test_table_talk_is_shown_to_who_was_there_and_to_nobody_else():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "open elimination")
        await says(here["ann"], "say before bob sat down")
        await says(here["bob"], "sit 1")
        await says(here["ann"], "start"), await says(here["bob"], "start")
        await leaves(server, "bob")
        await says(here["ann"], "say where is bob")
        bob = coming(server, "bob", "203.0.113.2")
        here["cid"].forget()
        await says(here["cid"], "watch 1")
        return flat(bob), flat(here["cid"])

    bob, cid = told(scenario)
    assert re.search(r"Earlier here: \d\d:\d\d ann: where is bob", bob)
    assert "before" not in bob and "where is" not in cid


def test_who_has_a_seat_at_a_restored_table_has_been_there_since_the_restart():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        await at_one_table(here["ann"], here["bob"])
        await says(here["ann"], "say before")
        server = await restarted(server)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        await says(ann, "say where is bob")
        bob = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        await server.stop()
        return flat(bob)

    bob = virtual.run(scenario())
    assert "ann: where is bob" in bob and "before" not in bob


def test_what_watchers_say_among_themselves_is_never_shown_to_a_player_who_comes_back():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "open elimination kibitz=off")
        await says(here["bob"], "sit 1")
        await says(here["ann"], "start"), await says(here["bob"], "start")
        await says(here["cid"], "watch 1")
        await leaves(server, "bob")
        await says(here["cid"], "say she has the ace")
        bob = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        return flat(bob)

    assert "ace" not in told(scenario)


@pytest.mark.parametrize("line", ["kibitz so unlucky", "say unlucky"])
def test_no_remark_made_during_a_game_is_shown_to_a_player_who_comes_back(line):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await at_one_table(here["ann"], here["bob"])
        await says(here["cid"], "watch 1")
        await leaves(server, "bob")
        await says(here["cid"], line)
        bob = coming(server, "bob", "203.0.113.2")
        await asyncio.sleep(0.5)
        return flat(bob)

    assert "unlucky" not in told(scenario)


def test_a_purge_takes_lines_away_and_is_told_and_in_the_audit():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", bob="player", ann="player")
        await leaves(server, "ann")
        await says(here["bob"], "say rude"), await says(here["bob"], "#help rude, too")
        await says(here["hal"], "say polite")
        here["bob"].forget()
        done = await says(here["hal"], "purge bob insults")
        read = flat(here["bob"])
        refused = (
            await says(here["hal"], "purge mia insults"),
            await says(here["bob"], "purge mia insults"),
        )
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return done, read, refused, flat(ann), await says(here["mia"], "audit purge")

    done, read, refused, ann, audit = told(scenario)
    assert re.search(r"2 lines of bob removed \(#\d+\)\.", done)
    assert re.search(r"The staff has removed what you said \(#\d+\): insults", read)
    assert "Nobody acts on" in refused[0] or "can't" in refused[0], refused[0]
    assert "Only helpers can use purge." in refused[1]
    assert "polite" in ann and "rude" not in ann
    assert "hal: purge bob: insults" in audit and "purge mia (refused)" in audit


def test_what_an_erased_account_has_said_is_shown_to_nobody():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await leaves(server, "ann")
        await says(here["bob"], "say words of bob")
        await server.app.deletion.erase_for(CONSOLE, "bob", "for the test")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return flat(ann)

    assert "words of bob" not in told(scenario)


def test_earlier_lines_are_shown_once_in_a_full_screen():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await leaves(server, "ann")
        await says(here["bob"], "say only once")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        line_mode = ann.text.count("only once")
        screen = await says(ann, "screen on")
        return line_mode, screen.count("only once")

    assert (1, 1) == told(scenario)


def test_what_was_read_as_an_earlier_line_can_be_reported():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player", bob="player")
        await leaves(server, "ann")
        await says(here["bob"], "say rude words")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        await says(ann, "report bob insults")
        return await says(here["mia"], "reports 1")

    shown = told(scenario)
    assert "bob: rude words" in shown and "lobby" in shown


def test_the_last_private_messages_are_listed_and_no_others():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        none = await says(here["ann"], "tells")
        await says(here["ann"], "tell bob hello"), await says(here["bob"], "reply hi")
        await says(here["bob"], "say to all")
        listed = await says(here["ann"], "tells")
        for number in range(20):
            await says(here["ann"], f"tell bob number {number}")
        many = await says(here["ann"], "tells")
        await leaves(server, "ann")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return none, listed, many, await says(ann, "tells")

    none, listed, many, new = told(scenario)
    assert "There are none in this session. To send one: tell NAME TEXT" in none
    assert re.search(r"\d\d:\d\d You tell bob: hello \d\d:\d\d bob tells you: hi", listed)
    assert "to all" not in listed
    assert 20 == many.count("You tell bob: number") and "hello" not in many
    assert "There are none in this session." in new


def test_in_private_messages_and_earlier_lines_people_are_called_as_they_are_now():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", dan="player")
        await says(here["bob"], "tell ann hello"), await says(here["ann"], "tell cid hello")
        await says(here["ann"], "reply hi"), await says(here["bob"], "say to all")
        await says(here["bob"], "rename rob"), await says(here["bob"], "rob")
        renamed = await says(here["ann"], "tells")
        await leaves(server, "dan")
        dan = coming(server, "dan", "203.0.113.4")
        await asyncio.sleep(0.5)
        for name in ("rob", "cid"):
            await server.app.deletion.erase_for(CONSOLE, name, "for the test")
        await asyncio.sleep(1)  # the lobby reads that they have left
        return renamed, flat(dan), await says(here["ann"], "tells")

    renamed, earlier, erased = told(scenario)
    assert "rob tells you: hello" in renamed and "You tell rob: hi" in renamed
    assert "rob: to all" in earlier
    assert "former player tells you: hello" in erased
    assert erased.count("You tell former player:") == 2
    assert "rob" not in erased and "cid" not in erased
