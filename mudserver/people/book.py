"""The guest book: a fold over facts, and what may be added to it.

Rule 1: `apply` is total and is the only thing that changes the book.
Rule 2: a decision (`open_account`, `add_key`, ...) returns facts or raises HouseError, and changes
        nothing.  Who decides writes the facts to the journal before they are applied.
Rule 3: a name, once taken, is never free again, nor is one that looks like it [B3].
Rule 4: a key opens one account [B5], and an account always keeps one way in.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mudserver.errors import HouseError
from mudserver.people import Person, names
from mudserver.people.facts import (
    AccountOpened,
    Fact,
    KeyAdded,
    KeyRemoved,
    PasswordSet,
    SettingSet,
)
from mudserver.people.keys import read_key
from mudserver.people.settings import DEFAULT, SETTINGS, check_setting

KEYS_MAX = 16  # of one account


@dataclass(slots=True)
class Account:
    id: str
    name: str
    opened_ms: int
    password_hash: str | None = None
    keys: dict[str, str] = field(default_factory=dict)  # fingerprint -> key
    settings: dict[str, str] = field(default_factory=dict)  # what differs from the default

    @property
    def person(self) -> Person:
        return Person(self.id, self.name, is_guest=False)


class GuestBook:
    def __init__(self) -> None:
        self._by_id: dict[str, Account] = {}
        self._by_skeleton: dict[str, Account] = {}
        self._by_fingerprint: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    # -- who is who ----------------------------------------------------------------------------

    def find(self, name: str) -> Account | None:
        """The account called *name*, in any case of letters; not one that only looks like it."""
        account = self._by_skeleton.get(names.skeleton(name))
        if account is None or names.folded(account.name) != names.folded(name):
            return None
        return account

    def by_id(self, account_id: str) -> Account | None:
        return self._by_id.get(account_id)

    def has_key(self, account_id: str, fingerprint: str) -> bool:
        account = self._by_fingerprint.get(fingerprint)
        return account is not None and account.id == account_id

    def setting(self, account_id: str, key: str) -> str:
        """The value the account chose, or the default."""
        chosen = self.chosen(account_id, key)
        return chosen if chosen is not None else SETTINGS[key].default

    def chosen(self, account_id: str, key: str) -> str | None:
        account = self._by_id.get(account_id)
        return account.settings.get(key) if account is not None else None

    # -- decisions -----------------------------------------------------------------------------

    def check_free(self, name: str) -> None:
        """HouseError: the name cannot be had, and why."""
        name = names.normalised(name)
        names.check(name)
        other = self._by_skeleton.get(names.skeleton(name))
        if other is None:
            return
        if names.folded(other.name) == names.folded(name):
            raise HouseError(f"The name {name} is taken. Choose another.")
        raise HouseError(f"{name} looks too much like {other.name}, who is known here already.")

    def open_account(self, account_id: str, name: str, at_ms: int) -> list[Fact]:
        """The account itself; a password or a key must go into the same record."""
        self.check_free(name)
        assert account_id not in self._by_id, account_id
        return [AccountOpened(account_id, names.normalised(name), at_ms)]

    def key_for_new(self, account_id: str, key: str, at_ms: int) -> list[Fact]:
        """The first key of an account that is being opened."""
        key, fingerprint = self._free_key(key)
        return [KeyAdded(account_id, key, fingerprint, at_ms)]

    def add_key(self, account_id: str, key: str, at_ms: int) -> list[Fact]:
        account = self._by_id[account_id]
        key, fingerprint = self._free_key(key, account_id)
        if len(account.keys) >= KEYS_MAX:
            raise HouseError(f"You have {KEYS_MAX} keys already; that is the most.")
        return [KeyAdded(account_id, key, fingerprint, at_ms)]

    def remove_key(self, account_id: str, fingerprint: str, at_ms: int) -> list[Fact]:
        account = self._by_id[account_id]
        if fingerprint not in account.keys:
            raise HouseError(f'You have no key "{fingerprint}". key lists those you have.')
        if len(account.keys) == 1 and account.password_hash is None:
            raise HouseError("That is your only way in. First set a password or add a key.")
        return [KeyRemoved(account_id, fingerprint, at_ms)]

    def set_password(self, account_id: str, hashed: str, at_ms: int) -> list[Fact]:
        """Args: hashed: by `passwords.Passwords.hash`; the password has passed `check_new`."""
        assert account_id in self._by_id, account_id
        return [PasswordSet(account_id, hashed, at_ms)]

    def set_setting(self, account_id: str, key: str, value: str, at_ms: int) -> list[Fact]:
        """Nothing where the value is the one already kept: no record then."""
        key, value = check_setting(key, value)
        if value == DEFAULT:
            value = SETTINGS[key].default
        if self.setting(account_id, key) == value:
            return []
        return [SettingSet(account_id, key, value, at_ms)]

    def _free_key(self, key: str, account_id: str = "") -> tuple[str, str]:
        key, fingerprint = read_key(key)
        owner = self._by_fingerprint.get(fingerprint)
        if owner is None:
            return key, fingerprint
        if owner.id == account_id:
            raise HouseError(f"The key {fingerprint} opens your name already.")
        # Whose it is, is nobody's business.
        others = "." if account_id else ", or a password: ssh -o PubkeyAuthentication=no NAME@HOST"
        raise HouseError(f"The key {fingerprint} opens another name here. Use another key{others}")

    # -- the fold ------------------------------------------------------------------------------

    def apply(self, fact: Fact) -> None:
        if isinstance(fact, AccountOpened):
            account = Account(fact.id, fact.name, fact.at_ms)
            self._by_id[fact.id] = self._by_skeleton[names.skeleton(fact.name)] = account
            return
        account = self._by_id[fact.id]
        match fact:
            case PasswordSet(hash=hashed):
                account.password_hash = hashed
            case KeyAdded(key=key, fingerprint=fingerprint):
                account.keys[fingerprint] = key
                self._by_fingerprint[fingerprint] = account
            case KeyRemoved(fingerprint=fingerprint):
                account.keys.pop(fingerprint, None)
                self._by_fingerprint.pop(fingerprint, None)
            case SettingSet(key=key, value=value):
                account.settings[key] = value
                if key in SETTINGS and value == SETTINGS[key].default:
                    del account.settings[key]
