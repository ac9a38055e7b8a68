"""A full screen with everything around it that a test wants to see or move by hand."""

from __future__ import annotations

import pyte

from mudserver.config.schema import Config
from mudserver.transport.link import Terminal
from mudserver.ui.completion import Completion
from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
from mudserver.ui.fullscreen.screen import FullScreen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from tests.terminal import row_of
from variants.kit.text import styled_line

SIZES = [(200, 50), (80, 24), (40, 12)]
ODD_SIZES = [(20, 5), (20, 8), (39, 6), (110, 14), (110, 36), (160, 24), (300, 100), (80, 9)]


def terminal(cols: int = 80, rows: int = 24, **what) -> Terminal:
    what = {"is_ansi": True, "is_character_mode": True, "colours": "256", **what}
    return Terminal("xterm-256color", cols, rows, **what)


class Timer:
    def __init__(self, clock, at_s, call):
        self.clock, self.at_s, self.call = clock, at_s, call

    def cancel(self):
        if self in self.clock.timers:
            self.clock.timers.remove(self)


class HandClock:
    """Time that moves when the test says so."""

    def __init__(self) -> None:
        self.time_s = 0.0
        self.timers: list[Timer] = []

    def monotonic(self):
        return self.time_s

    def now_ms(self):
        return round(self.time_s * 1000)

    def call_later(self, delay_s, call):
        self.timers.append(Timer(self, self.time_s + delay_s, call))
        return self.timers[-1]

    def call_at_ms(self, when_ms, call):
        return self.call_later(when_ms / 1000 - self.time_s, call)

    def call_soon(self, call):
        self.call_later(0, call)

    def wait(self, seconds: float) -> None:
        end_s = self.time_s + seconds
        while due := [timer for timer in self.timers if timer.at_s <= end_s + 1e-9]:
            first = min(due, key=lambda timer: timer.at_s)
            self.timers.remove(first)
            self.time_s = max(self.time_s, first.at_s)
            first.call()
        self.time_s = end_s


class TwoScreenEmulator:
    """A terminal with two screens, as xterm has: what is on each, and which is seen.  By pyte."""

    def __init__(self, cols: int, rows: int) -> None:
        self.cols, self.rows_count = cols, rows
        self.is_full = self.has_paste_mode = False
        self.is_cursor_seen = self.wraps = True
        self._main, self._full = self._new(), self._new()

    def _new(self):
        screen = pyte.Screen(self.cols, self.rows_count)
        return screen, pyte.ByteStream(screen)

    def feed(self, data: bytes) -> None:
        while data:
            at, switch = min(
                ((data.find(switch), switch) for switch in SWITCHES if switch in data),
                default=(len(data), b""),
            )
            self._seen[1].feed(data[:at])
            if switch:
                setattr(self, *SWITCHES[switch])
                if switch == b"\x1b[?1049h":
                    self._full = self._new()
            data = data[at + len(switch) :]

    @property
    def _seen(self):
        return self._full if self.is_full else self._main

    def resize(self, cols: int, rows: int) -> None:
        self.cols, self.rows_count = cols, rows
        for screen, _ in (self._main, self._full):
            screen.resize(rows, cols)

    @property
    def rows(self) -> list[str]:
        screen = self._seen[0]
        return [row_of(screen, row).rstrip() for row in range(screen.lines)]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def cursor(self) -> tuple[int, int]:
        return self._seen[0].cursor.y, self._seen[0].cursor.x

    def cell(self, row: int, column: int):
        return self._seen[0].buffer[row][column]

    @property
    def is_as_found(self) -> bool:
        return (
            not (self.is_full or self.has_paste_mode)
            and self.is_cursor_seen
            and self.wraps
            and self._main[0].cursor.attrs == pyte.Screen(1, 1).cursor.attrs
        )


SWITCHES = {
    b"\x1b[?1049h": ("is_full", True),
    b"\x1b[?1049l": ("is_full", False),
    b"\x1b[?2004h": ("has_paste_mode", True),
    b"\x1b[?2004l": ("has_paste_mode", False),
    b"\x1b[?25h": ("is_cursor_seen", True),
    b"\x1b[?25l": ("is_cursor_seen", False),
    b"\x1b[?7h": ("wraps", True),
    b"\x1b[?7l": ("wraps", False),
}


class Harness:
    def __init__(
        self, cols=80, rows=24, *, settings=None, config=None, clock=None, frames=None,
        is_drawn=True, **what,
    ):  # fmt: skip
        self.clock = clock or HandClock()
        self.config = config or Config()
        self.emulator = TwoScreenEmulator(cols, rows)
        self.out = bytearray()
        self.writes: list[bytes] = []
        self.written_at: list[float] = []  # seconds
        self.lines: list[str] = []
        self.faults: list[Exception] = []
        self.ends = self.lag_bytes = 0
        self.words: tuple[str, ...] = ()
        self.settings = settings or DisplayPreferences()
        self.screen_charset = what.get("charset", "utf-8")
        self.screen = FullScreen(
            terminal(cols, rows, **what),
            self.settings,
            ScreenCallbacks(
                self._write, self.lines.append, self._end, self._complete, lambda: self.lag_bytes
            ),
            frames or FrameScheduler(self.clock, self.config.session.full_screen_frame_ms),
            self.config,
            self.clock,
            self._fault,
        )
        self.screen.set_prompt("> ")
        if is_drawn:
            self.beat()

    def _write(self, data):
        self.out += data
        self.writes.append(data)
        self.written_at.append(self.clock.time_s)
        self.emulator.feed(data.decode(self.screen_charset).encode())

    def _end(self):
        self.ends += 1

    def _fault(self, bug):
        self.faults.append(bug)
        self.screen.close()

    def _complete(self, text, cursor):
        start = text.rfind(" ", 0, cursor) + 1
        found = tuple(w for w in self.words if w.lower().startswith(text[start:cursor].lower()))
        return Completion(start, found)

    def type(self, keys: str | bytes):
        self.screen.feed(keys.encode() if isinstance(keys, str) else keys)
        self.clock.wait(0.1)

    def say(self, *sentences: str, **how):
        self.screen.show([styled_line(sentence) for sentence in sentences], **how)
        self.beat()

    def table(self, *rows: str, **how):
        self.screen.show_table(lambda cols: [styled_line(row) for row in rows], **how)
        self.beat()

    def resize(self, cols: int, rows: int, **what):
        self.emulator.resize(cols, rows)
        self.screen.resize(terminal(cols, rows, **what), self.settings)
        self.beat()

    def beat(self):
        self.clock.wait(0.2)

    def fresh(self) -> bytes:
        data = bytes(self.out)
        self.out.clear()
        self.writes.clear()
        self.written_at.clear()
        return data

    @property
    def rows(self) -> list[str]:
        return self.emulator.rows

    @property
    def row(self) -> str:
        """The input line."""
        return self.rows[-1]

    @property
    def bar(self) -> str:
        return self.rows[-2]
