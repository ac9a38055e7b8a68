"""The full screen from where a person sits: in and out of it, and whatever may happen meanwhile."""

from __future__ import annotations

import asyncio
import logging
import random
from dataclasses import replace

import pytest

from mudserver import config
from mudserver.session import faces
from mudserver.transport.link import Terminal
from mudserver.ui.full.stage import Stage
from tests.mudserver.ui.full.evening import Watched, play, sit_down, told
from tests.simulation import virtual
from tests.simulation.house import ANSI, SimHouse, new_world

# -- in and out ------------------------------------------------------------------------------------


def test_it_opens_and_closes_in_the_middle_of_a_line_and_keeps_what_was_typed():
    async def story(house, ann):
        opened = ann.look()
        is_full, rows = opened.is_full, opened.rows
        ann.type("about")
        await asyncio.sleep(0.5)
        ann.type("screen off")  # which waits for the journal
        ann.press(b"half a li")
        await asyncio.sleep(0.5)
        glass = ann.look()
        ann.press(b"ne\x15")
        ann.press(b"\x1b[A\x1b[A")  # the history came along, too
        await asyncio.sleep(0.5)
        return is_full, rows, glass.is_full, glass.wraps, glass.text, ann.look().text

    is_full, rows, is_still, wraps, before, after = told(story)
    assert (True, False, True) == (is_full, is_still, wraps)
    assert "screen is now on." in "\n".join(rows)
    assert "lobby>" == rows[-1]
    assert "\nlobby> half a li\n" in before
    assert "mudserver " in before  # what was said meanwhile is there to be read
    assert "lobby> about" in after


def test_it_stays_with_the_name_and_opens_at_once_on_the_next_visit():
    async def story(house, ann):
        ann.type("quit")
        await asyncio.sleep(0.5)
        left = ann.look()
        again = Watched.comes_in(house, "Ann", ANSI)
        await asyncio.sleep(0.5)
        again.type("screen off")
        await asyncio.sleep(0.5)
        was_full = again.look().text
        again.type("quit")
        await asyncio.sleep(0.5)
        third = Watched.comes_in(house, "Ann", ANSI)
        await asyncio.sleep(0.5)
        return left.is_as_found, left.text, was_full, third.look().is_full

    is_as_found, text, _, is_full = told(story)
    assert is_as_found
    assert "Goodbye, Ann." in text
    assert not is_full


def test_who_opens_it_in_a_game_sees_the_table():
    async def story(house, ann):
        ann.type("screen off")
        await asyncio.sleep(0.3)
        await sit_down(house, ann, "elimination")
        ann.type("screen on")
        await asyncio.sleep(0.5)
        return ann.look().rows

    rows = told(story)
    assert rows[0].startswith("── Table ──")
    assert any(row.startswith("Your hand: ") for row in rows)
    assert "Table 1, elimination │ Ann, seat 1" in rows[-2]
    assert ":" in rows[-2][:5]


def test_a_game_is_played_in_it_and_its_clock_runs_down():
    async def story(house, ann):
        bob = await sit_down(house, ann, "elimination")
        await play([ann, bob], 3)
        shown = []
        for _ in range(3):
            shown.append(ann.look().rows[-2][:6])
            await asyncio.sleep(1)
        bob.type("/say hello")
        ann.type("leave")
        await asyncio.sleep(0.5)
        return shown, ann.look().rows

    shown, rows = told(story)
    left = [int(text[1]) * 60 + int(text[3:5]) for text in shown]
    assert [left[0], left[0] - 1, left[0] - 2] == left
    assert "Lobby │ Ann" in rows[-2]
    assert "Table ──" not in rows[0]


def test_pages_never_stop_there_and_are_shown_from_their_beginning():
    async def story(house, ann):
        ann.type("rules elimination")
        await asyncio.sleep(0.5)
        first = ann.look().rows
        ann.press(b"\x1b[6~")
        await asyncio.sleep(0.5)
        return first, ann.look().rows

    first, second = told(story)
    assert "elimination" in first[1].lower()
    assert "more below: PageDown" in first[0]
    assert "more: Enter" not in "\n".join(first)
    assert first[-3] == second[1]


def test_a_resize_is_followed_and_a_page_is_laid_out_for_its_pane():
    async def story(house, ann):
        ann.resize(40, 12)
        await asyncio.sleep(0.3)
        ann.type("help")
        await asyncio.sleep(0.3)
        small = ann.look().rows
        ann.resize(120, 30)
        await asyncio.sleep(0.3)
        return small, ann.look().rows

    small, wide = told(story)
    assert max(map(len, small)) <= 40
    assert "Chat" in wide[0]
    assert 30 == len(wide)


# -- who may not have it ---------------------------------------------------------------------------


def asked(terminal: Terminal, *lines: str, **sections: object) -> tuple[str, bool]:
    async def whole():
        house = await SimHouse(new_world(1, **sections)).open()
        ann = Watched.comes_in(house, "Ann", terminal)
        await asyncio.sleep(0.5)
        for typed in lines:
            ann.type(typed)
            await asyncio.sleep(0.5)
        kept = house.app.registrar.setting(ann.visit.person, "screen")
        return " ".join(ann.text.split()), kept == "on"

    return virtual.run(whole())


@pytest.mark.parametrize("typed", ["screen on", "set screen on"])
@pytest.mark.parametrize(
    ("terminal", "sentence"),
    [
        (replace(ANSI, is_character=False, is_ansi=False), faces.LINES_ONLY),
        (replace(ANSI, is_ansi=False, name="dumb"), faces.NO_CURSOR),
        (replace(ANSI, is_screen_reader=True), faces.READ_ALOUD),
    ],
)
def test_who_cannot_have_it_reads_why_and_nothing_is_kept(terminal, sentence, typed):
    text, is_kept = asked(terminal, typed)
    assert sentence in text
    assert "\x1b[?1049h" not in text
    assert not is_kept


def test_beyond_so_many_the_next_one_reads_so_and_gets_it_when_one_is_free():
    async def story(house, ann):
        bob = Watched.comes_in(house, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        refused = bob.look().text
        ann.link.drop()
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        return refused, bob.look().is_full, len(house.app.reception.faces._full)

    refused, is_full, count = told(story, line=config.Line(full_screens_max=1))
    assert "All 1 full screens are in use just now." in refused
    assert (True, 1) == (is_full, count)


def test_who_has_it_set_comes_in_without_it_where_there_is_none_left():
    async def story(house, ann):
        bob = Watched.comes_in(house, "Bob", ANSI)
        await asyncio.sleep(0.3)
        await house.app.registrar.keep_setting(bob.visit.person, "screen", "on")
        bob.link.drop()
        await asyncio.sleep(0.3)
        again = Watched.comes_in(house, "Bob", ANSI)
        await asyncio.sleep(0.5)
        again.resize(100, 30)
        ann.link.drop()
        await asyncio.sleep(0.5)
        again.resize(80, 24)
        await asyncio.sleep(0.5)
        return again.look().text, again.look().is_full

    text, is_full = told(story, line=config.Line(full_screens_max=1))
    assert 1 == text.count("full screens are in use")
    assert not is_full  # nobody is taken there by surprise


def test_a_screen_reader_that_is_switched_on_ends_it_with_a_sentence():
    async def story(house, ann):
        ann.type("screenreader on")
        await asyncio.sleep(0.5)
        return ann.look().is_full, " ".join(ann.look().text.split())

    is_full, text = told(story)
    assert not is_full
    assert faces.READ_ALOUD[:50] in text


# -- whatever happens ------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["quit", "ctrl-d", "idle", "taken over", "house closes"])
def test_the_terminal_is_left_as_it_was_found(how):
    async def story(house, ann):
        if how == "quit":
            ann.type("quit")
        elif how == "ctrl-d":
            ann.press(b"\x04")
        elif how == "idle":
            await asyncio.sleep(300)
        elif how == "taken over":
            house.person("Ann", ANSI)
        else:
            house.app.reception.close("The house closes.")
        await asyncio.sleep(1)
        glass = ann.look()
        return glass.is_as_found, ann.link.is_open, [row for row in glass.rows if row][-1]

    is_as_found, is_open, last = told(story, line=config.Line(idle_s=180))
    assert (True, False) == (is_as_found, is_open)
    assert last.endswith(".")


def test_a_dropped_line_leaves_nothing_behind():
    async def story(house, ann):
        await sit_down(house, ann, "elimination")  # the clock in the bar runs
        screen = ann.visit.screen
        ann.press(b"\x1b")
        ann.link.drop()
        await asyncio.sleep(0.1)
        written = len(ann.link.received)
        await asyncio.sleep(10)
        return (
            len(house.app.reception.faces._full), screen._second, screen._escape,
            len(ann.link.received) - written,
        )  # fmt: skip

    full, second, escape, written = told(story)
    assert (0, 0) == (full, written)
    assert second is None or second.cancelled()
    assert escape is None or escape.cancelled()


def test_a_fault_in_drawing_costs_the_panes_and_one_line_in_the_log(monkeypatch, caplog):
    async def story(house, ann):
        bob = Watched.comes_in(house, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        sound, mine = Stage.write_to_screen, ann.visit.screen._stage

        def broken(stage, *args, **how):
            if stage is mine:
                raise KeyError("the queen of hearts")
            sound(stage, *args, **how)

        monkeypatch.setattr(Stage, "write_to_screen", broken)
        caplog.clear()
        ann.press(b"who")
        await asyncio.sleep(0.5)
        ann.press(b"\r")
        bob.type("say still here")
        await asyncio.sleep(0.5)
        ann.resize(100, 30)
        await asyncio.sleep(0.5)
        return ann.look(), ann.link.is_open, bob.look().text

    with caplog.at_level(logging.INFO):
        glass, is_open, bob = told(story)
    assert is_open and not glass.is_full and glass.wraps
    assert "The full screen has failed, and lines go on. Your game is safe. (ref " in glass.text
    assert "2 people are here" in glass.text  # the line in the making went along
    assert "Bob: still here" in glass.text
    assert "still here" in bob
    assert 1 == len(caplog.records)
    assert "full screen failed visit=" in caplog.text
    assert "queen" not in "".join(record.getMessage() for record in caplog.records)


def test_a_broken_message_costs_itself_only(monkeypatch):
    from mudserver.session import reception

    async def story(house, ann):
        sound = reception.lines_of
        monkeypatch.setattr(
            reception, "lines_of",
            lambda message, *args: {}[0] if getattr(message, "text", "") == "poison"
            else sound(message, *args),
        )  # fmt: skip
        bob = Watched.comes_in(house, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("say poison")
        bob.type("say hello")
        await asyncio.sleep(0.5)
        return ann.look().text, ann.look().is_full

    text, is_full = told(story)
    assert "Something went wrong on our side; your game is safe. (ref " in text
    assert "Bob: hello" in text
    assert is_full


def test_a_password_is_typed_unseen_and_comes_into_no_log():
    async def story(house, ann):
        ann.type("password")
        await asyncio.sleep(0.5)
        asked_for = ann.look().rows[-1]
        ann.press(b"correct horse battery")
        await asyncio.sleep(0.5)
        typed = ann.look().rows[-1]
        ann.press(b"\r")
        await asyncio.sleep(0.5)
        ann.type("correct horse battery")
        await asyncio.sleep(0.5)
        ann.press(b"\x10\x10")
        await asyncio.sleep(0.5)
        return asked_for, typed, ann.link.text, ann.look().text

    asked_for, typed, heard, text = told(story)
    assert asked_for == typed
    assert "assword" in typed
    assert "correct" not in heard
    assert "Your password is set." in text


def test_who_never_reads_costs_no_more_than_a_screen_and_sees_the_end_of_it():
    async def story(house, ann):
        bob = await sit_down(house, ann, "elimination")
        ann.link.is_stalled = True
        for n in range(60):
            bob.type(f"/say hello {n}")
            ann.press(b"x")
            await asyncio.sleep(3)
        most = ann.link.queued
        for n in range(200):
            ann.resize(20 + n, 10 + n % 50)
            await asyncio.sleep(0.3)
        queued = ann.link.queued
        ann.resize(80, 24)
        ann.link.read_on()
        await asyncio.sleep(1)
        return most, queued, ann.link.is_open, ann.look().rows

    most, queued, is_open, rows = told(story)
    assert most < 65_536 + 30_000
    assert queued < 65_536 + 150_000 < config.Door().output_bytes_max
    assert is_open
    assert rows[-1].endswith("x" * 60)
    assert any("hello 59" in row for row in rows)


def test_two_hundred_lines_at_once_draw_no_more_than_ten_pictures_a_second():
    async def story(house, ann):
        before = len(ann.link.received)
        for _ in range(20):
            ann.press(b"who\r" * 10)
            await asyncio.sleep(0.05)
        return len(ann.link.received) - before, ann.link.is_open

    writes, is_open = told(story)
    assert writes <= 12
    assert is_open


def test_the_end_of_a_game_is_seen_until_the_next_one_begins():
    async def story(house, ann):
        rng = random.Random(5)
        ann.type("open elimination pace=instant")
        await asyncio.sleep(0.3)
        fresh = ann.look().rows
        ann.type("bot")
        ann.type("start")
        await asyncio.sleep(1)
        for _ in range(400):
            if not (moves := ann.moves()):
                break
            ann.type(rng.choice(moves))
            await asyncio.sleep(1)
        over = ann.look().rows
        ann.type("start")
        await asyncio.sleep(1)
        again = ann.look().rows
        ann.type("leave")
        await asyncio.sleep(1)
        return fresh, over, again, ann.look().rows

    fresh, over, again, left = told(story)
    assert "No game runs here now. start begins one." in fresh[-2]
    assert "The game is over" in over[1]
    assert any("Game over: " in row for row in over)
    assert "The game is over. start plays again." in over[-2]
    assert again[1].startswith("Turn ")
    assert "Table" not in left[0]
    assert "Lobby" in left[-2]
