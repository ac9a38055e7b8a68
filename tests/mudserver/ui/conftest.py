"""A screen with everything around it that a test wants to see or move by hand."""

from __future__ import annotations

import pytest

from mudserver.config.schema import Config
from mudserver.transport.link import Terminal
from mudserver.ui.completion import Completion
from mudserver.ui.screen import Screen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from mudserver.ui.ticker import Ticker
from tests.terminal import Emulator
from variants.kit.text import styled_line

ANSI = Terminal(name="xterm", is_ansi=True, is_character_mode=True)
DUMB = Terminal(name="dumb", is_character_mode=True)
LINES = Terminal()


class HandClock:
    """Timers that run when the test says so."""

    def __init__(self) -> None:
        self.waiting = []

    def monotonic(self):
        return 0.0

    def call_later(self, delay_s, call):
        self.waiting.append(call)

    def tick(self):
        calls, self.waiting = self.waiting, []
        for call in calls:
            call()


class Harness:
    """One screen, what it was told and what it wrote."""

    def __init__(self, terminal=ANSI, config=None, rows=24, settings=None):
        self.clock = HandClock()
        self.emulator = Emulator(terminal.cols, rows)
        self.out = bytearray()
        self.lines: list[str] = []
        self.ends = 0
        self.lag_bytes = 0
        self.words: tuple[str, ...] = ()
        self.screen = Screen(
            terminal,
            settings or DisplayPreferences(),
            ScreenCallbacks(
                self._write, self.lines.append, self._end, self._complete, lambda: self.lag_bytes
            ),
            Ticker(self.clock, 20),
            config or Config(),
        )
        self.screen.set_prompt("> ")
        self.tick()

    def _write(self, data):
        self.out += data
        self.emulator.feed(data)

    def _end(self):
        self.ends += 1

    def _complete(self, text, cursor):
        start = text.rfind(" ", 0, cursor) + 1
        found = tuple(w for w in self.words if w.lower().startswith(text[start:cursor].lower()))
        return Completion(start, found)

    def type(self, keys: str | bytes):
        self.screen.feed(keys.encode() if isinstance(keys, str) else keys)

    def say(self, text: str, **how):
        self.screen.show([styled_line(text)], **how)

    def tick(self):
        self.clock.tick()

    def fresh(self) -> bytes:
        """What was written since the last time."""
        data = bytes(self.out)
        self.out.clear()
        return data

    @property
    def row(self) -> str:
        return self.emulator.row.rstrip()


@pytest.fixture
def harness():
    return Harness()
