"""All accounts: a fold over events, and the decisions that lead to new events.

Rule 1: `Accounts.apply` accepts every event, and is the only method that changes anything.
Rule 2: a decision (`open_account`, `add_key`, ...) returns events or raises UserError, and changes
        nothing.  The caller writes the events to the journal before it applies them.
Rule 3: a name that was taken once is never free again, nor is a name that looks like it.
Rule 4: a key belongs to one account, and an account always keeps one way to log in.
Rule 5: a snapshot makes the account that the events before it have made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mudserver.accounts import names
from mudserver.accounts.events import (
    AccountEvent,
    AccountOpened,
    AccountSnapshot,
    KeyAdded,
    KeyRemoved,
    PasswordSet,
    PreferenceSet,
    StoredAccount,
    StoredKey,
)
from mudserver.accounts.person import Person
from mudserver.accounts.preferences import DEFAULT_VALUE, PREFERENCES, check_preference
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.errors import UserError

KEYS_MAX = 16  # of one account


@dataclass(slots=True)
class Account:
    id: str
    name: str
    opened_ms: int
    password_hash: str | None = None
    keys: dict[str, StoredKey] = field(default_factory=dict)  # by fingerprint, oldest first
    preferences: dict[str, str] = field(default_factory=dict)  # those that differ from the default

    @property
    def person(self) -> Person:
        return Person(self.id, self.name, is_guest=False)


class Accounts:
    """Args: name_rules: what new names must fulfil; an account that exists keeps its name."""

    def __init__(self, name_rules: names.NameRules | None = None) -> None:
        self.name_rules = name_rules or names.NameRules()
        self._by_id: dict[str, Account] = {}
        self._by_name: dict[str, Account] = {}  # by the name in lower case
        self._by_skeleton: dict[str, list[Account]] = {}  # oldest first; old names may look alike
        self._by_fingerprint: dict[str, Account] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    # -- reading -------------------------------------------------------------------------------

    def find(self, name: str) -> Account | None:
        """The account called *name*, in any case of letters; not one that only looks like it."""
        return self._by_name.get(names.fold_case(name))

    def by_id(self, account_id: str) -> Account | None:
        return self._by_id.get(account_id)

    def has_key(self, account_id: str, fingerprint: str) -> bool:
        account = self._by_fingerprint.get(fingerprint)
        return account is not None and account.id == account_id

    def preference(self, account_id: str, key: str) -> str:
        """The value the account chose, or the default."""
        chosen = self.own_preference(account_id, key)
        return chosen if chosen is not None else PREFERENCES[key].default

    def own_preference(self, account_id: str, key: str) -> str | None:
        account = self._by_id.get(account_id)
        return account.preferences.get(key) if account is not None else None

    # -- decisions -----------------------------------------------------------------------------

    def check_name_free(self, name: str) -> None:
        """UserError: the name is not free, and why."""
        name = names.normalise(name)
        if self.find(name) is not None:
            raise UserError(f"The name {name} is taken. Choose another.")
        self.name_rules.check(name)
        if alike := self._by_skeleton.get(names.skeleton(name)):
            other = alike[0].name
            raise UserError(f"{name} looks too much like {other}, who is known here already.")

    def open_account(self, account_id: str, name: str, at_ms: int) -> list[AccountEvent]:
        """A new account; a password or a key must go into the same record."""
        self.check_name_free(name)
        assert account_id not in self._by_id, account_id
        return [AccountOpened(account_id, names.normalise(name), at_ms)]

    def first_key(self, account_id: str, key: str, at_ms: int) -> list[AccountEvent]:
        """The first key of an account that is being created."""
        key, fingerprint = self._check_key_free(key)
        return [KeyAdded(account_id, key, fingerprint, at_ms)]

    def add_key(self, account_id: str, key: str, at_ms: int) -> list[AccountEvent]:
        account = self._by_id[account_id]
        key, fingerprint = self._check_key_free(key, account_id)
        if len(account.keys) >= KEYS_MAX:
            raise UserError(f"You have {KEYS_MAX} keys already; that is the most.")
        return [KeyAdded(account_id, key, fingerprint, at_ms)]

    def remove_key(self, account_id: str, fingerprint: str, at_ms: int) -> list[AccountEvent]:
        account = self._by_id[account_id]
        if fingerprint not in account.keys:
            raise UserError(f'You have no key "{fingerprint}". key lists those you have.')
        if len(account.keys) == 1 and account.password_hash is None:
            raise UserError("That is your only way in. First set a password or add a key.")
        return [KeyRemoved(account_id, fingerprint, at_ms)]

    def set_password(self, account_id: str, hashed: str, at_ms: int) -> list[AccountEvent]:
        """Args:
        hashed: By `passwords.Passwords.hash`; the password has passed `check_new_password`.
        """
        assert account_id in self._by_id, account_id
        return [PasswordSet(account_id, hashed, at_ms)]

    def set_preference(
        self, account_id: str, key: str, value: str, at_ms: int
    ) -> list[AccountEvent]:
        """No event if the value stays the same."""
        key, value = check_preference(key, value)
        if value == DEFAULT_VALUE:
            value = PREFERENCES[key].default
        if self.preference(account_id, key) == value:
            return []
        return [PreferenceSet(account_id, key, value, at_ms)]

    def snapshot(self, account_id: str, at_ms: int) -> list[AccountEvent]:
        """One event that replaces all events of the account so far."""
        account = self._by_id[account_id]
        stored = StoredAccount(
            account.name,
            account.opened_ms,
            account.password_hash,
            tuple(account.keys.values()),
            dict(account.preferences),
        )
        return [AccountSnapshot(account_id, stored, at_ms)]

    def _check_key_free(self, key: str, account_id: str = "") -> tuple[str, str]:
        key, fingerprint = parse_public_key(key)
        owner = self._by_fingerprint.get(fingerprint)
        if owner is None:
            return key, fingerprint
        if owner.id == account_id:
            raise UserError(f"The key {fingerprint} opens your name already.")
        # Do not say whose key it is.
        others = "." if account_id else ", or a password: ssh -o PubkeyAuthentication=no NAME@HOST"
        raise UserError(f"The key {fingerprint} opens another name here. Use another key{others}")

    # -- the fold ------------------------------------------------------------------------------

    def apply(self, fact: AccountEvent) -> None:
        if isinstance(fact, AccountOpened):
            self._add(Account(fact.id, fact.name, fact.at_ms))
            return
        if isinstance(fact, AccountSnapshot):
            self._replace(fact.id, fact.account)
            return
        account = self._by_id[fact.id]
        match fact:
            case PasswordSet(hash=hashed):
                account.password_hash = hashed
            case KeyAdded(key=key, fingerprint=fingerprint, at_ms=at_ms):
                account.keys[fingerprint] = StoredKey(key, fingerprint, at_ms)
                self._by_fingerprint[fingerprint] = account
            case KeyRemoved(fingerprint=fingerprint):
                account.keys.pop(fingerprint, None)
                self._by_fingerprint.pop(fingerprint, None)
            case PreferenceSet(key=key, value=value):
                account.preferences[key] = value
                if key in PREFERENCES and value == PREFERENCES[key].default:
                    del account.preferences[key]

    def _replace(self, account_id: str, stored: StoredAccount) -> None:
        """Make the account of a snapshot, whatever is known of it; its name is the same."""
        account = self._by_id.get(account_id)
        if account is None:
            account = self._add(Account(account_id, stored.name, stored.opened_ms))
        for fingerprint in account.keys:
            self._by_fingerprint.pop(fingerprint, None)
        account.password_hash = stored.password_hash
        account.keys = {key.fingerprint: key for key in stored.keys}
        account.preferences = dict(stored.preferences)
        self._by_fingerprint.update(dict.fromkeys(account.keys, account))

    def _add(self, account: Account) -> Account:
        self._by_id[account.id] = self._by_name[names.fold_case(account.name)] = account
        self._by_skeleton.setdefault(names.skeleton(account.name), []).append(account)
        return account
