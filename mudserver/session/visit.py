"""One visit: a terminal on one side, a person on the other.

Rule 1: lines go to the greeting until somebody is known, then to the interpreter; messages come
        from the person's box.  Nothing else passes.
Rule 2: lines are settled one after the other (`lines.py`).
Rule 3: the newest visit of a person is the visit; the one before is told and ended [G2].
Rule 4: a bug costs the line or the message that met it, at most this visit, and nobody else's.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.commands.declare import Context
from mudserver.commands.interpreter import completions, interpret
from mudserver.errors import HouseError, JournalFailed
from mudserver.oplog import said
from mudserver.people import Person
from mudserver.post import Box
from mudserver.session.greeting import Greeting
from mudserver.session.lines import Lines
from mudserver.session.newpassword import NewPassword
from mudserver.session.present import Reader
from mudserver.session.tastes import described, reader_for, settings_for
from mudserver.transport.gate import source_of
from mudserver.transport.link import Link, Proven, Terminal
from mudserver.ui.complete import Completion
from variants.kit.text import counted, line

if TYPE_CHECKING:
    from mudserver.session.reception import Reception

log = logging.getLogger("visit")

SORRY = "Something went wrong on our side; your game is safe."


class Visit:
    def __init__(self, reception: Reception, link: Link, proven: Proven | None) -> None:
        self._reception, self._link = reception, link
        self.kind, self._source = link.kind, source_of(link.peer)
        self.person: Person | None = None
        self.box = Box(self._mail)
        self._own_settings: dict[str, str] = {}
        self._reads_aloud = link.terminal.is_screen_reader
        self.is_over = False
        self._is_secret = False
        self._lines = Lines(self._read, self, reception.config.line, reception.clock)
        self.heard_at = reception.clock.monotonic()
        self.is_warned_idle = False
        self._window = ""  # the last window that was shown
        self._place: m.Seated | None = None
        self._is_asked = False
        self.reader: Reader = reader_for(link.terminal, self.setting)
        self.screen = reception.screen(self, link)
        self._greeting: Greeting | None = None
        self._dialogue: NewPassword | None = None  # hears the lines until it is done
        if proven is None:
            self._greet()
        else:
            self._admit(proven)

    # -- the link's side -----------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        if not self.is_over:
            self.heard_at = self._reception.clock.monotonic()
            self.is_warned_idle = False
            try:
                self.screen.feed(data)
            except Exception as bug:
                self._break_off(bug)

    def resize(self, terminal: Terminal) -> None:
        if not self.is_over:
            self._reads_aloud = self._reads_aloud or terminal.is_screen_reader
            self.settings_changed()

    def lost(self) -> None:
        self._end()

    # -- coming in -----------------------------------------------------------------------------

    def _greet(self) -> None:
        reception = self._reception
        self.say(
            f"{reception.name}: people and computers play cards here.",
            "Type guest to look around, your name to come in, or help.",
        )
        self._greeting = Greeting(
            self,
            reception.house.registrar,
            self._source,
            reception.config.door.failures_telnet_max,
            self._link.failed,
            self._enter,
            self._enter_as_guest,
        )

    def _admit(self, proven: Proven) -> None:
        """Somebody whom SSH has let in.  A new key first claims its name."""
        registrar = self._reception.house.registrar
        # A connection may hold one session after the other: the second finds the name its own.
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
        self._greeting, self.person = None, person
        self._link.admitted()
        self.settings_changed()
        self._ask()
        if news:
            house.post.send(person.id, m.Notice(news))
        house.welcome(person)

    def become(self, person: Person) -> None:
        """The same visit goes on as another person: a guest who takes an old seat back."""
        if self.person is not None:
            self._reception.house.leave(self.person, self.box)
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
        self.screen.show([line(text)])
        self._end()

    def _end(self) -> None:
        if self.is_over:
            return
        self.is_over = True
        self._lines.stop()
        self._reception.forget(self)
        try:
            self.screen.close()
        finally:  # whatever a terminal does, nobody stays behind as a ghost
            self._link.close()
            if self.person is not None:
                self._reception.house.leave(self.person, self.box)

    def _break_off(self, bug: Exception) -> None:
        """The visit itself is broken: it ends, the others go on [H12]."""
        ref = said(log, "visit failed", bug, person=self.person and self.person.id)
        try:
            self.say(f"{SORRY} Please come back. (ref {ref})")
        finally:
            self._end()

    # -- lines ---------------------------------------------------------------------------------

    def typed(self, line: str) -> None:
        """One line, cleaned and cut by the screen."""
        if not self.is_over:
            self._lines.typed(line)

    def ended(self) -> None:
        """Ctrl-D on an empty line."""
        if self.person is None:
            self.leave("Goodbye.")
        else:
            self.typed("/quit")

    def _read(self, line: str) -> Awaitable[None] | None:
        if self._greeting is not None:
            return self._greeting.hear(line)
        if self.person is None:
            return None
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
        ref = said(log, f"{what} failed", bug, person=self.person and self.person.id)
        self.say(f"{SORRY} (ref {ref})")

    # -- mail ----------------------------------------------------------------------------------

    def _mail(self) -> None:
        self._reception.wake(self)

    def _mail_now(self) -> None:
        mail = self.box.take()
        if not self._show_talk(mail):
            for message in mail:
                try:
                    self.show(message)
                except Exception as bug:
                    self.broke(bug, "mail")
        if self.box.dropped:
            lost, self.box.dropped = self.box.dropped, 0
            self.say(f"... {counted(lost, 'message')} lost: the line was too slow.")

    def _show_talk(self, mail: list[m.Message]) -> bool:
        """The short way for most of all mail.  False: it has to be looked at one by one."""
        try:
            talk = self._reception.talk(mail, self.reader)
        except Exception:
            return False  # one of them is broken; the others are not
        if talk:
            self.screen.show_shared(talk, droppable=True)
        return talk is not None

    def deliver(self) -> None:
        """Show what is in the box; called once a round for every visit that has mail."""
        if self.is_over:
            return
        try:
            self._mail_now()
            self._ask()
        except Exception as bug:
            self._break_off(bug)

    def show(self, message: m.Message) -> None:
        is_fresh = False
        if isinstance(message, m.Shown):
            is_fresh = message.window != self._window
            self._window = message.window
            self._is_asked = message.seat is not None and message.seat in message.asked
            if is_fresh and self._is_asked:
                self.screen.bell()
        elif isinstance(message, m.Seated):
            self._place, self._window = message, ""
            self._is_asked = self._is_asked and message.is_playing
            return
        elif isinstance(message, m.GameOver):
            self._is_asked = False
        paint = self._reception.painted(message, self.reader, is_fresh)
        if paint:
            self.screen.show_shared(paint, droppable=type(message) in m.TALK)

    def _ask(self) -> None:
        """The prompt says where one is and whether one is asked; it ends in `> `."""
        if self.person is None or self.is_over or self._dialogue is not None:
            return
        place = self._place
        if place is None or place.table is None:
            self.ask("lobby> ")
        elif self._is_asked:
            self.ask(f"table {place.table}, your turn> ")
        else:
            self.ask(f"table {place.table}> ")

    # -- what verbs and the greeting may do ------------------------------------------------------

    def say(self, *sentences: str) -> None:
        self.screen.show([line(sentence) for sentence in sentences])

    def ask(self, prompt: str, *, is_secret: bool = False) -> None:
        if is_secret is not self._is_secret:
            self._is_secret = is_secret
            self._link.echo(not is_secret)
        self.screen.ask(prompt, is_secret)

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

    def read_aloud(self) -> None:
        self._reads_aloud = True
        self.settings_changed()

    def clear(self) -> None:
        self.screen.clear()

    def setting(self, key: str) -> str:
        """The value in force: this visit's, the account's, else the default."""
        if key in self._own_settings:
            return self._own_settings[key]
        if key == "screenreader" and self._reads_aloud:
            return "on"
        return self._reception.house.registrar.setting(self.person, key)

    def keep_setting(self, key: str, value: str) -> None:
        self._own_settings[key] = value
        self.settings_changed()

    def settings_changed(self) -> None:
        terminal = self._link.terminal
        self.reader = reader_for(terminal, self.setting)
        self.screen.resize(terminal, settings_for(self.setting))

    def describe(self) -> list[str]:
        return described(self.kind, self._link.terminal, self.reader)

    def complete(self, text: str, cursor: int) -> Completion | None:
        """The words that the one before the cursor may become."""
        if self.person is None:
            return None
        context = Context(self._reception.house, self.person, self)
        return Completion(*completions(context, text[:cursor]))
