"""A replay as people read it: in rows, at 40 columns, read aloud, and in a full screen."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.transport.link import Terminal
from tests.mudserver.service.test_replays import one_game
from tests.mudserver.service.test_results import duel_world, types
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer
from tests.terminal import Emulator


def shown(terminal: Terminal, *lines: str) -> str:
    """What stands on the screen of somebody who types that after a game of ann and bob."""

    async def scenario() -> str:
        server = await SimServer(duel_world()).open()
        await one_game(server, "ann", "bob")
        eve = server.person("eve", terminal)
        await asyncio.sleep(0.5)
        await types(eve, *lines)
        await asyncio.sleep(2)
        emulator = Emulator(terminal.cols, terminal.rows)
        emulator.feed(b"".join([data for _, data in eve.link.received]))
        return "\n".join(emulator.rows)

    found: str = virtual.run(scenario())
    return found


@pytest.mark.parametrize("cols", [40, 80])
def test_no_row_is_cut_off(cols):
    text = shown(replace(ANSI, cols=cols, rows=24), "replay 1 bob", "next", "next")
    assert "decision 2 of 6" in " ".join(text.split())
    assert "seen by bob" in " ".join(text.split()) and "replay 2/6>" in text


def test_read_aloud_the_board_comes_only_when_asked_for():
    before = ("set screenreader on", "replay 1 bob", "next")
    text = " ".join(shown(ANSI, *before).split())
    assert "To hear the table, type look." in text and "Your hand" not in text
    assert "Your hand" in shown(ANSI, *before, "look")


def test_a_full_screen_has_the_board_in_its_pane_and_the_rest_in_its_log():
    terminal = replace(ANSI, cols=120, rows=40)
    text = shown(terminal, "screen on", "replay 1 bob", "next", "next")
    assert "── Game 1 ──" in text and "Game 1, 2 of 6, bob" in text and "The bids:" in text
    assert "replay 2/6>" in text
    left = shown(terminal, "screen on", "replay 1 bob", "next", "leave")
    assert "── Tables ──" in left and "The replay is closed." in left and "lobby>" in left
    again = shown(terminal, "replay 1 bob", "next", "screen on")
    assert "── Game 1 ──" in again and "Round 1 of 2" in again
    assert "replay 1/6>" in again
