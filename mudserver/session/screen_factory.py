"""Makes the screen of a session: line mode, or the full screen with its panes.

Rule 1: a session starts in line mode.  It gets the full screen when its person wants it and
        nothing stands in the way; otherwise one sentence says what does.
Rule 2: the full screens of the server are bounded, and those of one source and its network: each
        costs as much memory as a hundred line-mode screens.
Rule 3: prompt_toolkit is imported soon after the start, or when a full screen is wanted before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.session import texts
from mudserver.source_budgets import Hold, Kind, SourceBudgets
from mudserver.transport.link import Terminal
from mudserver.ui.screen import Screen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from mudserver.ui.ticker import Ticker

if TYPE_CHECKING:
    from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
    from mudserver.ui.fullscreen.screen import FullScreen


class ScreenOwner(NamedTuple):
    """Whose place a full screen takes."""

    source: str
    is_account: bool


def load_full_screen() -> None:
    """Import and make what the first full screen would, while everybody waits for it."""
    from mudserver.ui.fullscreen import screen  # noqa: F401
    from mudserver.ui.fullscreen.application import load_library_bindings

    load_library_bindings()


class ScreenFactory:
    def __init__(
        self, config: Config, clock: Clock, ticker: Ticker, budgets: SourceBudgets
    ) -> None:
        self.config = config  # for screens made from now on
        self._clock, self._ticker, self._budgets = clock, ticker, budgets
        self._frames: FrameScheduler | None = None
        self._places: dict[FullScreen, Hold] = {}

    def make_line_screen(
        self,
        terminal: Terminal,
        preferences: DisplayPreferences,
        callbacks: ScreenCallbacks,
        *,
        is_set_up: bool = False,
    ) -> Screen:
        ticker, config = self._ticker, self.config
        return Screen(terminal, preferences, callbacks, ticker, config, is_set_up=is_set_up)

    def full_screen_obstacle(
        self, terminal: Terminal, owner: ScreenOwner, *, is_linear: bool, has_full_screen: bool
    ) -> str:
        """Why a session cannot have the full screen; "": it can."""
        if is_linear:
            return texts.NEEDS_EYES
        if not terminal.is_character_mode:
            return texts.NEEDS_SINGLE_KEYS
        if not terminal.is_ansi:
            return texts.NEEDS_CURSOR
        if not self.config.session.full_screens_max:
            return texts.NO_FULL_SCREEN
        if not has_full_screen:
            try:
                self._take_place(owner).release()
            except UserError as exc:
                return str(exc)
        return ""

    def _take_place(self, owner: ScreenOwner) -> Hold:
        return self._budgets.hold(Kind.FULL_SCREENS, owner.source, is_account=owner.is_account)

    def switch_to_full_screen(
        self,
        before: Screen,
        owner: ScreenOwner,
        terminal: Terminal,
        preferences: DisplayPreferences,
        callbacks: ScreenCallbacks,
        on_failure: Callable[[Exception], None],
    ) -> FullScreen:
        """Replace line mode by the full screen; the unfinished input line is kept."""
        # Imported here and not above, so that a server starts sooner: `load_full_screen`.
        from mudserver.ui.fullscreen.frame_scheduler import FrameScheduler
        from mudserver.ui.fullscreen.screen import FullScreen

        if self._frames is None:
            self._frames = FrameScheduler(self._clock, self.config.session.full_screen_frame_ms)
        screen = FullScreen(
            terminal, preferences, callbacks, self._frames, self.config, self._clock, on_failure
        )
        state = before.input_state
        before.close()
        screen.restore_input(state)
        self._places[screen] = self._take_place(owner)
        return screen

    def switch_to_line_mode(
        self,
        before: FullScreen,
        terminal: Terminal,
        preferences: DisplayPreferences,
        callbacks: ScreenCallbacks,
    ) -> Screen:
        """Replace the full screen by line mode; the last rows of the log are shown again."""
        state = before.input_state
        self.close_full_screen(before, last_rows=max(0, before.rows - 3))
        screen = self.make_line_screen(terminal, preferences, callbacks)
        screen.restore_input(state)
        return screen

    def close_full_screen(self, screen: FullScreen, last_rows: int = 0) -> None:
        if (place := self._places.pop(screen, None)) is not None:
            place.release()
        screen.close(last_rows)
