"""One visit: a terminal on one side, a person on the other.

Rule 1: lines go to the greeting until somebody is known, then where every stay's go (`stay.py`).
Rule 2: everything shown passes the screen, and one message is painted once for all who read alike.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.accounts import Person
from mudserver.commands.interpreter import completions
from mudserver.commands.registry import Context
from mudserver.session.fullscreen_feed import FullScreenFeed
from mudserver.session.gmcp_feed import GmcpFeed
from mudserver.session.login import LoginDialog
from mudserver.session.pager import MORE_PROMPT, Pager
from mudserver.session.presenter import RenderProfile
from mudserver.session.render_profile import (
    describe_terminal,
    page_rows,
    prompt_text,
    render_profile,
    resolve_auto,
    screen_settings,
)
from mudserver.session.session import Session
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from mudserver.ui.completion import Completion
from mudserver.ui.screen import Screen
from mudserver.ui.terminal_profile import TerminalProfile
from variants.kit.text import Style, StyledLine, quantity, styled_line

if TYPE_CHECKING:
    from mudserver.session.manager import SessionManager
    from mudserver.ui.fullscreen.screen import FullScreen


class TerminalSession(Session[str]):
    def __init__(
        self, manager: SessionManager, link: Link, proven: AuthenticatedUser | None
    ) -> None:
        super().__init__(manager, link)
        # Of who comes by SSH nobody knows yet how they read; a screen reader is sent no sequence.
        self._is_screen_reader = link.terminal.is_screen_reader or proven is not None
        self._is_secret = False
        self._last_window: object = ""  # the last window that was shown
        self._location: m.LocationMessage | None = None
        self._is_turn = False
        self._is_prompt_stable = False  # until something else than talk comes
        self.profile: RenderProfile = render_profile(link.terminal, self.preference)
        self.screen: Screen | FullScreen = manager.screen_factory.make_line_screen(self, link)
        self._fullscreen_feed: FullScreenFeed | None = (
            None  # of the full screen, if that is what there is
        )
        self._is_full_screen_declined = False  # until it is asked for again
        if link.terminal.wants_full_screen:
            self._own_preferences["screen"] = "on"
        self._pager = Pager(self)
        self._gmcp_feed: GmcpFeed | None = None  # of a client that asks for some
        self._login: LoginDialog | None = None
        if proven is None:
            self._start_login()
        else:
            self._admit(proven)

    # -- the link's side -----------------------------------------------------------------------

    def _feed(self, data: bytes) -> None:
        self.screen.feed(data)

    def on_resize(self, terminal: Terminal) -> None:
        if not self.is_over:
            self._is_screen_reader = self._is_screen_reader or terminal.is_screen_reader
            self.apply_preferences()

    # -- coming in -----------------------------------------------------------------------------

    def _start_login(self) -> None:
        reception = self._manager
        self.send_text(
            f"{reception.server_name}: people and computers play cards here.",
            "Type guest to look around, your name to come in, or help.",
        )
        self._login = LoginDialog(
            self,
            reception.service.account_service,
            self._source,
            reception.config.door.failures_telnet_max,
            self._link.count_failure,
            self._link.extend_login_deadline,
            self._enter,
            self._enter_as_guest,
        )

    def _enter(self, person: Person, notice: str) -> None:
        self._is_screen_reader = self._link.terminal.is_screen_reader
        super()._enter(person, notice)
        self._login = None
        self._start_gmcp_feed()

    def on_gmcp(self, package: str, data: object) -> None:
        """What the client asks for is heard, no more: people type, programs come by SSH."""
        if package.lower().startswith("core.supports."):
            self._start_gmcp_feed()

    def _start_gmcp_feed(self) -> None:
        if self.person is None or not self._link.speaks_gmcp or self.is_over:
            return
        try:
            self._gmcp_feed = self._gmcp_feed or self._manager.gmcp_feed(self._link)
            self._gmcp_feed.send_hello(self.person)
        except Exception as bug:
            self.report_bug(bug, "package")

    # -- going ---------------------------------------------------------------------------------

    def _send_farewell(self, text: str) -> None:
        self._pager.close()
        self.screen.show([styled_line(text)])

    def _close_output(self) -> None:
        if self._fullscreen_feed is None:
            self.screen.close()
        else:
            self._manager.screen_factory.close_full_screen(self._fullscreen_feed.screen)

    # -- lines ---------------------------------------------------------------------------------

    def on_end_of_input(self) -> None:
        """Ctrl-D on an empty line."""
        if self.person is None:
            self.disconnect("Goodbye.")
        else:
            self.submit_line("/quit")

    def submit_line(self, line: str) -> None:
        if self._pager.is_open and not self.is_over and self._pager.handle_line(line):
            self._show_command_prompt()
            return
        self._pager.reset_rows()
        super().submit_line(line)

    def _handle_input(self, typed: str) -> Awaitable[None] | None:
        return self._handle_line(typed) if self._login is None else self._login.handle_line(typed)

    # -- mail ----------------------------------------------------------------------------------

    def _flush_inbox(self) -> None:
        mail = self.inbox.take_all()
        if self._gmcp_feed is not None:
            self._gmcp_feed.queue_messages(mail, self.profile, self.report_bug)
            self._gmcp_feed.add_lost(self.inbox.dropped_count)
        is_talk = not self._pager.is_open and self._show_chat(mail)
        if not is_talk:
            self._pager.show_messages(mail)
        if self.inbox.dropped_count:
            lost, self.inbox.dropped_count = self.inbox.dropped_count, 0
            self.send_text(f"... {quantity(lost, 'message')} lost: the line was too slow.")
        if not (is_talk and self._is_prompt_stable):
            self._show_command_prompt()

    def _show_chat(self, mail: list[m.Message]) -> bool:
        """The short way for most of all mail.  False: it has to be looked at one by one."""
        if not isinstance(self.screen, Screen):
            return False
        try:
            talk = self._manager.render_chat(mail, self.profile)
        except Exception:
            return False  # one of them is broken; the others are not
        if talk:
            self.screen.show_encoded(talk, droppable=True)
        return talk is not None

    def show_message(self, message: m.Message) -> None:
        try:
            self.render_message(message)
        except Exception as bug:
            self.report_bug(bug, "mail")

    def render_message(self, message: m.Message) -> None:
        is_fresh = False
        if isinstance(message, m.ViewMessage):
            is_mine = message.seat in message.asked
            # Who waits reads once that Ann is to play, however many actions she has in a row.
            asks = message.window if is_mine else (message.asked, message.asks)
            is_fresh, self._last_window = asks != self._last_window, asks
            self._is_turn = is_mine and not (message.passes_itself or message.has_answered)
            if is_fresh and self._is_turn:
                self.screen.ring_bell()
        elif isinstance(message, m.LocationMessage):
            self._location, self._last_window = message, ""
            self._is_turn = self._is_turn and message.is_playing
            if self._fullscreen_feed is not None:
                self._fullscreen_feed.show_location(message)
            return
        elif isinstance(message, m.GameOver):
            self._is_turn = False
        if isinstance(self.screen, Screen):
            paint = self._manager.render(message, self.profile, is_fresh)
            if paint:
                self.screen.show_encoded(paint, droppable=type(message) in m.DROPPABLE_TYPES)
        elif self._fullscreen_feed is not None:
            self._fullscreen_feed.show_message(message, is_fresh)

    def _show_command_prompt(self) -> None:
        """The prompt says where one is and whether one is asked; it ends in `> `."""
        if self.person is None or self.is_over or self._dialog is not None:
            return
        if self._pager.is_open:
            self._is_prompt_stable = False
            self.screen.set_prompt(MORE_PROMPT, is_pause=True)
        else:
            self._is_prompt_stable = "{time}" not in self.preference("prompt")
            table = None if self._location is None else self._location.table
            now_ms = self._manager.clock.now_ms()
            self.show_prompt(
                prompt_text(
                    self.preference, self.profile.terminal_profile, table, self._is_turn, now_ms
                )
            )

    # -- for the pager -------------------------------------------------------------------------

    @property
    def terminal_profile(self) -> TerminalProfile:
        return self.profile.terminal_profile

    @property
    def page_rows(self) -> int:
        if self._is_turn or self._fullscreen_feed is not None:  # a pane scrolls
            return 0
        return page_rows(self._link.terminal, self.preference)

    def message_lines(self, message: m.Message) -> list[StyledLine]:
        try:
            return self._manager.message_lines(message, self.profile)
        except Exception as bug:
            self.report_bug(bug, "mail")
            return []

    def show_lines(self, lines: Iterable[StyledLine]) -> None:
        self.screen.show(lines)

    def is_turn_request(self, message: m.Message) -> bool:
        return (
            isinstance(message, m.ViewMessage)
            and message.seat in message.asked
            and not (message.passes_itself or message.has_answered)
        )

    @property
    def style(self) -> Style:
        return self.profile.style if self._fullscreen_feed is None else self._fullscreen_feed.style

    @property
    def has_numbered_moves(self) -> bool:
        return self.profile.style.is_linear

    # -- what verbs and the greeting may do ------------------------------------------------------

    def send_text(self, *sentences: str) -> None:
        self.screen.show([styled_line(sentence) for sentence in sentences])

    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        if is_secret is not self._is_secret:
            self._is_secret = is_secret
            self._link.set_echo(not is_secret)
        self.screen.set_prompt(prompt, is_secret)

    def set_screen_reader(self, is_on: bool) -> None:
        self._own_preferences["screenreader"] = "on" if is_on else "off"
        self.apply_preferences()

    def clear_screen(self) -> None:
        self.screen.clear()

    def preference(self, key: str) -> str:
        value = super().preference(key)
        is_open = key == "screenreader" and value == "auto"
        return "on" if is_open and self._is_screen_reader else value

    def effective_preference(self, key: str) -> tuple[str, str]:
        value, source = super().effective_preference(key)
        if value != "auto" and not (key == "screenreader" and source == "default"):
            return value, source
        return resolve_auto(
            key, self._link.terminal, self.profile, self.preference
        ), "this terminal"

    def save_preference(self, key: str, value: str) -> None:
        if key == "screen":
            self._is_full_screen_declined = False
        super().save_preference(key, value)

    def apply_preferences(self) -> None:
        terminal, self._is_prompt_stable = self._link.terminal, False
        self.profile = render_profile(terminal, self.preference)
        why = self._choose_screen()
        self.screen.resize(terminal, screen_settings(self.preference))
        if why:
            self.send_text(why)

    # -- lines or panes --------------------------------------------------------------------------

    def full_screen_obstacle(self) -> str:
        is_linear, has_one = self.profile.style.is_linear, self._fullscreen_feed is not None
        terminal, faces = self._link.terminal, self._manager.screen_factory
        return faces.full_screen_obstacle(terminal, is_linear=is_linear, has_full_screen=has_one)

    def _choose_screen(self) -> str:
        """The full screen for who wants it and may have it, else lines.  Answers why not."""
        is_wanted = self.person is not None and self.preference("screen") == "on"
        why = self.full_screen_obstacle() if is_wanted and not self._is_full_screen_declined else ""
        self._is_full_screen_declined = self._is_full_screen_declined or bool(why)
        is_full = is_wanted and not self._is_full_screen_declined
        faces = self._manager.screen_factory
        if self._fullscreen_feed is not None and not is_full:
            self.screen, self._fullscreen_feed = (
                faces.switch_to_line_mode(self, self._link, self._fullscreen_feed.screen),
                None,
            )
            self._pager.reset_rows()
        elif isinstance(self.screen, Screen) and is_full:
            self._pager.close()
            full = faces.switch_to_full_screen(
                self, self._link, self.screen, self._full_screen_failed
            )
            self.screen, self._fullscreen_feed = full, FullScreenFeed(full, self, self._manager)
            self._fullscreen_feed.show_location(self._location)
            if self.person is not None and self._location is not None and self._location.table:
                self._manager.service.send_view(self.person)
        return why

    def _full_screen_failed(self, bug: Exception) -> None:
        """A fault in drawing costs the panes; the visit goes on in lines."""
        ref = self.log_fault("full screen failed", bug)
        try:
            self._is_full_screen_declined = True
            self.apply_preferences()
            self.send_text(
                f"The full screen has failed, and lines go on. Your game is safe. (ref {ref})"
            )
        except Exception as worse:
            self._fail(worse)

    def describe_terminal(self) -> list[str]:
        return describe_terminal(self.protocol, self._link.terminal, self.profile)

    def complete(self, text: str, cursor: int) -> Completion | None:
        """The words that the one before the cursor may become."""
        if self.person is None:
            return None
        context = Context(self._manager.service, self.person, self)
        return Completion(*completions(context, text[:cursor]))
