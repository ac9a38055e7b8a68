"""What a program of protocol 2 writes, and how each of its lines is answered."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from mudserver.session.program_lines import UNREADABLE_MAX
from tests.mudserver.session.programs import last, told, types
from tests.simulation.server import Seatholder, SimServer

READY = ("open elimination pace=instant clocks=off seats=2", "bot 1", "start")


def program(server: SimServer, name: str = "Ann") -> Seatholder:
    return server.person(name, is_program=True, json_protocol=2)


def write(program: Seatholder, *objects: dict[str, Any]) -> None:
    program.write(b"".join([json.dumps(each).encode() + b"\n" for each in objects]))


async def answers(program: Seatholder, *objects: dict[str, Any]) -> list[dict[str, Any]]:
    """What the program reads after it has written *objects*, all at once."""
    program.forget()
    write(program, *objects)
    await asyncio.sleep(0.5)
    return program.objects


def line(text: str, id: str = "a", **more: str) -> dict[str, Any]:
    return {"line": text, "id": id, **more}


async def in_a_game(server: SimServer) -> Seatholder:
    ann = program(server)
    await asyncio.sleep(0.1)
    await answers(ann, *[{"line": text} for text in READY])
    return ann


async def asked(ann: Seatholder) -> dict[str, Any]:
    """The newest view, in which it is Ann's turn."""
    for _ in range(40):
        views = [each for each in ann.objects if each["type"] == "view"]
        if views and views[-1]["question"]:
            return views[-1]
        write(ann, {"line": "look"})
        await asyncio.sleep(0.1)
    raise AssertionError("never asked")


# -- done ------------------------------------------------------------------------------------------


def test_a_play_that_cannot_be_saved_is_not_done():
    """Whether it counts all the same is seen when the table continues."""

    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        play = (await asked(ann))["moves"][0]
        server.journal.fail_always()
        return [await answers(ann, line(play)), await answers(ann, line(play, "b"))]

    for id, objects in zip("ab", told(scenario), strict=True):
        assert {"type": "done", "id": id, "ok": False, "code": "stopped"} == objects[-1]


def test_a_line_with_an_id_is_done_after_all_that_answers_it():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        return [
            await answers(ann, line("who")),
            await answers(ann, line("open elimination")),
            await answers(ann, line("bot 1", "b")),
            await answers(ann, {"line": "who"}),
        ]

    who, opened, bot, plain = told(scenario)
    assert {"type": "done", "id": "a", "ok": True, "code": None} == who[-1] == opened[-1]
    assert "a" == who[0]["id"]
    assert "place" in types(opened) and "announced" in types(bot)
    assert {"type": "done", "id": "b", "ok": True, "code": None} == bot[-1]
    assert "done" not in types(plain)


def test_lines_written_at_once_are_answered_in_order_at_the_rate_and_none_is_refused():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        ann.forget()
        write(ann, *[line("who" if at % 2 else "nonsense", str(at)) for at in range(200)])
        await asyncio.sleep(10)
        early = len(ann.objects)
        was_held = ann.link.is_held
        await asyncio.sleep(10)
        return ann.objects, early, was_held, ann.link.is_held

    objects, early, was_held, is_held = told(scenario)
    done = [each for each in objects if each["type"] == "done"]
    assert list(map(str, range(200))) == [each["id"] for each in done]
    assert {"unknown_command", None} == {each["code"] for each in done}
    assert "limit" not in {each.get("code") for each in objects}
    assert was_held and not is_held and early < 0.8 * len(objects)


def test_what_a_question_has_taken_is_never_tried_again_as_a_line():
    secret = "'hunter2 correct horse"  # as a line, talk

    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server), program(server, "Bob")
        await asyncio.sleep(0.5)
        await answers(bob, line("open elimination seats=3"))
        await answers(ann, line("sit 1"))
        for number in range(60):  # until no change is left
            tried = await answers(ann, line(("friend bob", "unfriend bob")[number % 2]))
            if not tried[-1]["ok"]:
                break
        bob.forget()
        await answers(ann, line("password"), line(secret), line(secret))
        await asyncio.sleep(20)
        return tried, ann.objects, bob.objects

    tried, asked, heard = told(scenario)
    assert "limit" == tried[0]["code"] == tried[-1]["code"] and tried[0]["about"]["seconds"]
    assert 3 == types(asked).count("done") and "refused" in types(asked)
    assert "hunter2" not in json.dumps([asked, heard])


def test_a_refusal_names_its_line_and_why():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        return await answers(ann, line("sit 77", "x"), line("draw", "y"))

    refused, done, *_ = told(scenario)
    assert ("refused", "x", "not_found") == (refused["type"], refused["id"], refused["code"])
    assert {"type": "done", "id": "x", "ok": False, "code": "not_found"} == done


def test_what_cannot_be_read_is_refused_and_too_much_of_it_ends_the_session():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.write(b'{"line": 1}\n{"line": "who", "id": "' + b"i" * 65 + b'"}\n[]\nno\n')
        ann.write(b'{"line": "who", "id": "c", "more": 1}\n')
        await asyncio.sleep(0.5)
        read = ann.objects
        for _ in range(10):
            ann.write(b"no\n" * 40)
            await asyncio.sleep(4.5)
        return read, ann.objects

    read, whole = told(scenario)
    assert [("refused", "unreadable", None)] * 5 == [
        (each["type"], each["code"], each["id"]) for each in read
    ]
    assert "bye" == whole[-1]["type"] and len(whole) <= UNREADABLE_MAX * 2


def test_a_ping_is_answered():
    async def scenario(server: SimServer) -> Any:
        ann = program(server)
        await asyncio.sleep(0.1)
        return await answers(ann, {"ping": "7"}), server.clock.now_ms()

    (pong,), now_ms = told(scenario)
    assert ("pong", "7") == (pong["type"], pong["ping"]) and abs(now_ms - pong["now"]) < 1_000


def test_a_program_of_protocol_1_writes_no_ids():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        return await answers(ann, line("who"), {"ping": "7"})

    assert [["text", "type"]] * 2 == [sorted(each) for each in told(scenario)]


# -- questions -------------------------------------------------------------------------------------


def test_a_play_that_is_sent_twice_is_played_once():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        view = await asked(ann)
        play = view["moves"][0]
        question = view["question"]
        return question, await answers(
            ann, line(play, "1", question=question), line(play, "2", question=question)
        )

    question, read = told(scenario)
    first, second = [each for each in read if each["type"] == "done"]
    assert (True, False, "stale") == (first["ok"], second["ok"], second["code"])
    assert question not in [each.get("question") for each in read]
    assert "1.1." == question[:4]


def test_a_line_with_a_question_is_a_play_and_nothing_else():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        view = await asked(ann)
        return [
            await answers(ann, line(text, question=view["question"]))
            for text in ("leave now", "/leave now", "quit", "say hello")
        ], await answers(ann, line("look", question="1.1.99.0"))

    tried, stale = told(scenario)
    for read in tried:
        assert ["refused", "done"] == types(read) and "not_understood" == read[0]["code"], read
    assert "stale" == stale[0]["code"]


def test_a_play_out_of_turn_and_a_forbidden_one_have_codes_of_their_own():
    async def scenario(server: SimServer) -> Any:
        ann, bob = await in_two_seats(server)
        views = [last(each.objects, "view") for each in (ann, bob)]
        at_turn, other = (ann, bob) if views[0]["question"] else (bob, ann)
        name = "bob" if at_turn is ann else "ann"
        return [
            await answers(other, line("draw")),
            await answers(at_turn, line(f"give 2c {name}")),
            await answers(at_turn, line("flibber")),
        ], views

    (waits, forbidden, strange), views = told(scenario)
    assert "not_your_turn" == waits[-1]["code"]
    assert forbidden[-1]["code"] in ("illegal", "not_understood")
    assert strange[-1]["code"] in ("unknown_command", "not_understood")
    assert 1 == sum(view["question"] is not None for view in views)


async def in_two_seats(server: SimServer) -> tuple[Seatholder, Seatholder]:
    ann, bob = program(server), program(server, "Bob")
    await asyncio.sleep(0.1)
    await answers(ann, line("open elimination seats=2"))
    await answers(bob, line("sit 1"), line("ready"))
    ann.forget()
    bob.forget()
    write(ann, line("ready"))
    await asyncio.sleep(0.5)
    return ann, bob


def test_questions_and_numbers_go_on_after_the_server_died():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        before = await asked(ann)
        await server.die()
        after_it = await SimServer(server.world).open()
        ann = program(after_it)
        await asyncio.sleep(0.5)
        again = ann.objects
        view = last(again, "view")
        stale = await answers(ann, line("look", question="1.1.1.7"))
        played = await answers(ann, line(view["moves"][0], question=view["question"]))
        return before, again, stale, played

    before, again, stale, played = told(scenario)
    view = last(again, "view")
    assert (before["question"], before["number"], before["game"]) == (
        view["question"], view["number"], view["game"],
    )  # fmt: skip
    assert view["game"] == last(again, "game")["game"] and "stale" == stale[0]["code"]
    assert last(played, "done")["ok"]
    numbers = [each["number"] for each in played if each["type"] == "event"]
    assert list(range(before["number"] + 1, before["number"] + 1 + len(numbers))) == numbers


# -- events ----------------------------------------------------------------------------------------


def test_events_are_numbered_and_history_tells_those_behind_a_number():
    async def scenario(server: SimServer) -> Any:
        ann = await in_a_game(server)
        view = await asked(ann)
        await answers(ann, line(view["moves"][0], question=view["question"]))
        return (
            await answers(ann, line("history")),
            await answers(ann, line("history since 2")),
            await answers(ann, line("history since 999")),
            await answers(ann, line("history since x")),
        )

    whole, rest, nothing, wrong = told(scenario)
    *events, end, done = whole
    assert list(range(1, len(events) + 1)) == [each["number"] for each in events]
    assert {True} == {each["is_past"] for each in events} and {"1.1"} == {
        each["game"] for each in events
    }
    times = [each["at"] for each in events]
    assert times == sorted(times)
    assert end == {
        "type": "history_end", "game": "1.1", "first": 1, "last": len(events), "id": "a",
    }  # fmt: skip
    assert done["ok"]
    assert events[2:] == rest[:-2] and 3 == rest[-2]["first"]
    assert ["history_end", "done"] == types(nothing) and 0 == nothing[0]["first"]
    assert "not_understood" == wrong[0]["code"]
