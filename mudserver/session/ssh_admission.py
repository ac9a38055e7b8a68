"""Whom SSH has authenticated: let in, registered with a key, or asked whether to add one.

So is whom another server has let in, over SSH or telnet: see rule 5 of `walking.py`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple, Protocol

from mudserver import metrics
from mudserver.accounts import texts as account_texts
from mudserver.accounts.person import Person
from mudserver.errors import JournalWriteError, UserError
from mudserver.service.account_service import AccountService
from mudserver.session import texts
from mudserver.session.going_on import person_of
from mudserver.session.walking import Walking
from mudserver.transport.link import AuthenticatedUser
from mudserver.wall.capsule import Capsule


class Admitted(Protocol):
    """The session."""

    walking: Walking
    auth_how: Literal["", "key", "password"]
    auth_key: str
    auth_at_ms: int

    @property
    def source(self) -> str: ...
    def disconnect(self, *sentences: str) -> None: ...


class AdmissionCallbacks(NamedTuple):
    enter: Callable[[Person, str], None]
    enter_as_guest: Callable[[], None]
    note_login: Callable[[Person], None]
    refuse: Callable[[UserError], None]
    ask_to_add_key: Callable[[AuthenticatedUser], None]
    hold_until: Callable[[Awaitable[None]], None]


class SshAdmission:
    def __init__(
        self, session: Admitted, accounts: AccountService, calls: AdmissionCallbacks
    ) -> None:
        self._session, self._accounts, self._calls = session, accounts, calls

    def admit(self, proven: AuthenticatedUser, *, is_again: bool) -> None:
        """Log in whom SSH has authenticated.  A new key registers its name first.

        Args:
            is_again: Another process has had the session.
        """
        session, accounts, calls = self._session, self._accounts, self._calls
        if is_again:
            metrics.RESUMED.increment("proven")
        if proven.method == "code":
            calls.ask_to_add_key(proven)
            return
        if proven.method != "guest":
            session.auth_how = "key" if proven.key else "password"
            session.auth_key, session.auth_at_ms = proven.fingerprint, proven.at_ms
        # One connection may open several sessions in turn: the key may have been removed since.
        if proven.method == "key" and not accounts.keys.has_key(proven.name, proven.fingerprint):
            session.disconnect(texts.KEY_REMOVED_MEANWHILE)
            return
        # In a second session of the same connection the name has its key already.
        is_known = accounts.keys.has_key(proven.name, proven.fingerprint)
        if proven.method == "newkey" and not is_known:
            calls.hold_until(self._register_key(proven))
            return
        is_new = proven.method == "registered"
        notice = account_texts.REGISTERED.format(proven.name) if is_new else ""
        try:
            if proven.method == "guest":
                calls.enter_as_guest()
            else:
                person = accounts.person_named(proven.name.partition("+")[0])  # a code follows
                calls.enter(person, notice)
                calls.note_login(person)
        except UserError as exc:
            calls.refuse(exc)

    async def _register_key(self, proven: AuthenticatedUser) -> None:
        calls = self._calls
        try:
            person = await self._accounts.register_key(
                proven.name, proven.key, self._session.source
            )
            notice = account_texts.REGISTERED_WITH_KEY.format(person.name, proven.fingerprint)
            calls.enter(person, notice)
        except UserError as exc:
            calls.refuse(exc)
        except JournalWriteError:
            self._session.disconnect(texts.CANNOT_SAVE)


def come_in(
    session: Admitted, capsule: Capsule, accounts: AccountService, calls: AdmissionCallbacks
) -> None:
    """Let in whoever comes from another server to the own session, or back from there."""
    person, obstacle = person_of(capsule, accounts)
    if person is None or obstacle:
        session.disconnect(obstacle)
        return
    session.walking.has_come_in = True
    session.auth_how, session.auth_key = capsule.auth_how, capsule.auth_key
    session.auth_at_ms = capsule.auth_at_ms
    try:
        calls.enter(person, "")
    except UserError as exc:
        calls.refuse(exc)
        return
    calls.note_login(person)
    session.walking.begin(capsule)
