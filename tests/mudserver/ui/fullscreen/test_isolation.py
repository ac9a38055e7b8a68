"""Many screens at once: nobody sees another's keys or output, and one timer serves all."""

from __future__ import annotations

import asyncio
import gc
import io
import random
import tracemalloc

import pytest
from prompt_toolkit.application.current import get_app_or_none, get_app_session

from mudserver.config.schema import Config
from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
from tests.mudserver.ui.fullscreen.harness import HandClock, Harness
from variants.kit.text import styled_line

COUNT = 12


def many(clock):
    frames = FrameScheduler(clock, 100)
    sizes = [(200, 50), (80, 24), (40, 12), (120, 30)]
    harnesses = [Harness(*sizes[n % 4], clock=clock, frames=frames) for n in range(COUNT)]
    for n, harness in enumerate(harnesses):
        harness.words = (f"mine{n}x", f"mine{n}y")
    return harnesses


def token(n):
    return f"q{n:03}z"


def test_nobody_sees_anothers_keys_table_log_status_menu_or_prompt():
    harnesses, rng = many(HandClock()), random.Random(7)
    typed: list[list[str]] = [[] for _ in harnesses]
    for step in range(500):
        n = rng.randrange(COUNT)
        harness, mine = harnesses[n], token(n)
        what = rng.randrange(9)
        if what == 0:
            harness.screen.feed(f"{mine}\r".encode())
            typed[n].append(mine)
        elif what == 1:
            harness.screen.show([styled_line(f"{mine} event {step}")], is_chat=step % 2 == 0)
        elif what == 2:
            harness.screen.show_table(lambda cols, mine=mine: [styled_line(f"{mine} table {cols}")])
        elif what == 3:
            harness.screen.show_status(asks=(f"{mine} is asked",), who=mine)
        elif what == 4:
            harness.screen.set_prompt(f"{mine}> ")
        elif what == 5:
            harness.screen.feed(b"m\t\t\x03\x03")
        elif what == 6:
            harness.screen.feed(f"\x1b[200~{mine}\x1b[201~".encode()[: rng.randrange(3, 18)])
            harness.screen.feed(b"\x1b[201~\x03\x15")
        elif what == 7:
            harness.screen.set_prompt("Password: ", is_secret=True)
            harness.screen.feed(mine.encode() + b"\r")
            harness.screen.set_prompt("> ")
            typed[n].append(mine)
        harness.clock.wait(rng.choice([0, 0, 0.01, 0.1]))
    for n, harness in enumerate(harnesses):
        harness.beat()
        seen = bytes(harness.out).decode() + harness.emulator.text + "".join(harness.lines)
        others = [token(other) for other in range(COUNT) if other != n]
        assert not [other for other in others if other in seen]
        assert token(n) in seen
        assert typed[n] == [text for text in harness.lines if text]
        assert not harness.faults


def test_no_call_leaves_an_application_behind_for_the_next():
    harnesses = many(HandClock())
    for harness in harnesses:
        harness.type("look\r")
        assert get_app_or_none() is None
        assert get_app_session()._input is None  # asked for, the library would open the server's
    for harness in harnesses:
        harness.screen.close()
    assert get_app_or_none() is None


def test_a_full_screen_has_no_task_and_no_descriptor():
    async def told():
        before = asyncio.all_tasks()
        clock = HandClock()
        harnesses = many(clock)
        for harness in harnesses:
            harness.type("lo\tok\r\x1b[5~")
        return asyncio.all_tasks() - before

    assert set() == asyncio.run(told())
    with pytest.raises(io.UnsupportedOperation):
        Harness().screen._app.input.fileno()


def test_a_beat_draws_one_screen_a_turn_so_that_others_are_heard_between_two():
    clock, order = HandClock(), []

    class Drawn:
        def __init__(self, name):
            self.name = name

        def flush(self):
            order.append(self.name)

    frames = FrameScheduler(clock, 100)
    for name in "abc":
        frames.schedule_flush(Drawn(name))
    soon, clock.call_soon = [], lambda call: soon.append(call)
    clock.wait(0.1)
    assert (["a"], 1) == (order, len(soon))
    soon.pop()()
    assert ["a", "b"] == order
    frames.schedule_flush(Drawn("d"))
    soon.pop()()
    assert (["a", "b", "c"], []) == (order, soon)
    clock.wait(0.1)
    assert ["a", "b", "c", "d"] == order
    assert not clock.timers


def test_who_is_touched_by_the_drawing_waits_for_the_next_beat():
    clock = HandClock()
    frames, beats = FrameScheduler(clock, 100), []

    class Again:
        def flush(self):
            beats.append(round(clock.time_s, 6))
            if len(beats) < 4:
                frames.schedule_flush(self)

    frames.schedule_flush(Again())
    clock.wait(2)
    assert [0.1, 0.2, 0.3, 0.4] == beats


def test_frames_get_longer_while_drawing_takes_much_of_the_time_and_shorter_again():
    clock = HandClock()
    frames, times, cost_s = FrameScheduler(clock, 100), [], [0.03]

    class Costly:
        def flush(self):
            times.append(clock.time_s)
            frames.count_drawing(cost_s[0])
            frames.schedule_flush(self)

    frames.schedule_flush(Costly())
    clock.wait(0.95)
    assert 0.1 == frames.frame_s
    clock.wait(0.2)  # a second is over: it was 30 %
    assert 0.2 == frames.frame_s  # 15 %: neither much nor little
    clock.wait(5)
    assert 0.2 == frames.frame_s
    cost_s[0] = 0.3
    clock.wait(5)
    assert 0.8 == frames.frame_s  # and no longer
    before = len(times)
    clock.wait(4)
    assert 5 == len(times) - before
    cost_s[0] = 0.001
    clock.wait(5)
    assert 0.1 == frames.frame_s


def test_one_broken_screen_spoils_no_others_beat(monkeypatch):
    clock = HandClock()
    harnesses = many(clock)[:3]
    monkeypatch.setattr(harnesses[0].screen._app, "draw", lambda: 1 / 0)
    for harness in harnesses:
        harness.screen.show([styled_line("news")])
    clock.wait(0.3)
    assert [1, 0, 0] == [len(harness.faults) for harness in harnesses]
    assert ["news", "news"] == [harness.rows[1] for harness in harnesses[1:]]


def test_so_many_lines_are_kept_and_no_more():
    harness = Harness(config=Config())
    for n in range(5_000):
        harness.screen.show([styled_line(f"event {n} " + "word " * 40)], is_chat=n % 2 == 0)
    rolls = harness.screen.model.combined_log, harness.screen.model.log, harness.screen.model.chat
    assert [300] * 3 == [len(roll.last_lines) for roll in rolls]
    drawn = len(harness.out)
    harness.screen.close()
    assert 100 == harness.out.count(b"event", drawn)


LINES = 150  # long ones: more than a pane keeps


def test_a_full_screen_that_is_as_large_and_as_full_as_can_be_takes_its_part_of_the_memory():
    def filled() -> Harness:
        harness = Harness(300, 100, is_drawn=False)
        harness.emulator.feed = lambda data: None
        for n in range(LINES):
            for is_chat in (False, True):
                text = f"{n} " + "𝔸" * 400
                harness.screen.show([styled_line((f"Ann{n}", "strong"), text)], is_chat=is_chat)
        harness.beat()
        harness.out.clear()
        harness.writes.clear()
        return harness

    filled()  # what all screens share
    gc.collect()
    tracemalloc.start()
    kept = filled()
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert LINES > len(kept.screen.model.log.last_lines) > 50
    assert used <= 24 * 2**20 / Config().session.full_screens_max
