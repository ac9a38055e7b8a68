"""A session with a screen: line mode or the full screen, as the person's preferences say.

Rule 1: a session starts in line mode; `screen_factory.py` says what stands in the way of panes.
Rule 2: a bug in drawing costs the full screen, not the session.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING

from mudserver.accounts.person import Person
from mudserver.data_account import BESIDE_A_SENTENCE
from mudserver.data_messages import DATA_TYPES, SeekGoneData
from mudserver.messages import LineAnswered, Message, MovesWait
from mudserver.service.own_games import OwnRow
from mudserver.service.seeking import SeekShown
from mudserver.session import texts
from mudserver.session.backlog import Backlog
from mudserver.session.context import SessionContext
from mudserver.session.fullscreen_feed import FullScreenFeed
from mudserver.session.going_on import panes_of, with_panes
from mudserver.session.render_profile import (
    RenderProfile,
    display_preferences,
    render_profile,
    resolve_auto,
)
from mudserver.session.screen_factory import ScreenOwner
from mudserver.session.session import Session
from mudserver.transport.link import Link, Terminal
from mudserver.ui import ansi
from mudserver.ui.completion import Completion
from mudserver.ui.encode import encode_lines
from mudserver.ui.fullscreen.model import Arrangement
from mudserver.ui.screen import Screen
from mudserver.ui.screen_callbacks import ScreenCallbacks
from mudserver.ui.terminal_profile import DisplayPreferences
from mudserver.wall.capsule import Capsule
from variants.kit.text import styled_line

if TYPE_CHECKING:  # prompt_toolkit is loaded after the start: `service/preloading.py`
    from mudserver.ui.fullscreen.screen import FullScreen

NOT_SHOWN = frozenset({*DATA_TYPES, *BESIDE_A_SENTENCE, LineAnswered, MovesWait})


class ScreenSession(Session[str]):
    """What a terminal's session does with its screen; `terminal_session.py` does the rest."""

    __slots__ = (
        "_fullscreen_feed",
        "_hands_over",
        "_is_full_screen_declined",
        "_is_screen_reader",
        "_kept_panes",
        "_kept_wait_text",
        "_owed_log",
        "_prompt_shown_for",
        "_reads_along",
        "_screen_callbacks",
        "profile",
        "screen",
    )

    def __init__(
        self,
        context: SessionContext,
        link: Link,
        settings: Mapping[str, str],
        *,
        is_screen_reader: bool,
        is_set_up: bool,
    ) -> None:
        """A session in line mode.

        Args:
            settings: The session's own, from another process.
            is_set_up: That process has set the terminal up.
        """
        super().__init__(context, link)
        self._is_screen_reader = is_screen_reader
        self._hands_over = False  # to another server, with the row as it stands
        self._own.values = dict(settings)
        # Place, turn, and how many moves the title counts; None: make the prompt anew.
        self._prompt_shown_for: tuple[str, str, int] | None = None
        # Chat is rows above the prompt, and nothing else changes: no page is open, no row held.
        self._reads_along = False
        display = display_preferences(self.preference)
        self.profile: RenderProfile = render_profile(link.terminal, self.preference, display)
        self._screen_callbacks = ScreenCallbacks(
            write=link.send,
            on_line=self.submit_line,
            on_end=self.on_end_of_input,
            complete=self.complete,
            backlog=link.backlog,
            end_prompt=link.end_prompt,
            on_flush=None if self._shown is None else self._send_shown,
            is_answer_due=self._is_answer_due,
        )
        self.screen: Screen | FullScreen = context.screen_factory.make_line_screen(
            *(link.terminal, display, self._screen_callbacks), is_set_up=is_set_up
        )
        self._fullscreen_feed: FullScreenFeed | None = None  # None: line mode
        self._kept_panes: Arrangement | None = None  # of the last capsule
        self._kept_wait_text = b""  # left with it
        self._owed_log: Backlog | None = None  # what a full screen shows again with its place
        self._is_full_screen_declined = False  # until the person asks for it again
        if link.terminal.wants_full_screen:
            self._own.values["screen"] = "on"

    @abstractmethod
    def on_end_of_input(self) -> None:
        """Ctrl-D on an empty line."""

    @abstractmethod
    def complete(self, text: str, cursor: int) -> Completion | None:
        """What the word before the cursor may become."""

    @abstractmethod
    def _send_shown(self) -> None:
        """Say how much was shown, with the output and the packages that leave now."""

    @abstractmethod
    def _show_what_waits(self) -> None:
        """The full screen begins: show what line mode holds back."""

    @abstractmethod
    def _show_place(self, feed: FullScreenFeed) -> None:
        """Where the person is, with the table or the lesson there."""

    def _is_answer_due(self) -> bool:
        """Whether a line is about to begin, or what answers it about to be shown.

        Nothing that takes longer counts: when a row is drawn must not tell what a table does.
        """
        return self._input_queue.is_announced or self.inbox.put_count != self.inbox.taken_count

    # -- going on in another process -------------------------------------------------------------

    def _make_capsule(self, person: Person, nonce: bytes) -> Capsule:
        capsule = super()._make_capsule(person, nonce)
        if self._fullscreen_feed is None:
            return capsule
        self._kept_panes = self._fullscreen_feed.screen.model.arrangement
        return with_panes(capsule, self._kept_panes)

    def _wait_text(self) -> bytes:
        self._kept_wait_text = self._make_wait_text()
        return self._kept_wait_text

    def _make_wait_text(self) -> bytes:
        if self._fullscreen_feed is not None:
            return self._fullscreen_feed.screen.over_bar(*texts.SERVER_RESTARTS_FORMS)
        rows = encode_lines([styled_line(texts.SERVER_RESTARTS)], self.profile.terminal_profile)
        return ansi.NEWLINE + rows

    def _on_panes_drawn(self) -> None:
        self._send_shown()
        if (feed := self._fullscreen_feed) is None or self._keeper is None:
            return
        if self._make_wait_text() != self._kept_wait_text:  # what it stands on is drawn now
            self._keeper.keep(waits=True)
        elif feed.screen.model.arrangement != self._kept_panes:
            self._note_change(is_urgent=True)

    def hand_over(self) -> None:
        if self.inbox.put_count != self.inbox.taken_count:
            self._flush_inbox()
        self._show_what_waits()
        self.screen.end_row()
        self._settle_shown()
        self._hands_over = not self._input_queue.has_queued  # else its lines would be lost
        super().hand_over()

    def as_input(self, line: str) -> bytes:
        return line.encode()

    def do_errand(self, errand: bytes) -> Awaitable[None] | None:
        return self._handle_line(errand.decode(errors="replace"))

    # -- preferences ---------------------------------------------------------------------------

    def preference(self, key: str) -> str:
        value = super().preference(key)
        is_open = key == "screenreader" and value == "auto"
        return "on" if is_open and self._is_screen_reader else value

    def effective_preference(self, key: str) -> tuple[str, str]:
        value, source = super().effective_preference(key)
        if value != "auto" and not (key == "screenreader" and source == "default"):
            return value, source
        resolved = resolve_auto(key, self._link.terminal, self.profile, self.preference)
        if resolved == "auto":  # not a matter of terminals: `computers`
            return value, source
        return resolved, "this terminal"

    def save_preference(self, key: str, value: str) -> None:
        if key == "screen":
            self._is_full_screen_declined = False
        super().save_preference(key, value)

    def apply_preferences(self) -> None:
        terminal, self._reads_along = self._link.terminal, False
        self._prompt_shown_for = None
        display = display_preferences(self.preference)
        self.profile = render_profile(terminal, self.preference, display)
        obstacle = self._choose_screen()
        self.screen.resize(terminal, display)
        self._note_change()  # who waits reads of it in rows of that width
        if obstacle:
            self.send_text(obstacle)

    # -- line mode or full screen ----------------------------------------------------------------

    def full_screen_obstacle(self) -> str:
        return self._context.screen_factory.full_screen_obstacle(
            self._link.terminal,
            self._screen_owner(),
            is_linear=self.profile.style.is_linear,
            has_full_screen=self._fullscreen_feed is not None,
        )

    def _screen_owner(self) -> ScreenOwner:
        return ScreenOwner(self._source, self.person is not None and not self.person.is_guest)

    def _choose_screen(self) -> str:
        """Switch the screen if the preferences ask for it.  Returns what stands in the way."""
        is_wanted, obstacle = self.person is not None and self.preference("screen") == "on", ""
        if is_wanted and not self._is_full_screen_declined:
            obstacle = self.full_screen_obstacle()
        self._is_full_screen_declined = self._is_full_screen_declined or bool(obstacle)
        is_full = is_wanted and not self._is_full_screen_declined
        if self._fullscreen_feed is not None and not is_full:
            self._switch_to_line_mode(self._fullscreen_feed.screen)
        elif isinstance(self.screen, Screen) and is_full:
            self._switch_to_full_screen(self.screen)
        return obstacle

    def _screen_arguments(self) -> tuple[Terminal, DisplayPreferences, ScreenCallbacks]:
        """What every screen of this session is made of."""
        return self._link.terminal, display_preferences(self.preference), self._screen_callbacks

    def _switch_to_line_mode(self, before: FullScreen) -> None:
        factory = self._context.screen_factory
        self.screen = factory.switch_to_line_mode(before, *self._screen_arguments())
        self._fullscreen_feed = None

    def _switch_to_full_screen(self, before: Screen) -> None:
        self._show_what_waits()
        terminal, preferences, callbacks = self._screen_arguments()
        if callbacks.on_flush is not None:
            callbacks = callbacks._replace(on_flush=self._on_panes_drawn)
        self.screen = full_screen = self._context.screen_factory.switch_to_full_screen(
            *(before, self._screen_owner(), terminal, preferences, callbacks),
            on_failure=self._full_screen_failed,
        )
        self._fullscreen_feed = FullScreenFeed(
            full_screen,
            self._context.renderer,
            lambda: self.profile,
            lambda: self.person.name if self.person is not None else "",
            self._context.clock,
            self._lessons_overview,
            self._own_games,
            self._end_shown,
            self._seeks,
            self._tourney,
        )
        if self._resumed is None:
            self._fullscreen_feed.fill(self._backlog)
        else:  # the place follows, with events among which the talk has its time
            self._owed_log = Backlog()
            self._owed_log.extend(self._backlog.batches)
            if (panes := panes_of(self._resumed)) is not None:
                full_screen.model.restore(panes)
        self._show_place(self._fullscreen_feed)

    def _without_data(self, messages: list[Message]) -> list[Message]:
        """*messages* without those that programs alone read."""
        if NOT_SHOWN.isdisjoint(map(type, messages)):
            return messages
        if self._fullscreen_feed is not None and SeekGoneData in map(type, messages):
            self._fullscreen_feed.refresh_lobby()
        return [each for each in messages if type(each) not in NOT_SHOWN]

    def _seeks(self) -> Sequence[SeekShown]:
        return () if self.person is None else self._context.service.seeking.shown(self.person)

    def _tourney(self) -> int:
        return 0 if self.person is None else self._context.service.tourney_of(self.person)

    def _own_games(self) -> Sequence[OwnRow]:
        return () if self.person is None else self._context.service.own_games.rows(self.person)

    def _end_shown(self) -> Sequence[Message]:
        going_on = self._context.service.going_on
        return () if self.person is None else going_on.end_shown(self.person)

    def _lessons_overview(self) -> list[tuple[str, str]]:
        return [] if self.person is None else self._context.service.lessons.overview(self.person)

    def _full_screen_failed(self, bug: Exception) -> None:
        """A bug in drawing costs the full screen; the session goes on in line mode."""
        ref = self.log_bug("full screen failed", bug)
        try:
            self._is_full_screen_declined = True
            self.apply_preferences()
            self.send_text(texts.FULL_SCREEN_FAILED.format(ref))
        except Exception as worse:
            self._fail(worse)
