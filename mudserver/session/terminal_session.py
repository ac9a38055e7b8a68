"""A session at a terminal, over SSH or telnet.

Rule 1: over telnet the first dialog is the login; over SSH the person is known from the start.
Rule 2: all output passes the screen.  A message is rendered once for all equal render profiles.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from mudserver import messages as m
from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.accounts.prompt import AWAY, YOUR_TURN
from mudserver.commands.interpreter import completions
from mudserver.service.sanction_service import Banned
from mudserver.session import texts
from mudserver.session.alerts import Alerts
from mudserver.session.attachment import Attachment
from mudserver.session.carried_line import CarriedLine
from mudserver.session.context import SessionContext
from mudserver.session.folding import Folding
from mudserver.session.fullscreen_feed import FullScreenFeed
from mudserver.session.gmcp_feed import GmcpFeed, gmcp_feed_of
from mudserver.session.going_on import login_state_of
from mudserver.session.kept_talk import kept_notices, shown_again
from mudserver.session.login import LoginCallbacks, LoginDialog
from mudserver.session.pager import Pager
from mudserver.session.paste_guard import PasteGuard
from mudserver.session.presenter import spoken_line
from mudserver.session.recalled import recalled
from mudserver.session.render_profile import (
    RenderProfile,
    describe_terminal,
    fit_prompt,
    fits_row,
    page_rows,
    render_profile,
    without_forms,
)
from mudserver.session.screen_session import ScreenSession
from mudserver.session.terminal_title import TerminalTitle
from mudserver.session.turn_warnings import LAST_WARNING_S, TurnWarnings
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from mudserver.ui.completion import Completion
from mudserver.ui.screen import Screen
from mudserver.ui.terminal_profile import TerminalProfile
from mudserver.wall.capsule import HISTORY_MAX, Capsule
from variants.kit.text import Style, StyledLine, quantity

if TYPE_CHECKING:  # prompt_toolkit is loaded after the start: `service/preloading.py`
    from mudserver.ui.fullscreen.screen import FullScreen

KNOWN_AFTER_GAMES = 10  # of one kind, after which its moves need not be listed


class TerminalSession(ScreenSession):
    __slots__ = (
        "_alerts",
        "_folding",
        "_gmcp_feed",
        "_has_said_hello",
        "_is_asked",
        "_is_away",
        "_is_leaving",
        "_is_secret",
        "_kept_window",
        "_last_window",
        "_line",
        "_location",
        "_pager",
        "_paste",
        "_prompt",
        "_title",
        "_warnings",
    )

    def __init__(
        self,
        context: SessionContext,
        link: Link,
        proven: AuthenticatedUser | None,
        capsule: Capsule | None = None,
    ) -> None:
        # Until the account of an SSH user is read: a screen reader must get no escape sequence.
        is_screen_reader = link.terminal.is_screen_reader or proven is not None
        if capsule is not None:
            is_screen_reader = capsule.reads_aloud
        settings = capsule.settings if capsule is not None else {}
        super().__init__(
            *(context, link, settings),
            is_screen_reader=is_screen_reader,
            is_set_up=capsule is not None and bool(capsule.row),
        )
        self.attachment = Attachment(self, context, self)
        self._line = CarriedLine(link, lambda: self.screen)
        if link.holder is not None:
            link.holder.on_long_line = self._keep_line
        self._is_secret = False
        self._is_leaving = False  # by plan, now
        self._kept_window = ""  # the one shown last by another process
        self._last_window: object = ""  # the window shown last
        self._location: m.LocationMessage | None = None
        self._is_asked = self._is_away = False  # by the last view; a computer decides for us
        self._prompt = ""
        self._alerts = Alerts(link, self.preference)
        self._title = TerminalTitle(link.send, is_kept=capsule is not None and capsule.has_title)
        self._warnings = TurnWarnings(context.clock, self._warn, lambda: link.backlog() > 0)
        self._pager = Pager(self)
        self._paste = PasteGuard(
            context.clock, lambda: context.config.chat.pasted_lines_max, self.send_refusal
        )
        self._folding = Folding(
            context.renderer.catalogue, context.clock, self._show_held, self._is_silent
        )
        self._gmcp_feed: GmcpFeed | None = None  # None: the client has not asked for GMCP
        self._has_said_hello = False  # another process, to that client
        if capsule is not None and capsule.is_let_in:
            self._come_in(capsule)
            return
        if capsule is not None and capsule.stage == "login" and proven is None:
            metrics.RESUMED.increment("capsule")
            self._line.begin_row()
            self._start_login(capsule)
            return
        if capsule is not None and self._take_up(capsule):
            return
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

    # -- login ---------------------------------------------------------------------------------

    def _start_login(self, capsule: Capsule | None = None) -> None:
        """Args: capsule: how far another process has come."""
        holder = self._link.holder
        if capsule is not None:
            pass  # the greeting stands on the terminal
        elif holder is not None and holder.is_again:
            holder.skip_input()
            metrics.RESUMED.increment("login")
            self.send_text(texts.NOT_TAKEN_UP)
        else:
            title = texts.LOGIN_TITLE.format(self._context.renderer.server_name)
            self.send_text(title, texts.LOGIN_HOW)
        self.dialogs.open = LoginDialog(
            self,
            self._context.account_service,
            self._source,
            self._context.config.door.failures_telnet_max,
            LoginCallbacks(
                enter=self._enter_by_password,
                enter_as_guest=self._enter_as_guest,
                on_name_given=self._link.extend_login_deadline,
                may_try=self._link.may_try,
                on_wrong_password=self._link.count_failure,
            ),
            None if capsule is None else login_state_of(capsule),
        )

    def _enter_by_password(self, person: Person, notice: str) -> None:
        self.auth_how, self.auth_at_ms = "password", self._context.clock.now_ms()
        self._enter(person, notice)
        self._note_login(person)

    def leave_capsule(self, *, is_planned: bool) -> None:
        if is_planned:
            self._folding.show_held()
            self.screen.write_out()
        self._is_leaving = is_planned
        super().leave_capsule(is_planned=is_planned)
        self._is_leaving = False

    def _keep_line(self) -> None:
        """It is too long for the door, which forgets it now."""
        if self.person is not None and self.dialogs.open is None and self._keeper is not None:
            self._line.keep()
            self._keeper.keep()

    def _make_capsule(self, person: Person, nonce: bytes) -> Capsule:
        history, killed = self.screen.input_state.lines_editor.memory
        made = msgspec.structs.replace(
            super()._make_capsule(person, nonce),
            reads_aloud=self._is_screen_reader,
            declines_full=self._is_full_screen_declined,
            killed=killed,
            history=history[:HISTORY_MAX],
            window=self._last_window[:64] if isinstance(self._last_window, str) else "",
            has_gmcp=self._gmcp_feed is not None,
            has_title=self._title.is_kept,
            is_attaching=self.walking.is_attaching,
            told=kept_notices(self._backlog.notices(), self._context.service.going_on.public),
        )
        is_placed = self._place_wait is None or not self._place_wait.is_waiting
        has_question = self.dialogs.open is not None or self._pager.is_open or not is_placed
        if (self._is_leaving or self._hands_over) and not has_question:
            made = self._line.with_row(made, has_errand=self._hands_over)
        return made if made.row else self._line.in_capsule(made)

    def capsule_to_leave(self, person: Person) -> Capsule:
        """What another terminal can take up."""
        table = (self._location.table if self._location is not None else None) or 0
        capsule = msgspec.structs.replace(self._make_capsule(person, b""), table=table)
        if self.dialogs.open is not None:  # the line that was begun is no command
            return capsule
        editor = self.screen.input_state.lines_editor
        return msgspec.structs.replace(capsule, draft=editor.text, cursor=editor.cursor)

    def take_along(self, capsule: Capsule) -> None:
        """The draft stands at the prompt, or is the newest line of the history where it cannot."""
        name = "" if self.person is None else self.person.name
        self._own.add_from(capsule.settings)
        talk = self._backlog.add_new(shown_again(capsule.chat, name))
        editor, history = self.screen.input_state.lines_editor, capsule.history
        is_linear = render_profile(self._link.terminal, self.preference).style.is_linear
        if capsule.draft and (
            editor.text or is_linear or not self._link.terminal.is_character_mode
        ):
            history = (capsule.draft, *history)
        elif capsule.draft:
            self._line.put(capsule.draft, capsule.cursor)
            self._note_change(is_urgent=True)
        own, killed = editor.memory  # at entry, the answers of the login
        editor.restore_memory((*history, *own), killed or capsule.killed)
        if self._fullscreen_feed is not None:
            self._fullscreen_feed.fill(talk)

    @property
    def has_panes(self) -> bool:
        return self._fullscreen_feed is not None

    def _open_question(self) -> str:
        return super()._open_question() or ("page" if self._pager.is_open else "")

    def _take_up(self, capsule: Capsule) -> bool:
        self._has_said_hello = capsule.has_gmcp
        self._kept_window = capsule.window
        self._is_full_screen_declined = capsule.declines_full
        self._line.take_up(capsule)
        if not super()._take_up(capsule):
            return False
        self.screen.input_state.lines_editor.restore_memory(capsule.history, capsule.killed)
        return True

    def _enter(self, person: Person, notice: str) -> None:
        self._is_screen_reader = self._link.terminal.is_screen_reader
        try:
            super()._enter(person, notice)
        except Banned as banned:
            if not banned.is_of_account:
                raise
            self._keep_out(person, banned)
            return
        self._pager.reset_rows()
        self._start_gmcp_feed()

    def become(self, person: Person) -> None:
        super().become(person)
        self._start_gmcp_feed()
        self._show_command_prompt()

    def on_gmcp(self, package: str, data: object) -> None:
        """Read only which packages the client supports; input comes as typed lines."""
        if package.lower().startswith("core.supports."):
            self._start_gmcp_feed()

    def _start_gmcp_feed(self) -> None:
        if self.person is None or not self._link.speaks_gmcp or self.is_over:
            return
        try:
            if self._gmcp_feed is None:
                self._gmcp_feed = gmcp_feed_of(self._context, self._link, self._send_shown)
            if not self._has_said_hello:
                self._gmcp_feed.send_hello(self.person)
            self._has_said_hello = False
        except Exception as bug:
            self.report_bug(bug, "package")

    # -- the end -------------------------------------------------------------------------------

    def _send_farewell(self, *sentences: m.Spoken) -> None:
        self._folding.show_held()
        self._pager.close()
        self._say(sentences)

    def _close_output(self) -> None:
        self._warnings.stop()
        self._paste.close()
        self._title.close()
        if self._fullscreen_feed is None:
            self.screen.close()
        else:
            self._context.screen_factory.close_full_screen(self._fullscreen_feed.screen)

    # -- input ---------------------------------------------------------------------------------

    def on_end_of_input(self) -> None:
        """Ctrl-D on an empty line."""
        if self.person is None and self._key_question is None:
            self.disconnect(texts.GOODBYE)
        else:
            self.submit_line("/quit")

    def submit_line(self, line: str) -> None:
        self._folding.show_held()
        if self._line.is_kept:
            self._line.forget()
            self._note_change(is_urgent=True)
        if self._pager.is_open and not self.is_over:
            is_handled = self._pager.handle_line(line)
            self._settle_shown()
            if is_handled:
                self._show_command_prompt()
                return
        self._pager.reset_rows()
        if self._paste.takes_line() and not self.is_over:
            self._input_queue.submit(line)

    def takes_talk(self) -> bool:
        return self._paste.takes_talk()

    def _handle_input(self, typed: str) -> Awaitable[None] | None:
        return self._handle_line(typed)

    # -- output --------------------------------------------------------------------------------

    def _flush_inbox(self) -> None:
        messages = self.inbox.take_all()
        if self._reads_along and not self.inbox.dropped_count and self._show_plain(messages):
            return
        messages, self._reads_along = self._noted(messages), False
        if self._gmcp_feed is not None:
            self._gmcp_feed.queue_messages(messages, self.report_bug)
            self._gmcp_feed.add_lost(self.inbox.dropped_count)
        messages = self._without_data(messages)
        if self._location is None:
            self._recall(messages)
        self._remember(messages)
        if isinstance(self.screen, Screen):  # the panes of a full screen rewrite their rows
            messages = self._folding.fold(messages)
            if self._gmcp_feed is not None:  # whose packages say it now: `seen` is for both
                messages = [*messages, *self._folding.take()]
        self._pager.show_messages(messages)
        if self.inbox.dropped_count:
            lost, self.inbox.dropped_count = self.inbox.dropped_count, 0
            self.send_text(texts.MESSAGES_LOST.format(quantity(lost, "message")))
        self._show_command_prompt()
        if self._location is not None and isinstance(self.screen, Screen):
            self.screen.settle_row()

    def _show_plain(self, messages: list[m.Message]) -> bool:
        """Chat or answers, made once for all who read alike.  False: they are not that alone."""
        try:
            rows = self._context.renderer.plain_rows(messages, self.profile)
        except Exception:
            return False  # one message is broken; the others are not
        if rows is None or not isinstance(self.screen, Screen):
            return False
        if self._gmcp_feed is not None:
            self._gmcp_feed.queue_messages(messages, self.report_bug)
        self._backlog.extend(rows.batches)
        if self._keeper is not None:
            self._keeper.note()
        self.screen.show_encoded(rows.rendered, droppable=rows.is_chat)
        if not rows.is_chat:  # the command may have changed what the prompt says
            self._show_command_prompt()
        return True

    def _recall(self, messages: list[m.Message]) -> None:
        """A seat that was taken again: its game so far, for a full screen that begins empty.

        A session that goes on: the same, and the talk that was on the screen, by their times.
        """
        if self.person is None:
            return
        past = recalled(messages, self.person, self._context.service)
        if past is None:
            return
        self._backlog.add_past(past)
        log: Iterable[m.Message] = past
        if (owed := self._owed_log) is not None:
            self._owed_log = None
            owed.add_past(past)
            log = owed
        if (feed := self._fullscreen_feed) is not None:
            feed.screen.insert_before(lambda: feed.fill(log))

    def _show_held(self, messages: list[m.Message]) -> None:
        """Show a row that was held back; the prompt goes on below it."""
        self._pager.show_messages(messages)
        self._settle_shown()

    def _waiting_messages(self) -> Iterable[m.Message]:
        return chain(self._folding.held, self._pager.queued)

    @property
    def _is_output_sent(self) -> bool:
        has_packages = self._gmcp_feed is not None and self._gmcp_feed.has_unsent
        return not (has_packages or self.screen.is_flush_due)

    def _send_shown(self) -> None:
        if self._gmcp_feed is not None:
            self._gmcp_feed.send_now()
        if self._shown is not None:
            self._shown.send()

    def _is_silent(self, message: m.Message) -> bool:
        """Whether *message* makes no row here and asks for nothing."""
        match message:
            case m.EventMessage():
                return not self._context.renderer.render(message, self.profile, False)
            case m.ViewMessage(asked=asked, asks=asks):
                is_known = (asked, asks) == self._last_window or set(asked) == set(
                    message.by_computer
                )
                return message.why == "changed" and message.seat not in asked and is_known
        return False

    def show_message(self, message: m.Message) -> None:
        try:
            self.render_message(message)
        except Exception as bug:
            self.report_bug(bug, "delivery")

    def render_message(self, message: m.Message) -> None:
        is_fresh = False
        if isinstance(message, m.ViewMessage):
            is_fresh = self._note_view(message)
            if is_fresh and self._is_turn:
                self.screen.ring_bell()
        elif isinstance(message, m.KnownPlace):
            self._go_on_at(message)
            return
        elif isinstance(message, m.LocationMessage):
            self._location, self._last_window, self._kept_window = message, self._kept_window, ""
            self._note_change(is_urgent=True)
            self._is_asked, self._is_away = self._is_asked and message.is_playing, False
            self._warnings.stop()
            if message.is_playing and self.person is not None and message.table is not None:
                is_playing = message.seat is not None
                for place in (self._context.service.lessons, self._context.service.replays):
                    place.pause(self.person.id, message.table, is_playing=is_playing)
            if self._fullscreen_feed is not None:
                self._fullscreen_feed.show_location(message)
                self.repeat_place()
            return
        elif isinstance(message, m.AwayMessage):
            self._is_away = message.is_away
            if message.rings:
                self.screen.ring_bell()
        elif isinstance(message, m.RingingAnnouncement):
            self.screen.ring_bell()
        elif isinstance(message, m.CallNotice):
            self._alerts.call(message.call, self.screen.ring_bell)
        elif isinstance(message, m.GameOver):
            self._is_asked = self._is_away = False
            self._warnings.stop()
        elif isinstance(message, m.ReplayStep | m.LessonStep):
            self._take_step(message)
        elif isinstance(message, m.LessonOver | m.ReplayOver):
            self._take_step(message)
            self._note_change(is_urgent=True)
            if self._fullscreen_feed is not None:
                self._show_place(self._fullscreen_feed)
        elif m.mention_in(message) and self.preference("mentions") == "bell":
            self.screen.ring_bell()
        if isinstance(self.screen, Screen):
            profile = self._profile_for(message)
            rendered = self._context.renderer.render(message, profile, is_fresh)
            if rendered:
                self.screen.show_encoded(rendered, droppable=type(message) in m.DROPPABLE_TYPES)
        elif self._fullscreen_feed is not None:
            self._fullscreen_feed.show_message(message, is_fresh)

    def _note_view(self, message: m.ViewMessage) -> bool:
        """Whether it opens a window that was not shown yet."""
        is_mine = message.seat in message.asked
        # The others read once that Ann is to play, however many actions she has in a row.
        window = message.window if is_mine else (message.asked, message.asks)
        is_fresh, self._last_window = window != self._last_window, window
        self._is_asked = self.is_turn_request(message)
        self._note_change()
        if self._is_asked:
            self._warnings.follow(message)
        else:
            self._warnings.stop()
        return is_fresh

    def _go_on_at(self, known: m.KnownPlace) -> None:
        """Another process has shown what stands on the terminal; a full screen is drawn anew."""
        self.render_message(known.location)
        self._is_away = known.is_away
        if known.view is not None:
            self._note_view(known.view)
            if self._fullscreen_feed is not None:
                self._fullscreen_feed.show_message(known.view, False)

    def _profile_for(self, message: m.Message) -> RenderProfile:
        """Who has played a game often is not told at each turn what can be typed."""
        if not isinstance(message, m.ViewMessage) or message.why != "changed":
            return self.profile
        wanted, person = self.preference("help"), self.person
        if wanted == "auto" and person is not None:
            finished = self._context.account_service.games_finished(person, message.variant)
            wanted = "on" if finished < KNOWN_AFTER_GAMES else "off"
        return self.profile if wanted != "off" else without_forms(self.profile)

    @property
    def _is_turn(self) -> bool:
        return self._is_asked and not self._is_away

    @property
    def _turn_word(self) -> str:
        elsewhere = self._context.service.own_games.turn_word(self.person)
        return AWAY if self._is_away else YOUR_TURN if self._is_asked else elsewhere

    def _warn(self, left_s: int) -> None:
        """The own time runs out; the bar of a full screen shows it without a sentence."""
        if self._is_away:
            return
        wanted = self.preference("warnings")
        if wanted == "on" and self._fullscreen_feed is None:
            self.send_text(f"{left_s} seconds left.")
        if wanted != "off" and left_s == LAST_WARNING_S:
            self.screen.ring_bell()

    def _show_command_prompt(self) -> None:
        """The prompt says at which table one is and whether it is one's turn; it ends in `> `."""
        if self.person is None or self.is_over or self.dialogs.open is not None:
            return
        if self._pager.is_open:
            self._reads_along = False
            self._note_question()
            self.screen.set_prompt(texts.MORE_PROMPT, is_pause=True)
            return
        service, reader = self._context.service, self.person.id
        place = service.lessons.place(reader) or service.replays.place(reader) or self._place
        moves = self._alerts.moves(service.own_games, self.person, is_turn=self._is_turn)
        shown_for = place, self._turn_word, moves
        if shown_for != self._prompt_shown_for:
            self._make_prompt(place, moves)
        elif self._reads_along:  # it stands
            self._note_question()
            return
        self.show_prompt(self._prompt)
        is_in_rows = self._fullscreen_feed is None and not self._folding.is_holding
        self._reads_along = is_in_rows and self._prompt_shown_for is not None

    def _make_prompt(self, place: str, moves: int) -> None:
        """Make prompt and title anew: the place, whose turn it is or a preference has changed."""
        now_ms, terminal = self._context.clock.now_ms(), self.profile.terminal_profile
        self._prompt = fit_prompt(self.preference, terminal, place, self._turn_word, now_ms)
        has_time = "{time}" in self.preference("prompt")
        self._prompt_shown_for = None if has_time else (place, self._turn_word, moves)
        if moves or self.effective_preference("title")[0] == "on":
            self._title.show(place, self._turn_word, moves)
        else:
            self._title.close()

    @property
    def _place(self) -> str:
        table = None if self._location is None else self._location.table
        if self._location is None and self._shown is not None:
            table = self._shown.table  # of another process, until the table has answered
        return self._context.service.watching.place(self.person, table) if table else "lobby"

    # -- for the pager -------------------------------------------------------------------------

    @property
    def terminal_profile(self) -> TerminalProfile:
        return self.profile.terminal_profile

    @property
    def page_rows(self) -> int:
        if self._is_turn or self._fullscreen_feed is not None:  # panes scroll
            return 0
        return page_rows(self._link.terminal, self.preference)

    def message_lines(self, message: m.Message) -> list[StyledLine]:
        try:
            return self._context.renderer.message_lines(message, self.profile)
        except Exception as bug:
            self.report_bug(bug, "delivery")
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

    # -- what commands and the login dialog may do -----------------------------------------------

    def send_text(self, *sentences: m.Spoken) -> None:
        self._folding.show_held()
        self._say(sentences)

    def _say(self, sentences: Iterable[m.Spoken]) -> None:
        is_linear = self.profile.style.is_linear
        self.screen.show([spoken_line(each, is_linear) for each in sentences])

    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        self._note_question()
        self._reads_along = False
        if is_secret is not self._is_secret:
            self._is_secret = is_secret
            self._link.set_echo(not is_secret)
        # What is left of a name without its control characters would be another name.
        self.screen.mark_controls(self.person is None and not is_secret)
        if not fits_row(self.profile.terminal_profile, prompt):
            self._say([prompt.rstrip()])
            prompt = "> "
        self.screen.set_prompt(prompt, is_secret)

    def set_screen_reader(self, is_on: bool) -> None:
        self._own.values["screenreader"] = "on" if is_on else "off"
        self.apply_preferences()

    @property
    def is_shown(self) -> bool:
        return super().is_shown and not self.screen.has_unshown

    def clear_screen(self) -> None:
        self.screen.clear()

    def reopen_page(self) -> bool:
        return not isinstance(self.screen, Screen) and self.screen.reopen_page()

    def _switch_to_line_mode(self, before: FullScreen) -> None:
        super()._switch_to_line_mode(before)
        self._pager.reset_rows()

    def _show_what_waits(self) -> None:
        self._folding.show_held()
        self._pager.close()

    def _show_place(self, feed: FullScreenFeed) -> None:
        feed.show_location(self._location)
        if self._location is None:  # which comes with it
            return
        is_shown = self.repeat_place()
        if self.person is not None and self._location.table and not is_shown:
            self._context.service.send_view(self.person)

    def repeat_place(self) -> bool:
        """Show the step of the lesson, or the place in the replay, again.  False: there is none."""
        service, person = self._context.service, self.person
        if person is None:
            return False
        if service.lessons.is_learning(person.id):
            service.lessons.repeat(person)
            return True
        if service.replays.is_open(person.id):
            service.replays.repeat(person)
            return True
        return False

    def describe_terminal(self) -> m.Page:
        return describe_terminal(self.protocol, self._link.terminal, self.profile)

    def complete(self, text: str, cursor: int) -> Completion | None:
        """What the word before the cursor may become."""
        if self.person is None:
            return None
        return Completion(*completions(self._command_context(self.person), text[:cursor]))
