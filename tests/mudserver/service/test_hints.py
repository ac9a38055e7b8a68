"""`hint`: a good move and why, for who asks alone."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from mudserver.service.hints import AT_ONCE_MAX, PER_GAME_MAX
from tests.inline_bots import InlineBots
from tests.mudserver.commands.test_invitations import told
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from variants.catalogue import CATALOGUE

TOGETHER = (
    "Ann> open elimination{}", "Bob> sit 1", "Ann> ready", "Bob> ready", "1 s",
    "Ann> hint", "Bob> hint", "4 s",
)  # fmt: skip


def advised(text: str) -> list[tuple[str, str]]:
    """(move, reason) of each hint."""
    return re.findall(r"Try: (.+)\s+Reason: (.+)", text)


async def own_turn(server: SimServer, person: Seatholder) -> None:
    for _ in range(200):
        if server.app.service.legal_moves(person.link.handler.person):
            return
        await asyncio.sleep(0.5)
    raise AssertionError("no turn of this person has come")


def practised(game: str, *, bots: object | None = None) -> tuple[SimServer, Seatholder]:
    """A game with computer players alone, where it is the turn of Ann, who has asked for a hint."""

    async def play() -> tuple[SimServer, Seatholder]:
        server = await SimServer(new_world(1), bots=bots).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        ann.type(f"practice {game}")
        await asyncio.sleep(0.5)
        await own_turn(server, ann)
        ann.type("hint")
        await asyncio.sleep(3)
        return server, ann

    return virtual.run(play())


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_hint_is_a_move_that_can_be_made_with_a_reason(game):
    server, ann = practised(game)
    assert "When you don't know what to play, type hint" in ann.text
    [(move, reason)] = advised(ann.text)
    reading = server.app.service.reads(ann.link.handler.person, move)
    assert reading is not None and "legal" == reading.kind
    assert reason.endswith(".") and "{" not in reason


def test_who_asks_twice_about_one_decision_gets_one_answer():
    async def play() -> str:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        ann.type("practice elimination")
        await own_turn(server, ann)
        for _ in range(3):
            ann.type("hint")
            await asyncio.sleep(4)
        return ann.text

    hints = advised(virtual.run(play()))
    assert 3 == len(hints) and 1 == len(set(hints))


def test_hints_are_for_who_plays_alone_unless_the_table_says_otherwise():
    off, on = "Hints are off at this table.", "Try: "
    read = told(*[line.format("") for line in TOGETHER])
    assert off in read["Ann"] and off in read["Bob"] and on not in read["Ann"]
    read = told(*[line.format(" hints=on") for line in TOGETHER])
    asked = read["Ann"] if on in read["Ann"] else read["Bob"]
    other = read["Bob"] if asked is read["Ann"] else read["Ann"]
    assert on in asked and on not in other and "'s turn. Meanwhile: " in other
    assert off in told("Ann> practice words hints=off", "1 s", "Ann> hint")["Ann"]
    left = told(*[line.format("") for line in TOGETHER], "Bob> leave", "Bob> leave", "Ann> hint")
    assert 2 == left["Ann"].count(off) and on not in left["Ann"]


def test_an_option_is_known_under_its_old_name_with_its_own_values():
    assert "wordlist=35" in told("Ann> open words hints=35", "Ann> options")["Ann"]
    read = told("Ann> open words hints=off", "Ann> options")["Ann"]
    assert "wordlist=50" in read and "hints=off" in read


def test_nobody_else_hears_of_it_and_nothing_is_stored():
    async def play(line: str) -> tuple[str, int]:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(0.5)
        for who, text in ((ann, "practice elimination"), (bob, "watch 1")):
            who.type(text)
            await asyncio.sleep(1)
        await own_turn(server, ann)
        bob.forget()
        table = server.app.table_manager._runners[1].table
        ann.type(line)
        await asyncio.sleep(4)
        return bob.text, table.sequence

    assert virtual.run(play("hint")) == virtual.run(play("look"))


def test_who_does_not_play_gets_none():
    assert "No game is running here." in told("Ann> hint")["Ann"]
    watching = told("Ann> practice words who=anyone", "1 s", "Bob> watch 1", "Bob> hint")["Bob"]
    assert "Hints are for those who play." in watching


def test_there_are_thirty_in_a_game_and_one_in_three_seconds():
    asked = [line for _ in range(PER_GAME_MAX + 1) for line in ("Ann> hint", "3 s")]
    start = ("Ann> open elimination clocks=off", "Ann> bot", "Ann> start", "20 s")
    read = told(*start, "Ann> hint", "Ann> hint", "4 s", *asked)["Ann"]
    assert 1 == read.count("You can ask for one hint in three seconds.")
    assert PER_GAME_MAX == read.count("Reason: ")
    assert 1 == read.count("That was your last hint of this game.")
    assert read.count("You have had 30 hints in this game, and there are no more.")


class Sleepers:
    """Computer players that take longer than anybody waits."""

    waiting = most = 0

    async def choose(self, *question, is_advice=False):
        self.waiting += is_advice
        self.most = max(self.most, self.waiting)
        try:
            await asyncio.sleep(60 if is_advice else 0)
        finally:
            self.waiting -= is_advice
        raise LookupError("none")

    async def close(self):
        pass


def test_a_hint_that_takes_too_long_is_told_and_few_wait_at_once():
    bots = Sleepers()

    async def play() -> list[str]:
        server = await SimServer(new_world(1), bots=bots).open()
        people = [server.person(f"Ann{chr(97 + n)}") for n in range(AT_ONCE_MAX + 2)]
        await asyncio.sleep(0.5)
        for person in people:
            person.type("practice elimination")
            await own_turn(server, person)
        for person in people:
            person.type("hint")
        await asyncio.sleep(5)
        return [person.text for person in people]

    read = virtual.run(play())
    assert all("The advisor is busy. Try again in a moment." in text for text in read)
    assert AT_ONCE_MAX == bots.most


def test_in_a_lesson_a_hint_is_what_the_step_asks_for():
    async def play() -> str:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        for line in ("learn elimination", "hint"):
            ann.type(line)
            await asyncio.sleep(0.5)
        return ann.text

    assert "Try: draw" in virtual.run(play())


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_program_reads_a_hint_as_an_object_or_in_protocol_1_as_a_notice(protocol):
    async def play() -> list[dict[str, Any]]:
        server = await SimServer(new_world(1)).open()
        program = server.person("Ann", is_program=True, json_protocol=protocol)
        await asyncio.sleep(0.5)
        program.type("practice elimination")
        await own_turn(server, program)
        program.type("hint")
        await asyncio.sleep(3)
        return [json.loads(line) for line in program.text.splitlines() if line]

    read = virtual.run(play())
    hints = [each for each in read if "hint" == each["type"]]
    told = [each for each in read if each.get("text", "").startswith("Try: ")]
    if protocol == 1:
        assert not hints and 1 == len(told)
    else:
        [hint] = hints
        assert {"type", "line", "text", "codes"} == hint.keys() and hint["codes"] and not told


def test_the_turn_line_names_hints_where_there_are_some_and_nothing_once_help_is_off():
    read = told("Ann> practice stockpile hints=on", "20 s", "Ann> look", "1 s")["Ann"]
    assert "Type moves for a list, hint for advice." in read
    read = told("Ann> practice stockpile hints=off", "20 s", "Ann> look", "1 s")["Ann"]
    assert "Type moves for a list." in read and "hint for advice" not in read
    read = told("Ann> set help off", "Ann> practice stockpile", "20 s")["Ann"]
    assert "Your turn." in read and "Type moves for a list" not in read


class Late(InlineBots):
    async def choose(self, *question: Any, is_advice: bool = False) -> Any:
        await asyncio.sleep(1 if is_advice else 0)
        return await super().choose(*question)


def test_a_hint_for_a_decision_that_is_over_is_dropped_within_one_turn_too():
    async def play() -> str:
        server = await SimServer(new_world(1), bots=Late()).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        ann.type("practice words")
        await own_turn(server, ann)
        for line in ("hint", "draw 2"):
            ann.type(line)
        await asyncio.sleep(4)
        return ann.text

    read = virtual.run(play())
    assert "You draw" in read and "Try: " not in read


def test_a_hint_that_failed_is_not_counted():
    class Failing(InlineBots):
        is_broken = True

        async def choose(self, *question: Any, is_advice: bool = False) -> Any:
            if is_advice and self.is_broken:
                raise LookupError("none")
            return await super().choose(*question)

    bots = Failing()

    async def play() -> str:
        server = await SimServer(new_world(1), bots=bots).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        ann.type("practice elimination")
        await own_turn(server, ann)
        for _ in range(PER_GAME_MAX + 1):
            ann.type("hint")
            await asyncio.sleep(4)
        bots.is_broken = False
        ann.type("hint")
        await asyncio.sleep(4)
        return ann.text

    read = virtual.run(play())
    assert "Try: " in read and "there are no more" not in read
