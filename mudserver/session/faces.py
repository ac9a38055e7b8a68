"""Which screen a visit has: lines that scroll away, or panes that stay.

Rule 1: everybody has line mode until they want the full screen and may have it; who may not reads
        in one sentence why.
Rule 2: there are so many full screens and no more: each costs what a hundred line modes do.
Rule 3: prompt_toolkit is loaded when the first one is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mudserver.clock import Clock
from mudserver.config import Config
from mudserver.session.tastes import settings_for
from mudserver.transport.link import Link, Terminal
from mudserver.ui.handover import Typing, go_on, typing_of
from mudserver.ui.screen import Screen
from mudserver.ui.ticker import Ticker

if TYPE_CHECKING:
    from mudserver.session.visit import Visit
    from mudserver.ui.full.frames import Frames
    from mudserver.ui.full.screen import FullScreen

LINES_ONLY = (
    "Your client sends whole lines, and the full screen needs single keys. "
    "It works over SSH, for example."
)
NO_CURSOR = (
    "Your terminal says that it cannot move its cursor, which the full screen needs. "
    "Where it can, come back with TERM=xterm."
)
READ_ALOUD = (
    "The full screen draws over what was read, so no screen reader can follow it. "
    "To have it all the same, type screenreader off first."
)


class Faces:
    def __init__(self, config: Config, clock: Clock, ticker: Ticker) -> None:
        self.config = config  # of the screens that are made from now on
        self._clock, self._ticker = clock, ticker
        self._frames: Frames | None = None
        self._full: set[FullScreen] = set()

    def lines(self, visit: Visit, link: Link) -> Screen:
        return Screen(
            link.send,
            link.terminal,
            settings_for(visit.setting),
            visit.typed,
            visit.ended,
            visit.complete,
            self._ticker,
            self.config,
            link.backlog,
            link.prompt_end,
        )

    def why_not(self, terminal: Terminal, *, is_linear: bool, has_one: bool) -> str:
        """Why somebody can not have the full screen; "": nothing stands in the way."""
        most = self.config.line.full_screens_max
        if is_linear:
            return READ_ALOUD
        if not terminal.is_character:
            return LINES_ONLY
        if not terminal.is_ansi:
            return NO_CURSOR
        if not has_one and len(self._full) >= most:
            if not most:
                return "This house has no full screen."
            return f"All {most} full screens are in use just now. screen on tries again."
        return ""

    def to_full(
        self, visit: Visit, link: Link, before: Screen, failed: Callable[[Exception], None]
    ) -> FullScreen:
        """Panes in place of lines; what is being typed goes along."""
        # Here, and not above: most houses have nobody who wants it most of the time.
        from mudserver.ui.full.frames import Frames
        from mudserver.ui.full.screen import FullScreen

        if self._frames is None:
            self._frames = Frames(self._clock, self.config.line.full_screen_beat_ms)
        screen = FullScreen(
            link.send,
            link.terminal,
            settings_for(visit.setting),
            visit.typed,
            visit.ended,
            visit.complete,
            self._frames,
            self.config,
            self._clock,
            failed,
            link.backlog,
        )
        typing = typing_of(before)
        before.close()
        screen.go_on(typing)
        self._full.add(screen)
        return screen

    def to_lines(self, visit: Visit, link: Link, before: FullScreen) -> Screen:
        """The other way; the end of the log is shown again."""
        typing: Typing = before.typing
        self.close(before, last_rows=max(0, before.rows - 3))
        screen = self.lines(visit, link)
        go_on(screen, typing, screen.look.charset)
        return screen

    def close(self, screen: FullScreen, last_rows: int = 0) -> None:
        self._full.discard(screen)
        screen.close(last_rows)
