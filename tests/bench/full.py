"""What a full screen costs: to keep, to start, to answer a key, to show a play.

Rule 1: CPU time of one process; no transport, as where the figures come from that the targets are
        25 % under (prompt_toolkit's own full screen, its key bindings cached).
Rule 2: a play is a new table of fourteen rows and a sentence in the log; a key is one letter behind
        half a line, its picture included.
Rule 3: memory is counted in a process of its own, as what a hundred have grown it by (Linux).
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable

from mudserver.config.schema import Config
from mudserver.transport.link import Terminal
from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
from mudserver.ui.fullscreen.screen import FullScreen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from tests.bench.report import Row, Target
from tests.memory import resident_kib
from tests.mudserver.ui.fullscreen.harness import HandClock
from variants.kit.text import StyledLine, styled_line

SIZES = ((80, 24), (120, 40))
TARGETS = {
    "kib": ("KiB of memory", (541, None)),
    "start_ms": ("ms to start", (7.0, None)),
    "key_us": ("us a key", (2_475, 4_575)),
    "play_us": ("us a play shown", (2_025, 3_825)),
    "clock_us": ("us a second on the clock", (None, None)),
    "whole_us": ("us a picture from scratch", (None, None)),
}
GROWN = "from tests.bench.full import grown_kib; print(grown_kib({}, {}))"


class Bench:
    """One screen on a clock moved by hand; what it writes is counted and dropped."""

    def __init__(self, cols: int, rows: int) -> None:
        self.clock, self.bytes, config = HandClock(), 0, Config()
        terminal = Terminal(
            "xterm-256color", cols, rows, is_ansi=True, is_character_mode=True, colours="256"
        )
        self.screen = FullScreen(
            terminal, DisplayPreferences(),
            ScreenCallbacks(
                self._write, lambda typed: None, lambda: None, lambda text, cursor: None
            ),
            FrameScheduler(self.clock, config.session.full_screen_frame_ms), config, self.clock,
            self._fail,
        )  # fmt: skip
        self.plays = 0
        self.screen.set_prompt("table 3, your turn> ")
        for number in range(200):
            self.screen.show([styled_line(f"Event {number} happened to somebody at the table.")])
        self.play()

    def _write(self, data: bytes) -> None:
        self.bytes += len(data)

    def _fail(self, bug: Exception) -> None:
        raise bug

    def key(self) -> None:
        self.clock.time_s += 1.0
        self.screen.feed(b"x")

    def play(self) -> None:
        self.plays += 1
        shown = _table(self.plays)
        self.screen.show_table(lambda cols: shown)
        self.screen.show([styled_line(("Ann", "strong"), f" draws card {self.plays}.")])
        self.clock.wait(1.0)

    def second(self) -> None:
        self.plays += 1
        self.screen.show_status(asks=(f"{self.plays} s",))
        self.clock.wait(1.0)

    def whole(self) -> None:
        self.screen.feed(b"\x0c")
        self.clock.wait(1.0)


def _table(number: int) -> list[StyledLine]:
    head = styled_line(("Turn ", "title"), (f"{number}.", "title"), " It is Bob's turn.")
    seats = range(13)
    return [
        head,
        *(styled_line(f"Seat {n}  {number} cards  ", ("1 pair", "strong")) for n in seats),
    ]


def grown_kib(cols: int, rows: int, count: int = 100) -> float:
    Bench(cols, rows)
    gc.collect()
    before = resident_kib()
    kept = [Bench(cols, rows) for _ in range(count)]
    gc.collect()
    return (resident_kib() - before) / len(kept)


def run(cols: int, rows: int, count: int = 40) -> dict[str, float]:
    """The figures of TARGETS."""
    child = subprocess.run(
        [sys.executable, "-c", GROWN.format(cols, rows)], capture_output=True, check=True
    )
    start = time.process_time()
    benches = [Bench(cols, rows) for _ in range(count)]
    start_s = time.process_time() - start
    return {
        "kib": float(child.stdout),
        "start_ms": 1e3 * start_s / count,
        "key_us": _each_us(benches, Bench.key),
        "play_us": _each_us(benches, Bench.play),
        "clock_us": _each_us(benches, Bench.second),
        "whole_us": _each_us(benches, Bench.whole),
    }


def rows(times: int, count: int = 40) -> list[Row]:
    """The figures of so many runs beside the targets."""
    found = {size: [run(*size, count) for _ in range(times)] for size in SIZES}
    return [
        Row(
            f"full screen {cols}x{rows}: {name}",
            tuple(each[key] for each in found[cols, rows]),
            (),
            None if limits[at] is None else Target("<=", limits[at]),
        )
        for at, (cols, rows) in enumerate(SIZES)
        for key, (name, limits) in TARGETS.items()
    ]


def _each_us(benches: list[Bench], work: Callable[[Bench], None]) -> float:
    start = time.process_time()
    for bench in benches:
        work(bench)
    return 1e6 * (time.process_time() - start) / len(benches)
