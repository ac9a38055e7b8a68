"""What a screen costs: `python -m tests.mudserver.ui.bench_screen`.  Not part of the tests."""

from __future__ import annotations

import time
import tracemalloc

from mudserver.config.schema import Config
from mudserver.ui.encode import encode_lines
from mudserver.ui.screen import Screen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from mudserver.ui.ticker import Ticker
from tests.mudserver.ui.conftest import ANSI, HandClock
from variants.kit.text import styled_line

SCREENS = 1_000


def nothing(*_):
    return None


def screen(ticker, limits=Config()):  # noqa: B008
    one = Screen(
        ANSI, DisplayPreferences(), ScreenCallbacks(*[nothing] * 4, lambda: 0), ticker, limits
    )
    one.set_prompt("> ")
    return one


def best_us(call, times, rounds=5):
    """The best of some rounds, in microseconds of CPU per time."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best / times * 1e6


def main():
    clock = HandClock()
    ticker = Ticker(clock, 20)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    screens = [screen(ticker) for _ in range(SCREENS)]
    clock.tick()
    idle_bytes = (tracemalloc.get_traced_memory()[0] - before) / SCREENS
    tracemalloc.stop()

    def keys():
        for one in screens:
            for _ in range(40):
                one.feed(b"x")
            one.feed(b"\x15")

    def middle():
        for one in screens:
            one.feed(b"discard\x02\x02")
            for _ in range(40):
                one.feed(b"x")
            one.feed(b"\x05\x15")

    def lines():
        for one in screens:
            one.feed(b"look\r")
        clock.tick()

    paint = encode_lines(
        [styled_line(("Bob: ", "strong"), "good evening everybody")], screens[0].profile
    )

    def fan_out():
        for one in screens:
            one.show_encoded(paint)
        clock.tick()

    def fan_out_ten():
        for _ in range(10):
            for one in screens:
                one.show_encoded(paint)
        clock.tick()

    def chat():
        for one in screens:
            one.show_encoded(paint, droppable=True)
        clock.tick()

    def painting():
        for _ in range(1_000):
            encode_lines(
                [styled_line(("Bob: ", "strong"), "good evening everybody")], screens[0].profile
            )

    for one in screens:
        one.feed(b"half a li")
    print(f"idle screen             {idle_bytes:8.0f} bytes")
    print(f"line shown, one a tick  {best_us(fan_out, SCREENS):8.2f} us")
    print(f"droppable, one a tick   {best_us(chat, SCREENS):8.2f} us")
    print(f"ten a tick, each        {best_us(fan_out_ten, SCREENS * 10):8.2f} us")
    for one in screens:
        one.feed(b"\x15")
    print(f"key at the end          {best_us(keys, SCREENS * 41):8.2f} us")
    print(f"key in the middle       {best_us(middle, SCREENS * 42):8.2f} us")
    print(f"line of four keys       {best_us(lines, SCREENS):8.2f} us")
    print(f"painting a chat line    {best_us(painting, 1_000):8.2f} us")


if __name__ == "__main__":
    main()
