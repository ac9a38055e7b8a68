"""One stay in the house, whatever is at the other end: a person's terminal or a program.

Rule 1: lines are settled one after the other (`lines.py`) and go to the interpreter, or to the
        dialogue that has asked for one; messages come from the person's box.  Nothing else passes.
Rule 2: the newest stay of a person is the stay; the one before is told and ended [G2].
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
from mudserver import tally
from mudserver.commands.declare import Context
from mudserver.commands.interpreter import interpret
from mudserver.errors import HouseError, JournalFailed
from mudserver.oplog import said
from mudserver.people import Person
from mudserver.people.settings import DEFAULT
from mudserver.post import Box
from mudserver.session.lines import WARNING_S, Lines
from mudserver.session.newpassword import NewPassword
from mudserver.transport.gate import source_of
from mudserver.transport.link import Link, Proven, Terminal
from variants.kit.text import Style

if TYPE_CHECKING:
    from mudserver.session.reception import Reception

log = logging.getLogger("visit")

SORRY = "Something went wrong on our side; your game is safe."

T = TypeVar("T")  # what the other end gives for a line: a text, or the bytes of an object


class Stay(ABC, Generic[T]):
    warning_s = WARNING_S  # between two words about lines that were not read

    def __init__(self, reception: Reception, link: Link) -> None:
        self._reception, self._link = reception, link
        self.kind, self.door, self._source = link.kind, link.door, source_of(link.peer)
        self.id = reception.next_id()  # of the visit
        self.person: Person | None = None
        self.box = Box(partial(reception.wake, self))
        self._own_settings: dict[str, str] = {}
        self.is_over = False
        self._lines: Lines[T] = Lines(
            self._read, self, reception.config.line, reception.clock, self.warning_s
        )
        self._came_at = self.heard_at = reception.clock.monotonic()
        self.is_warned_idle = False
        self._dialogue: NewPassword | None = None  # hears the lines until it is done

    # -- what differs by the other end ---------------------------------------------------------

    @abstractmethod
    def say(self, *sentences: str) -> None:
        """Tell whoever is there, known or not, at once."""

    @abstractmethod
    def ask(self, prompt: str, *, is_secret: bool = False) -> None:
        """What the next line answers."""

    @abstractmethod
    def _take(self, data: bytes) -> None:
        """What came in; whole lines of it go to `typed`."""

    @abstractmethod
    def _read(self, typed: T) -> Awaitable[None] | None:
        """One line's turn has come.  HouseError: what is wrong with it."""

    @abstractmethod
    def _mail_now(self) -> None:
        """Hand out what is in the box, and ask for the next line."""

    @abstractmethod
    def _ask(self) -> None:
        """The house waits for the next line."""

    @abstractmethod
    def _say_last(self, text: str) -> None: ...

    @abstractmethod
    def _leave_it(self) -> None:
        """Leave the other end as it was found; nothing is sent after this."""

    @property
    @abstractmethod
    def style(self) -> Style: ...
    @property
    def has_numbers(self) -> bool:
        """Whether `moves` has numbers, and a number alone is a play."""
        return False

    @abstractmethod
    def settings_changed(self) -> None:
        """By the person, or because it is another one now."""

    @abstractmethod
    def resize(self, terminal: Terminal) -> None: ...
    @abstractmethod
    def clear(self) -> None: ...
    @abstractmethod
    def describe(self) -> list[str]: ...

    # -- the link's side -----------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        if not self.is_over:
            self.heard_at = self._reception.clock.monotonic()
            self.is_warned_idle = False
            try:
                self._take(data)
            except Exception as bug:
                self._break_off(bug)

    def gmcp(self, package: str, data: object) -> None:
        """A package of a telnet client: what is at the other end may answer it."""

    def late(self, sentence: str) -> None:
        """Nobody came in before the door's deadline."""
        self.leave(sentence)

    def lost(self) -> None:
        self._end()

    # -- coming in -----------------------------------------------------------------------------

    def _admit(self, proven: Proven) -> None:
        """Somebody whom SSH has let in.  A new key first claims its name."""
        registrar = self._reception.house.registrar
        # A connection may hold one session after the other: the key may have been taken away since.
        if proven.how == "key" and not registrar.has_key(proven.name, proven.fingerprint):
            self.leave("This key opens the name no more.")
            return
        # Or the second session finds the name its own.
        if proven.how == "newkey" and not registrar.has_key(proven.name, proven.fingerprint):
            self._lines.wait_for(self._claim(proven))
            return
        fresh = proven.how == "registered"
        news = f"The name {proven.name} is now yours." if fresh else ""
        try:
            if proven.how == "guest":
                self._enter_as_guest()
            else:
                self._enter(registrar.person(proven.name), news)
        except HouseError as exc:
            self.leave(str(exc))

    async def _claim(self, proven: Proven) -> None:
        registrar = self._reception.house.registrar
        try:
            person = await registrar.register_key(proven.name, proven.key, self._source)
            self._enter(
                person,
                f"The name {person.name} now belongs to your key "
                f"{proven.fingerprint}. Come back with it any time.",
            )
        except HouseError as exc:
            self.leave(str(exc))
        except JournalFailed:
            self.leave("The house cannot write just now. Please try again in a minute.")

    def _enter_as_guest(self) -> None:
        self._enter(self._reception.house.new_guest(), "")

    def _enter(self, person: Person, news: str) -> None:
        """HouseError: there is no room; nothing has changed."""
        house = self._reception.house
        house.enter(person, self.box, self._taken_over, self._source)
        self.person = person
        tally.LOGINS.add(self.door)
        source = self._source if self._reception.config.server.log_addresses else "-"
        log.info("visit in visit=%s person=%s name=%s door=%s from=%s", self.id, person.id,
                 person.name, self.door, source)  # fmt: skip
        self._link.admitted()
        self.settings_changed()
        self._ask()
        if news:
            house.post.send(person.id, m.Notice(news))
        house.welcome(person)

    def become(self, person: Person) -> None:
        """The same stay goes on as another person: a guest who takes an old seat back."""
        if self.person is not None:
            self._gone(self.person)
            self.person = None
        try:
            self._enter(person, "")
        except HouseError as exc:
            self.leave(str(exc))

    def _taken_over(self) -> None:
        self.leave("You came in from somewhere else; this line ends. Your seat goes with you.")

    # -- going ---------------------------------------------------------------------------------

    def leave(self, text: str) -> None:
        """Say a last sentence and end the line."""
        if self.is_over:
            return
        self._mail_now()
        self._say_last(text)
        self._end()

    def _end(self) -> None:
        if self.is_over:
            return
        self.is_over = True
        self._lines.stop()
        self._reception.forget(self)
        try:
            self._leave_it()
        finally:  # whatever a terminal does, nobody stays behind as a ghost
            self._link.close()
            if self.person is not None:
                self._gone(self.person)

    def _gone(self, person: Person) -> None:
        self._reception.house.leave(person, self.box)
        here_s = self._reception.clock.monotonic() - self._came_at
        log.info("visit out visit=%s person=%s here_s=%.0f", self.id, person.id, here_s)

    def _break_off(self, bug: Exception) -> None:
        """The stay itself is broken: it ends, the others go on [H12]."""
        ref = self.fault("visit failed", bug)
        try:
            self.say(f"{SORRY} Please come back. (ref {ref})")
        finally:
            self._end()

    def fault(self, what: str, bug: Exception) -> str:
        """Log a bug that this stay has met; answers the reference that its person is told."""
        return said(log, what, bug, visit=self.id, person=self.person and self.person.id)

    # -- lines ---------------------------------------------------------------------------------

    def typed(self, line: T) -> None:
        """One line, whole and not too long."""
        if not self.is_over:
            self._lines.typed(line)

    def _settle(self, line: str) -> Awaitable[None] | None:
        """Do what a line of somebody known says."""
        if self.person is None:
            return None
        tally.LINES.value += 1
        self._reception.house.heard(self.person)
        if self._dialogue is not None:
            return self._dialogue.hear(line)
        return interpret(Context(self._reception.house, self.person, self), line)

    def refuse(self, sentence: str) -> None:
        if self.person is not None:
            self._reception.house.post.send(self.person.id, m.Refused(sentence))
        else:
            self.say(sentence)

    def broke(self, bug: Exception, what: str) -> None:
        ref = self.fault(f"{what} failed", bug)
        self.say(f"{SORRY} (ref {ref})")

    # -- mail ----------------------------------------------------------------------------------

    def deliver(self) -> None:
        """Hand out what is in the box; called once a round for every stay that has mail."""
        if self.is_over:
            return
        try:
            self._mail_now()
        except Exception as bug:
            self._break_off(bug)

    # -- what verbs may do ---------------------------------------------------------------------

    def ask_new_password(self) -> None:
        check = self._reception.house.registrar.check_new_password
        self._dialogue = NewPassword(self, check, self._keep_password, self._end_dialogue)

    async def _keep_password(self, password: str) -> None:
        assert self.person is not None
        try:
            await self._reception.house.registrar.set_password(self.person, password)
            self.say("Your password is set. It opens your name on every door.")
        finally:
            self._end_dialogue()

    def _end_dialogue(self) -> None:
        self._dialogue = None
        self._ask()

    def why_no_full_screen(self) -> str:
        """What keeps this stay from having it; "": nothing does."""
        return "There is no screen here: what comes is objects."

    def setting(self, key: str) -> str:
        """The value in force: this stay's, the account's, else the default."""
        if key in self._own_settings:
            return self._own_settings[key]
        return self._reception.house.registrar.setting(self.person, key)

    def in_force(self, key: str) -> tuple[str, str]:
        """What a setting comes to here, and where it comes from."""
        if key in self._own_settings:
            return self._own_settings[key], "this visit"
        if self._reception.house.registrar.has_chosen(self.person, key):
            return self.setting(key), "your account"
        return self.setting(key), "default"

    def keep_setting(self, key: str, value: str) -> None:
        """For this stay; an account's own are with the registrar, and count from now on."""
        self._own_settings.pop(key, None)
        if self.person is not None and self.person.is_guest and value != DEFAULT:
            self._own_settings[key] = value
        self.settings_changed()
