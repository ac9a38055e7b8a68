"""Somebody fills a row, so that the next one begins with what the server says: it never does.

Mallory knows how wide the terminals of the others are.  They sit before line mode, the full screen
and a screen reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mudserver.config import schema
from mudserver.transport.link import Terminal
from mudserver.ui.fullscreen.layout import compute_layout
from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from tests.slow_cases import every_second

WIDTHS = (20, 30, 40, 59, 60, 80, 120, 300)
PANE_WIDTHS = (20, 60, 120, 300)  # of a full screen; from 110 on the talk has a column of its own
ROWS = 24  # of a full screen
SCROLLBACK_ROWS = 300  # of a terminal in line mode
FORGED = ("-- alice joined the table.", "Game over: alice wins.", "alice tells you: hi",
          "Type your password:", '" alice: hi')  # fmt: skip
KINDS = {"say": "mallory: ", "me": "* mallory ", "tell": "mallory tells you: ",
         "#help": "[help] mallory: "}  # fmt: skip
TALKATIVE = schema.ChatLimits(guest_per_s=100.0, burst=100, strangers_new_max=100)
MODES = {
    "line mode": (replace(ANSI, rows=SCROLLBACK_ROWS), ""),
    "own line editor": (Terminal(rows=SCROLLBACK_ROWS), ""),
    "timestamps": (replace(ANSI, rows=SCROLLBACK_ROWS), "set timestamps on"),
    "full screen": (replace(ANSI, rows=ROWS), "screen on"),
    "screen reader": (replace(ANSI, rows=SCROLLBACK_ROWS, is_screen_reader=True), ""),
}


def attacks(cells: int, kind: str) -> Iterator[str]:
    """Texts that fill a row of *cells* behind the head, and go on with a forged row."""
    for number, forged in enumerate(FORGED):
        filler = ("x\u0325" * 6, "漢漢漢", "......")[number % 3]  # six cells each
        for quotation_mark in (0, 1):
            room = cells - len(KINDS[kind]) - quotation_mark
            yield f"{filler[: max(0, room)]}{'.' * (room - 6)} {forged}"


def text_cols(mode: str, cols: int) -> int:
    """How many cells a row of talk has."""
    if mode != "full screen":
        return cols - 6 * (mode == "timestamps")
    pane = compute_layout(cols, ROWS, None).area_of("chat")
    return cols if pane is None else pane.text_cols


async def listens(server: SimServer, mode: str, cols: int) -> Watched:
    terminal, wish = MODES[mode]
    listener = Watched.comes_in(server, f"ear{cols}", replace(terminal, cols=cols))
    await asyncio.sleep(0.3)
    listener.type(f"{wish}\n" if wish else "who\n")
    await asyncio.sleep(0.5)
    listener.look()
    listener.emulator = TwoScreenEmulator(cols, listener.emulator.rows_count)
    listener.type("clear" if mode == "full screen" else "")
    await asyncio.sleep(0.5)
    return listener


def rows_of(mode: str, listener: Watched) -> set[str]:
    """The rows of all talk that the listener's terminal shows."""
    rows = [row for row in listener.look().rows if row]
    if mode != "full screen":
        return set(rows)
    chat = compute_layout(listener.emulator.cols, ROWS, None).area_of("chat")
    return set(rows[:-2] if chat is None else [row[chat.left + 1 :] for row in rows[:-2]])


@pytest.mark.parametrize(("mode", "kind"), every_second(MODES, KINDS))
def test_no_row_begins_with_what_somebody_typed(mode, kind):
    async def scenario() -> dict[int, set[str]]:
        server = await SimServer(new_world(1, chat=TALKATIVE)).open()
        mallory = server.person("mallory")
        widths = PANE_WIDTHS if mode == "full screen" else WIDTHS
        listeners = {cols: await listens(server, mode, cols) for cols in widths}
        seen: dict[int, set[str]] = {cols: set() for cols in widths}
        for cols, listener in listeners.items():
            for text in attacks(text_cols(mode, cols), kind):
                to = f"tell ear{cols}" if kind == "tell" else kind
                mallory.type(f"{to} {text}")
                await asyncio.sleep(0.3)
                seen[cols] |= rows_of(mode, listener)
        return seen

    for cols, rows in virtual.run(scenario()).items():
        arrived = "".join(row.lstrip(' |"') for row in rows)
        assert any(forged[:5] in arrived for forged in FORGED), (cols, rows)
        assert [] == [row for row in rows if row.startswith(FORGED)], cols
