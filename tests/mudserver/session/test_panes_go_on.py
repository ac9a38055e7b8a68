"""The panes of a full screen stand in the next process as they stood in the one before."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from mudserver.transport.link import Terminal
from tests.mudserver.session.test_going_on import WAIT, HeldLink, come, go_on, proof, restarted
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from tests.terminal import Emulator

FRAME_S = 1.0
NEXT_PANE, ALONE, ON = b"\x1b[17~", b"\x1bOQ", b"\x1b[6~"  # F6, F2, PageDown
LOW = replace(ANSI, rows=16)


def rows_of(link: HeldLink) -> list[str]:
    terminal = Emulator(link.terminal.cols, link.terminal.rows)
    terminal.feed(link.heard)
    return terminal.rows


async def at_a_table(server: SimServer, terminal: Terminal = ANSI) -> HeldLink:
    """Ann, at the full screen, in a game with Bob."""
    ann, bob = await come(server, "ann", terminal), await come(server, "bob")
    for link, line in (
        (ann, "set screen on"), (ann, "open words clocks=off"), (bob, "sit 1"), (bob, "ready"),
        (ann, "start"),
    ):  # fmt: skip
        link.type(line)
        await asyncio.sleep(FRAME_S)
    for number in range(40):
        bob.type(f"say line {number}")
        await asyncio.sleep(FRAME_S)
    return ann


async def press(link: HeldLink, *keys: bytes) -> None:
    for key in keys:
        link.session.on_data(key)
        await asyncio.sleep(FRAME_S)


async def resize(link: HeldLink, cols: int, rows: int) -> None:
    link.terminal = replace(link.terminal, cols=cols, rows=rows)
    link.session.on_resize(link.terminal)
    await asyncio.sleep(FRAME_S)


def board_of(rows: list[str]) -> list[str]:
    """Without the log, whose rows are in no journal."""
    return rows[: next((at for at, row in enumerate(rows) if "Log" in row), len(rows))]


def test_the_table_keeps_the_height_that_its_game_has_needed():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server)
        ann.session._fullscreen_feed.screen.model.table.rows_needed_max += 1  # at an earlier turn
        await press(ann, b"x")
        before = board_of(rows_of(ann))
        server = await restarted(server)
        assert before == board_of(rows_of(await go_on(server, ann, "ann")))

    virtual.run(scenario())


def test_a_process_that_dies_before_it_has_drawn_passes_on_what_it_was_left():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server)
        await press(ann, NEXT_PANE, ALONE)
        before = rows_of(ann)
        server = await restarted(server)
        again = ann.again()
        server.connect(again, proof("ann", is_known=True))
        await asyncio.sleep(0)
        server = await restarted(server)
        assert b"F2: all panes" not in again.heard
        assert before == rows_of(await go_on(server, again, "ann"))

    virtual.run(scenario())


def test_the_pane_that_has_the_focus_keeps_it_and_stands_alone():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server)
        await press(ann, NEXT_PANE, ALONE)
        before = rows_of(ann)
        assert any("F2: all panes" in row for row in before), before
        server = await restarted(server)
        again = await go_on(server, ann, "ann")
        assert before == rows_of(again)
        await press(again, ALONE)
        assert not any("F2: all panes" in row for row in rows_of(again))

    virtual.run(scenario())


def test_a_table_that_was_scrolled_stands_where_it_was():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server, LOW)
        await press(ann, NEXT_PANE, ON)
        before = board_of(rows_of(ann))
        assert not any("Round 1" in row for row in before), before
        server = await restarted(server)
        assert before == board_of(rows_of(await go_on(server, ann, "ann")))

    virtual.run(scenario())


def test_who_waits_reads_so_in_place_of_the_status_bar():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server)
        for cols, rows, sentence in (
            (80, 24, "-- One moment: the server restarts. What you type is kept."),
            (120, 40, "-- One moment: the server restarts. What you type is kept."),
            (58, 12, "-- One moment: the server restarts."),
            (20, 5, "-- One moment."),
        ):
            await resize(ann, cols, rows)
            terminal, notice, first = Emulator(cols, rows), ann.holder.wait_text, len(ann.sent)
            await resize(ann, cols, rows)
            terminal.feed(b"".join(data for data, _ in ann.sent[first:]))
            drawn, cursor = terminal.rows, terminal.cursor
            assert notice == ann.holder.wait_text and len(notice) < 256
            terminal.feed(notice)
            first = len(ann.sent)
            assert [*drawn[:-2], sentence, drawn[-1]] == terminal.rows
            assert cursor == terminal.cursor
            await resize(ann, cols, rows)  # as a door says that the same server answers again
            terminal.feed(b"".join(data for data, _ in ann.sent[first:]))
            assert drawn == terminal.rows

    virtual.run(scenario())


def test_without_panes_the_notice_is_in_rows_of_the_terminal():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", replace(ANSI, cols=40))
        narrow = ann.holder.wait_text
        await resize(ann, 80, 24)
        await asyncio.sleep(server.app.config.wall.keep_every_s)
        for text, rows in (
            (narrow, ["-- One moment: the server restarts. What", "you type is kept."]),
            (ann.holder.wait_text, [WAIT]),
        ):
            assert ["", *rows, ""] == text.decode().split("\r\n")

    virtual.run(scenario())


def test_the_notice_is_that_of_the_screen_which_stands_on_the_terminal():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        row = ann.holder.wait_text
        ann.type("set screen on")
        seen = list[tuple[bool, bytes]]()
        ann.on_sent = lambda: seen.append((b"\x1b[?1049h" in ann.heard, ann.holder.wait_text))
        await asyncio.sleep(FRAME_S)
        bar = ann.holder.wait_text
        assert bar.startswith(b"\x1b7") and {(False, row), (True, bar)} >= set(seen)
        server = await restarted(server)
        ann = await go_on(server, ann, "ann")
        assert bar == ann.holder.wait_text
        ann.type("set screen off")
        await asyncio.sleep(FRAME_S)
        assert row == ann.holder.wait_text

    virtual.run(scenario())


def test_the_next_process_draws_the_bar_again():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await at_a_table(server)
        before, notice = rows_of(ann), ann.holder.wait_text
        server = await restarted(server)
        ann.holder.has_waited = True
        again = await go_on(server, ann, "ann")
        terminal = Emulator(80, 24)
        terminal.feed(ann.heard + notice + again.heard)
        assert before[-2:] == terminal.rows[-2:]
        assert board_of(before) == board_of(terminal.rows)

    virtual.run(scenario())
