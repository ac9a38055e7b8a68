"""What people type that is no command: greetings, questions, typing errors, a letter."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from mudserver.commands.families import VERBS
from mudserver.commands.phrases import find_phrase
from mudserver.service.pages import WELCOME_ROWS
from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world

Type = Callable[..., Awaitable[str]]


def typing(scenario: Callable[[Type, dict[str, Seatholder]], Awaitable[Any]]) -> Any:
    """Ann and Bob in the lobby; `await type(person, line, ...)` is what that person reads."""

    async def told() -> Any:
        server = await SimServer(new_world(1)).open()
        people = {name: server.person(name) for name in ("Ann", "Bob")}
        await asyncio.sleep(1)

        async def type_lines(who: str, *lines: str, wait_s: float = 0.5) -> str:
            people[who].forget()
            for line in lines:
                people[who].type(line)
                await asyncio.sleep(wait_s)
            return " ".join(people[who].text.split())

        return await scenario(type_lines, people)

    return virtual.run(told())


async def start_elimination(type_lines: Type, people: dict[str, Seatholder]) -> str:
    """A game of Ann and Bob; the name of who is to play."""
    await type_lines("Ann", "open elimination clocks=off")
    await type_lines("Bob", "sit 1")
    await type_lines("Ann", "start")
    await type_lines("Bob", "start")
    return next(name for name, person in people.items() if person.is_asked)


def test_y_runs_the_line_that_was_offered() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        answer = await type_lines("Ann", "opne elimination")
        assert (
            'Unknown command "opne". Did you mean "open elimination"? Type y to run it.' in answer
        )
        assert "There is nothing to confirm." in await type_lines("Ann", "who", "y")
        await type_lines("Ann", "opne elimination")
        assert "There is nothing to confirm." not in await type_lines("Ann", "y")
        assert "table 1" in people["Ann"].text

    typing(scenario)


def test_an_offer_is_forgotten_after_a_minute() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        await type_lines("Ann", "opne elimination", wait_s=61)
        assert "There is nothing to confirm." in await type_lines("Ann", "y")

    typing(scenario)


def test_a_mistyped_move_is_offered_and_made_by_y_alone() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        answer = await type_lines(mover, "drwa")
        assert 'Unknown command "drwa". Did you mean "draw"? Type y to run it.' in answer
        assert "You draw" in await type_lines(mover, "y")
        assert "To ask the others, type '" in await type_lines(mover, "how are the kids?")
        assert "how are the kids?" in await type_lines(mover, "'")
        assert "To say it to the table, type '" in await type_lines(mover, "kids are well now")

    typing(scenario)


def test_nothing_is_said_to_others_but_what_a_quote_alone_repeats() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        people["Bob"].forget()
        assert "To greet everybody, type '" in await type_lines("Ann", "hi all")
        assert "Ann" not in people["Bob"].text
        await type_lines("Ann", "'")
        assert "Ann: hi all" in people["Bob"].text
        people["Bob"].forget()
        assert "something is missing" in (await type_lines("Ann", "'")).lower()
        assert "Ann" not in people["Bob"].text
        assert "rules for the rules, or ' to say it." in await type_lines("Ann", "shall we?")
        await type_lines("Ann", "'")
        assert "Ann: shall we?" in people["Bob"].text

    typing(scenario)


def test_what_could_be_a_move_or_a_command_is_asked_back() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        other = "Bob" if mover == "Ann" else "Ann"
        people[other].forget()
        answer = await type_lines(mover, f"t {other}")
        assert f"Type take {other.lower()} for the move, /t {other} for the command." in answer
        assert "tells you: hello" not in people[other].text
        await type_lines(mover, f"t {other} hello")  # no move has that word
        assert "tells you: hello" in people[other].text

    typing(scenario)


def test_in_a_game_who_lists_people_and_asks_the_game_where_more_words_follow() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        assert "2 people are here" in await type_lines(mover, "who")
        assert "2 people of 2 who are here" in await type_lines(mover, "who table 1")
        for asked in ("who has three nines?", "who has nines?", "who wins here"):
            answer = await type_lines(mover, asked)
            assert "None of them" not in answer and "who:" not in answer, asked
            assert "Unknown command" not in answer and "people" not in answer, asked

    typing(scenario)


def test_a_letter_is_a_move_only_for_who_has_set_it() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        assert "d: draw? Type dr or draw." in await type_lines(mover, "d")
        await type_lines(mover, "set short on")
        assert "You draw" in await type_lines(mover, "d")

    typing(scenario)


def test_a_phrase_in_a_game_is_answered_from_the_game() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        other = "Bob" if mover == "Ann" else "Ann"
        assert "It's your turn" in await type_lines(mover, "whose turn is it?")
        assert f"Waiting for {mover}" in await type_lines(other, "whose turn is it?")
        answer = await type_lines(mover, "What can I do?")
        assert "It's your turn" in answer and "You can: draw, " in answer
        assert "Type moves for all moves, rules for the rules." in answer
        assert "Moves can't be taken back." in await type_lines(mover, "undo")
        assert "You can't pass in this game. You can: draw, " in await type_lines(mover, "pass")
        assert "Type leave to give up your seat" in await type_lines(mover, "i quit")
        assert people[mover].link.is_open

    typing(scenario)


def test_a_line_typed_ahead_is_read_by_the_game_when_its_turn_has_come() -> None:
    async def scenario(type_lines: Type, people: dict[str, Seatholder]) -> None:
        mover = await start_elimination(type_lines, people)
        people[mover].forget()
        people[mover].press(b"draw\rpass\r")
        await asyncio.sleep(1)
        assert "You draw" in people[mover].text and "You can't pass" not in people[mover].text

    typing(scenario)


@pytest.mark.parametrize(
    "line", ["me waves", "help moves", "say hi", "tell bob hi", "quit", "help"]
)
def test_no_phrase_hides_a_command(line: str) -> None:
    assert "" == find_phrase(line)


# -- the welcome -----------------------------------------------------------------------------------


def test_every_command_of_the_welcome_exists() -> None:
    for commands, _ in WELCOME_ROWS:
        for command in commands.split(", "):
            assert command.split()[0] in VERBS


@pytest.mark.parametrize(
    ("terminal", "row"),
    [
        (ANSI, "  say TEXT     talk to everybody in the lobby (' is short for say)"),
        (replace(ANSI, cols=40), "  say TEXT"),
        (replace(ANSI, is_screen_reader=True), "say TEXT: talk to everybody in the lobby"),
    ],
)
def test_a_newcomer_reads_the_welcome_once(terminal: Terminal, row: str) -> None:
    async def told() -> None:
        server = await SimServer(new_world(1)).open()
        for person in (server.guest(terminal), server.person("Ann", terminal)):
            await asyncio.sleep(1)
            assert "! Three card games" in " ".join(person.text.split())
            assert row in person.text
            assert all(len(each) <= terminal.cols for each in person.text.split("\n"))
            person.type("quit")
            await asyncio.sleep(1)
        back = server.person("Ann", terminal)
        await asyncio.sleep(1)
        read = " ".join(back.text.split())
        assert "Welcome back, Ann. Nobody else is here." in read and "Three card games" not in read

    virtual.run(told())
