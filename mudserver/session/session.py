"""One session of a person, at a terminal or by a program: login, input, delivery, end.

Rule 1: input lines are handled one after the other (`input_queue.py`).  A line goes to the open
        dialog, or else to the command interpreter.  Messages come from the person's inbox.
Rule 2: a person has one session.  A new one takes over; the old one is told so and ends.
Rule 3: a bug costs the line or the message that met it, at most this session, and no other.
Rule 4: a session remembers how, with which key and when its person was authenticated: see
        `account_dialogs.py`.
Rule 5: every log line about a session carries the session id, which its person can read and quote.
        Sessions that never log in are not logged, so that a flood of them cannot flood the log.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Iterable
from functools import partial
from typing import Generic, Literal, TypeVar

from mudserver import messages as m
from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.commands.interpreter import interpret
from mudserver.commands.last_line import LastLine
from mudserver.commands.verb import CommandContext, PendingLeave
from mudserver.errors import NotUnderstood, RefusalCode, UserError
from mudserver.logs import log_exception
from mudserver.outbox import Inbox
from mudserver.service.sanction_service import Banned, sentences_of
from mudserver.session import texts
from mudserver.session.account_dialogs import AccountDialogs
from mudserver.session.announced_input import input_queue
from mudserver.session.attachment import Attachment
from mudserver.session.backlog import Backlog
from mudserver.session.banned_prompt import BannedActions, BannedPrompt
from mudserver.session.context import SessionContext
from mudserver.session.entry import log_end, log_entry, tell_at_login, welcome
from mudserver.session.going_on import (
    capsule_of,
    go_on_asking,
    let_in_capsule,
    login_capsule,
    person_of,
    restore_person,
    restore_times_and_proof,
    with_lessons,
    with_place,
    with_presence,
)
from mudserver.session.input_queue import WARNING_INTERVAL_S, InputQueue
from mudserver.session.keeper import keeper_of
from mudserver.session.kept_talk import shown_again, told_again
from mudserver.session.key_question import KeyQuestion
from mudserver.session.login import LoginDialog
from mudserver.session.own_settings import OwnSettings
from mudserver.session.place_wait import PlaceWait, find_place
from mudserver.session.shown import Shown, Step
from mudserver.session.ssh_admission import AdmissionCallbacks, SshAdmission, come_in
from mudserver.session.walking import Walking
from mudserver.source_budgets import source_of
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from mudserver.wall.capsule import Capsule
from variants.kit.text import Style

log = logging.getLogger("session")

RECENT_TALK_MAX = 50  # messages that a report can quote

T = TypeVar("T")  # one unit of input: a text line, or the bytes of a JSON object


class Session(ABC, Generic[T]):
    __slots__ = (
        "_backlog",
        "_banned",
        "_context",
        "_input_queue",
        "_keeper",
        "_kept_question",
        "_key_question",
        "_link",
        "_own",
        "_pending_leave",
        "_place_wait",
        "_resumed",
        "_shown",
        "_source",
        *("attachment", "walking"),
        *("auth_at_ms", "auth_how", "auth_key"),
        "dialogs",
        "id",
        "inbox",
        *("is_first_visit", "is_over", "is_warned_idle"),
        "last_input_at",
        "last_line",
        "opened_at",
        "person",
        "protocol",
    )

    attachment: Attachment
    is_program = copies_input = False
    warning_interval_s = WARNING_INTERVAL_S  # between two warnings about lines that are not read

    def __init__(self, context: SessionContext, link: Link) -> None:
        self._context, self._link = context, link
        self.protocol, self._source = link.protocol, source_of(link.peer)
        self.id = link.visit or context.registry.next_session_id()
        self.person: Person | None = None  # None: not logged in
        self.auth_how: Literal["", "key", "password"] = ""  # "": a guest, or not logged in
        self.auth_key = ""  # fingerprint, if it was a key
        self.auth_at_ms = 0  # the last proof
        self.inbox = Inbox(context.registry.schedule_delivery, self)
        self._own = OwnSettings(
            context.account_service, wants_full_screen=link.terminal.wants_full_screen
        )
        self.is_over = False
        self._input_queue: InputQueue[T] = input_queue(
            *(link.holder, self._handle_input, self, context.config.session, context.clock),
            self.warning_interval_s,
            link.hold_input if self.is_program and link.json_protocol != 1 else None,
            append_wait_s=context.config.journal.append_wait_s,
        )
        self.opened_at = self.last_input_at = context.clock.monotonic()
        self.is_warned_idle = self.is_first_visit = False
        self.last_line = LastLine(context.clock.monotonic)
        self.walking = Walking(self, context, link, self._input_queue)
        self._backlog = Backlog()
        self.dialogs = AccountDialogs(self, context, link, self._end_dialog, self._note_question)
        self._pending_leave: PendingLeave | None = None  # leave was typed once
        self._key_question: KeyQuestion | None = None  # the whole session, if there is one
        self._banned: tuple[Person, BannedPrompt] | None = None  # the same
        self._resumed: Capsule | None = None  # from which it goes on now, and nobody is told
        self._kept_question: object = None  # of the last capsule, and what goes by itself
        self._keeper = keeper_of(link, context, self._capsule_and_wait_text)
        self._shown = None if link.holder is None else Shown(link, self._keeper)
        self._place_wait: PlaceWait | None = None  # None: what is typed is not held

    # -- what differs between terminals and programs -------------------------------------------

    @abstractmethod
    def send_text(self, *sentences: m.Spoken) -> None:
        """Send sentences at once, before and after the login."""

    @abstractmethod
    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        """Ask for the next input line."""

    @abstractmethod
    def _feed(self, data: bytes) -> None:
        """Read bytes from the link; call `submit_line` for each whole line."""

    @abstractmethod
    def _handle_input(self, typed: T) -> Awaitable[None] | None:
        """Handle one unit of input whose turn has come.  UserError says what is wrong with it."""

    @abstractmethod
    def _flush_inbox(self) -> None:
        """Send the messages of the inbox, then ask for the next line."""

    @abstractmethod
    def _show_command_prompt(self) -> None:
        """Ask for the next command."""

    @abstractmethod
    def _send_farewell(self, *sentences: m.Spoken) -> None: ...

    @abstractmethod
    def _close_output(self) -> None:
        """Restore the terminal's state.  Nothing is sent after this."""

    @property
    def is_shown(self) -> bool:
        """Whether nothing waits to be sent, or to be written by the table first."""
        is_waiting = self.inbox.put_count != self.inbox.taken_count
        return not (is_waiting or self._context.service.going_on.is_settling(self.person))

    def note_begin(self, typed: T, place: int) -> None:
        """*typed* is about to begin; only `JsonSession` owes an answer to it."""

    def takes_talk(self) -> bool:
        """Whether one more line of talk is said; only `TerminalSession` knows pastes."""
        return True

    @property
    @abstractmethod
    def style(self) -> Style: ...
    @property
    def has_numbered_moves(self) -> bool:
        """Whether `moves` numbers its rows, and a bare number plays one."""
        return False

    @abstractmethod
    def apply_preferences(self) -> None:
        """The preferences have changed, or the person has."""

    @abstractmethod
    def on_resize(self, terminal: Terminal) -> None: ...
    @abstractmethod
    def clear_screen(self) -> None: ...
    @abstractmethod
    def reopen_page(self) -> bool: ...
    @abstractmethod
    def describe_terminal(self) -> m.Page: ...

    # -- the link's side -----------------------------------------------------------------------

    def on_data(self, data: bytes) -> None:
        if not self.is_over:
            self.last_input_at = self._context.clock.monotonic()
            self.is_warned_idle = False
            try:
                self._feed(data)
            except Exception as bug:
                self._fail(bug)

    def on_gmcp(self, package: str, data: object) -> None:
        """A GMCP package of a telnet client; only `TerminalSession` reads it."""

    def on_login_timeout(self, message: str) -> None:
        """Nobody logged in before the deadline."""
        self.disconnect(message)

    def on_disconnect(self) -> None:
        self.walking.lose()
        self.attachment.leave()
        self._close()

    # -- login ---------------------------------------------------------------------------------

    def _admit(self, proven: AuthenticatedUser) -> None:
        """Log in whom SSH has authenticated."""
        is_again = self._link.holder is not None and self._link.holder.is_again
        admission = SshAdmission(self, self._context.account_service, self._admission_callbacks)
        admission.admit(proven, is_again=is_again)

    def _come_in(self, capsule: Capsule) -> None:
        """Log in whom another server has let in: see `walking.py`."""
        self._own.values = dict(capsule.settings)
        come_in(self, capsule, self._context.account_service, self._admission_callbacks)

    @property
    def _admission_callbacks(self) -> AdmissionCallbacks:
        return AdmissionCallbacks(
            *(self._enter, self._enter_as_guest, self._note_login, self._refuse),
            *(self._ask_to_add_key, self._input_queue.hold_until),
        )

    def _refuse(self, refusal: UserError) -> None:
        """Somebody cannot come in."""
        self.disconnect(*sentences_of(refusal))

    def _note_login(self, person: Person) -> None:
        """After the welcome: what the owner of an account is told once."""
        if self.auth_how and self._banned is None and not self.is_over:
            tell_at_login(self._context, person, self.auth_how, self.auth_key)

    def _ask_to_add_key(self, proven: AuthenticatedUser) -> None:
        context = self._context
        self._link.mark_logged_in("", is_regular=False)  # the question has a time limit of its own
        self._key_question = self.dialogs.open = KeyQuestion(
            *(self, context.account_service, proven, self._source, context.clock, self.disconnect)
        )

    def _enter_as_guest(self) -> None:
        self._enter(self._context.service.new_guests.make(), "")

    def _enter(self, person: Person, notice: str) -> None:
        """Log *person* in.  UserError: there is no room; nothing has changed.

        Args:
            notice: What is said first to who has just registered; "": nobody has.
        """
        service = self._context.service
        service.sanctions.check_login(person, self.auth_key, self._source)
        if self._resumed is None and self.walking.enters_elsewhere(person):
            return
        was_here = service.enter(
            *(person, self.inbox, self._on_end, self._source),
            session=self.id,
            is_program=self.is_program,
            preference=self.preference,
            become=self.become,
            since_ms=None if self._resumed is None else self._resumed.since_ms,
        )
        if self._resumed is None:
            self.opened_at = self._context.clock.monotonic()
        self.person, self.dialogs.open = person, None
        is_logged = self._context.config.server.log_addresses
        source = self._source if is_logged else "-"
        log_entry(self, person, source, is_resumed=self._resumed is not None)
        accounts = self._context.account_service
        self._link.mark_logged_in(
            "" if person.is_guest else person.name, is_regular=accounts.is_regular(person)
        )
        if self._resumed is not None:
            self.attachment.go_on(person, self._resumed)
        else:
            self.attachment.enter(person, was_here=was_here)
        self.apply_preferences()
        self._show_command_prompt()
        if (resumed := self._resumed) is not None:
            self._resumed = None
            self._find_place(person, is_watching=resumed.is_watching)
        else:
            self.is_first_visit = welcome(service, self, person, notice)
            self.attachment.ask(person, self._input_queue)
            self.walking.look_for_place(person, None)
        self._note_change(is_urgent=True)

    def _keep_out(self, person: Person, banned: Banned) -> None:
        """The owner of a banned account has the prompt that is left, and is not here."""
        context = self._context
        self._link.mark_logged_in("", is_regular=False)  # the prompt has a time limit of its own
        prompt = BannedPrompt(
            *(self, context.service, person, self._source, context.clock, banned.sentences),
            BannedActions(self.dialogs.start_deletion_dialog, self.disconnect),
        )
        self.dialogs.open, self._banned = prompt, (person, prompt)

    def become(self, person: Person) -> None:
        """The person has another name, or was a guest and has registered with a password."""
        was, self.person = self.person, person
        if was is not None and was.is_guest:
            self.auth_how, self.auth_at_ms = "password", self._context.clock.now_ms()
            self._own.keep_those_of_client()
            log.info("session registered session=%s person=%s was=%s", self.id, person.id, was.id)
        self.apply_preferences()
        self._note_change(is_urgent=True)

    @property
    def own_preferences(self) -> dict[str, str]:
        """What a guest has set."""
        return self._own.set_by_guest

    # -- going on in another process ---------------------------------------------------------------

    def _capsule_and_wait_text(self) -> tuple[Capsule, bytes] | None:
        """What the next process needs; None: it begins anew, or there is none."""
        if self.is_over or self._link.holder is None:
            return None
        capsule, nonce, clock = None, self._link.holder.nonce, self._context.clock
        if self.person is not None:
            capsule = self._make_capsule(self.person, nonce)
        elif self.walking.let_in is not None:
            capsule = let_in_capsule(self, self.walking.let_in, nonce, clock, self._own.values)
        elif isinstance(self.dialogs.open, LoginDialog):
            capsule = login_capsule(self, self.dialogs.open.state, nonce, clock, self._own.values)
        return None if capsule is None else (capsule, self._wait_text())

    def _make_capsule(self, person: Person, nonce: bytes) -> Capsule:
        service, clock = self._context.service, self._context.clock
        teller = service.talk.teller_of(person.id)
        capsule = capsule_of(self, person, nonce, clock, self._own.values, teller)
        if (shown := self._shown) is not None:
            here = shown.table, shown.seen, service.going_on.is_watching(person)
            where = *(self.walking.watched or here), self._open_question()
            capsule = with_place(capsule, *where, shown.replay(service.replays.carried(person.id)))
        presence, server = service.going_on.presence(person), service.walks.own
        capsule = with_presence(capsule, presence, self._input_queue.spent(), clock, server)
        lessons = service.lessons.carried(person.id)
        if shown is not None and not self.is_program:  # which is shown none
            lessons = shown.lessons(lessons)
        return with_lessons(capsule, lessons)

    def _open_question(self) -> str:
        """What takes the next line in place of commands, or before them; "": nothing does."""
        service, asked = self._context.service, "leave" if self._pending_leave is not None else ""
        asked = asked or service.going_on.asked_game(self.person)
        return self.dialogs.kind or asked or service.replays.command(self.person)

    def _note_question(self) -> None:
        """Another question is open than before, perhaps, or none."""
        if self._keeper is None:
            return
        auto_s = self._context.service.replays.auto_s(self.person)
        was, self._kept_question = self._kept_question, (self._open_question(), auto_s)
        if self.person is None or was != self._kept_question:  # a login goes on step by step
            self._keeper.note_now()

    def _find_place(self, person: Person, *, is_watching: bool) -> None:
        """Show where the person is, and let what is typed wait until that is known."""
        going_on, clock = self._context.service.going_on, self._context.clock
        where = (self._shown.table, self._shown.seen) if self._shown else (0, 0)
        self._place_wait = find_place(
            going_on, person, clock, self._link.holder, where, is_watching=is_watching
        )

    @abstractmethod
    def _wait_text(self) -> bytes:
        """What is shown if no process answers for a while; b"": nothing."""

    def _take_up(self, capsule: Capsule) -> bool:
        """Go on where another process has left off, or say why not.  False: nobody is logged in."""
        accounts, clock = self._context.account_service, self._context.clock
        person, obstacle = person_of(capsule, accounts)
        if obstacle:
            self.disconnect(obstacle)
        if person is None or obstacle:
            return self.is_over
        capsule = self.walking.younger(capsule)
        restore_times_and_proof(self, capsule, clock)
        if self._shown is not None and self._link.holder is not None:
            self._shown.begin(capsule, self._link.holder.seen)
        self._own.values = dict(capsule.settings)
        told = told_again(capsule.told)
        talk = shown_again(capsule.chat, person.name)
        self._backlog.extend(sorted([*talk, *told], key=lambda batch: batch.at_ms))
        self._context.service.going_on.note_public([it.messages[0] for it in told])
        self._resumed, heard_ms = capsule, self.attachment.heard_ms(capsule)
        if self._keeper is not None:
            self._keeper.note_entry()
        try:
            self._enter(person, "")
        except UserError as exc:
            self._refuse(exc)
        if self.person is None:
            return True
        restore_person(person, capsule, self._context, heard_ms)
        self._input_queue.restore(capsule.line_tokens, capsule.lines_refused)
        if self._link.holder is not None and self._link.holder.is_line_uncertain:
            self._say_line_uncertain(person)
        self.walking.look_for_place(person, capsule)  # the answer that is owed comes before
        go_on_asking(self, person, capsule, self._context.service.going_on, self._input_queue)
        self.walking.begin(capsule)
        return True

    def _say_line_uncertain(self, person: Person) -> None:
        """A line was begun, and nobody knows whether it was taken."""
        self._input_queue.note_uncertain()
        self.send_text(texts.LINE_UNCERTAIN)
        self._context.service.send_to(person.id, m.RestartedMessage(True))

    def hand_over(self) -> None:
        """Show all that waits, below which another server goes on, and leave a capsule for it."""
        self._input_queue.hand_over()
        if self._keeper is not None:
            self._keeper.keep()

    @abstractmethod
    def as_input(self, line: str) -> bytes:
        """*line* as it would be typed; of a program an object."""

    @abstractmethod
    def do_errand(self, errand: bytes) -> Awaitable[None] | None:
        """Handle what was typed at another server, as `as_input` has it."""

    def lost_answer(self) -> Awaitable[None] | None:
        """What ends the answer to a line that was not done; only `JsonSession` owes it."""

    def leave_capsule(self, *, is_planned: bool) -> None:
        """The process ends, or (not *is_planned*) goes on after all."""
        self._input_queue.settle()
        if self._keeper is not None:
            self._keeper.keep()

    def _settle_shown(self) -> None:
        """All messages are handed to the screen, but for those that wait."""
        if self._shown is None or self._shown.is_idle or self.person is None:
            return
        was, shown_until = self._shown.seen, self._context.service.going_on.shown_until
        self._shown.settle(self._waiting_messages(), partial(shown_until, self.person))
        if self._is_output_sent:
            self._shown.send()
        if self._shown.seen and not was:
            self._note_change(is_urgent=True)

    @abstractmethod
    def _waiting_messages(self) -> Iterable[m.Message]:
        """Messages that are not shown yet, behind a page, to be folded or to be sent."""

    @property
    @abstractmethod
    def _is_output_sent(self) -> bool:
        """Whether all that is shown was handed to the link."""

    def note_choice(self) -> None:
        """The person wants to hear others, or to be known otherwise, than before."""
        self._note_change(is_urgent=True)

    def _note_change(self, *, is_urgent: bool = False) -> None:
        """What a capsule holds has changed."""
        if self._keeper is not None:
            (self._keeper.note_now if is_urgent else self._keeper.note)()

    def _take_step(self, step: Step) -> None:
        if self._shown is not None and self.person is not None:
            self._shown.take_step(step, self._context.service.replays.carried(self.person.id))

    def switch_person(self, person: Person) -> None:
        """Go on as another person: a guest takes an old seat back."""
        if self.person is not None:
            self.leave_service()
            self.person = None
            if self._shown is not None:
                self._shown.forget_places()
        try:
            self._enter(person, "")
        except UserError as exc:
            self._refuse(exc)

    def _on_end(self, *sentences: m.Spoken, is_moving: bool = False) -> None:
        """The service ends this session.  Args: as of `EndSession`."""
        self.walking.forget()
        if self.person is not None and (is_moving or not sentences):
            self.attachment.leave(is_moving=True)
            sentences = sentences or (self._context.service.elsewhere_text(self.person),)
        self.disconnect(*sentences)

    # -- the end -------------------------------------------------------------------------------

    def disconnect(self, *sentences: m.Spoken) -> None:
        """Send the last sentences and close the link."""
        if self.is_over:
            return
        self._flush_inbox()
        self._send_farewell(*sentences)
        self._close()

    def end_here(self) -> None:
        """It goes on in another process; the person stays."""
        self._close(stays=True)

    def _close(self, *, stays: bool = False) -> None:
        if self.is_over:
            return
        self.is_over = True
        self._input_queue.stop()
        if self._place_wait is not None:
            self._place_wait.end()
        if self._keeper is not None:
            self._keeper.stop()
        if self._key_question is not None:
            self._key_question.close()
        if self._banned is not None:
            self._banned[1].close()
        self._context.registry.remove(self.id)
        try:
            self._close_output()
        finally:  # even if the terminal fails, the person leaves the lobby
            self._link.close()
            if not stays:
                self.leave_service()

    def leave_service(self, *, is_silent: bool = False) -> None:
        """The person, if there is one, leaves.  Args: is_silent: for another server."""
        if (person := self.person) is not None:
            self._context.service.leave(person, self.inbox, is_silent=is_silent)
            duration_s = self._context.clock.monotonic() - self.opened_at
            log_end(self, person, duration_s, self._link.lost_why)

    def _fail(self, bug: Exception) -> None:
        """End this session after a bug in it; the others go on."""
        ref = self.log_bug("session failed", bug)
        try:
            self.send_text(texts.BUG_DISCONNECTED.format(ref))
        finally:
            self._close()

    def log_bug(self, what: str, bug: Exception) -> str:
        """Log a bug of this session; returns the reference that its person is shown."""
        return log_exception(log, what, bug, session=self.id, person=self.person and self.person.id)

    # -- input ---------------------------------------------------------------------------------

    def submit_line(self, line: T) -> None:
        """Queue one line, whole and not too long."""
        if not self.is_over:
            self._input_queue.submit(line)

    def _handle_line(self, line: str) -> Awaitable[None] | None:
        """Hand one line to the open dialog or to the command interpreter."""
        if self.person is not None:
            metrics.LINES_READ.value += 1
            self._context.service.on_input(self.person)
        pending, self._pending_leave = self._pending_leave, None
        self._note_question()
        if self.dialogs.open is not None:
            return self.dialogs.open.handle_line(line)
        if self.person is None:
            return None
        self.last_line.begin(line)
        self._note_change()
        try:
            return self._run(self._command_context(self.person, pending), line)
        except NotUnderstood as strange:
            window = self._context.service.window_key(self.person)
            self.last_line.note(line, strange.suggestion, window)
            raise
        finally:
            self._note_question()

    def _run(self, context: CommandContext, line: str) -> Awaitable[None] | None:
        return interpret(context, line)

    def _command_context(
        self, person: Person, pending_leave: PendingLeave | None = None
    ) -> CommandContext:
        context = self._context
        return CommandContext(context.service, context.account_service, person, self, pending_leave)

    def await_leave(self, pending: PendingLeave) -> None:
        self._pending_leave = pending
        self._note_question()

    def _take_messages(self) -> list[m.Message]:
        """The inbox.  What a game did not understand is remembered, and shown as a refusal."""
        return self._noted(self.inbox.take_all())

    def _noted(self, messages: list[m.Message]) -> list[m.Message]:
        if m.NotUnderstood not in map(type, messages):
            return messages
        return [self._note(it) if type(it) is m.NotUnderstood else it for it in messages]

    def _note(self, strange: m.NotUnderstood) -> m.Message:
        self.last_line.note(strange.line, strange.suggestion, strange.window)
        return m.RefusalMessage(strange.text, strange.code)

    def _remember(self, messages: list[m.Message]) -> None:
        """They are shown now."""
        self._backlog.add(messages, self._context.clock.now_ms())
        self._note_change()

    @property
    def recent_talk(self) -> list[tuple[int, m.TalkMessage]]:
        """The talk that was shown last, with UTC times in ms, oldest first."""
        return self._backlog.talk(RECENT_TALK_MAX)

    def send_refusal(self, sentence: str, code: RefusalCode = "not_allowed") -> None:
        if self.person is not None:
            self._context.service.send_to(self.person.id, m.RefusalMessage(sentence, code))
        else:
            self.send_text(sentence)

    def report_bug(self, bug: Exception, what: str) -> None:
        """Log a bug and apologise.  Args: what: failed: "input", "delivery" or "package"."""
        ref = self.log_bug(f"{what} failed", bug)
        self.send_text(texts.BUG_APOLOGY.format(ref))

    # -- output --------------------------------------------------------------------------------

    def deliver(self) -> None:
        """Send the messages of the inbox; called once a round for each session that has some."""
        if self.is_over:
            return
        try:
            shown, person, sent = self._shown, self.person, None
            if shown is not None and person is not None and shown.is_concerned(self.inbox):
                sent = self._context.service.going_on.table_and_sequence(person)
                if sent is not None:
                    shown.take(*sent)
            self._flush_inbox()
            self._settle_shown()
            if sent is not None and self._place_wait is not None:
                self._place_wait.end()
        except Exception as bug:
            self._fail(bug)

    # -- what commands may do ------------------------------------------------------------------

    @property
    def source(self) -> str:
        """The address that the session counts against."""
        return self._source

    @property
    def owner(self) -> Person:
        """Who has proved to own the account, also one that is banned."""
        owner = self.person if self._banned is None else self._banned[0]
        assert owner is not None
        return owner

    def _end_dialog(self) -> None:
        if self.is_over:
            return
        if self._banned is not None:
            self.dialogs.open = self._banned[1]
            self._banned[1].ask()
            return
        self.dialogs.open = None
        self._show_command_prompt()

    def full_screen_obstacle(self) -> str:
        """Why this session cannot have the full screen; "": it can."""
        return texts.NO_SCREEN

    def preference(self, key: str) -> str:
        """The value in force."""
        return self._own.value(self.person, key)

    def effective_preference(self, key: str) -> tuple[str, str]:
        """The value in force, and a phrase that says where it comes from."""
        return self._own.effective(self.person, key)

    def save_preference(self, key: str, value: str) -> None:
        """Keep a guest's value for this session, and apply it."""
        self._own.save(self.person, key, value)
        self.apply_preferences()
        self._note_change(is_urgent=True)
