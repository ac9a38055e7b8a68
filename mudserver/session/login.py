"""The login dialog over telnet: name, password, registration.

Rule 1: an unknown name is registered, a known one needs its password, `guest` needs nothing.
Rule 2: known and unknown names cost the same hash.  A typed password is never shown, kept in the
        history or repeated in a sentence.
Rule 3: an empty line goes back to the name, so that a mistyped name can be corrected.
Rule 4: `help` (on any topic), `quit` and `screenreader on|off` work here, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from mudserver.accounts import texts as account_texts
from mudserver.accounts.person import Person
from mudserver.errors import JournalWriteError, UserError
from mudserver.messages import Spoken
from mudserver.service.account_service import AccountService
from mudserver.service.sanction_service import Banned, sentences_of
from mudserver.session import texts
from mudserver.session.password_dialog import DialogOutput, PasswordDialog
from variants.kit.text import quantity


class LoginOutput(DialogOutput, Protocol):
    """What the login dialog needs from the session."""

    def disconnect(self, *sentences: Spoken) -> None: ...
    def set_screen_reader(self, is_on: bool) -> None:
        """Linear text for this session or not, whatever the terminal says about itself."""


class LoginCallbacks(NamedTuple):
    """What the login dialog calls in the session and its link."""

    enter: Callable[[Person, str], None]  # log in, with a notice; UserError: there is no room
    enter_as_guest: Callable[[], None]  # UserError: there is no room
    on_name_given: Callable[[], None]  # extends the login deadline: time for the password
    may_try: Callable[
        [str], Awaitable[bool]
    ]  # whether a password of this name may be tried from here
    on_wrong_password: Callable[
        [str], Awaitable[bool]
    ]  # counts it for the address; False: no try is left


Step = Literal["name", "password", "new-password"]


class LoginState(NamedTuple):
    """How far somebody has come, for another process; no code and nothing of a password."""

    step: Step
    name: str  # as typed
    tries_left: int


class LoginDialog:
    """Open until somebody has logged in.

    Args:
        tries_max: Wrong passwords in this session.
        before: How far another process has come; None: it begins here.
    """

    def __init__(
        self,
        output: LoginOutput,
        account_service: AccountService,
        peer: str,
        tries_max: int,
        callbacks: LoginCallbacks,
        before: LoginState | None = None,
    ) -> None:
        self._output, self._account_service, self._peer = output, account_service, peer
        self._callbacks = callbacks
        self._tries_left = tries_max
        self._name = ""
        self._step = self._handle_name
        if before is None:
            output.show_prompt("Name: ")
        else:
            self._go_on(before)

    @property
    def state(self) -> LoginState:
        if self._step == self._handle_name or "+" in self._name:  # a code goes nowhere
            return LoginState("name", "", self._tries_left)
        step: Step = "password" if self._step == self._handle_password else "new-password"
        return LoginState(step, self._name, self._tries_left)

    def _go_on(self, before: LoginState) -> None:
        """Ask again what another process has asked; an answer under way counts as none."""
        self._tries_left = before.tries_left
        status = "guest"
        if before.step != "name":
            status, _ = self._account_service.name_status(before.name)
        if status == "known":  # perhaps since the restart, by the password that was under way
            self._output.send_text(texts.TYPE_AGAIN)
            self._ask_password(before.name)
        elif status == "free":
            self._output.send_text(texts.TYPE_AGAIN)
            self._ask_new_password(before.name)
        else:
            self._output.show_prompt("Name: ")

    def _ask_password(self, name: str) -> None:
        self._name, self._step = name, self._handle_password
        self._output.show_prompt("Password: ", is_secret=True)

    def _ask_new_password(self, name: str) -> None:
        self._name, check = name, self._account_service.check_new_password
        dialog = PasswordDialog(self._output, check, self._register, self._ask_name)
        self._step = dialog.handle_line

    def handle_line(self, line: str) -> Awaitable[None] | None:
        return self._step(line)

    def _ask_name(self, *sentences: Spoken) -> None:
        self._output.send_text(*sentences)
        self._name = ""
        self._step = self._handle_name
        self._output.show_prompt("Name: ")

    def _handle_name(self, line: str) -> Awaitable[None] | None:
        words = line.split()
        match [word.lower() for word in words]:
            case []:
                self._output.show_prompt("Name: ")
            case ["guest"]:
                self._enter_guest_or_ask_again()
            case ["quit" | "exit" | "bye" | "logout"]:
                self._output.disconnect(texts.GOODBYE)
            case ["help" | "?" | "commands", *_]:
                self._ask_name(*texts.LOGIN_HELP)
            case ["screenreader"] | ["screenreader", "on"]:
                self._output.set_screen_reader(True)
                self._ask_name(texts.SCREEN_READER_ON)
            case ["screenreader", "off"]:
                self._output.set_screen_reader(False)
                self._ask_name(texts.SCREEN_READER_OFF)
            case ["screenreader", *_]:
                self._ask_name(texts.SCREEN_READER_HOW)
            case ["connect", _, *rest] if rest:
                self._ask_name(texts.NAME_AND_PASSWORD)
            case ["connect" | "register", _] | [_]:
                return self._begin_with(words[-1])
            case _:
                self._ask_name(texts.NOT_A_NAME)
        return None

    def _enter_guest_or_ask_again(self) -> None:
        try:
            self._callbacks.enter_as_guest()
        except UserError as exc:
            self._ask_name(*sentences_of(exc))

    def _begin_with(self, name: str) -> Awaitable[None] | None:
        if "+" in name:
            return self._use_code(name)
        self._use_name(name)
        return None

    async def _use_code(self, name: str) -> None:
        if await self._may_use_code(name):
            self._use_name(name)

    def _use_name(self, name: str) -> None:
        status, reason = self._account_service.name_status(name)
        if status == "refused":
            self._ask_name(reason)
        elif status == "guest":
            self._enter_guest_or_ask_again()
        elif status == "known":
            self._callbacks.on_name_given()
            self._ask_password(name)
        elif refusal := self._refusal_of_source():
            self._ask_name(*refusal)
        else:
            self._callbacks.on_name_given()
            plain = name.partition("+")[0]
            self._output.send_text(account_texts.NAME_FREE.format(plain) + texts.OR_GO_BACK)
            self._ask_new_password(name)

    def _refusal_of_source(self) -> Sequence[Spoken]:
        """Why nobody new can register from there, before a password is chosen; (): they can."""
        try:
            self._account_service.admission.check_source(self._peer)
        except UserError as exc:
            return sentences_of(exc)
        return ()

    async def _may_use_code(self, name: str) -> bool:
        """Whether to go on with `ann+CODE` as with other names: not with a recovery code."""
        plain = name.partition("+")[0]
        if not await self._callbacks.may_try(plain):
            self._output.disconnect(account_texts.TOO_MANY_WRONG_PASSWORDS)
            return False
        if self._account_service.recovery.other_keys(name) is not None:
            self._name = name
            self._callbacks.on_name_given()
            check = self._account_service.check_new_password
            dialog = PasswordDialog(self._output, check, self._ask_about_keys, self._ask_name)
            self._step = dialog.handle_line
            return False
        if self._account_service.name_status(name)[0] != "free" and not (
            await self._callbacks.on_wrong_password(plain)
        ):
            self._output.disconnect(account_texts.CODE_NOT_VALID)
            return False
        return True

    async def _ask_about_keys(self, password: str) -> None:
        """The last question of a recovery, if there are keys."""
        others = self._account_service.recovery.other_keys(self._name)
        if not others:
            await self._recover(password, keeps_keys=True)
            return

        def handle_answer(line: str) -> Awaitable[None]:
            return self._recover(password, keeps_keys=line.strip().lower() in account_texts.NO)

        self._step = handle_answer
        self._output.show_prompt(account_texts.REMOVE_OTHER_KEYS.format(quantity(others, "key")))

    async def _recover(self, password: str, *, keeps_keys: bool) -> None:
        try:
            person = await self._account_service.recover(
                self._name, self._peer, password=password, keeps_keys=keeps_keys
            )
            self._callbacks.enter(person, "")
        except Banned as exc:
            self._output.disconnect(*exc.sentences)
        except UserError as exc:
            self._ask_name(str(exc))
        except JournalWriteError:
            self._ask_name(texts.CANNOT_SAVE)

    async def _handle_password(self, line: str) -> None:
        if not line:
            self._ask_name()
            return
        name = self._name
        if not await self._callbacks.may_try(name):
            self._output.disconnect(account_texts.TOO_MANY_WRONG_PASSWORDS)
            return
        self._output.show_prompt("", is_secret=True)  # no prompt while the hash runs
        try:
            if await self._account_service.check_password(name, line, self._peer):
                self._callbacks.enter(self._account_service.person_named(name), "")
                return
        except Banned as exc:
            self._output.disconnect(*exc.sentences)
            return
        except UserError as exc:
            self._ask_name(str(exc))
            return
        self._tries_left -= 1
        if not await self._callbacks.on_wrong_password(name) or self._tries_left <= 0:
            self._output.disconnect(texts.WRONG_PASSWORD_AGAIN)
            return
        self._ask_name(account_texts.WRONG_PASSWORD)

    async def _register(self, password: str) -> None:
        try:
            person = await self._account_service.register(self._name, password, self._peer)
            self._callbacks.enter(person, account_texts.REGISTERED.format(person.name))
        except UserError as exc:
            self._ask_name(*sentences_of(exc))
        except JournalWriteError:
            self._ask_name(texts.CANNOT_SAVE)
