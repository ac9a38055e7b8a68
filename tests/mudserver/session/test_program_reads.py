"""A program at the other end: what it reads follows from what its reader may know."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

from mudserver.messages import AnswerMessage, Page
from tests.live import live_table
from tests.mudserver.session.programs import after, last, told, types
from tests.simulation.server import Seatholder, SimServer
from tests.toys.duel.game import DUEL
from variants.kit.text import styled_line


async def table_of_three(server: SimServer, game: str) -> tuple[Seatholder, ...]:
    """Ann and Bob, programs, play; Wim, another, watches.  Cyd plays by hand."""
    ann, bob, wim = [server.person(name, is_program=True) for name in ("Ann", "Bob", "Wim")]
    cyd = server.person("Cyd")
    await asyncio.sleep(0.1)
    await after(ann, f"open {game}")
    for one, text in (
        *((bob, "sit 1"), (cyd, "sit 1"), (wim, "watch 1")),
        *((bob, "ready"), (cyd, "ready"), (ann, "start")),
    ):
        one.type(text)
        await asyncio.sleep(0.1)
    return ann, bob, cyd, wim


def test_who_is_asked_reads_what_to_type_and_nobody_else_does():
    async def scenario(server: SimServer) -> Any:
        ann, bob, cyd, wim = await table_of_three(server, "elimination")
        for _ in range(9):  # until a program is asked
            game = live_table(server.app.table_manager, 1).game
            if game.window.seats != (2,):
                break
            cyd.type(game.moves(2)[0])
            await asyncio.sleep(0.1)
        readers = {one.name: last(one.objects, "view") for one in (ann, bob, wim)}
        return readers, game.window, {n: list(game.moves(n)) for n in range(3)}, game.names

    readers, window, moves, names = told(scenario)
    for name, view in readers.items():
        seat = names.index(name) if name in names else None
        assert seat == view["seat"]
        assert list(window.seats) == view["asked"]
        assert (moves[seat] if seat in window.seats else []) == view["moves"], name
        assert not view["is_sample"]
        assert view["deadline"] > 1_800_000_000_000
        assert ("View", seat) == (view["view"]["kind"], view["view"]["seat"])
    assert any(view["moves"] for view in readers.values())


def test_moves_has_no_numbers_for_a_program_although_one_fact_stands_in_a_row():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination clocks=off", "bot 1", "start", wait_s=5)
        for _ in range(9):
            if last(ann.objects, "view")["moves"]:
                break
            await after(ann, "look", wait_s=5)
        return last(ann.objects, "view")["moves"], await after(ann, "moves", "1")

    moves, (page, refused) = told(scenario)
    assert [f"- {move}" for move in moves] == page["rows"][: len(moves)]
    assert "refused" == refused["type"]


def test_plays_are_worked_out_for_programs_that_are_asked_and_for_nobody_else(monkeypatch):
    counted: list[int | None] = []

    def listed(view: Any) -> Any:
        counted.append(view.seat)
        return DUEL.legal_actions(view)

    async def scenario(server: SimServer) -> Any:
        ann, bob, _, _ = await table_of_three(server, "duel")
        asked = {one.name: last(one.objects, "view")["moves"] for one in (ann, bob)}
        counted_at_first = list(counted)
        counted.clear()
        answered = await after(ann, asked["Ann"][0])
        return counted_at_first, list(counted), last(answered, "view")

    game = replace(DUEL, legal_actions=listed, may_act=lambda view: view.own_bid is None)
    at_first, then, ann = told(scenario, game)
    assert {0, 1} == set(at_first)  # Cyd, who plays by hand, is asked too
    assert (True, [], 2) == (ann["has_answered"], ann["moves"], ann["missing"])
    assert 0 not in then


def test_of_very_many_plays_some_of_every_kind_are_offered():
    def many(view: Any) -> Any:
        return DUEL.legal_actions(view) * 500

    def named(action: Any, view: Any, names: Any) -> str:
        named.count += 1
        return f"bid {named.count % 400}"

    named.count = 0

    async def scenario(server: SimServer) -> Any:
        ann, *_ = await table_of_three(server, "duel")
        return last(ann.objects, "view")

    view = told(scenario, replace(DUEL, legal_actions=many, phrase=named))
    assert (40, True) == (len(view["moves"]), view["is_sample"])


def test_a_play_is_read_by_everybody_as_everybody_may_know_it():
    async def scenario(server: SimServer) -> Any:
        ann, bob, cyd, wim = await table_of_three(server, "elimination")
        seats = {"Ann": ann, "Bob": bob, "Cyd": cyd}
        for _ in range(6):
            game = live_table(server.app.table_manager, 1).game
            name = game.names[game.window.seats[0]]
            drawn = "draw" in game.moves(game.window.seats[0])
            for one in (ann, bob, wim):
                one.forget()
            seats[name].type("draw" if drawn else game.moves(game.window.seats[0])[0])
            await asyncio.sleep(0.1)
            if drawn and name != "Cyd":
                return name, {one.name: one.objects for one in (ann, bob, wim)}
        raise AssertionError("nobody drew")

    name, read = told(scenario)
    for reader, objects in read.items():
        event = next(one for one in objects if one.get("event", {}).get("kind") == "CardDrawn")
        assert (event["event"]["card"] is not None) is (reader == name)
        assert event["text"].startswith("You draw" if reader == name else f"{name} draws")
        assert "view" == objects[-1]["type"]


def test_a_game_ends_with_places_and_scores():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination pace=instant", "bot 1", "start")
        for _ in range(600):
            moves = last(ann.objects, "view")["moves"]
            await after(ann, moves[0] if moves else "look")
            if "over" in types(ann.objects):
                return ann.objects
        raise AssertionError("no end")

    objects = told(scenario)
    over = last(objects, "over")
    assert re.match(rf"Game over: \w+ wins; {over['reason']}\. ", over["text"])
    assert [1, 2] == sorted(over["places"])
    assert [None, None] == over["scores"]
    view = last(objects, "view")
    assert ("over", [], "") == (view["why"], view["moves"], view["asks"])
    assert types(objects).index("view") < types(objects).index("over")


def test_a_new_password_is_asked_for_in_prompts_and_cleaned_of_nothing():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        asked = await after(ann, "password", "a \u2066 bc defg", "a \u2066 bc defg")
        return asked, await server.app.account_service.check_password("Ann", "a \u2066 bc defg")

    asked, is_right = told(scenario)
    assert [
        {"type": "prompt", "text": "Choose a password: ", "is_secret": True},
        {"type": "prompt", "text": "Again: ", "is_secret": True},
    ] == asked[:2]
    assert ("notice", True) == (asked[2]["type"], is_right)


def test_a_page_of_many_rows_comes_in_parts():
    rows = tuple(f"{n} {'ä' * 500}" for n in range(100))

    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for page in (Page("Long", rows), Page("Bare", ())):
            server.app.outbox.send(ann.link.handler.person.id, page)
        await asyncio.sleep(0.1)
        return ann.link.heard, ann.objects

    heard, (*long, bare) = told(scenario)
    assert rows == tuple(row for page in long for row in page["rows"])
    assert [False] * (len(long) - 1) + [True] == [page["is_last"] for page in long]
    assert len(long) > 4
    assert max(map(len, heard.split(b"\n"))) < 18_000
    assert {"type": "page", "title": "Bare", "rows": [], "is_last": True} == bare


def test_an_answer_is_rows_of_words():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        answer = AnswerMessage((styled_line(("Top: ", "strong"), "7"), ()))
        server.app.outbox.send(ann.link.handler.person.id, answer)
        await asyncio.sleep(0.1)
        return ann.objects

    assert [{"type": "answer", "rows": ["Top: 7", ""]}] == told(scenario)


def test_what_is_said_at_a_table_says_so():
    async def scenario(server: SimServer) -> Any:
        ann, bob = server.person("Ann", is_program=True), server.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        await after(bob, "open elimination")
        await after(ann, "sit 1")
        return await after(bob, "'here")

    assert {"type": "said", "who": "Bob", "text": "here", "table": 1} == told(scenario)[-1]


def test_a_private_word_is_told_to_one_and_shown_to_who_told_it():
    async def scenario(server: SimServer) -> Any:
        ann, bob = server.person("Ann", is_program=True), server.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        mine = await after(bob, "me waves", "tell ann psst")
        return mine, ann.objects

    mine, ann = told(scenario)
    assert {"type": "emoted", "who": "Bob", "text": "waves", "table": None} == ann[0]
    assert {"type": "told", "who": "Bob", "text": "psst", "to": None} == ann[1]
    assert {"type": "told", "who": "Bob", "text": "psst", "to": "Ann"} == mine[1]
