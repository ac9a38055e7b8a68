"""The dialogs of a session about its account: passwords, deletion, and the proof who types.

Rule 1: what opens the account for others later needs a fresh proof (`confirm_identity`).
Rule 2: a dialog that ends gives the prompt back, unless it has opened another one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal, Protocol

from mudserver.accounts import texts as account_texts
from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.service.texts import DELETION_NAME, DELETION_PASSWORD
from mudserver.session import texts
from mudserver.session.context import SessionContext
from mudserver.session.password_dialog import Dialog, DialogOutput, PasswordCheck, PasswordDialog
from mudserver.session.question import Question
from mudserver.transport.link import Link

AUTH_FRESH_MS = 15 * 60_000  # how long a login is proof enough to add a key


class DialogOwner(DialogOutput, Protocol):
    """What the dialogs need from the session."""

    auth_how: Literal["", "key", "password"]
    auth_at_ms: int

    @property
    def owner(self) -> Person:
        """Who has proved to own the account, also one that is banned."""

    @property
    def source(self) -> str: ...
    @property
    def is_program(self) -> bool: ...
    def disconnect(self, text: str) -> None: ...


class AccountDialogs:
    """Args:
    on_end: A dialog has ended, and no other one has begun.
    on_change: Another one is open, or none.
    """

    __slots__ = (
        *("_accounts", "_context", "_link", "_on_change", "_on_end", "_open", "_session"),
        "is_own_password",
    )

    def __init__(
        self,
        session: DialogOwner,
        context: SessionContext,
        link: Link,
        on_end: Callable[[], None],
        on_change: Callable[[], None],
    ) -> None:
        self._session, self._context, self._link, self._on_end = session, context, link, on_end
        self._accounts = context.account_service
        self._on_change = on_change
        self._open: Dialog | None = None
        self.is_own_password = False  # it is that of `password`

    @property
    def open(self) -> Dialog | None:
        """What takes the input lines while it is open."""
        return self._open

    @open.setter
    def open(self, dialog: Dialog | None) -> None:
        self._open = dialog
        self._on_change()

    def start_deletion_dialog(self) -> None:
        """Ask for the name of the account, and for its password unless the key was proved lately.

        UserError: there is no password, or its owner cannot delete the account.
        """
        owner = self._session.owner
        self._context.service.deletion.check_may_ask(owner)
        has_password = self._accounts.has_password(owner)
        if not (self._has_fresh_key or has_password):
            raise UserError(texts.KEY_FIRST)

        async def answer(name: str) -> None:
            if name.lower() != owner.name.lower():
                raise UserError(texts.NOTHING_CHANGED)
            if self._has_fresh_key:
                await self._ask_for_deletion()
            else:
                self._ask_password(DELETION_PASSWORD, self._ask_for_deletion)

        def end() -> None:
            if self.open is question:  # else the password is asked
                self._on_end()

        self.is_own_password = False
        self.open = question = Question(
            self._session, DELETION_NAME, answer, self._tell_unchanged, end
        )

    async def _ask_for_deletion(self) -> None:
        session, deletion = self._session, self._context.service.deletion
        session.send_text(await deletion.ask(session.owner, session.source))

    def start_password_dialog(self) -> None:
        """Ask for a new password, after the present one unless the key was proved lately."""
        if self._has_fresh_key or not self._accounts.has_password(self._session.owner):
            self._ask_new_password()
        else:
            self._ask_password(texts.PASSWORD_FIRST, self._ask_new_password)
        self.is_own_password = True

    @property
    def kind(self) -> Literal["", "password", "question"]:
        """What is open: a dialog that may begin anew in another process, or one that may not."""
        if self.open is None:
            return ""
        return "password" if self.is_own_password else "question"

    def _ask_new_password(self) -> None:
        self.ask_new_password(self._save_password)
        self.is_own_password = True

    def ask_new_password(self, then: Callable[[str], Awaitable[None]]) -> None:
        """Ask twice for a password, then do *then* with it."""

        async def finish(password: str) -> None:
            try:
                await then(password)
            finally:
                self._on_end()

        check, self.is_own_password = self._accounts.check_new_password, False
        self.open = PasswordDialog(self._session, check, finish, self._cancel)

    def ask_line(self, prompt: str, then: Callable[[str], Awaitable[None]]) -> None:
        """Ask for one line, then do *then* with it; not with an empty one."""
        self.is_own_password = False
        self.open = Question(self._session, prompt, then, self._tell_unchanged, self._on_end)

    def confirm_identity(
        self, why: str, then: Callable[[], Awaitable[None]]
    ) -> Awaitable[None] | None:
        """Do *then* if the person was authenticated lately, else after the password.

        Args:
            why: The sentence before the question.
        """
        if self._is_freshly_authenticated:
            return then()
        if not self._accounts.has_password(self._session.owner):
            raise UserError(texts.KEY_FIRST)
        self._ask_password(why, then)
        return None

    @property
    def _has_fresh_key(self) -> bool:
        return self._session.auth_how == "key" and self._is_freshly_authenticated

    @property
    def _is_freshly_authenticated(self) -> bool:
        return self._context.clock.now_ms() - self._session.auth_at_ms <= AUTH_FRESH_MS

    def _ask_password(self, why: str, then: Callable[[], Awaitable[None] | None]) -> None:
        """Ask for the present password; if it is right do *then*."""
        check, self.is_own_password = partial(self._check_password, then), False
        self.open = PasswordCheck(self._session, why, check, self._cancel)

    async def _check_password(
        self, then: Callable[[], Awaitable[None] | None], password: str
    ) -> None:
        session, dialog = self._session, self.open
        name = session.owner.name
        try:
            if not await self._link.may_try(name):
                raise UserError(account_texts.TOO_MANY_WRONG_PASSWORDS, "limit")
            if await self._accounts.check_password(name, password, session.source):
                session.auth_at_ms = self._context.clock.now_ms()
                if pending := then():
                    await pending
            elif await self._link.count_failure(name):
                raise UserError(f"{account_texts.WRONG_PASSWORD} {texts.NOTHING_CHANGED}")
            else:
                session.disconnect(texts.WRONG_PASSWORD_AGAIN)
        finally:
            if self.open is dialog:  # *then* has opened no other
                self._on_end()

    def _cancel(self) -> None:
        """An empty line instead of a password; who types on would show the next answer."""
        self._tell_unchanged()
        self._on_end()

    def _tell_unchanged(self) -> None:
        """An empty line was no answer.

        A program sees by its prompt that it is over, and protocol 1 is frozen.
        """
        if not self._session.is_program:
            self._session.send_text(texts.NOTHING_CHANGED)

    async def _save_password(self, password: str) -> None:
        session = self._session
        await self._accounts.set_password(session.owner, password, session.source)
        session.send_text(texts.PASSWORD_SAVED)
