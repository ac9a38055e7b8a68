"""People who watch as they type it: whom, what comes next, who else does, and how far behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.mudserver.commands.test_invitations import told
from tests.mudserver.service.test_moderation import told as told_by_scenario
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

FOUR = "Ann Bob Cid Dan"
PLAYING = ("Ann> open elimination seats=2 clocks=off", "Bob> sit 1", "Bob> start", "Ann> start")
LATE = ("Ann> open elimination seats=2 clocks=off delay=2", *PLAYING[1:])
BY_TURNS = ("Ann> draw", "Bob> draw") * 3  # whoever is not asked reads so


def test_who_watches_is_told_to_everybody_at_the_table():
    read = told(
        *PLAYING, "Cid> watch 1", "Dan> watch 1", "Ann> /look", "Cid> watchers", people=FOUR
    )
    assert "2 watchers: Cid, Dan" in read["Ann"]
    assert "Watchers of table 1 Cid Dan" in read["Cid"]
    read = told(*PLAYING, "Ann> /watchers", "Ann> /look", "Cid> watchers")
    assert "Watchers of table 1 nobody" in read["Ann"] and "watchers:" not in read["Ann"]
    assert "You aren't at a table." in read["Cid"]


def test_at_a_waiting_table_everybody_reads_what_that_person_can_type():
    looks = ("Ann> look", "Bob> look", "Cid> look")
    read = told("Ann> open words", "Bob> sit 1", "Cid> watch 1", *looks)
    owner = "Type bot to add a computer player, start to begin."
    assert 2 == read["Ann"].count(owner)
    assert 2 == read["Bob"].count("Type ready to begin.") and owner not in read["Bob"]
    assert 2 == read["Cid"].count("Players: Ann, Bob.") and "to begin" not in read["Cid"]


def test_one_watches_the_table_where_somebody_is():
    read = told(*PLAYING, "Cid> watch bob", "Dan> watch cid", people=FOUR)
    assert "Table 1, elimination." in read["Cid"] and "Table 1, elimination." in read["Dan"]
    read = told("Cid> watch ann", "Cid> watch zoe", "Cid> watch 12 abcdefgh")
    assert "Ann is at no table. For the games that are played: tables" in read["Cid"]
    assert "Nobody here is called zoe" in read["Cid"] or "zoe" in read["Cid"]


def test_a_name_that_looks_like_a_code_is_a_name_where_somebody_has_it():
    read = told("Margaret> open elimination", "Bob> watch margaret", people="Margaret Bob")
    assert "Table 1, elimination." in read["Bob"]
    read = told("Ann> open elimination", "Bob> watch margaret")
    assert "No table has this code." in read["Bob"]


def test_the_next_game_is_the_one_that_most_people_watch_then_the_one_behind_it():
    read = told(
        "Ann> practice elimination", "Bob> practice words", "Eve> practice stockpile code=on",
        "Cid> watch next", "Cid> unwatch", "Dan> watch 2", "Cid> watch next", "Cid> watch next",
        "Cid> watch next", "Cid> watchers", people="Ann Bob Cid Dan Eve",
    )  # fmt: skip
    at = [read["Cid"].find(f"Table {n}, ") for n in (1, 2)]
    assert -1 < at[0] < at[1], "nobody watched, then Dan did"
    assert "Table 3" not in read["Cid"]
    assert "Watchers of table 2 Dan Cid" in read["Cid"]


def test_the_next_game_is_none_of_the_own_ones_and_none_that_refuses():
    slow = ("Ann> open elimination seats=2 correspondence", "Bob> sit 1", "Bob> start",
            "Ann> start", "Ann> lobby")  # fmt: skip
    read = told(*slow, "Cid> practice words", "Ann> watch next", "Dan> watch next", people=FOUR)
    assert "Table 2, words." in read["Ann"], "Ann plays at table 1"
    assert "Table 2, words." in read["Dan"], "of two that nobody watches the live one"
    read = told(*slow, "Ann> watch next", "Cid> watch next", people=FOUR)
    assert "No other public game is being played now." in read["Ann"]
    assert "Table 1, elimination." in read["Cid"]
    read = told("Cid> ignore dan", "Cid> practice words", "Bob> practice words",
                "Dan> watch next", people=FOUR)  # fmt: skip
    assert "Table 2, words." in read["Dan"] and "can't join" not in read["Dan"]
    read = told("Cid> ignore dan", "Cid> practice words", "Dan> watch next", people=FOUR)
    assert "You can't join this table." in read["Dan"]


def test_where_nothing_else_is_played_there_is_no_next_game():
    read = told("Ann> open words", "Cid> watch next")
    assert "No public game is being played now. For all tables: tables" in read["Cid"]
    read = told("Ann> practice words", "Cid> watch next", "Cid> watch next")
    assert "No other public game is being played now." in read["Cid"]


def test_a_player_of_a_rated_game_is_not_watched_from_the_same_address_by_name_either():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        # The address of a person follows from the length of the name.
        people = {name: server.person(name) for name in ("Ann", "Bobby", "Cid", "Danielle")}
        await asyncio.sleep(1)
        for who, line in (("Ann", "open elimination rated=on seats=2"), ("Bobby", "sit 1"),
                          ("Bobby", "start"), ("Ann", "start"), ("Cid", "watch ann"),
                          ("Cid", "watch next"), ("Danielle", "watch next")):  # fmt: skip
            people[who].type(line)
            await asyncio.sleep(0.5)
        return [" ".join(people[name].text.split()) for name in ("Cid", "Danielle")]

    cid, dan = virtual.run(scenario())
    shared = "You share a network address with a player of this rated game."
    assert 2 == cid.count(shared) and shared not in dan and "Table 1, elimination." in dan


def test_prompts_say_who_is_how_far_behind_while_a_game_runs():
    read = told("Cid> watch 1", *LATE[:1], "Cid> watch 1", *LATE[1:], "Ann> /say hello")
    assert "table 1 (watchers are 2 decisions behind), your turn> " in f"{read['Ann']} " or (
        "table 1 (watchers are 2 decisions behind), your turn> " in f"{read['Bob']} "
    )
    assert "table 1 (2 decisions behind)> " in f"{read['Cid']} "
    assert "(2 decisions behind)." in read["Cid"] and "delay=2" in read["Cid"]
    assert "behind)." not in read["Ann"] + read["Bob"]
    assert "behind" not in told(*PLAYING, "Cid> watch 1")["Cid"]


def test_a_watcher_asks_for_the_time_and_for_the_list_of_watchers():
    read = told(*LATE, "Cid> watch 1", "Cid> time", "Ann> /watchers")
    assert "You watch 2 decisions behind, without the clock." in read["Cid"]
    assert "Watchers of table 1 Cid They are 2 decisions behind." in read["Ann"]


def test_watchers_hear_players_as_late_as_they_see_them_and_talk_at_once():
    start = (*LATE, "Cid> watch 1", "Dan> watch 1", "Ann> /say before", "Ann> draw", "Bob> draw")
    said = ("Ann> /say one", "Bob> /me nods", "Cid> say two", "Dan> kibitz three")
    read = told(*start, *said, people=FOUR)
    for name in ("Ann", "Bob"):
        assert all(it in read[name] for it in ("Ann: before", "Ann: one", "* Bob nods", "three"))
        assert "two" not in read[name]
    for name in ("Cid", "Dan"):
        assert all(it in read[name] for it in ("Ann: before", "[watcher] Cid: two", "three"))
        assert "Ann: one" not in read[name] and "nods" not in read[name]
    read = told(*start, *said, *BY_TURNS, people=FOUR)
    assert "Ann: one" in read["Cid"] and "* Bob nods" in read["Dan"]
    assert 1 == read["Ann"].count("Ann: one")


def test_a_new_session_of_a_watcher_reads_no_line_that_is_held_back():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        here = {name: server.person(name) for name in ("Ann", "Bob", "Cid")}
        await asyncio.sleep(1)
        for line in (*LATE, "Cid> watch 1", "Ann> draw", "Bob> draw", "Ann> /say one"):
            who, _, text = line.partition("> ")
            here[who].type(text)
            await asyncio.sleep(0.5)
        again = server.person("Cid")
        await asyncio.sleep(1)
        again.type("watch 1")
        await asyncio.sleep(1)
        return " ".join(again.text.split())

    assert "Ann: one" not in virtual.run(scenario())


def test_when_the_game_is_over_all_of_it_is_told():
    read = told(*LATE, "Cid> watch 1", "Ann> draw", "Bob> draw", "Bob> /say well", "Bob> leave",
                "Bob> leave", "Ann> offer abort")  # fmt: skip
    assert "Bob: well" in read["Cid"] and "Seed: " in read["Cid"]


def test_programs_read_the_delay_and_who_watches():
    async def scenario() -> Any:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        wim = server.person("Wim", is_program=True, json_protocol=2)
        old = server.person("Old", is_program=True)
        await asyncio.sleep(1)
        here = {"Ann": ann, "Bob": bob, "Wim": wim, "Old": old}
        for line in (*LATE, "Wim> watch 1", "Old> watch 1", "Wim> watchers", "Old> watchers"):
            who, _, text = line.partition("> ")
            here[who].type(text)
            await asyncio.sleep(0.5)
        return wim.objects, old.objects

    new, old = virtual.run(scenario())
    [game] = [it for it in new if it["type"] == "game"]
    views = [it for it in new if it["type"] == "view"]
    [watchers] = [it for it in new if it["type"] == "watchers"]
    assert 2 == game["delay"] == views[-1]["behind"] == watchers["behind"]
    assert views[-1]["deadline"] is None is views[-1]["clock"]
    assert [("Wim", "program"), ("Old", "program")] == [
        (it["name"], it["kind"]) for it in watchers["watchers"]
    ]
    assert "watchers" not in {it["type"] for it in old}
    assert not any("behind" in it for it in old if it["type"] == "view")


@pytest.mark.parametrize("cols", [40, 80])
def test_a_full_screen_says_how_far_behind_it_is(cols: int):
    async def scenario(server):
        cid = Watched.comes_in(server, "Cid", replace(ANSI, cols=cols, rows=24))
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(0.5)
        here = {"Ann": ann, "Bob": bob, "Cid": cid}
        for line in (*LATE, "Cid> screen on", "Cid> watch 1"):
            who, _, text = line.partition("> ")
            here[who].type(text)
            await asyncio.sleep(1.0)
        return cid.look().text

    assert "behind" in told_by_scenario(scenario)
