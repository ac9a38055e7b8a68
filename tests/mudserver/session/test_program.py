"""A program at the other end: what it writes is bounded and refused in sentences, what it reads
follows from what its reader may know."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from mudserver import config
from mudserver.messages import Answered, Notice, Page, Said
from mudserver.session import reception
from tests.simulation import virtual
from tests.simulation.house import Seatholder, SimHouse, new_world
from tests.toy_variant import DUEL
from variants.kit.text import line

EXAMPLE = '{"line": "who"}'
NO_JSON = f"That is no JSON. Write one object a line: {EXAMPLE}"
NO_LINE = f'An object holds "line" with a text, and nothing else: {EXAMPLE}'
TOO_LONG = "That object is too long: 6,400 bytes are the most."


def told(story: Callable[[SimHouse], Awaitable[Any]], game: Any = None, **sections: object) -> Any:
    async def whole() -> Any:
        world = new_world(1, **sections)
        if game is not None:
            world.catalogue = {game.name: game}
        return await story(await SimHouse(world).open())

    return virtual.run(whole())


async def after(program: Seatholder, *lines: str, wait_s: float = 0.1) -> list[dict[str, Any]]:
    """What a program reads after it has written *lines*."""
    program.forget()
    for text in lines:
        program.type(text)
        await asyncio.sleep(wait_s)
    return program.objects


def types(objects: list[dict[str, Any]]) -> list[str]:
    return [one["type"] for one in objects]


def last(objects: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return [one for one in objects if one["type"] == kind][-1]


# -- coming in -------------------------------------------------------------------------------------


def test_the_first_object_says_who_one_is_then_where():
    async def story(house: SimHouse) -> Any:
        ann, guest = house.person("Ann", is_program=True), house.guest(is_program=True)
        await asyncio.sleep(0.1)
        return ann.objects, guest.objects

    ann, guest = told(story)
    assert ["hello", "notice", "notice", "place"] == types(ann)[:4]
    assert ann[0] == {
        "type": "hello",
        "protocol": 1,
        "house": "Lockdown",
        "name": "Ann",
        "is_guest": False,
        "games": ["elimination", "stockpile", "words"],
        "now": pytest.approx(1_800_000_000_000, abs=10),
    }
    assert "The name Ann now belongs to your key" in ann[1]["text"]
    assert {"type": "place", "table": None, "variant": None, "seat": None,
            "is_playing": False} == ann[3]  # fmt: skip
    assert (True, "guest1") == (guest[0]["is_guest"], guest[0]["name"])


def test_the_newest_takes_over_whether_a_person_or_a_program():
    async def story(house: SimHouse) -> Any:
        program = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        person = house.person("Ann")
        await asyncio.sleep(0.1)
        newer = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        return program, person, newer

    program, person, newer = told(story)
    sentence = "You came in from somewhere else; this line ends. Your seat goes with you."
    assert {"type": "bye", "text": sentence} == program.objects[-1]
    assert "this line ends." in person.text
    assert [False, False, True] == [one.link.is_open for one in (program, person, newer)]


def test_who_finds_no_room_reads_why():
    async def story(house: SimHouse) -> Any:
        house.person("Bob")
        await asyncio.sleep(0.1)
        return house.guest(is_program=True)

    guest = told(story, people=config.People(sessions_max=1))
    assert ["bye"] == types(guest.objects)
    assert "The house is full" in guest.objects[0]["text"]
    assert not guest.link.is_open


def test_a_guest_who_takes_an_old_seat_back_is_greeted_by_its_name():
    async def story(house: SimHouse) -> Any:
        first = house.guest(is_program=True)
        await asyncio.sleep(0.1)
        opened = await after(first, "open elimination", "bot 1", "start")
        code = (
            last(opened, "notice")["text"]
            if False
            else next(
                one["text"].rsplit(" ", 1)[1] for one in opened if "resume" in one.get("text", "")
            )
        )
        first.link.drop()
        await asyncio.sleep(0.1)
        second = house.guest(is_program=True)
        await asyncio.sleep(0.1)
        return await after(second, f"resume {code}")

    objects = told(story)
    hello = last(objects, "hello")
    assert "guest1" == hello["name"]
    assert "back" == last(objects, "view")["why"]


# -- what is written -------------------------------------------------------------------------------


@pytest.mark.parametrize(("written", "sentence"), [
    (b"who", NO_JSON),
    (b"\xff\xfe", NO_JSON),
    (b'{"line": "\xff"}', NO_JSON),
    (b'{"line": "\\ud800"}', NO_JSON),
    (b'{"line": "who"', NO_JSON),
    (b'{"line": "who"} {"line": "who"}', NO_JSON),
    (b'{"line": NaN}', NO_JSON),
    (b"{}", NO_LINE),
    (b'"who"', NO_LINE),
    (b"[" * 5_000, NO_LINE),
    (b'{"line": 1}', NO_LINE),
    (b'{"line": null}', NO_LINE),
    (b'{"line": ' + b"[" * 5_000, NO_LINE),
    (b'{"line": ' + b'{"line":' * 600, NO_LINE),
    (b'{"line": "who", "id": 1}', NO_LINE),
    (b'{"Line": "who"}', NO_LINE),
    (b'{"x": ' + b"[" * 5_000, NO_LINE),
    (b'{"line": "' + b"a" * 7_000 + b'"}', TOO_LONG),
    (b"[" * 300_000, TOO_LONG),
    (b'{"line": "' + b"a" * 513 + b'"}', "That line is too long: 512 characters are the most."),
    (b'{"line": "say a\\nsay b"}', "A line holds no line break. Write one object for each line."),
    (b'{"line": "xyzzy"}', '"xyzzy" is no command here. help lists what you can do; to talk, begin '
                           "with say."),
])  # fmt: skip
def test_what_cannot_be_read_is_refused_and_the_next_line_is_read(written, sentence):
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.write(written + b"\n")
        ann.type("about")
        await asyncio.sleep(0.1)
        return ann.objects

    refused, page = told(story)
    assert {"type": "refused", "text": sentence} == refused
    assert ("page", "Lockdown") == (page["type"], page["title"])


def test_an_object_may_come_in_any_pieces_and_with_any_line_end():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        data = b'{"line":"say one"}\r\n\r\n  \n{"line":"say two"}\r'
        data += b'{ "line" : "say \\u00fc\\u2665" }\n'
        for at in range(len(data)):
            ann.write(data[at : at + 1])
        await asyncio.sleep(0.1)
        return ann.objects

    assert ["one", "two", "ü♥"] == [one["text"] for one in told(story)]


def test_the_longest_line_that_people_may_type_can_be_written_in_escapes():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.write(b'{"line": "' + b"\\ud83c\\udccf" * 512 + b'"}\n')
        await asyncio.sleep(0.1)
        return ann.objects

    (refused,) = told(story)
    assert "is no command here" in refused["text"]


def test_ten_megabytes_without_an_end_take_no_room():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for _ in range(10 * 1024):
            ann.write(b"[" * 1024)
        held = len(ann.link.visitor._begun)
        ann.write(b"\n")
        await asyncio.sleep(0.1)
        return held, ann.objects

    held, objects = told(story)
    assert held <= 6_401
    assert [{"type": "refused", "text": TOO_LONG}] == objects


def test_who_writes_too_fast_is_told_so_once_a_second_and_at_last_sent_away():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for _ in range(40):
            ann.write(b'{"line": "about"}\n')
        await asyncio.sleep(0.1)
        first = ann.objects
        ann.forget()
        for _ in range(40):
            ann.write(b"rubbish counts as well\n")
        await asyncio.sleep(0.1)
        return first, ann.objects, ann.link.is_open

    first, then, is_open = told(story, line=config.Line(lines_refused_max=50))
    assert ["page"] * 20 == types(first)[:20]
    slow = {"type": "refused", "text": "Slow down a little: that line was not read."}
    assert [slow] == first[20:]
    assert "Those were too many lines." in then[-1]["text"]
    assert ("bye", False) == (then[-1]["type"], is_open)


def test_nothing_that_reaches_others_can_move_a_cursor():
    async def story(house: SimHouse) -> Any:
        ann, bob = house.person("Ann", is_program=True), house.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        bob.forget()
        ann.type("say a\x1b[2Jb\u202ec\u0007")
        await asyncio.sleep(0.1)
        return bob.objects

    (said,) = told(story)
    assert {"type": "said", "who": "Ann", "text": "a[2Jbc", "table": None} == said


# -- what is read ----------------------------------------------------------------------------------


async def table_of_three(house: SimHouse, game: str) -> tuple[Seatholder, ...]:
    """Ann and Bob, programs, play; Wim, another, watches.  Cyd plays by hand."""
    ann, bob, wim = [house.person(name, is_program=True) for name in ("Ann", "Bob", "Wim")]
    cyd = house.person("Cyd")
    await asyncio.sleep(0.1)
    await after(ann, f"open {game}")
    for one, text in ((bob, "sit 1"), (cyd, "sit 1"), (wim, "watch 1"), (ann, "start")):
        one.type(text)
        await asyncio.sleep(0.1)
    return ann, bob, cyd, wim


def test_who_is_asked_reads_what_to_type_and_nobody_else_does():
    async def story(house: SimHouse) -> Any:
        ann, bob, cyd, wim = await table_of_three(house, "elimination")
        for _ in range(9):  # until a program is asked
            game = house.app.hall.find(1).game
            if game.window.seats != (2,):
                break
            cyd.type(game.moves(2)[0])
            await asyncio.sleep(0.1)
        readers = {one.name: last(one.objects, "view") for one in (ann, bob, wim)}
        return readers, game.window, {n: list(game.moves(n)) for n in range(3)}, game.names

    readers, window, moves, names = told(story)
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
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination clocks=off", "bot 1", "start", wait_s=5)
        for _ in range(9):
            if last(ann.objects, "view")["moves"]:
                break
            await after(ann, "look", wait_s=5)
        return last(ann.objects, "view")["moves"], await after(ann, "moves", "1")

    moves, (page, refused) = told(story)
    assert [f"- {move}" for move in moves] == page["rows"][: len(moves)]
    assert "refused" == refused["type"]


def test_plays_are_worked_out_for_programs_that_are_asked_and_for_nobody_else(monkeypatch):
    counted: list[int | None] = []

    def listed(view: Any) -> Any:
        counted.append(view.seat)
        return DUEL.legal_actions(view)

    async def story(house: SimHouse) -> Any:
        ann, bob, _, _ = await table_of_three(house, "duel")
        asked = {one.name: last(one.objects, "view")["moves"] for one in (ann, bob)}
        counted_at_first = list(counted)
        counted.clear()
        answered = await after(ann, asked["Ann"][0])
        return counted_at_first, list(counted), last(answered, "view")

    game = replace(DUEL, legal_actions=listed, may_act=lambda view: view.own_bid is None)
    at_first, then, ann = told(story, game)
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

    async def story(house: SimHouse) -> Any:
        ann, *_ = await table_of_three(house, "duel")
        return last(ann.objects, "view")

    view = told(story, replace(DUEL, legal_actions=many, phrase=named))
    assert (40, True) == (len(view["moves"]), view["is_sample"])


def test_a_play_is_read_by_everybody_as_everybody_may_know_it():
    async def story(house: SimHouse) -> Any:
        ann, bob, cyd, wim = await table_of_three(house, "elimination")
        seats = {"Ann": ann, "Bob": bob, "Cyd": cyd}
        for _ in range(6):
            game = house.app.hall.find(1).game
            name = game.names[game.window.seats[0]]
            drawn = "draw" in game.moves(game.window.seats[0])
            for one in (ann, bob, wim):
                one.forget()
            seats[name].type("draw" if drawn else game.moves(game.window.seats[0])[0])
            await asyncio.sleep(0.1)
            if drawn and name != "Cyd":
                return name, {one.name: one.objects for one in (ann, bob, wim)}
        raise AssertionError("nobody drew")

    name, read = told(story)
    for reader, objects in read.items():
        event = next(one for one in objects if one.get("event", {}).get("kind") == "CardDrawn")
        assert (event["event"]["card"] is not None) is (reader == name)
        assert event["text"].startswith("You draw" if reader == name else f"{name} draws")
        assert "view" == objects[-1]["type"]


def test_a_game_ends_with_places_and_scores():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination pace=instant", "bot 1", "start")
        for _ in range(600):
            moves = last(ann.objects, "view")["moves"]
            await after(ann, moves[0] if moves else "look")
            if "over" in types(ann.objects):
                return ann.objects
        raise AssertionError("no end")

    objects = told(story)
    over = last(objects, "over")
    assert over["text"].startswith(f"Game over: {over['reason']}.")
    assert [1, 2] == sorted(over["places"])
    assert [None, None] == over["scores"]
    view = last(objects, "view")
    assert ("over", [], "") == (view["why"], view["moves"], view["asks"])
    assert types(objects).index("view") < types(objects).index("over")


def test_a_new_password_is_asked_for_in_prompts_and_cleaned_of_nothing():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        asked = await after(ann, "password", "a \u2066 bc defg", "a \u2066 bc defg")
        return asked, await house.app.registrar.check_password("Ann", "a \u2066 bc defg")

    asked, is_right = told(story)
    assert [
        {"type": "prompt", "text": "Choose a password: ", "is_secret": True},
        {"type": "prompt", "text": "Again: ", "is_secret": True},
    ] == asked[:2]
    assert ("notice", True) == (asked[2]["type"], is_right)


def test_a_page_of_many_rows_comes_in_parts():
    rows = tuple(f"{n} {'ä' * 500}" for n in range(100))

    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        for page in (Page("Long", rows), Page("Bare", ())):
            house.app.post.send(ann.link.visitor.person.id, page)
        await asyncio.sleep(0.1)
        return ann.link.heard, ann.objects

    heard, (*long, bare) = told(story)
    assert rows == tuple(row for page in long for row in page["rows"])
    assert [False] * (len(long) - 1) + [True] == [page["is_last"] for page in long]
    assert len(long) > 4
    assert max(map(len, heard.split(b"\n"))) < 18_000
    assert {"type": "page", "title": "Bare", "rows": [], "is_last": True} == bare


def test_an_answer_is_rows_of_words():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        answer = Answered((line(("Top: ", "strong"), "7"), ()))
        house.app.post.send(ann.link.visitor.person.id, answer)
        await asyncio.sleep(0.1)
        return ann.objects

    assert [{"type": "answer", "rows": ["Top: 7", ""]}] == told(story)


def test_what_is_said_at_a_table_says_so():
    async def story(house: SimHouse) -> Any:
        ann, bob = house.person("Ann", is_program=True), house.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        await after(bob, "open elimination")
        await after(ann, "sit 1")
        return await after(bob, "'here")

    assert {"type": "said", "who": "Bob", "text": "here", "table": 1} == told(story)[-1]


def test_a_private_word_is_told_to_one_and_shown_to_who_told_it():
    async def story(house: SimHouse) -> Any:
        ann, bob = house.person("Ann", is_program=True), house.person("Bob", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        mine = await after(bob, "me waves", "tell ann psst")
        return mine, ann.objects

    mine, ann = told(story)
    assert {"type": "emoted", "who": "Bob", "text": "waves", "table": None} == ann[0]
    assert {"type": "told", "who": "Bob", "text": "psst", "to": None} == ann[1]
    assert {"type": "told", "who": "Bob", "text": "psst", "to": "Ann"} == mine[1]


# -- slow readers, bugs, idleness ------------------------------------------------------------------


async def lag(house: SimHouse) -> Seatholder:
    """A program that has stopped reading, with as much before it as makes it lag."""
    ann = house.person("Ann", is_program=True)
    await asyncio.sleep(0.1)
    ann.forget()
    ann.link.is_stalled = True
    ann.link.send(b" " * 65_537)
    return ann


def test_who_lags_loses_talk_is_told_how_much_and_gets_all_the_rest():
    async def story(house: SimHouse) -> Any:
        ann = await lag(house)
        person = ann.link.visitor.person.id
        for n in range(50):
            house.app.post.send(person, Said("Bob", f"{n}"))
            house.app.post.send(person, Notice(f"note {n}"))
            await asyncio.sleep(0.02)
        queued = ann.link.queued
        ann.link.read_on()
        await asyncio.sleep(0.5)
        ann.type("about")
        await asyncio.sleep(0.5)
        return queued, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    queued, objects = told(story)
    assert 65_537 == queued  # nothing was added
    lost = [one["count"] for one in objects if one["type"] == "lost"]
    assert [f"note {n}" for n in range(50)] == [o["text"] for o in objects if o["type"] == "notice"]
    assert 50 == sum(lost) + types(objects).count("said")
    assert sum(lost) >= 20
    assert "page" == objects[-1]["type"]


def test_who_lags_reads_of_many_views_the_newest():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        await after(ann, "open elimination pace=instant", "bot 1", "bot 1", "start", wait_s=0.3)
        moves = last(ann.objects, "view")["moves"]
        ann.forget()
        ann.link.is_stalled = True
        ann.link.send(b" " * 65_537)
        ann.type(moves[0])
        ann.type("history")
        await asyncio.sleep(20)
        before = house.app.hall.find(1).game
        plays = len(before.plays)
        ann.link.read_on()
        await asyncio.sleep(0.5)
        return plays, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    plays, objects = told(story)
    views = [one for one in objects if one["type"] == "view"]
    assert plays > 2
    assert "event" in types(objects)
    assert len(views) < plays
    assert "view" in types(objects)[-2:]


def test_a_program_that_never_reads_holds_no_more_than_its_box():
    async def story(house: SimHouse) -> Any:
        ann = await lag(house)
        person = ann.link.visitor.person.id
        for n in range(20_000):
            house.app.post.send(person, Notice(f"note {n}"))
            if n % 500 == 0:
                await asyncio.sleep(0.1)
        visit = ann.link.visitor
        held = len(visit._queue) + len(visit.box._mail)
        ann.link.read_on()
        await asyncio.sleep(5)
        return held, [json.loads(row) for row in ann.link.heard.strip().splitlines()]

    held, objects = told(story)
    assert held <= 2 * 2_048
    notes = [one["text"] for one in objects if one["type"] == "notice"]
    assert 20_000 == len(notes) + sum(o["count"] for o in objects if o["type"] == "lost")
    assert "note 19999" == notes[-1]


def test_one_packing_serves_all_programs(monkeypatch):
    packed: list[Any] = []
    honest = reception.objects.objects_of

    def counted(message: Any, *means: Any) -> Any:
        packed.append(message)
        return honest(message, *means)

    async def story(house: SimHouse) -> Any:
        everybody = [house.person(f"Ann{c}", is_program=True) for c in "abcdef"]
        await asyncio.sleep(0.1)
        packed.clear()
        everybody[0].type("say hello")
        await asyncio.sleep(0.1)
        return [last(one.objects, "said")["text"] for one in everybody]

    monkeypatch.setattr(reception.objects, "objects_of", counted)
    assert ["hello"] * 6 == told(story)
    assert 1 == len(packed)


def test_a_message_that_cannot_be_packed_costs_itself_only(caplog):
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        ann.forget()
        person = ann.link.visitor.person.id
        for text in ("one", object(), "two"):
            house.app.post.send(person, Notice(text))  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        return ann.objects

    objects = told(story)
    assert {"one", "two"} <= {one["text"] for one in objects}
    assert any("Something went wrong on our side" in one["text"] for one in objects)
    assert "mail failed visit=" in caplog.text


def test_idle_programs_are_warned_then_ended():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(75)
        warned = ann.objects[-1]
        await asyncio.sleep(160)
        return warned, ann.objects[-1], ann.link.is_open

    warned, gone, is_open = told(story, line=config.Line(idle_s=180))
    assert ("notice", True) == (warned["type"], warned["text"].startswith("Still there?"))
    assert ("bye", False) == (gone["type"], is_open)


def test_the_house_closes_with_a_last_word():
    async def story(house: SimHouse) -> Any:
        ann = house.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        house.app.reception.close("The house closes for a moment.")
        late = house.guest(is_program=True)
        return ann.objects[-1], late.objects[-1]

    bye = {"type": "bye", "text": "The house closes for a moment."}
    assert (bye, bye) == told(story)
