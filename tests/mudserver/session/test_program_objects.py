"""Which answers programs of protocol 2 read as objects, and what those hold."""

from __future__ import annotations

import asyncio
from typing import Any

from mudserver.commands.families import VERBS
from tests.mudserver.service.test_results import in_a_world
from tests.mudserver.session.programs import last, told, types
from tests.mudserver.session.test_json_schema import assert_valid
from tests.mudserver.session.test_program_lines import (
    answers,
    asked,
    in_a_game,
    in_two_seats,
    line,
    program,
    write,
)
from tests.simulation.server import Seatholder, SimServer

PROSE = {"about", "commands", "help", "news", "rules", "tips"}
FILES = {"export", "record"}
"""A new one needs a reason."""

WITH_WORDS = {"rules": "rules words", "tips": "tips words"}
ENDING = {"quit", "detach", "password", "register"}


def test_what_people_read_as_a_list_is_an_object():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        found: dict[str, list[str]] = {}
        for place in ("lobby", "table"):
            if place == "table":
                await answers(ann, line("open elimination seats=2 pace=instant clocks=off"))
                await answers(ann, line("bot easy"), line("ready"))
            for name in sorted({verb.name for verb in VERBS.values() if not verb.permission}):
                if name not in ENDING:
                    read = await answers(ann, line(f"/{WITH_WORDS.get(name, name)}"))
                    found[name] = found.get(name, []) + types(read)
                await asyncio.sleep(3)
        return found

    found = told(scenario)
    pages = {name for name, read in found.items() if "page" in read}
    assert pages <= PROSE | FILES, pages - PROSE - FILES
    assert PROSE <= pages  # it looks


async def with_bob(server: SimServer) -> tuple[Seatholder, Seatholder]:
    ann, bob = program(server), program(server, "Bob")
    await asyncio.sleep(0.5)
    return ann, bob


def test_ones_own_lists_are_data():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await with_bob(server)
        cid = server.person("Cid")
        await asyncio.sleep(0.5)
        await answers(bob, line("open elimination"), line("tell ann psst"))
        await answers(bob, line("mail ann See you on Friday."))
        for text in ("friend bob", "friend cid", "ignore cid", "join help", "tell bob yes"):
            await answers(ann, line(text))
            await asyncio.sleep(5)
        cid.link.drop()
        await asyncio.sleep(1)
        lines = ("friends", "ignore", "channels", "tells", "mail", "sessions")
        return {text: (await answers(ann, line(text)))[0] for text in lines}

    read = told(scenario)
    for made in read.values():
        assert_valid(made, 2)
        assert "a" == made["id"]
    assert [("Bob", True, 1), ("Cid", False, None)] == [
        (it["name"], it["is_here"], it["table"]) for it in read["friends"]["friends"]
    ]
    assert ["Cid"] == read["ignore"]["names"]
    channels = {it["name"]: it for it in read["channels"]["channels"]}
    assert "lobby" == read["channels"]["channels"][0]["name"]
    assert (True, 1) == (channels["help"]["is_joined"], channels["help"]["readers"])
    assert [("Bob", None, "psst"), ("Ann", "Bob", "yes")] == [
        (it["who"], it["to"], it["text"]) for it in read["tells"]["tells"]
    ]
    [mail] = read["mail"]["messages"]
    assert ("Bob", 1, True) == (mail["who"], mail["number"], mail["is_new"])
    assert "Friday" not in str(read["mail"])
    [own] = read["sessions"]["sessions"]
    assert ("json", None) == (own["protocol"], own["left"])


def test_hello_names_the_server_and_the_variants():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        return ann.objects[0]

    hello = told(scenario)
    assert_valid(hello, 2)
    assert hello["server"] == hello["house"] and hello["variants"] == hello["games"]


def test_a_table_says_whether_its_reader_can_sit_there():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await with_bob(server)
        guest = server.guest()
        await answers(bob, line("feed tables on"))
        await answers(ann, line("open elimination seats=2 who=accounts"))
        await asyncio.sleep(1)
        told_of = last(bob.objects, "table_changed")["table"]["can_sit"]
        of_ann, of_bob = [(await answers(it, line("tables")))[0] for it in (ann, bob)]
        guest.type("sit 1")
        await answers(ann, line("ignore bob"))
        of_ignored = (await answers(bob, line("tables")))[0]
        await answers(ann, line("unignore bob"), line("bot easy"))
        full = (await answers(bob, line("tables")))[0]
        return (
            told_of,
            [it["tables"][0]["can_sit"] for it in (of_ann, of_bob, of_ignored, full)],
            guest.text,
        )

    told_of, (of_ann, of_bob, of_ignored, full), guest = told(scenario)
    assert told_of and not of_ann and of_bob and not of_ignored and not full
    assert "registered players" in guest


def test_those_who_can_sit_and_those_who_cannot_are_told_of_a_table_as_it_is_for_them():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await with_bob(server)
        cid = program(server, "Cid")
        await asyncio.sleep(0.5)
        await answers(ann, line("ignore cid"))
        for each in (bob, cid):
            await answers(each, line("feed tables on"))
        await answers(ann, line("open elimination seats=3"))
        await asyncio.sleep(1)
        return [last(each.objects, "table_changed")["table"] for each in (bob, cid)]

    for_bob, for_cid = told(scenario)
    assert for_bob["can_sit"] and not for_cid["can_sit"]
    assert for_bob | {"can_sit": False} == for_cid


def test_a_refused_play_names_those_that_are_open():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await in_two_seats(server)
        views = [last(each.objects, "view") for each in (ann, bob)]
        at_turn, other = (ann, bob) if views[0]["question"] else (bob, ann)
        view = next(each for each in views if each["question"])
        strange = await answers(at_turn, line("flibber", question=view["question"]))
        stale = await answers(at_turn, line("draw", question="1.1.99.0"))
        return view, strange[0], stale[0], (await answers(other, line("draw")))[0]

    view, strange, stale, waits = told(scenario)
    for refused in (strange, stale, waits):
        assert_valid(refused, 2)
    assert view["moves"] == strange["about"]["moves"] == stale["about"]["moves"]
    assert waits["about"] is None


def test_a_refusal_names_the_tables_it_is_about():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        bob = program(server, "Bob")
        await answers(bob, line("open elimination"))
        return last(await answers(ann, line("/sit 2")), "refused")

    refused = told(scenario)
    assert [1] == refused["about"]["tables"] and refused["about"]["seconds"] is None


def test_talk_that_is_too_fast_waits_and_is_said():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await with_bob(server)
        server.guest()
        guest = server.guest(is_program=True, json_protocol=2)
        await asyncio.sleep(0.5)
        for each in (ann, bob, guest):
            each.forget()
        for speaker in (ann, guest):
            write(speaker, *[line(f"say {n}", str(n)) for n in range(12)])
        await asyncio.sleep(60)
        return ann.objects, guest.objects, bob.objects

    ann, guest, bob = told(scenario)
    for read in (ann, guest):
        assert "refused" not in types(read)
        done = [each for each in read if each["type"] == "done"]
        assert [(str(n), True) for n in range(12)] == [(it["id"], it["ok"]) for it in done]
    heard = [each["text"] for each in bob if each["type"] == "said" and each["who"] == "Ann"]
    assert [str(n) for n in range(12)] == heard


def test_who_repeats_a_line_reads_for_how_long_nothing_is_taken():
    async def scenario(server: SimServer) -> Any:
        ann, _ = await with_bob(server)
        write(ann, *[line("say hello", str(n)) for n in range(6)])
        await asyncio.sleep(20)
        return last(ann.objects, "refused")

    refused = told(scenario)
    assert "limit" == refused["code"] and 0 < refused["about"]["seconds"] <= 60


def test_games_says_first_which_of_ones_own_run():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        view = await asked(ann)
        mine, other = [await answers(ann, line(text)) for text in ("/games", "/games page 1")]
        await answers(ann, line("leave now"))
        return view, mine, other

    view, (mine, results, *_), other = told(scenario)
    assert_valid(mine, 2)
    assert ("your_moves", "results") == (mine["type"], results["type"])
    assert [(1, "1.1", view["question"], False)] == [
        (it["table"], it["game"], it["question"], it["is_left"]) for it in mine["tables"]
    ]
    assert [view["clock"] and view["clock"]["deadline"]] == [
        it["deadline"] for it in mine["tables"]
    ]
    assert "your_moves" in types(other)


def test_a_rated_game_is_data_from_its_beginning_to_the_list_of_the_best():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server), program(server, "Bobo")
        await asyncio.sleep(0.5)
        for each in (ann, ann, bob, bob):
            await answers(each, line("program on"))
        await answers(ann, line("open duel rated=on rounds=3 seats=2 programs=on"))
        await answers(bob, line("sit 1"), line("ready"))
        await answers(ann, line("ready"))
        heard = list(ann.objects)
        for _ in range(12):
            for each in (ann, bob):
                moves = (await answers(each, line("moves")))[0]
                heard += each.objects if each is ann else []
                if moves.get("moves"):
                    await answers(each, line(moves["moves"][0]))
                    heard += each.objects if each is ann else []
        lines = ("game 1", "finger ann", "top duel programs", "games")
        return heard, {text: await answers(ann, line(text)) for text in lines}

    read: dict[str, Any] = {}

    async def keep(server: SimServer) -> None:
        read["heard"], read["asked"] = await scenario(server)

    in_a_world(keep)
    heard, asked_for = read["heard"], read["asked"]
    assert last(heard, "game")["rated"]
    over = last(heard, "over")
    assert 1 == over["number"] and 2 == len(over["ratings"])
    result = last(asked_for["game 1"], "result")["result"]
    assert ("duel", "", False) == (result["pool"], result["why_unrated"], result["is_void"])
    assert over["ratings"] == [seat["rating"] for seat in result["seats"]]
    [rating] = last(asked_for["finger ann"], "person")["ratings"]
    assert ("duel", 1, True) == (rating["pool"], rating["games"], rating["is_provisional"])
    assert rating["rating"] in [each["after"] for each in over["ratings"]]
    assert [1] == last(asked_for["finger ann"], "person")["recent"]
    top = last(asked_for["top duel programs"], "top")
    assert [] == top["rows"]
    assert {"place": None, "rating": rating["rating"], "games": 1} == top["own"]
