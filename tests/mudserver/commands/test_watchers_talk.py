"""What people say at a table where some play and others watch."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.ui.fullscreen.layout import compute_layout
from tests.mudserver.commands.test_invitations import told
from tests.mudserver.service.test_moderation import cast, says
from tests.mudserver.service.test_moderation import told as told_of_staff
from tests.mudserver.tables.driver import Driver
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from tests.toys.multistep.game import MULTISTEP

PLAYING = ("Ann> open elimination", "Ann> bot", "Bob> watch 1", "Cid> watch 1", "Ann> start")
REMARK = "[watcher] Bob: nice cards"


def test_say_of_a_watcher_reaches_the_other_watchers_of_a_running_game():
    read = told(*PLAYING, "Bob> say nice cards", "Bob> :whistles", people="Ann Bob Cid Dan")
    assert "nice cards" not in read["Ann"] and "whistles" not in read["Ann"]
    assert REMARK in read["Bob"] and REMARK in read["Cid"]
    assert "* [watcher] Bob whistles" in read["Cid"]
    assert "nice cards" not in read["Dan"]


def test_who_can_come_back_to_a_seat_hears_no_watchers_meanwhile():
    begun = ("Ann> open elimination", "Bob> sit 1", "Cid> watch 1", "Bob> start", "Ann> start")
    gone = ("Bob> leave", "Bob> leave", "Bob> watch 1", "Bob> say back soon")
    read = told(
        *begun, *gone, "Cid> say she has the ace", "Cid> kibitz so sad", people="Ann Bob Cid"
    )
    assert "[watcher] Bob: back soon" in read["Bob"] and "[watcher] Bob: back" in read["Cid"]
    assert "the ace" not in read["Bob"] and "[watcher] Cid: so sad" in read["Bob"]


def test_kibitz_reaches_the_players_too():
    read = told(*PLAYING, "Bob> kibitz nice cards")
    assert all(REMARK in read[name] for name in ("Ann", "Bob", "Cid"))


def test_who_sits_at_the_table_talks_to_everybody_there():
    read = told(*PLAYING, "Ann> say hello all", "Ann> kibitz again")
    assert all("Ann: hello all" in read[name] for name in ("Ann", "Bob", "Cid"))
    assert "[watcher]" not in read["Cid"]
    assert "You have a seat here. say reaches everybody at the table." in read["Ann"]


@pytest.mark.parametrize("verb", ["say", "kibitz"])
def test_while_no_game_runs_watchers_talk_to_the_table(verb: str):
    opened = ("Ann> open elimination kibitz=off", "Ann> set kibitz off", "Bob> watch 1")
    read = told(*opened, f"Bob> {verb} nice cards")
    assert REMARK in read["Ann"] and REMARK in read["Bob"]


def test_a_table_without_remarks_refuses_kibitz():
    first, *others = PLAYING
    read = told(f"{first} kibitz=off", *others, "Bob> kibitz nice cards", "Bob> say nice cards")
    said = "This table wants no remarks from watchers. say reaches the other watchers."
    assert said in read["Bob"]
    assert REMARK in read["Cid"] and "nice cards" not in read["Ann"]


def test_a_player_who_wants_no_remarks_is_spared_them():
    first, *others = PLAYING
    read = told("Ann> set kibitz off", first, *others, "Bob> kibitz nice cards")
    assert "nice cards" not in read["Ann"] and REMARK in read["Cid"]


def test_who_ignores_a_watcher_is_spared_the_remarks():
    read = told(*PLAYING, "Ann> ignore bob", "Bob> kibitz nice cards")
    assert "nice cards" not in read["Ann"] and REMARK in read["Cid"]


def test_kibitz_is_for_a_table():
    read = told("Bob> kibitz nice cards")
    assert "You aren't at a table. Type play to start a game" in read["Bob"]


def test_who_is_out_of_the_game_keeps_the_talk_of_the_seat():
    driver = Driver({}, variant=MULTISTEP).starts("b", "c")
    driver.plays("a", "fall")
    assert driver.table.is_out("a")
    assert {"a", "b", "c"} == driver.table.people_here().players


def test_a_watcher_who_is_about_to_sit_elsewhere_is_still_a_watcher_here():
    """The other table has not written it yet."""

    async def scenario(server):
        here = await cast(server, ann="player", bob="player", dan="player")
        await says(here["ann"], "practice elimination")
        await says(here["dan"], "open words")
        await says(here["bob"], "watch 1")
        here["ann"].forget()
        here["bob"].type("sit 2")
        await says(here["bob"], "say nice cards")
        return here["ann"].text

    assert "nice cards" not in told_of_staff(scenario)


def test_staff_speak_to_the_whole_table_also_while_they_watch():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        await says(here["ann"], "practice elimination")
        await says(here["mia"], "watch 1")
        here["ann"].forget()
        await says(here["mia"], "modsay be kind")
        return here["ann"].text

    assert "[moderator] mia: be kind" in told_of_staff(scenario)


def test_only_programs_of_protocol_2_read_who_watches():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = [server.person("Ann", is_program=True),
                server.person("Bob", is_program=True, json_protocol=2)]  # fmt: skip
        await asyncio.sleep(0.5)
        for person, line in ((0, "open elimination"), (1, "watch 1"), (1, "say hi"), (1, ":waves")):
            here[person].type(line)
            await asyncio.sleep(0.5)
        talk = [
            [each for each in one.objects if each["type"] in ("said", "emoted")] for one in here
        ]
        await server.stop()
        return talk

    said = {"type": "said", "who": "Bob", "text": "hi", "table": 1}
    emoted = {"type": "emoted", "who": "Bob", "text": "waves", "table": 1}
    first, second = virtual.run(scenario())
    assert [said, emoted] == first
    more = {"watcher": True, "channel": ""}
    assert [said | more, emoted | more] == second


def test_a_remark_is_marked_in_the_chat_pane_and_for_who_listens():
    async def scenario(server):
        ann = Watched.comes_in(server, "Ann", replace(ANSI, cols=120, rows=30))
        await asyncio.sleep(0.5)
        cid = server.person("Cid", replace(ANSI, is_screen_reader=True))
        bob = server.person("Bob")
        await asyncio.sleep(0.5)
        for person, line in ((ann, "screen on"), (ann, "practice elimination"), (cid, "watch 1"),
                             (bob, "watch 1"), (bob, "kibitz nice cards")):  # fmt: skip
            person.type(line)
            await asyncio.sleep(1.0)
        panes = ann.look()
        chat = compute_layout(120, 30, None).area_of("chat")
        return [row[chat.left + 1 :].strip() for row in panes.rows], cid.text

    rows, heard = told_of_staff(scenario)
    assert REMARK in rows
    assert '[watcher] Bob: "nice cards"' in heard
