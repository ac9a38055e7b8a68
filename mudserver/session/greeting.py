"""The questions at the telnet door, until somebody is known.

Rule 1: an unknown name registers, a known one proves itself, `guest` needs nothing.
Rule 2: known and unknown names cost the same hash, and what is typed as a password is never
        shown, kept in the history or repeated in a sentence.
Rule 3: an empty line goes back to the name: nobody is held to a name mistyped.
Rule 4: `help` (of whatever), `quit` and `screenreader on|off` work here too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from mudserver.errors import HouseError, JournalFailed
from mudserver.house.registrar import Registrar
from mudserver.people import Person
from mudserver.session.newpassword import NewPassword

HELP = (
    "Type guest to look around at once.",
    "Type a name nobody has to make it yours: you are asked for a password, twice.",
    "Type your name to come back.",
    "With a screen reader, type: screenreader on",
    "To hang up, type: quit",
)


class Face(Protocol):
    """What the greeting needs of the visit."""

    def say(self, *sentences: str) -> None: ...
    def ask(self, prompt: str, *, is_secret: bool = False) -> None: ...
    def leave(self, text: str) -> None: ...
    def read_aloud(self, is_on: bool) -> None:
        """Linear text in this visit, or none, whatever the terminal says of itself."""


class Greeting:
    """One dialogue.  `hear` answers an awaitable while a password is being hashed."""

    def __init__(
        self,
        face: Face,
        registrar: Registrar,
        peer: str,
        tries_max: int,
        failed: Callable[[], bool],
        named: Callable[[], None],
        welcome: Callable[[Person, str], None],
        welcome_guest: Callable[[], None],
    ) -> None:
        """Args: failed: count a wrong password against the source; False: no try is left.
        named: there is more time to come in now, for the password.
        welcome, welcome_guest: let somebody in; HouseError if there is no room.
        """
        self._face, self._registrar, self._peer = face, registrar, peer
        self._failed, self._named = failed, named
        self._welcome, self._welcome_guest = welcome, welcome_guest
        self._tries_left = tries_max
        self._name = ""
        self._step = self._hear_name
        face.ask("Name: ")

    def hear(self, line: str) -> Awaitable[None] | None:
        return self._step(line)

    def _again(self, *sentences: str) -> None:
        self._face.say(*sentences)
        self._name = ""
        self._step = self._hear_name
        self._face.ask("Name: ")

    def _hear_name(self, line: str) -> Awaitable[None] | None:
        words = line.split()
        match [word.lower() for word in words]:
            case []:
                self._face.ask("Name: ")
            case ["guest"]:
                self._try_guest()
            case ["quit" | "exit" | "bye" | "logout"]:
                self._face.leave("Goodbye.")
            case ["help" | "?" | "commands", *_]:
                self._again(*HELP)
            case ["screenreader"] | ["screenreader", "on"]:
                self._face.read_aloud(True)
                self._again("Linear text from now on.")
            case ["screenreader", "off"]:
                self._face.read_aloud(False)
                self._again("Columns from now on.")
            case ["screenreader", *_]:
                self._again("Type screenreader on, or screenreader off.")
            case ["connect", _, *rest] if rest:
                self._again("Passwords are asked for separately. Type just your name.")
            case ["connect" | "register", _] | [_]:
                self._take_name(words[-1])
            case _:
                self._again("A name is one word. Type your name, or guest, or help.")
        return None

    def _try_guest(self) -> None:
        try:
            self._welcome_guest()
        except HouseError as exc:
            self._again(str(exc))

    def _take_name(self, name: str) -> None:
        standing, why = self._registrar.standing(name)
        if standing == "refused":
            self._again(why)
        elif standing == "guest":
            self._try_guest()
        elif standing == "known":
            self._name, self._step = name, self._hear_password
            self._named()
            self._face.ask("Password: ", is_secret=True)
        else:
            self._name = name
            self._named()
            self._face.say(
                f'Nobody is called "{name}" yet; a password makes the name yours, '
                "an empty line goes back."
            )
            check = self._registrar.check_new_password
            self._step = NewPassword(self._face, check, self._register, self._again).hear

    async def _hear_password(self, line: str) -> None:
        if not line:
            self._again()
            return
        name = self._name
        self._face.ask("", is_secret=True)  # no prompt while we think
        try:
            if await self._registrar.check_password(name, line):
                self._welcome(self._registrar.person(name), "")
                return
        except HouseError as exc:
            self._again(str(exc))
            return
        self._tries_left -= 1
        if not self._failed() or self._tries_left <= 0:
            self._face.leave("That was not right either. Goodbye.")
            return
        self._again("That is not the password of this name.")

    async def _register(self, password: str) -> None:
        try:
            person = await self._registrar.register(self._name, password, self._peer)
            self._welcome(person, f"The name {person.name} is now yours.")
        except HouseError as exc:
            self._again(str(exc))
        except JournalFailed:
            self._again("The house cannot write just now. Please try again in a minute.")
