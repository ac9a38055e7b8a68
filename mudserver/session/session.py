"""One stay in the house, whatever is at the other end: a person's terminal or a program.

Rule 1: lines are settled one after the other (`lines.py`) and go to the interpreter, or to the
        dialogue that has asked for one; messages come from the person's box.  Nothing else passes.
Rule 2: the newest stay of a person is the stay; the one before is told and ended.
Rule 3: a bug costs the line or the message that met it, at most this stay, and nobody else's.
Rule 4: every line of the log about a stay carries its id, which its person can read and quote.
        Who comes and goes without a name leaves none: a flood of them would be one of lines.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from mudserver import messages as m
from mudserver import metrics
from mudserver.accounts import Person
from mudserver.accounts.preferences import DEFAULT_VALUE
from mudserver.commands.interpreter import interpret
from mudserver.commands.registry import Context
from mudserver.errors import JournalWriteError, UserError
from mudserver.logs import log_exception
from mudserver.outbox import Inbox
from mudserver.session.input_queue import WARNING_INTERVAL_S, InputQueue
from mudserver.session.password_dialog import PasswordDialog
from mudserver.transport.gate import source_of
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from variants.kit.text import Style

if TYPE_CHECKING:
    from mudserver.session.manager import SessionManager

log = logging.getLogger("visit")

BUG_APOLOGY = "Something went wrong on our side; your game is safe."

T = TypeVar("T")  # what the other end gives for a line: a text, or the bytes of an object


class Session(ABC, Generic[T]):
    warning_interval_s = WARNING_INTERVAL_S  # between two words about lines that were not read

    def __init__(self, manager: SessionManager, link: Link) -> None:
        self._manager, self._link = manager, link
        self.kind, self.protocol, self._source = link.kind, link.protocol, source_of(link.peer)
        self.id = manager.next_session_id()  # of the visit
        self.person: Person | None = None
        self.inbox = Inbox(partial(manager.schedule_delivery, self))
        self._own_preferences: dict[str, str] = {}
        self.is_over = False
        self._input_queue: InputQueue[T] = InputQueue(
            self._handle_input, self, manager.config.session, manager.clock, self.warning_interval_s
        )
        self._opened_at = self.last_input_at = manager.clock.monotonic()
        self.is_warned_idle = False
        self._dialog: PasswordDialog | None = None  # hears the lines until it is done

    # -- what differs by the other end ---------------------------------------------------------

    @abstractmethod
    def send_text(self, *sentences: str) -> None:
        """Tell whoever is there, known or not, at once."""

    @abstractmethod
    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        """What the next line answers."""

    @abstractmethod
    def _feed(self, data: bytes) -> None:
        """What came in; whole lines of it go to `typed`."""

    @abstractmethod
    def _handle_input(self, typed: T) -> Awaitable[None] | None:
        """One line's turn has come.  HouseError: what is wrong with it."""

    @abstractmethod
    def _flush_inbox(self) -> None:
        """Hand out what is in the box, and ask for the next line."""

    @abstractmethod
    def _show_command_prompt(self) -> None:
        """The house waits for the next line."""

    @abstractmethod
    def _send_farewell(self, text: str) -> None: ...

    @abstractmethod
    def _close_output(self) -> None:
        """Leave the other end as it was found; nothing is sent after this."""

    @property
    @abstractmethod
    def style(self) -> Style: ...
    @property
    def has_numbered_moves(self) -> bool:
        """Whether `moves` has numbers, and a number alone is a play."""
        return False

    @abstractmethod
    def apply_preferences(self) -> None:
        """By the person, or because it is another one now."""

    @abstractmethod
    def on_resize(self, terminal: Terminal) -> None: ...
    @abstractmethod
    def clear_screen(self) -> None: ...
    @abstractmethod
    def describe_terminal(self) -> list[str]: ...

    # -- the link's side -----------------------------------------------------------------------

    def on_data(self, data: bytes) -> None:
        if not self.is_over:
            self.last_input_at = self._manager.clock.monotonic()
            self.is_warned_idle = False
            try:
                self._feed(data)
            except Exception as bug:
                self._fail(bug)

    def on_gmcp(self, package: str, data: object) -> None:
        """A package of a telnet client: what is at the other end may answer it."""

    def on_login_timeout(self, message: str) -> None:
        """Nobody came in before the door's deadline."""
        self.disconnect(message)

    def on_disconnect(self) -> None:
        self._close()

    # -- coming in -----------------------------------------------------------------------------

    def _admit(self, proven: AuthenticatedUser) -> None:
        """Somebody whom SSH has let in.  A new key first claims its name."""
        registrar = self._manager.service.account_service
        # A connection may hold one session after the other: the key may have been taken away since.
        if proven.method == "key" and not registrar.has_key(proven.name, proven.fingerprint):
            self.disconnect("This key opens the name no more.")
            return
        # Or the second session finds the name its own.
        if proven.method == "newkey" and not registrar.has_key(proven.name, proven.fingerprint):
            self._input_queue.hold_until(self._claim(proven))
            return
        fresh = proven.method == "registered"
        news = f"The name {proven.name} is now yours." if fresh else ""
        try:
            if proven.method == "guest":
                self._enter_as_guest()
            else:
                self._enter(registrar.person_named(proven.name), news)
        except UserError as exc:
            self.disconnect(str(exc))

    async def _claim(self, proven: AuthenticatedUser) -> None:
        registrar = self._manager.service.account_service
        try:
            person = await registrar.register_key(proven.name, proven.key, self._source)
            self._enter(
                person,
                f"The name {person.name} now belongs to your key "
                f"{proven.fingerprint}. Come back with it any time.",
            )
        except UserError as exc:
            self.disconnect(str(exc))
        except JournalWriteError:
            self.disconnect("The house cannot write just now. Please try again in a minute.")

    def _enter_as_guest(self) -> None:
        self._enter(self._manager.service.new_guest(), "")

    def _enter(self, person: Person, notice: str) -> None:
        """HouseError: there is no room; nothing has changed."""
        house = self._manager.service
        house.enter(person, self.inbox, self._on_takeover, self._source)
        self.person = person
        metrics.LOGINS.increment(self.protocol)
        source = self._source if self._manager.config.server.log_addresses else "-"
        log.info("visit in visit=%s person=%s name=%s door=%s from=%s", self.id, person.id,
                 person.name, self.protocol, source)  # fmt: skip
        self._link.mark_logged_in()
        self.apply_preferences()
        self._show_command_prompt()
        if notice:
            house.outbox.send(person.id, m.Notice(notice))
        house.send_welcome(person)

    def switch_person(self, person: Person) -> None:
        """The same stay goes on as another person: a guest who takes an old seat back."""
        if self.person is not None:
            self._leave_service(self.person)
            self.person = None
        try:
            self._enter(person, "")
        except UserError as exc:
            self.disconnect(str(exc))

    def _on_takeover(self) -> None:
        self.disconnect("You came in from somewhere else; this line ends. Your seat goes with you.")

    # -- going ---------------------------------------------------------------------------------

    def disconnect(self, text: str) -> None:
        """Say a last sentence and end the line."""
        if self.is_over:
            return
        self._flush_inbox()
        self._send_farewell(text)
        self._close()

    def _close(self) -> None:
        if self.is_over:
            return
        self.is_over = True
        self._input_queue.stop()
        self._manager.remove(self)
        try:
            self._close_output()
        finally:  # whatever a terminal does, nobody stays behind as a ghost
            self._link.close()
            if self.person is not None:
                self._leave_service(self.person)

    def _leave_service(self, person: Person) -> None:
        self._manager.service.leave(person, self.inbox)
        here_s = self._manager.clock.monotonic() - self._opened_at
        log.info("visit out visit=%s person=%s here_s=%.0f", self.id, person.id, here_s)

    def _fail(self, bug: Exception) -> None:
        """The stay itself is broken: it ends, the others go on."""
        ref = self.log_fault("visit failed", bug)
        try:
            self.send_text(f"{BUG_APOLOGY} Please come back. (ref {ref})")
        finally:
            self._close()

    def log_fault(self, what: str, bug: Exception) -> str:
        """Log a bug that this stay has met; answers the reference that its person is told."""
        return log_exception(log, what, bug, visit=self.id, person=self.person and self.person.id)

    # -- lines ---------------------------------------------------------------------------------

    def submit_line(self, line: T) -> None:
        """One line, whole and not too long."""
        if not self.is_over:
            self._input_queue.submit(line)

    def _handle_line(self, line: str) -> Awaitable[None] | None:
        """Do what a line of somebody known says."""
        if self.person is None:
            return None
        metrics.LINES_READ.value += 1
        self._manager.service.on_input(self.person)
        if self._dialog is not None:
            return self._dialog.handle_line(line)
        return interpret(Context(self._manager.service, self.person, self), line)

    def send_refusal(self, sentence: str) -> None:
        if self.person is not None:
            self._manager.service.outbox.send(self.person.id, m.RefusalMessage(sentence))
        else:
            self.send_text(sentence)

    def report_bug(self, bug: Exception, what: str) -> None:
        ref = self.log_fault(f"{what} failed", bug)
        self.send_text(f"{BUG_APOLOGY} (ref {ref})")

    # -- mail ----------------------------------------------------------------------------------

    def deliver(self) -> None:
        """Hand out what is in the box; called once a round for every stay that has mail."""
        if self.is_over:
            return
        try:
            self._flush_inbox()
        except Exception as bug:
            self._fail(bug)

    # -- what verbs may do ---------------------------------------------------------------------

    def start_password_dialog(self) -> None:
        check = self._manager.service.account_service.check_new_password
        self._dialog = PasswordDialog(self, check, self._save_password, self._end_dialog)

    async def _save_password(self, password: str) -> None:
        assert self.person is not None
        try:
            await self._manager.service.account_service.set_password(self.person, password)
            self.send_text("Your password is set. It opens your name on every door.")
        finally:
            self._end_dialog()

    def _end_dialog(self) -> None:
        self._dialog = None
        self._show_command_prompt()

    def full_screen_obstacle(self) -> str:
        """What keeps this stay from having it; "": nothing does."""
        return "There is no screen here: what comes is objects."

    def preference(self, key: str) -> str:
        """The value in force: this stay's, the account's, else the default."""
        if key in self._own_preferences:
            return self._own_preferences[key]
        return self._manager.service.account_service.preference(self.person, key)

    def effective_preference(self, key: str) -> tuple[str, str]:
        """What a setting comes to here, and where it comes from."""
        if key in self._own_preferences:
            return self._own_preferences[key], "this visit"
        if self._manager.service.account_service.has_own_preference(self.person, key):
            return self.preference(key), "your account"
        return self.preference(key), "default"

    def save_preference(self, key: str, value: str) -> None:
        """For this stay; an account's own are with the registrar, and count from now on."""
        self._own_preferences.pop(key, None)
        if self.person is not None and self.person.is_guest and value != DEFAULT_VALUE:
            self._own_preferences[key] = value
        self.apply_preferences()
