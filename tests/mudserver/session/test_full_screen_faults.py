"""The full screen from where a person sits: whatever may happen meanwhile."""

from __future__ import annotations

import asyncio
import logging
import random

import pytest

from mudserver.config import schema
from mudserver.ui.fullscreen.root_container import RootContainer
from tests.mudserver.ui.fullscreen.watched import Watched, sit_down, told
from tests.simulation.server import ANSI


@pytest.mark.parametrize("how", ["quit", "ctrl-d", "idle", "taken over", "server closes"])
def test_the_terminal_is_left_as_it_was_found(how):
    async def scenario(server, ann):
        if how == "quit":
            ann.type("quit")
        elif how == "ctrl-d":
            ann.press(b"\x04")
        elif how == "idle":
            await asyncio.sleep(300)
        elif how == "taken over":
            server.person("Ann", ANSI)
        else:
            server.app.session_manager.close("The server closes.")
        await asyncio.sleep(1)
        emulator = ann.look()
        return emulator.is_as_found, ann.link.is_open, [row for row in emulator.rows if row][-1]

    is_as_found, is_open, last = told(scenario, session=schema.SessionLimits(idle_s=180))
    assert (True, False) == (is_as_found, is_open)
    assert last.endswith(".")


def test_a_dropped_line_leaves_nothing_behind():
    async def scenario(server, ann):
        await sit_down(server, ann, "elimination")  # the clock in the bar runs
        screen = ann.session.screen
        ann.press(b"\x1b")
        ann.link.drop()
        await asyncio.sleep(0.1)
        written = len(ann.link.received)
        await asyncio.sleep(10)
        return (
            len(server.app.session_manager.screen_factory._places),
            screen._clock_timer, screen._escape_timer, len(ann.link.received) - written,
        )  # fmt: skip

    full, second, escape, written = told(scenario)
    assert (0, 0) == (full, written)
    assert second is None or second.cancelled()
    assert escape is None or escape.cancelled()


def test_a_fault_in_drawing_costs_the_panes_and_one_line_in_the_log(monkeypatch, caplog):
    async def scenario(server, ann):
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("screen on")
        await asyncio.sleep(0.3)
        sound, mine = RootContainer.write_to_screen, ann.session.screen._root

        def broken(container, *args, **how):
            if container is mine:
                raise KeyError("the queen of hearts")
            sound(container, *args, **how)

        monkeypatch.setattr(RootContainer, "write_to_screen", broken)
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
        emulator, is_open, bob = told(scenario)
    assert is_open and not emulator.is_full and emulator.wraps
    assert "Sorry, the full screen failed; this is line mode." in emulator.text
    assert "2 people are here" in emulator.text  # the line in the making went along
    assert "Bob: still here" in emulator.text
    assert "still here" in bob
    assert 1 == len(caplog.records)
    assert "full screen failed session=" in caplog.text
    assert "queen" not in "".join(record.getMessage() for record in caplog.records)


def test_a_broken_message_costs_itself_only(monkeypatch):
    from mudserver.session import renderer

    async def scenario(server, ann):
        sound = renderer.message_lines
        monkeypatch.setattr(
            renderer, "message_lines",
            lambda message, *args: {}[0] if getattr(message, "text", "") == "poison"
            else sound(message, *args),
        )  # fmt: skip
        bob = Watched.comes_in(server, "Bob", ANSI)
        await asyncio.sleep(0.3)
        bob.type("say poison")
        bob.type("say hello")
        await asyncio.sleep(0.5)
        return ann.look().text, ann.look().is_full

    text, is_full = told(scenario)
    assert "Sorry, something went wrong on the server. Your game is safe. (ref " in text
    assert "Bob: hello" in text
    assert is_full


def test_a_password_is_typed_unseen_and_comes_into_no_log():
    async def scenario(server, ann):
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

    asked_for, typed, heard, text = told(scenario)
    assert asked_for == typed
    assert "assword" in typed
    assert "correct" not in heard
    assert "Password saved." in text


def test_who_never_reads_costs_no_more_than_a_screen_and_sees_the_end_of_it():
    async def scenario(server, ann):
        bob = await sit_down(server, ann, "elimination")
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

    most, queued, is_open, rows = told(scenario)
    assert most < 65_536 + 30_000
    assert queued < 65_536 + 150_000 < schema.DoorLimits().output_bytes_max
    assert is_open
    assert rows[-1].endswith("x" * 60)
    assert any("hello 59" in row for row in rows)


def test_two_hundred_lines_at_once_draw_no_more_than_ten_pictures_a_second():
    async def scenario(server, ann):
        before = len(ann.link.received)
        for _ in range(20):
            ann.press(b"who\r" * 10)
            await asyncio.sleep(0.05)
        return len(ann.link.received) - before, ann.link.is_open

    writes, is_open = told(scenario)
    assert writes <= 12
    assert is_open


def test_the_end_of_a_game_is_seen_until_the_next_one_begins():
    async def scenario(server, ann):
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
        ann.type("leave now")
        await asyncio.sleep(1)
        return fresh, over, again, ann.look().rows

    fresh, over, again, left = told(scenario)
    assert "No game is running here. Type start." in fresh[-2]
    assert "Game over" in over[0] and "All the others are out" in over[1]
    assert any("Game over: " in row for row in over)
    assert "The game is over. Type rematch." in over[-2]
    assert again[1].startswith("Turn ")
    assert "── Table ──" not in left[0]
    assert "Lobby" in left[-2]
