"""Channels, the lobby at a table, quiet, mentions."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.accounts.events import GamePlayed
from mudserver.accounts.played import PlayedGame
from mudserver.config.schema import ChatLimits
from mudserver.errors import JournalWriteError
from mudserver.service.channel_service import NEWCOMER_GAMES, NEWCOMER_MS
from mudserver.transport.link import AuthenticatedUser
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
from tests.simulation.server import ANSI, FOR_DAYS, FakeLink, Seatholder, SimServer, new_world


def flat(person: Seatholder) -> str:
    return " ".join(person.text.split())


def rows(person: Seatholder) -> list[str]:
    return [row.strip() for row in person.text.splitlines()]


# -- channels -------------------------------------------------------------------------------------


def test_who_is_in_a_channel_hears_it_wherever_and_nobody_else_does():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", dan="player")
        joined = await says(here["ann"], "join chat"), await says(here["bob"], "join ch")
        await says(here["dan"], "join chat")
        await at_one_table(here["bob"], here["cid"])
        for person in here.values():
            person.forget()
        await says(here["ann"], "#chat hello  there")
        heard = {name: flat(person) for name, person in here.items()}
        from_game = await says(here["bob"], "#c draw")
        left = await says(here["dan"], "part chat")
        refused = await says(here["dan"], "#chat hm"), await says(here["cid"], "#chat hm")
        here["dan"].forget()
        await says(here["ann"], "#chat again")
        return joined, heard, from_game, left, refused, flat(here["dan"])

    joined, heard, from_game, left, refused, gone = told(scenario)
    assert all(
        "You hear chat from now on. To say something there: #chat TEXT" in it for it in joined
    )
    for name in ("ann", "bob", "dan"):
        assert "[chat] ann: hello there" in heard[name]
    assert "hello" not in heard["cid"]
    assert "[chat] bob: draw" in from_game
    assert "You don't hear chat any more." in left and "again" not in gone
    assert all("You aren't in chat. First: join chat" in it for it in refused)


@pytest.mark.parametrize(
    ("typed", "heard"),
    [
        (":waves", "[chat] * ann waves"),
        ("/me  waves", "[chat] * ann waves"),
        (":-)", "[chat] ann: :-)"),
        (":", "[chat] ann: :"),
        ("/mean", "[chat] ann: /mean"),
    ],
)
def test_in_a_channel_people_also_do_something_and_a_smiley_is_said(typed, heard):
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        for name in ("ann", "bob"):
            await says(here[name], "join chat")
        await says(here["ann"], f"#chat {typed}")
        later = await says(here["cid"], "join chat")
        return flat(here["bob"]), later

    now, later = told(scenario)
    assert heard in now
    assert re.search(rf"Earlier here: \d\d:\d\d {re.escape(heard)}", later)


def test_in_the_lobby_its_channel_is_an_emote_of_the_place_and_is_bounded_as_talk():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "#lobby :waves")
        return rows(here["bob"]), await says(here["ann"], f"#lobby :{'a' * 5000}")

    heard, refused = told(scenario)
    assert "* ann waves" in heard and "at most" in refused


def test_the_list_says_what_there_is_how_many_hear_it_and_which_one_has_joined():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", mia="moderator")
        await says(here["ann"], "join words")
        return await says(here["ann"], "channels"), await says(here["mia"], "channels")

    ann, mia = told(scenario)
    assert "lobby 3 here: everybody who is at no table" in ann
    assert "help 3 here (joined): questions of newcomers, and answers" in ann
    assert "words 1 here (joined): the game words" in ann
    assert "chat 0 here: anything you like" in ann and "staff" not in ann
    assert "staff 1 here (joined): who keeps order here" in mia


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("join zoo", 'There isn\'t a channel "zoo". To see all: channels'),
        ("join 7 k7w2m9px", "There is no table 7."),
        ("join 7", "There is no table 7."),
        ("part zoo", 'There isn\'t a channel "zoo". To see all: channels'),
        ("part chat", "You haven't joined chat. To see all: channels"),
        ("#zoo hello", 'There isn\'t a channel "zoo". To see all: channels'),
        ("#", "To talk in a channel type its name: #help TEXT. To see all: channels"),
        ("#help", "Say what? Type: #help TEXT"),
        ("#staff hello", "Only the staff can use the channel staff."),
        ("join help", "You have joined help already. To leave it: part help"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(line, answer):
    async def scenario(server):
        here = await cast(server, ann="player")
        await says(here["ann"], "join help")
        return await says(here["ann"], line)

    assert answer in told(scenario)


def test_what_an_account_has_joined_and_left_survives_a_restart():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", bob="player")
        for line in ("join chat", "join words", "part words", "part help", "join lobby"):
            await says(here["ann"], line)
        server = await restarted(server)
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        listed = await says(ann, "channels")
        await server.stop()
        return listed

    joined = re.findall(r"(\w+) \d+ here \(joined\)", virtual.run(scenario()))
    assert ["lobby", "chat"] == joined


def test_a_channel_that_could_not_be_written_is_not_joined():
    async def scenario(server):
        here = await cast(server, ann="player")
        streams = server.app.account_service.streams

        async def failing(*arguments):
            raise JournalWriteError("no room")

        change, streams.change = streams.change, failing
        refused = await says(here["ann"], "join chat"), await says(here["ann"], "part help")
        streams.change = change
        return refused, await says(here["ann"], "channels")

    refused, listed = told(scenario)
    assert all("can't save right now" in it for it in refused), refused
    assert "chat 0 here:" in listed and "help 1 here (joined)" in listed


def test_a_guests_channels_end_with_the_session():
    async def scenario(server):
        here = await cast(server, ann="player")
        guest = coming(server, "guest", "203.0.113.8", how="guest")
        await asyncio.sleep(0.5)
        first = await says(guest, "channels")
        await says(guest, "join chat"), await says(guest, "part help")
        second = await says(guest, "channels")
        guest.link.drop()
        await asyncio.sleep(1)
        return first, second, await says(here["ann"], "channels")

    first, second, after = told(scenario)
    assert "help 2 here (joined)" in first
    assert "chat 1 here (joined)" in second and "help 1 here:" in second
    assert "chat 0 here:" in after


def test_newcomers_are_in_help_for_a_week_unless_they_stay_or_leave():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", mia="moderator")
        await says(here["bob"], "join help"), await says(here["cid"], "part help")
        young = [await says(person, "channels") for person in here.values()]
        await asyncio.sleep(NEWCOMER_MS / 1000)
        here = {name: coming(server, name, f"203.0.113.{at}") for at, name in enumerate(here)}
        await asyncio.sleep(0.5)
        return young, [await says(person, "channels") for person in here.values()]

    young, later = told(scenario, journal=FOR_DAYS)
    assert [True, True, False, True] == ["help 3 here (joined)" in listed for listed in young]
    assert [False, True, False, True] == ["help 2 here (joined)" in listed for listed in later]


@pytest.mark.parametrize(("games", "is_in"), [(NEWCOMER_GAMES - 1, True), (NEWCOMER_GAMES, False)])
def test_who_has_finished_five_games_is_no_newcomer(games, is_in):
    async def scenario(server):
        await cast(server, ann="player")
        await leaves(server, "ann")
        accounts = server.app.account_service.streams.accounts
        for number in range(games):
            variant = "words" if number % 2 else "stockpile"
            game = PlayedGame(variant, 1, number, "", 1, 2, server.clock.now_ms())
            accounts.apply(GamePlayed(accounts.find("ann").id, game))
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return await says(ann, "channels")

    assert is_in is ("help 1 here (joined)" in told(scenario))


def test_channels_are_completed():
    async def scenario(server):
        here = await cast(server, ann="player", mia="moderator")
        typed = ("#s", "join e", "part ch")
        return [
            here[name].link.handler.complete(line, len(line)).candidates
            for name in ("ann", "mia")
            for line in typed
        ]

    ann, mia = [("#stockpile",), ("elimination",), ("chat",)], [("#stockpile", "#staff")]
    assert [*ann, *mia, *ann[1:]] == told(scenario)


# -- the lobby at a table -------------------------------------------------------------------------


def test_at_a_table_the_lobby_is_heard_by_who_has_joined_it():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", dan="player")
        await at_one_table(here["bob"], here["cid"])
        done = await says(here["bob"], "join lobby")
        for person in here.values():
            person.forget()
        here["ann"].type("say hello")
        here["dan"].type(":waves")
        await asyncio.sleep(4)
        heard = {name: flat(person) for name, person in here.items()}
        refused = await says(here["cid"], "#lobby hello")
        here["ann"].forget()
        spoken = await says(here["bob"], "#lobby hi all")
        back = flat(here["ann"])
        coming(server, "eva", "203.0.113.9")
        here["bob"].forget()
        await asyncio.sleep(1)
        quiet = flat(here["bob"])
        left = await says(here["bob"], "part lobby")
        await says(here["ann"], "say nobody")
        return done, heard, refused, spoken, back, quiet, left, flat(here["bob"])

    done, heard, refused, spoken, back, quiet, left, after = told(scenario)
    assert "You hear the lobby at tables, too." in done
    assert "ann: hello" in heard["dan"] and "[lobby]" not in heard["dan"]
    assert "[lobby] ann: hello" in heard["bob"] and "[lobby] * dan waves" in heard["bob"]
    assert "hello" not in heard["cid"]
    assert "At a table you don't hear the lobby. First: join lobby" in refused
    assert "[lobby] bob: hi all" in spoken
    assert "bob: hi all" in back and "[lobby]" not in back
    assert "eva" not in quiet
    assert "You don't hear the lobby at tables any more." in left and "nobody" not in after


def test_in_the_lobby_its_channel_is_the_same_as_say():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "#lob hello")
        return flat(here["bob"])

    heard = told(scenario)
    assert "ann: hello" in heard and "[lobby]" not in heard


# -- who is ignored, muted, quiet, of the staff ---------------------------------------------------


def test_who_is_ignored_is_not_heard_in_channels_and_who_is_muted_says_nothing():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", mia="moderator")
        await says(here["ann"], "ignore bob")
        here["ann"].forget()
        await says(here["bob"], "#help hello")
        deaf = flat(here["ann"])
        await says(here["mia"], "mute bob 10m insults")
        return deaf, await says(here["bob"], "#help once more"), flat(here["mia"])

    deaf, refused, mia = told(scenario)
    assert "hello" not in deaf
    assert "You are muted by the staff" in refused and "once more" not in mia


def test_who_ignores_guests_hears_none_in_channels_and_reads_none_of_their_earlier_lines():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        guest = coming(server, "guest", "203.0.113.8", how="guest")
        await asyncio.sleep(0.5)
        await says(here["ann"], "ignore guests")
        await says(guest, "#help by a guest"), await says(guest, "say by a guest")
        deaf = flat(here["ann"])
        await says(here["bob"], "say by bob")
        guest.link.drop()
        await leaves(server, "ann")
        ann = coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return deaf, flat(ann)

    deaf, earlier = told(scenario)
    assert "by a guest" not in deaf
    assert "bob: by bob" in earlier and "by a guest" not in earlier


def test_the_staffs_channel_is_heard_by_the_staff_until_the_role_ends():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", ann="player")
        await says(here["mia"], "#staff hello")
        heard = flat(here["hal"]), flat(here["ann"])
        await server.app.moderation.set_role(CONSOLE, "hal", "player", "for the test")
        here["hal"].forget()
        await says(here["mia"], "#staff secret")
        demoted = flat(here["hal"])
        return heard, demoted, await says(here["hal"], "#staff hm")

    heard, demoted, refused = told(scenario)
    assert "[staff] mia: hello" in heard[0] and "hello" not in heard[1]
    assert "secret" not in demoted and "Only the staff" in refused


def test_of_reports_only_those_of_the_staff_read_who_are_in_its_channel():
    async def scenario(server):
        here = await cast(server, mia="moderator", hal="helper", ann="player", bob="player")
        await says(here["mia"], "part staff")
        for name in ("mia", "hal"):
            here[name].forget()
        await says(here["ann"], "report bob insults")
        return flat(here["mia"]), flat(here["hal"])

    mia, hal = told(scenario)
    assert "new report" not in mia and "There is a new report: 1." in hal


def test_who_is_quiet_hears_the_own_table_friends_and_the_staff_alone():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", mia="moderator")
        guest = coming(server, "guest", "203.0.113.8", how="guest")
        await asyncio.sleep(0.5)
        await says(here["ann"], "friend bob")
        done = await says(here["ann"], "quiet on"), await says(guest, "quiet on")
        here["ann"].forget()
        refused = await says(here["cid"], "tell ann hi"), await says(here["cid"], "tell guest1 hi")
        await says(here["cid"], "say lobby line"), await says(here["cid"], "#help help line")
        await leaves(server, "cid")
        silent = flat(here["ann"])
        await says(here["bob"], "tell ann from a friend")
        await says(here["mia"], "tell ann from the staff")
        await says(here["mia"], "modsay to all")
        heard = flat(here["ann"])
        own = await says(here["ann"], "say my own")
        ended = await says(here["ann"], "quiet off"), await says(here["ann"], "quiet maybe")
        here["ann"].forget()
        await says(here["bob"], "say loud")
        return done, refused, silent, heard, own, ended, flat(here["ann"])

    done, refused, silent, heard, own, ended, after = told(scenario)
    assert all("You hear your table, friends and the staff alone." in it for it in done)
    assert "ann is quiet now. mail ann TEXT leaves a message." in refused[0]
    assert "guest1 is quiet now." in refused[1] and "mail" not in refused[1]
    assert "line" not in silent and "cid" not in silent
    assert "bob tells you: from a friend" in heard and "mia tells you: from the staff" in heard
    assert "[moderator] mia: to all" in heard
    assert "ann: my own" in own
    assert "You hear everybody again." in ended[0] and "Type quiet on or quiet off" in ended[1]
    assert "bob: loud" in after


def test_who_is_quiet_reads_of_a_strangers_mail_when_that_is_over():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player", mia="moderator")
        await says(here["ann"], "friend bob"), await says(here["ann"], "quiet on")
        here["ann"].forget()
        sent = await says(here["cid"], "mail ann hello")
        silent = flat(here["ann"])
        await says(here["bob"], "mail ann hello"), await says(here["mia"], "mail ann hello")
        heard = flat(here["ann"])
        over = await says(here["ann"], "quiet off")
        await says(here["cid"], "mail ann again")
        return sent, silent, heard, over, flat(here["ann"])

    sent, silent, heard, over, after = told(scenario)
    assert "ann will read it." in sent and "message" not in silent
    assert "a message from bob." in heard and "a message from mia." in heard
    assert "You hear everybody again." in over and "3 unread messages: mail" in over
    assert "a message from cid." in after


def test_at_the_own_table_who_is_quiet_hears_all_and_it_ends_with_the_session():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "quiet on")
        await at_one_table(here["ann"], here["bob"])
        here["ann"].forget()
        await says(here["bob"], "say at the table")
        heard = flat(here["ann"])
        await leaves(server, "ann")
        coming(server, "ann", "203.0.113.1")
        await asyncio.sleep(0.5)
        return heard, await says(here["bob"], "tell ann hi")

    heard, after = told(scenario)
    assert "bob: at the table" in heard and "You tell ann: hi" in after


# -- scale ----------------------------------------------------------------------------------------


def test_a_busy_lobby_refuses_lines_and_does_not_count_them_as_spam():
    async def scenario():
        limits = ChatLimits(deliveries_per_s=0.2, channel_per_s=0.2)
        server = await SimServer(new_world(1, chat=limits)).open()
        here = await cast(server, ann="player", bob="player")
        await says(here["ann"], "say one", 0.1)
        first = [await says(here["bob"], "say two", 0.3) for _ in range(5)]
        channel = await says(here["bob"], "#help three", 0.3)
        await asyncio.sleep(6)
        again = await says(here["bob"], "say two", 0.1)
        await server.stop()
        return first, channel, again

    first, channel, again = virtual.run(scenario())
    assert all("The lobby is very busy. Try again in a second." in it for it in first)
    assert "The channel help is very busy" in channel
    assert "bob: two" in again


# -- names, programs -----------------------------------------------------------------------------

BOLD_NAME = b"\x1b[1mann\x1b[0m"


def test_the_own_name_is_bold_for_its_owner_alone_and_rings_if_wanted():
    async def scenario(server):
        here = await cast(server, ann="player", bob="player", cid="player")
        await says(here["ann"], "set mentions bell")
        for person in here.values():
            person.forget()
        await says(here["bob"], "say where is ann today")
        lobby = {name: person.link.heard for name, person in here.items()}
        here["ann"].forget()
        await says(here["bob"], "#help anna, ask cid")
        other = here["ann"].link.heard
        return lobby, other, here["cid"].link.heard

    lobby, other, cid = told(scenario)
    assert BOLD_NAME in lobby["ann"] and b"\a" in lobby["ann"]
    assert BOLD_NAME not in lobby["cid"] and b"\a" not in lobby["cid"]
    assert b"\x1b[1mann" not in other and b"\a" not in other
    assert b"\x1b[1mcid\x1b[0m" in cid and b"\a" not in cid


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        (1, {"type": "said", "who": "[chat] ann", "text": "hi", "table": None}),
        (
            2,
            {
                "type": "said",
                "who": "ann",
                "text": "hi",
                "table": None,
                "watcher": False,
                "channel": "chat",
            },
        ),
    ],
)
def test_a_program_hears_what_it_has_joined_and_is_shown_no_earlier_lines(protocol, said):
    async def scenario(server):
        here = await cast(server, ann="player")
        await says(here["ann"], "say earlier"), await says(here["ann"], "join chat")
        link = FakeLink(ANSI, wants_json=True, json_protocol=protocol, peer="203.0.113.7")
        bot = Seatholder("guest", server.connect(link, AuthenticatedUser("guest", "guest")))
        await asyncio.sleep(0.5)
        await says(here["ann"], "#help not joined")
        bot.type("join chat")
        await asyncio.sleep(0.5)
        await says(here["ann"], "#chat hi")
        return bot.objects

    objects = told(scenario)
    assert [said] == [each for each in objects if each["type"] == "said"]
    assert not any("earlier" in str(each) for each in objects)
