"""One visit: a terminal on one side, a person on the other.

Rule 1: lines go to the greeting until somebody is known, then to the interpreter; messages come
        from the person's box.  Nothing else passes.
Rule 2: lines are taken one after the other; while one waits for the journal the next ones queue,
        boundedly.  Too many lines are refused with "slow down", not punished.
Rule 3: the newest visit of a person is the visit; the one before is told and ended [G2].
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from mudserver import messages as m
from mudserver.commands.declare import Context
from mudserver.commands.interpreter import candidates, interpret
from mudserver.errors import HouseError, JournalFailed
from mudserver.people import Person
from mudserver.post import Box
from mudserver.session.greeting import Greeting
from mudserver.session.present import Reader
from mudserver.session.tastes import reader_for, settings_for
from mudserver.transport.link import Link, Proven, Terminal
from mudserver.ui.complete import Completion
from variants.kit.text import line

if TYPE_CHECKING:
    from mudserver.session.reception import Reception

log = logging.getLogger("visit")

LINES_WAITING_MAX = 32  # typed while a line before them waits for the journal


class Visit:
    def __init__(self, reception: Reception, link: Link, proven: Proven | None) -> None:
        self._reception, self._link = reception, link
        self.kind = link.kind
        self.person: Person | None = None
        self.box = Box(self._mail)
        self._own_settings: dict[str, str] = {}
        self._reads_aloud = link.terminal.is_screen_reader
        self._is_over = False
        self._is_secret = False
        self._task: asyncio.Task[None] | None = None
        self._waiting: deque[str] = deque()
        self._lines = reception.line_budget()
        self._refused = 0
        self._warned_at = float("-inf")
        self.heard_at = reception.clock.monotonic()
        self.is_warned_idle = False
        self._window = ""  # the last window that was shown
        self._place: m.Seated | None = None
        self._is_asked = False
        self.reader: Reader = reader_for(link.terminal, self.setting)
        self.screen = reception.screen(self, link)
        self._greeting: Greeting | None = None
        if proven is None:
            self._greet()
        else:
            self._admit(proven)

    # -- the link's side -----------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        if not self._is_over:
            self.heard_at = self._reception.clock.monotonic()
            self.is_warned_idle = False
            self.screen.feed(data)

    def resize(self, terminal: Terminal) -> None:
        if not self._is_over:
            self._reads_aloud = self._reads_aloud or terminal.is_screen_reader
            self.settings_changed()

    def lost(self) -> None:
        self._end()

    # -- coming in -----------------------------------------------------------------------------

    def _greet(self) -> None:
        reception = self._reception
        self.say(
            f"{reception.name}: three card games, all called Lockdown.",
            "Type guest to look around, your name to come in, or help.",
        )
        self._greeting = Greeting(
            self,
            reception.house.registrar,
            self._link.peer,
            reception.config.door.failures_telnet_max,
            self._enter,
            self._enter_as_guest,
        )

    def _admit(self, proven: Proven) -> None:
        """Somebody whom SSH has let in.  A new key first claims its name."""
        registrar = self._reception.house.registrar
        if proven.how == "guest":
            self._do(self._as_guest())
        elif proven.how == "newkey":
            self._do(self._claim(proven))
        else:
            fresh = proven.how == "registered"
            news = f"The name {proven.name} is now yours." if fresh else ""
            self._enter(registrar.person(proven.name), news)

    async def _as_guest(self) -> None:
        try:
            self._enter_as_guest()
        except HouseError as exc:
            self.leave(str(exc))

    async def _claim(self, proven: Proven) -> None:
        registrar = self._reception.house.registrar
        try:
            person = await registrar.register_key(proven.name, proven.key, self._link.peer)
        except (HouseError, JournalFailed) as exc:
            self.leave(str(exc) if isinstance(exc, HouseError) else "We cannot write just now.")
            return
        self._enter(
            person,
            f"The name {person.name} now belongs to your key "
            f"{proven.fingerprint}. Come back with it any time.",
        )

    def _enter_as_guest(self) -> None:
        self._enter(self._reception.house.new_guest(), "")

    def _enter(self, person: Person, news: str) -> None:
        self._greeting = None
        self.person = person
        self.settings_changed()
        self._link.admitted()
        self._ask()
        house = self._reception.house
        try:
            house.enter(person, self.box, self._taken_over, self._link.peer)
        except HouseError as exc:
            self.person = None
            self.leave(str(exc))
            return
        if news:
            house.post.send(person.id, m.Notice(news))
        house.welcome(person)

    def become(self, person: Person) -> None:
        """The same visit goes on as another person: a guest who takes an old seat back."""
        if self.person is not None:
            self._reception.house.leave(self.person, self.box)
        self._enter(person, "")

    def _taken_over(self) -> None:
        self.leave("You came in from somewhere else; this line ends. Your seat goes with you.")

    # -- going ---------------------------------------------------------------------------------

    def leave(self, text: str) -> None:
        """Say a last sentence and end the line."""
        if self._is_over:
            return
        self._mail_now()
        self.screen.show([line(text)])
        self._end()

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        if self._task is not None:
            self._task.cancel()
        self.screen.close()
        self._link.close()
        if self.person is not None:
            self._reception.house.leave(self.person, self.box)
        self._reception.forget(self)

    # -- lines ---------------------------------------------------------------------------------

    def typed(self, line: str) -> None:
        """One line, cleaned and cut by the screen."""
        if self._is_over:
            return
        if not self._lines.take(self._reception.clock.monotonic()):
            self._slow_down()
        elif self._task is not None:
            if len(self._waiting) < LINES_WAITING_MAX:
                self._waiting.append(line)
            else:
                self._slow_down()
        else:
            self._settle(line)

    def ended(self) -> None:
        """Ctrl-D on an empty line."""
        if self.person is None:
            self.leave("Goodbye.")
        else:
            self.typed("/quit")

    def _slow_down(self) -> None:
        self._refused += 1
        now = self._reception.clock.monotonic()
        if self._refused >= self._reception.config.line.lines_refused_max:
            self.leave("That were too many lines. Please come back and go slower.")
        elif now - self._warned_at >= 1:
            self._warned_at = now
            self.say("Slow down a little: that line was not read.")

    def _settle(self, line: str) -> None:
        try:
            if self._greeting is not None:
                pending = self._greeting.hear(line)
            elif self.person is not None:
                self._reception.house.heard(self.person)
                pending = interpret(Context(self._reception.house, self.person, self), line)
            else:
                pending = None
        except HouseError as exc:
            self._refuse(str(exc))
            return
        except Exception:
            self._broke()
            return
        if pending is not None and not self._is_over:
            self._do(pending)

    def _do(self, pending: Awaitable[None]) -> None:
        self._task = asyncio.ensure_future(self._wait_for(pending))

    async def _wait_for(self, pending: Awaitable[None]) -> None:
        try:
            await pending
        except HouseError as exc:
            self._refuse(str(exc))
        except JournalFailed:
            self._refuse("The house cannot write just now, so nothing was changed. Try again soon.")
        except Exception:
            self._broke()
        self._task = None
        while self._waiting and self._task is None and not self._is_over:
            self._settle(self._waiting.popleft())

    def _refuse(self, sentence: str) -> None:
        if self.person is not None:
            self._reception.house.post.send(self.person.id, m.Refused(sentence))
        else:
            self.say(sentence)

    def _broke(self) -> None:
        ref = secrets.token_hex(2)
        log.exception("line failed person=%s ref=%s", self.person and self.person.id, ref)
        self._refuse(f"Something went wrong on our side; your game is safe. (ref {ref})")

    # -- mail ----------------------------------------------------------------------------------

    def _mail(self) -> None:
        self._reception.wake(self)

    def _mail_now(self) -> None:
        for message in self.box.take():
            self.show(message)
        if self.box.dropped:
            lost, self.box.dropped = self.box.dropped, 0
            self.say(f"... {lost} messages were lost: the line was too slow.")

    def deliver(self) -> None:
        """Show what is in the box; called once a round for every visit that has mail."""
        if self._is_over:
            return
        self._mail_now()
        self._ask()

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
            is_chat = isinstance(message, (m.Said, m.Emoted, m.Announced))
            self.screen.show_shared(paint, droppable=is_chat)
        if isinstance(message, m.Farewell):
            self._end()

    def _ask(self) -> None:
        """The prompt says where one is and whether one is asked; it ends in `> `."""
        if self.person is None or self._is_over:
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
        terminal, look = self._link.terminal, self.reader.look
        ways = "single keys" if terminal.is_character else "whole lines"
        return [
            f"line: {self.kind}, {ways}",
            f"name: {terminal.name}",
            f"size: {terminal.cols} columns, {terminal.rows} rows; text takes {look.cols}",
            f"colours: {look.colours}; charset: {look.charset}; suits: {self.reader.style.suits}",
            f"screen reader: {'on' if self.reader.style.is_linear else 'off'}",
        ]

    def complete(self, text: str, cursor: int) -> Completion | None:
        """The words that the one before the cursor may become."""
        if self.person is None:
            return None
        typed = text[:cursor]
        start = typed.rfind(" ") + 1
        context = Context(self._reception.house, self.person, self)
        words = {
            whole[start:].partition(" ")[0]: None
            for whole in candidates(context, typed)
            if whole.lower().startswith(typed.lower())
        }
        return Completion(start, tuple(word for word in words if word))
