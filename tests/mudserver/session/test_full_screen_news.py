"""What happens is seen in the full screen, whatever else its reader has opened there."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from mudserver import messages as m
from mudserver.session.backlog import BATCH_MAX, BYTES_MAX, MESSAGE_BYTES, Backlog
from tests.mudserver.ui.fullscreen.watched import Watched, play, sit_down, told
from tests.simulation.server import ANSI
from tests.slow_cases import every_second
from variants.elimination.events import CardTaken, TurnStarted

SIZES = [(80, 24), (60, 20), (40, 12)]
PAGE_UP, F6, TAB, ESC = b"\x1b[5~", b"\x1b[17~", b"\t", b"\x1b"
OPENED = {
    "a page": b"/rules\r",
    "a long answer": b"/commands\r",
    "the settings": b"/set\r",
    "a menu": b"/\t",
    "the log, scrolled back": b"/who\r" * 6 + PAGE_UP,
    "the table alone": F6 + F6 + b"\x1bOQ",
}


async def at_a_table(server, ann) -> None:
    """Ann is asked, and no clock runs: nothing happens by itself."""
    bob = await sit_down(server, ann, "elimination clocks=off")
    await play([ann, bob], 0)


def event(ann: Watched, happened: object, seat: int = 0) -> m.EventMessage:
    return m.EventMessage(1, "elimination", seat, ("Ann", "Bob", "Milo"), happened)


@pytest.mark.parametrize(("size", "what"), every_second(SIZES, OPENED))
def test_a_tell_an_announcement_and_a_move_against_one_are_seen(size, what):
    async def scenario(server, ann):
        await at_a_table(server, ann)
        seen = []
        for message, *further in (
            [m.TellMessage("Cara", "hello Ann")],
            [m.Announcement("Cara joined in.")],
            [event(ann, CardTaken(1, 0, "7C")), event(ann, TurnStarted(2, 9, None, ""))],
            [m.Notice("The server restarts.")],
        ):
            ann.press(ESC)
            await asyncio.sleep(0.5)
            ann.press(b"\x15" + OPENED[what])
            await asyncio.sleep(0.5)
            for each in (message, *further):
                ann.session.show_message(each)
            await asyncio.sleep(0.5)
            seen.append(" ".join(" ".join(ann.look().rows).split()))
            if what == "the table alone":
                ann.press(b"\x1bOQ" + F6)
        return seen

    tell, announcement, move, notice = told(scenario, *size)
    assert "Cara tells you: hello Ann" in tell
    assert "Cara joined in." in announcement
    assert "Bob takes the 7 of c" in move
    assert "The server restarts." in notice


def test_between_two_turns_the_log_has_one_row():
    async def scenario(server, ann):
        await at_a_table(server, ann)
        started = event(ann, TurnStarted(2, 9, "chosen", 1))
        for each in (event(ann, CardTaken(1, 0, "7C")), replace(started, mark="time")):
            ann.session.show_message(each)
        await asyncio.sleep(0.5)
        return ann.look().rows

    rows = told(scenario)
    at = rows.index("Turn 9, Milo")
    assert "Bob takes the 7 of c" in rows[at - 1]
    assert "Milo plays next" in rows[at + 1]


def test_an_open_page_counts_what_comes_and_any_way_of_closing_it_shows_the_log():
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.5)
        shown = []
        for close in (ESC, b"q\r", b"\r"):
            ann.type("rules elimination")
            await asyncio.sleep(0.5)
            for text in ("one", "two", "three"):
                bob.type(f"say {text}")
                await asyncio.sleep(3.1)
            opened = ann.look().rows
            ann.press(close)
            await asyncio.sleep(0.5)
            shown.append((opened, ann.look().rows))
        return shown

    for opened, closed in told(scenario):
        assert any("Esc or q closes" in row for row in opened)
        assert " 3 new: Bob: three" == opened[-3]
        assert "3 new" in opened[-2]
        assert any("[ Log ]" in row for row in closed)
        assert "new" not in closed[-2]
        assert {"Bob: one", "Bob: two", "Bob: three"} <= set(closed)
        assert "> q" not in closed


def test_a_page_closes_for_a_tell_and_can_be_opened_again():
    async def scenario(server, ann):
        ann.type("page")
        await asyncio.sleep(0.3)
        none = ann.look().rows
        ann.type("rules elimination")
        await asyncio.sleep(0.3)
        first = ann.look().rows
        ann.session.show_message(m.TellMessage("Bob", "hello"))
        await asyncio.sleep(0.3)
        closed = ann.look().rows
        ann.type("page")
        await asyncio.sleep(0.3)
        return none, first, closed, ann.look().rows

    none, first, closed, again = told(scenario)
    assert "No page has been closed in a full screen. To read the help, type help" in none
    assert "Bob tells you: hello" in closed
    assert first[:20] == again[:20]


def test_a_page_closes_when_its_reader_has_less_than_a_minute_to_respond():
    async def scenario(server, ann):
        shown = []
        await at_a_table(server, ann)
        view = server.app.service.view_of(ann.session.person)
        for window_ms in (60_000, 25_000):
            ann.type("/rules elimination")
            await asyncio.sleep(0.3)
            asked = replace(view, window=f"{window_ms}", window_ms=window_ms, deadline_ms=10**13)
            ann.session.show_message(asked)
            await asyncio.sleep(0.3)
            shown.append("closes" in ann.look().text)
        return shown

    assert [True, False] == told(scenario)


# -- what was there before -------------------------------------------------------------------------


def test_the_full_screen_begins_with_what_was_read_in_line_mode_and_goes_without_repeating_it():
    async def scenario(server, ann):
        ann.type("screen off")
        await asyncio.sleep(0.3)
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("say anybody here?")
        await asyncio.sleep(0.3)
        ann.type("screen on")
        await asyncio.sleep(0.3)
        full = ann.look().rows
        ann.type("screen off")
        await asyncio.sleep(0.3)
        return full, ann.look().text

    full, after = told(scenario)
    assert "Bob: anybody here?" in full
    assert 1 == after.count("anybody here?")


def test_after_a_lost_connection_the_log_has_the_game_so_far():
    async def scenario(server, ann):
        bob = await sit_down(server, ann, "elimination clocks=off")
        await play([ann, bob], 4)
        before = ann.look().rows[-6:-2]
        ann.type("quit")
        await asyncio.sleep(0.5)
        again = Watched.comes_in(server, "Ann", ANSI)
        await asyncio.sleep(0.5)
        return before, again.look().rows

    before, after = told(scenario)
    assert "Turn 25, you" == before[-1]
    assert before == after[after.index(before[0]) :][: len(before)]


def test_a_backlog_is_bounded():
    backlog = Backlog()
    backlog.add([m.Notice(f"{n}") for n in range(300)], 1)
    assert [f"{n}" for n in range(100, 300)] == [message.text for message in backlog]
    backlog.add([m.TellMessage("Bob", "é" * 1_000) for _ in range(300)], 2)
    assert len(backlog) == BYTES_MAX // (MESSAGE_BYTES + 4_000) // BATCH_MAX * BATCH_MAX
    backlog.add([m.Page("Long", ("a",) * 11), m.Page("Short", ("a",) * 10)], 3)
    assert ["Short"] == [message.title for message in backlog if isinstance(message, m.Page)]
    for at_ms in range(10, 60):
        backlog.add([m.SayMessage("Bob", f"{at_ms} {n}") for n in range(10)], at_ms)
    assert 200 == len(backlog)
    assert [(59, "59 8"), (59, "59 9")] == [(at, said.text) for at, said in backlog.talk(2)]
