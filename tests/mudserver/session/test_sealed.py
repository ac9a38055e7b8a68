"""A window that takes one secret answer of each seat: what people read while it is open.  [G-11]

In duel all three bid a card face down; Wim watches.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

from tests.live import live_table
from tests.mudserver.session.at_a_table import Play, run_at_a_table
from tests.prompts import TABLE_1
from tests.simulation.server import Seatholder, SimServer
from tests.toys.duel.game import DUEL, asked, parse

WAITS = "Waiting for Ann, Bob and Cyd to bid (60 s)"


def bids(server: SimServer) -> dict[str, str]:
    """A card that each may bid, typed."""
    game = live_table(server.app.table_manager, 1).game
    return {name: f"bid {game.view(seat).hand[0]}" for seat, name in enumerate(game.names)}


def sealed(scenario: Any, game: Any = DUEL) -> Any:
    async def on_time(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        async def whole(*lines: str) -> dict[str, list[str]]:
            """Rows as if nobody had taken any time to type."""
            heard = await play(*lines)
            return {name: [re.sub(r"\b5\d s\b", "60 s", r) for r in heard[name]] for name in heard}

        await scenario(server, whole, people)

    return run_at_a_table(on_time, game)


def test_everybody_can_read_how_many_answers_are_missing_and_nobody_whose():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        bid = bids(server)
        looks = ("Ann> look", "Bob> look", "Wim> look")
        heard = await play(*looks)
        to_bid = "Your turn to bid. You have 60 s.", "Type moves for a list."
        whole = " ".join(to_bid)
        assert whole in heard["Ann"] and whole in heard["Bob"] and f"{WAITS}." in heard["Wim"]

        heard = await play(f"Ann> {bid['Ann']}")
        assert [] == heard["Bob"] == heard["Cyd"] == heard["Wim"]
        assert "table 1>" in heard["Ann"] and "your turn" not in " ".join(heard["Ann"])
        heard = await play(*looks)
        assert "You have chosen. Waiting for 2 more players (60 s)." in heard["Ann"]
        assert whole in heard["Bob"]
        assert "Waiting for 2 more players (60 s)." in heard["Wim"]

        heard = await play(f"Cyd> {bid['Cyd']}", *looks)
        assert "You have chosen. Waiting for one more player (60 s)." in heard["Ann"]
        assert whole in heard["Bob"]
        assert "Waiting for one more player (60 s)." in heard["Wim"]

        heard = await play(f"Bob> {bid['Bob']}")
        for rows in heard.values():
            assert any("The bids: " in row for row in rows)

    sealed(scenario)


def test_the_prompt_calls_only_who_has_still_to_answer():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        bid = bids(server)
        assert ["table 1, your turn>"] == (await play("Bob> "))["Bob"][-1:]
        assert ["table 1>"] == (await play(f"Bob> {bid['Bob']}"))["Bob"][-1:]
        assert ["table 1, your turn>"] == (await play("Ann> "))["Ann"][-1:]

    sealed(scenario)


def test_moves_says_that_the_own_answer_is_in_and_how_many_are_missing():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        await play(f"Ann> {bids(server)['Ann']}")
        heard = await play("Ann> moves", "Wim> moves")
        assert "You have chosen. Waiting for 2 more players." in heard["Ann"]
        assert "Waiting for 2 more players." in heard["Wim"]

    sealed(scenario)


def test_an_empty_line_answers_for_who_has_not_answered_and_is_nothing_for_who_has():
    def asked_empty(view: Any) -> Any:
        window = asked(view)
        return window and replace(window, accepts_empty_line=True)

    def first_card(text: str, view: Any, names: Any) -> Any:
        return parse(text or f"bid {view.hand[0]}", view, names)

    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        assert any("You bid" in row for row in (await play("Ann> "))["Ann"])
        heard = await play("Ann> ", "Wim> ", "Bob> ")
        assert not any("bid" in row for row in heard["Ann"] + heard["Wim"])
        assert any("You bid" in row for row in heard["Bob"])

    sealed(scenario, replace(DUEL, open_window=asked_empty, parse=first_card))


def test_who_comes_back_reads_whether_the_own_answer_is_in():
    async def scenario(server: SimServer, play: Play, people: dict[str, Seatholder]) -> None:
        await play(f"Ann> {bids(server)['Ann']}")
        people["Ann"].link.drop()
        await asyncio.sleep(1)
        again = server.person("Ann")
        await asyncio.sleep(0.1)
        assert "You have chosen. Waiting for 2 more players (59 s)." in again.text
        assert again.text.endswith(TABLE_1)

    sealed(scenario)
