"""What a game does for anybody in the server, at its table or at none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mudserver.service.game_questions import PAGES_MAX
from mudserver.service.utility_turns import PER_PERSON_BURST
from tests.mudserver.session.at_a_table import Play, run_at_a_table
from tests.simulation.server import Seatholder, SimServer
from tests.toys.multistep.game import MULTISTEP
from variants.contract import Chance, ParseError, UtilityCommand
from variants.kit.text import Style, StyledLine, styled_line

taken: list[int] = []  # pages that were made


def dice(text: str, style: Style, chance: Chance) -> Iterator[Sequence[StyledLine]]:
    if not text.isdigit():
        raise ParseError("Type dice roll and how often.")
    for number in range(int(text)):
        taken.append(number)
        yield [styled_line(f"roll {number}: {chance.below(6) + 1}, {style.width} cells")]
        if number == 7:
            raise KeyError("a bug of this rule book, on purpose")


GAME = replace(
    MULTISTEP,
    name="gamble",
    verbs=("step", "ask", "answer", "fall"),
    questions={"dice": "whose they are"},
    answer=lambda text, *_: [styled_line(f"asked: {text}")],
    utility_commands=(UtilityCommand("dice roll N", "rolls N times", dice),),
)


def asked(scenario: Any, game: Any = GAME) -> Any:
    taken.clear()
    return run_at_a_table(scenario, game)


def rolls(rows: Sequence[str]) -> list[str]:
    return [row for row in rows if row.startswith("roll ")]


@pytest.mark.parametrize("typed", ["dice roll 2", "DICE  Roll 2", "/dice roll 2"])
@pytest.mark.parametrize("who", ["Ann", "Cyd", "Wim", "Zoe"])
def test_it_works_at_the_table_or_at_none_and_for_who_types_it_alone(who, typed):
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        people["Zoe"] = server.person("Zoe")
        heard = await play("Ann> /who", f"{who}> {typed}")
        assert ["roll 0", "roll 1"] == [row.partition(":")[0] for row in rolls(heard.pop(who))]
        assert [] == [row for rows in heard.values() for row in rolls(rows)]

    asked(scenario)


def test_other_words_behind_the_first_are_for_the_game_at_the_table():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        assert "asked: dice" in (await play("Ann> dice"))["Ann"]
        assert "asked: dice rolls" in (await play("Wim> dice rolls"))["Wim"]

    asked(scenario)


def test_a_play_of_that_name_is_a_play():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = (await play("Ann> dice roll 2", "Wim> dice roll 1"))["Ann"]
        assert "Type step, ask NAME, answer or fall." in heard and not rolls(heard)

    asked(scenario, replace(GAME, verbs=(*GAME.verbs, "dice"), questions={}))


def test_what_it_makes_nothing_of_is_refused():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        people["Zoe"] = server.person("Zoe")
        heard = (await play("Ann> /who", "Zoe> dice roll often", "Zoe> dice", "Zoe> dice up"))[
            "Zoe"
        ]
        assert "Type dice roll and how often." in heard
        assert 2 == heard.count("dice: something is missing. Type it like this: dice roll N")

    asked(scenario)


def test_no_utility_makes_more_pages_than_so_many():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        assert PAGES_MAX == len(rolls((await play("Ann> dice roll 999999999"))["Ann"]))
        assert PAGES_MAX == len(taken)

    asked(scenario)


def test_one_address_has_so_many_at_a_time_whoever_asks_and_others_later():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        await play("Ann> dice roll 1", "Wim> dice roll 1", "Cyd> dice roll 1", wait_s=0.0)
        assert not rolls(heard := (await play("Bob> dice roll 1"))["Bob"])
        assert any("others from your address are waiting" in row for row in heard)
        await play("Ann> step", wait_s=2.0)
        assert rolls((await play("Bob> dice roll 1"))["Bob"])

    asked(scenario)


def test_one_person_has_so_many_at_a_time():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        for _ in range(PER_PERSON_BURST):
            assert rolls((await play("Ann> dice roll 1", wait_s=2.0))["Ann"])
        assert not rolls(heard := (await play("Ann> dice roll 1"))["Ann"])
        assert "This takes the server some time. Please wait ten seconds." in heard
        assert rolls((await play("Bob> dice roll 1", wait_s=2.0))["Bob"])

    asked(scenario)


def test_a_bug_in_it_costs_one_line_in_the_log_and_one_sentence(caplog, monkeypatch):
    monkeypatch.setattr("mudserver.service.game_questions.PAGES_MAX", 99)

    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        heard = (await play("Wim> dice roll 20"))["Wim"]
        assert 8 == len(rolls(heard))
        assert any("Sorry, something went wrong on the server" in row for row in heard)
        assert 1 == len(caplog.records) and "KeyError" in caplog.text
        assert rolls((await play("Wim> dice roll 1"))["Wim"])

    asked(scenario)


def test_it_is_listed_where_people_look_and_completed():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        for typed in ("/commands", "rules", "/help dice"):
            rows = (await play(f"Ann> {typed}"))["Ann"]
            listed = [" ".join(row.split()).lower().rstrip(".") for row in rows]
            assert "dice roll n rolls n times" in listed, typed
        people["Wim"].press(b"dice r\t")
        people["Wim"].press(b"3\r")
        heard = await play("Ann> step", wait_s=0.5)
        assert heard and 3 == len(taken)

    asked(scenario)


def test_the_seed_of_its_chance_is_the_servers():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        said = [tuple(rolls((await play("Ann> dice roll 5"))["Ann"])) for _ in range(6)]
        assert len(set(said)) > 1

    asked(scenario)
