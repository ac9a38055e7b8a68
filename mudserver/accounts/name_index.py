"""Which account has which name, or had it, and which names look like one that somebody has.

Rule 1: a former name is held: nobody else can have it, nor one that looks like it.  The account
        that holds it is found by it, after the one that is called so now.
Rule 2: the index follows the accounts: whoever changes a name takes the account out before, and
        puts it back after.
"""

from __future__ import annotations

from collections.abc import Iterable

from mudserver.accounts import names
from mudserver.accounts.account import Account


class NameIndex:
    def __init__(self) -> None:
        # By what names look like.  One account is kept without a tuple: there is one for nearly
        # each name.  Old names may look alike: then the oldest comes first.
        self._by_skeleton: dict[str, Account | tuple[Account, ...]] = {}
        self._holders: dict[str, Account] = {}  # of former names, by `names.claim_key`

    def find(self, name: str) -> Account | None:
        """The account called *name*, in any case of letters; not one that only looks like it."""
        folded = names.fold_case(name)
        alike = self._alike(names.skeleton(name))
        return next((it for it in reversed(alike) if names.fold_case(it.name) == folded), None)

    def alike(self, name: str) -> tuple[Account, ...]:
        """The accounts whose names look like *name*."""
        return self._alike(names.skeleton(name))

    def _alike(self, skeleton: str) -> tuple[Account, ...]:
        found = self._by_skeleton.get(skeleton, ())
        return (found,) if isinstance(found, Account) else found

    def holder(self, name: str) -> Account | None:
        """The account whose former name looks like *name*, and is held."""
        return self._holders.get(names.claim_key(name))

    def former(self, name: str) -> Account | None:
        """The account that was called *name*, in any case of letters, while that is held."""
        account = self.holder(name)
        if account is None or self.find(name) is not None:
            return None
        was = account.held[names.claim_key(name)].name
        return account if names.fold_case(was) == names.fold_case(name) else None

    def holders(self) -> Iterable[tuple[str, Account]]:
        """By `names.claim_key` of a former name, the account that holds it."""
        return self._holders.items()

    def over(self, now_ms: int) -> list[tuple[Account, str]]:
        """The holds whose time is over: the account, and `names.claim_key` of the name."""
        return [
            (account, key)
            for key, account in self._holders.items()
            if account.held[key].until_ms <= now_ms
        ]

    def add(self, account: Account) -> None:
        skeleton = names.skeleton(account.name)
        if skeleton == account.name:
            skeleton = account.name  # one string for both
        self._set_alike(skeleton, (*self._alike(skeleton), account))
        self._holders.update((key, account) for key in account.held)

    def remove(self, account: Account) -> None:
        skeleton = names.skeleton(account.name)
        others = (each for each in self._alike(skeleton) if each is not account)
        self._set_alike(skeleton, tuple(others))
        for key in account.held:
            if self._holders.get(key) is account:
                del self._holders[key]

    def _set_alike(self, skeleton: str, accounts: tuple[Account, ...]) -> None:
        if accounts:
            self._by_skeleton[skeleton] = accounts[0] if len(accounts) == 1 else accounts
        else:
            self._by_skeleton.pop(skeleton, None)
