"""Which account has which name, and which names look like one that somebody has."""

from __future__ import annotations

from mudserver.accounts import names
from mudserver.accounts.account import Account


class NameIndex:
    def __init__(self) -> None:
        self._by_name: dict[str, Account] = {}  # by the name in lower case
        self._by_skeleton: dict[str, list[Account]] = {}  # oldest first; old names may look alike

    def find(self, name: str) -> Account | None:
        """The account called *name*, in any case of letters; not one that only looks like it."""
        return self._by_name.get(names.fold_case(name))

    def alike(self, name: str) -> list[Account]:
        """The accounts whose names look like *name*, oldest first."""
        return self._by_skeleton.get(names.skeleton(name), [])

    def add(self, account: Account) -> None:
        self._by_name[names.fold_case(account.name)] = account
        self._by_skeleton.setdefault(names.skeleton(account.name), []).append(account)
