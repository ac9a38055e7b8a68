"""What people read as a list is data for programs of protocol 2, and who is a program is seen."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.mudserver.session.programs import last, told, types
from tests.mudserver.session.test_json_schema import assert_valid
from tests.mudserver.session.test_program_lines import (
    answers,
    in_a_game,
    in_two_seats,
    line,
    program,
)
from tests.simulation.server import SimServer
from variants.catalogue import CATALOGUE


def kinds_of(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {row["name"]: row["kind"] for row in rows}


def test_tables_people_one_person_settings_options_and_moves_are_objects():
    async def scenario(server: SimServer) -> Any:
        ann, guest = program(server), server.guest()
        await asyncio.sleep(0.1)
        await answers(ann, line("open elimination short seats=3"), line("bot easy"))
        guest.type("sit 1")
        await asyncio.sleep(0.2)
        lines = ("tables", "who", "finger ann", "finger guest1", "set", "options", "who a")
        return {text: await answers(ann, line(text)) for text in lines}, await answers(
            guest_of(server), line("tables")
        )

    def guest_of(server: SimServer) -> Any:
        return program(server, "Bob")

    read, _ = told(scenario)
    for text, (answer, *_, done) in read.items():
        assert "a" == answer["id"] and done["ok"], text
        assert_valid(answer, 2)
    (table,) = read["tables"][0]["tables"]
    assert (1, "elimination", "waiting", "Ann", 0) == tuple(
        table[key] for key in ("number", "variant", "phase", "owner", "free")
    )
    assert "custom" == table["preset"] and "3" == table["options"]["seats"]
    seats = table["seats"]
    assert ["program", "computer", "guest"] == [each["kind"] for each in seats]
    assert {"Ann": "program", "guest1": "guest"} == kinds_of(read["who"][0]["people"])
    assert ["Ann"] == [each["name"] for each in read["who a"][0]["people"]]
    assert 2 == read["who a"][0]["total"] + 1
    ann, guest = read["finger ann"][0], read["finger guest1"][0]
    assert ("program", True, 1) == (ann["kind"], ann["is_here"], ann["table"])
    assert ("guest", None) == (guest["kind"], guest["since"])
    assert "timestamps" in {each["name"] for each in read["set"][0]["settings"]}
    assert "3" == read["options"][0]["options"]["seats"]


def test_moves_are_data_with_and_without_a_beginning():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await in_two_seats(server)
        views = [last(each.objects, "view") for each in (ann, bob)]
        asked, other = (ann, bob) if views[0]["question"] else (bob, ann)
        moves = next(view["moves"] for view in views if view["question"])
        return moves, await answers(asked, line("moves")), await answers(other, line("moves"))

    moves, (mine, *_), (none, *_) = told(scenario)
    assert ("moves", moves, False) == (mine["type"], mine["moves"], mine["is_sample"])
    assert ("moves", []) == (none["type"], none["moves"])


def test_who_is_ready_is_data_and_what_ends_it_is_named():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server), program(server, "Bob")
        await asyncio.sleep(0.1)
        await answers(ann, line("open elimination seats=3"))
        await answers(bob, line("sit 1"), line("ready"))
        return await answers(ann, line("bot easy"))

    read = told(scenario)
    ready = last(read, "readiness")
    assert ([], ["Ann", "Bob"]) == (ready["ready"], ready["waiting"])
    assert "added" in ready["cleared_by"] or "joined" in ready["cleared_by"]
    assert "done" == types(read)[-1]


def test_an_offer_is_data_and_so_is_its_end():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await in_two_seats(server)
        offered = await answers(ann, line("offer pause")), bob.objects
        bob.forget()
        await asyncio.sleep(5)
        return offered, await answers(bob, line("decline"))

    (_, heard), ended = told(scenario)
    offer = last(heard, "offer")
    assert ("pause", "1.1", [1 - offer["by"]]) == (offer["kind"], offer["game"], offer["asked"])
    assert "declined" == last(ended, "offer_ended")["why"]


def test_who_leaves_a_game_leaves_the_seat_to_a_computer_player_and_takes_it_back():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await in_two_seats(server)
        bob.forget()
        await answers(ann, line("leave now"))
        left = last(bob.objects, "seat_changed")
        await answers(ann, line("return"))
        return left, last(bob.objects, "seat_changed")

    left, back = told(scenario)
    assert ("computer", "left") == (left["kind"], left["why"])
    assert ("program", "returned", "Ann") == (back["kind"], back["why"], back["name"])


def test_an_account_can_say_for_good_that_it_is_a_program_and_is_asked_twice():
    async def scenario(server: SimServer) -> Any:
        ann, bob = server.person("Ann"), program(server, "Bob")
        await asyncio.sleep(0.1)
        before = await answers(bob, line("finger ann"))
        for text in ("program on", "no", "program on", "", "program on", "yes"):
            ann.type(text)
            await asyncio.sleep(0.3)
        after = await answers(bob, line("finger ann"))
        ann.type("program off")
        await asyncio.sleep(0.3)
        return before, after, await answers(bob, line("finger ann")), ann.text

    before, after, off, text = told(scenario)
    assert ["account", "program", "account"] == [
        last(each, "person")["kind"] for each in (before, after, off)
    ]
    assert 2 == text.count("Nothing has changed.") and "Everybody can see that." in text


def test_people_see_who_is_a_program():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server), server.person("Bob")
        await asyncio.sleep(0.1)
        await answers(ann, line("open elimination"))
        for text in ("who", "tables", "finger ann"):
            bob.type(text)
            await asyncio.sleep(0.3)
        return bob.text

    text = told(scenario)
    assert "table 1    [program]" in text and "Ann [program]" in text and "a program" in text


def test_games_that_are_over_are_data():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        for _ in range(200):
            view = last(ann.objects, "view") if "view" in types(ann.objects) else None
            if "over" in types(ann.objects):
                break
            play = view and view["question"] and line(view["moves"][0], question=view["question"])
            await answers(ann, play or line("look"))
        await asyncio.sleep(1)
        over = last(ann.objects, "over")
        lines = ("game 1", "games", "stats", "vs ann")
        return over, {text: await answers(ann, line(text)) for text in lines}

    over, read = told(scenario)
    for answer, *_ in read.values():
        assert_valid(answer, 2)
    result = read["game 1"][0]
    assert (1, over["game"], over["seed"]) == (
        result["result"]["number"], result["result"]["game"], result["seed"],
    )  # fmt: skip
    assert over["places"] == [seat["place"] for seat in result["result"]["seats"]]
    assert "computer" in [seat["kind"] for seat in result["result"]["seats"]]
    assert [result["result"]] == last(read["games"], "results")["results"]
    (numbers,) = read["stats"][0]["statistics"]
    assert ("elimination", 1) == (numbers["variant"], numbers["all"]["games"])


def test_who_asks_for_it_is_told_of_each_table_that_changes_and_of_no_play():
    async def scenario(server: SimServer) -> Any:
        eve = program(server, "Eve")
        await asyncio.sleep(0.1)
        await answers(eve, line("feed tables on"))
        ann, _ = await in_two_seats(server)
        opened = [each for each in eve.objects if each["type"] == "table_changed"]
        eve.forget()
        view = last(ann.objects, "view")
        if view["question"]:
            await answers(ann, line(view["moves"][0], question=view["question"]))
        played = list(eve.objects)
        await answers(ann, line("leave now"))
        await asyncio.sleep(0.5)
        left = list(eve.objects)
        await answers(eve, line("feed tables off"))
        eve.forget()
        await answers(ann, line("open elimination"))
        return opened, played, left, eve.objects

    opened, played, left, off = told(scenario)
    assert ["waiting", "playing"] == [opened[0]["table"]["phase"], opened[-1]["table"]["phase"]]
    for each in opened:
        assert_valid(each, 2)
    assert "table_changed" not in types(played)
    assert "computer" in [seat["kind"] for seat in last(left, "table_changed")["table"]["seats"]]
    assert "table_changed" not in types(off)


def test_what_is_known_of_a_game_is_data():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        return [(await answers(ann, line(f"static {game}")))[0] for game in sorted(CATALOGUE)]

    for made in told(scenario):
        assert_valid(made, 2)
        variant = CATALOGUE[made["name"]]
        assert list(variant.constants) == made["constants"] and made["data"] == (
            variant.data_fingerprint
        )
        assert [option.name for option in variant.options] == [it["name"] for it in made["options"]]
