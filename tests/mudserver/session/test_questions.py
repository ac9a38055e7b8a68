"""What a game is asked at the table: no play, answered to who asked, at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.live import live_table
from tests.mudserver.session.at_a_table import Play, run_at_a_table
from tests.simulation.server import Seatholder, SimServer
from tests.toys.multistep.game import MULTISTEP, State
from variants.contract import ParseError, SeatNames
from variants.kit.text import Style, StyledLine, styled_line

QUESTIONS = {"steps": "how many steps are done", "step-by-step": "every one of them"}


def answer(
    text: str, view: State, seen: Sequence[Any], names: SeatNames, style: Style
) -> Sequence[StyledLine]:
    verb, _, rest = text.partition(" ")
    match rest:
        case "crash":
            raise KeyError("a bug of this rule book, on purpose")
        case "all":
            return [styled_line(f"row {n}") for n in range(1_000)]
        case "":
            who = "watcher" if view.seat is None else names[view.seat]
            return [
                styled_line(
                    f"{verb}: {view.steps} of {who}, {len(seen)} heard, {style.width} cells"
                )
            ]
    raise ParseError("steps is asked alone.")


CURIOUS = replace(
    MULTISTEP,
    name="curious",
    verbs=("step", "ask", "answer", "fall"),
    questions=QUESTIONS,
    answer=answer,
)


def asked(scenario: Any) -> Any:
    return run_at_a_table(scenario, CURIOUS)


def test_a_seat_or_a_watcher_asks_in_turn_or_not_and_nobody_else_hears_of_it():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        for who, sees in (("Ann", "Ann"), ("Cyd", "Cyd"), ("Wim", "watcher")):
            heard = await play(f"{who}> steps")
            assert f"steps: 0 of {sees}, 1 heard, 80 cells" in heard.pop(who)
            assert [] == [row for rows in heard.values() for row in rows]

    asked(scenario)


def test_a_question_is_no_play_and_is_not_written_down():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        def written() -> object:
            disk = server.world.disk
            return disk.records["table/1"][:], live_table(server.app.table_manager, 1).deadline_ms

        before = written()
        await play("Ann> steps", "Bob> steps nonsense", "Wim> steps")
        assert before == written()
        await play("Ann> step")
        assert before != written()

    asked(scenario)


def test_the_game_can_still_be_asked_when_it_is_over():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Ann> fall", "Bob> fall", "Bob> steps", "Wim> steps")
        assert "steps: 0 of Bob, 3 heard, 80 cells" in heard["Bob"]
        assert "steps: 0 of watcher, 3 heard, 80 cells" in heard["Wim"]

    asked(scenario)


def test_whose_words_make_no_question_is_told_so_and_nobody_else_is():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Cyd> steps please")
        assert "steps is asked alone." in heard.pop("Cyd")
        assert [] == [row for rows in heard.values() for row in rows]

    asked(scenario)


def test_a_bug_in_an_answer_costs_one_line_in_the_log_and_one_sentence(caplog):
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = await play("Bob> steps crash")
        assert ["input failed"] == [r.message.partition(" session")[0] for r in caplog.records]
        assert "KeyError" in caplog.text and "on purpose" not in caplog.messages[0]
        (sorry,) = [row for row in heard["Bob"] if "went wrong" in row]
        assert sorry.startswith("Sorry, something went wrong on the server.")
        assert "Ann: step." in (await play("Ann> step"))["Bob"]

    asked(scenario)


def test_an_answer_has_an_end():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        rows = (await play("Ann> steps all"))["Ann"]
        assert "row 149" in rows and "row 150" not in rows and "... and 850 more rows" in rows

    asked(scenario)


def test_before_the_first_game_there_is_nothing_to_ask():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        zoe = server.person("Zoe")
        for typed in ("steps", "open curious", "steps"):
            zoe.type(typed)
            await asyncio.sleep(0.1)
        assert '"steps" is a question at a table of curious.' in zoe.text
        assert "No game has been played here yet. Type start to begin one." in zoe.text

    asked(scenario)


@pytest.mark.parametrize(
    ("who", "typed", "verb"),
    [
        ("Ann", "STEPS", "steps"),
        ("Ann", "/steps", "steps"),
        ("Wim", "step-", "step-by-step"),  # who plays not may begin a word
        ("Ann", "/step-by", "step-by-step"),
        ("Ann", "step-", ""),  # the beginning of nothing that this game plays: for it to refuse
        ("Wim", "st", ""),  # stand, start and more
    ],
)
def test_a_question_is_known_by_its_whole_word_or_by_a_beginning_that_is_no_play(who, typed, verb):
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = " ".join((await play(f"{who}> {typed}"))[who])
        assert (f"{verb}: 0 of" in heard) is bool(verb)

    asked(scenario)


def test_a_play_and_a_question_of_one_name_are_a_play_and_a_server_word_is_a_question():
    game = replace(CURIOUS, questions={"step": "no", "who": "who is in", "look": "no"})
    game = replace(game, verbs=(*game.verbs, "look"))

    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        assert "who: 0 of Ann, 1 heard, 80 cells" in (await play("Ann> who"))["Ann"]
        assert any("in the lobby" in r or "table 1" in r for r in (await play("Ann> /who"))["Ann"])
        assert "Ann: step." in (await play("Ann> step"))["Ann"]
        assert "Type step, ask NAME, answer or fall." in (await play("Ann> look"))["Ann"]

    run_at_a_table(scenario, game)


def test_questions_are_listed_where_people_look_and_completed():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        for who, typed, row in (
            (
                "Ann",
                "/commands",
                "  steps                                   How many steps are done.",
            ),
            ("Ann", "rules", "step-by-step every one of them"),
            ("Ann", "moves", "At any time you can ask: steps, step-by-step"),
            ("Bob", "moves", "At any time you can ask: steps, step-by-step"),
            ("Ann", "/help steps", "steps how many steps are done"),
            ("Ann", "/help steps", "Type it at a table of curious."),
            ("Ann", "/help curious", "rules curious how the game of that name is played"),
        ):
            rows = (await play(f"{who}> {typed}"))[who]
            assert " ".join(row.split()) in [" ".join(r.split()) for r in rows], (typed, rows)
        for name, sees in (("Ann", "Ann"), ("Wim", "watcher")):
            people[name].press(b"step-\t\r")
            await asyncio.sleep(0.1)
            assert f"step-by-step: 0 of {sees}" in people[name].text

    asked(scenario)


def test_the_history_of_a_very_long_game_is_its_last_part(monkeypatch):
    monkeypatch.setattr("mudserver.service.game_history.HISTORY_MAX", 3)

    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        await play("Ann> step", "Ann> ask Bob", "Bob> answer", "Ann> step")
        told = ["Ann: ask.", "Bob: answer.", "Ann: step."]
        rows = (await play("Wim> history"))["Wim"]
        assert (
            "These are the last 3 of 5 events. When the game is over, record has them all." in rows
        )
        assert told == [row for row in rows if row.endswith(".") and ": " in row]

    asked(scenario)
