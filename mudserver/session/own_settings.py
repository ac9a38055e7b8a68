"""The settings of one session: its own values come before those of the account."""

from __future__ import annotations

from collections.abc import Mapping

from mudserver.accounts.person import Person
from mudserver.accounts.preferences import DEFAULT_VALUE
from mudserver.service.account_service import AccountService


class OwnSettings:
    """Args: wants_full_screen: The client asks for the full screen, whoever comes in."""

    __slots__ = ("_accounts", "_wants_full_screen", "values")

    def __init__(self, accounts: AccountService, *, wants_full_screen: bool) -> None:
        self._accounts, self._wants_full_screen = accounts, wants_full_screen
        self.values: dict[str, str] = {}  # of this session alone

    @property
    def set_by_guest(self) -> dict[str, str]:
        """What a guest has set."""
        return {k: v for k, v in self.values.items() if not self._is_asked_by_client(k)}

    def keep_those_of_client(self) -> None:
        """The guest has an account now, which has the others."""
        self.values = {k: v for k, v in self.values.items() if self._is_asked_by_client(k)}

    def _is_asked_by_client(self, key: str) -> bool:
        return key == "screen" and self._wants_full_screen

    def add_from(self, other: Mapping[str, str]) -> None:
        """Those of another session of the person; what was set here stays."""
        self.values = dict(other) | self.values

    def value(self, person: Person | None, key: str) -> str:
        """The value in force: of this session, else of the account, else the default."""
        if key in self.values:
            return self.values[key]
        return self._accounts.preference(person, key)

    def effective(self, person: Person | None, key: str) -> tuple[str, str]:
        """The value in force, and a phrase that says where it comes from."""
        if key in self.values:
            return self.values[key], "this session"
        has_own = self._accounts.has_own_preference(person, key)
        return self.value(person, key), "your account" if has_own else "default"

    def save(self, person: Person | None, key: str, value: str) -> None:
        """Keep a guest's value for this session; `AccountService` has saved that of an account."""
        self.values.pop(key, None)
        if person is not None and person.is_guest and value != DEFAULT_VALUE:
            self.values[key] = value
