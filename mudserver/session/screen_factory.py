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
from mudserver.config.schema import Config
from mudserver.session.render_profile import screen_settings
from mudserver.transport.link import Link, Terminal
from mudserver.ui.screen import Screen
from mudserver.ui.ticker import Ticker

if TYPE_CHECKING:
    from mudserver.session.terminal_session import TerminalSession
    from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
    from mudserver.ui.fullscreen.screen import FullScreen

NEEDS_SINGLE_KEYS_TEXT = (
    "Your client sends whole lines, and the full screen needs single keys. "
    "It works over SSH, for example."
)
NEEDS_CURSOR_TEXT = (
    "Your terminal says that it cannot move its cursor, which the full screen needs. "
    "Where it can, come back with TERM=xterm."
)
SCREEN_READER_TEXT = (
    "The full screen draws over what was read, so no screen reader can follow it. "
    "To have it all the same, type screenreader off first."
)


class ScreenFactory:
    def __init__(self, config: Config, clock: Clock, ticker: Ticker) -> None:
        self.config = config  # of the screens that are made from now on
        self._clock, self._ticker = clock, ticker
        self._frames: FrameScheduler | None = None
        self._full_screens: set[FullScreen] = set()

    def make_line_screen(self, session: TerminalSession, link: Link) -> Screen:
        return Screen(
            link.send,
            link.terminal,
            screen_settings(session.preference),
            session.submit_line,
            session.on_end_of_input,
            session.complete,
            self._ticker,
            self.config,
            link.backlog,
            link.end_prompt,
        )

    def full_screen_obstacle(
        self, terminal: Terminal, *, is_linear: bool, has_full_screen: bool
    ) -> str:
        """Why somebody can not have the full screen; "": nothing stands in the way."""
        most = self.config.session.full_screens_max
        if is_linear:
            return SCREEN_READER_TEXT
        if not terminal.is_character_mode:
            return NEEDS_SINGLE_KEYS_TEXT
        if not terminal.is_ansi:
            return NEEDS_CURSOR_TEXT
        if not has_full_screen and len(self._full_screens) >= most:
            if not most:
                return "This house has no full screen."
            return f"All {most} full screens are in use just now. screen on tries again."
        return ""

    def switch_to_full_screen(
        self,
        session: TerminalSession,
        link: Link,
        before: Screen,
        on_failure: Callable[[Exception], None],
    ) -> FullScreen:
        """Panes in place of lines; what is being typed goes along."""
        # Here, and not above: most houses have nobody who wants it most of the time.
        from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
        from mudserver.ui.fullscreen.screen import FullScreen

        if self._frames is None:
            self._frames = FrameScheduler(self._clock, self.config.session.full_screen_beat_ms)
        screen = FullScreen(
            link.send,
            link.terminal,
            screen_settings(session.preference),
            session.submit_line,
            session.on_end_of_input,
            session.complete,
            self._frames,
            self.config,
            self._clock,
            on_failure,
            link.backlog,
        )
        state = before.input_state
        before.close()
        screen.restore_input(state)
        self._full_screens.add(screen)
        return screen

    def switch_to_line_mode(
        self, session: TerminalSession, link: Link, before: FullScreen
    ) -> Screen:
        """The other way; the end of the log is shown again."""
        state = before.input_state
        self.close_full_screen(before, last_rows=max(0, before.rows - 3))
        screen = self.make_line_screen(session, link)
        screen.restore_input(state)
        return screen

    def close_full_screen(self, screen: FullScreen, last_rows: int = 0) -> None:
        self._full_screens.discard(screen)
        screen.close(last_rows)
