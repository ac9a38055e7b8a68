"""The events of an account: the records of the streams `person/...`.

Rule 1: a field is never renamed or given another meaning; a new field has a default.  Every release
        reads the records of all earlier ones.
Rule 2: a snapshot is alone in its record and replaces all records before it: they may be removed
        (`journal/replacing.py`).  So it holds everything that a later release may need of them.
"""

from __future__ import annotations

import msgspec


class AccountEvent(msgspec.Struct, frozen=True):
    """Any of the events below; each ends with *at_ms*, UTC."""

    id: str  # of the account


class AccountOpened(AccountEvent, frozen=True, tag="opened"):
    name: str
    at_ms: int


class PasswordSet(AccountEvent, frozen=True, tag="password"):
    hash: str  # argon2id, PHC string
    at_ms: int


class KeyAdded(AccountEvent, frozen=True, tag="key"):
    key: str  # "ssh-ed25519 AAAA...", without a comment
    fingerprint: str  # SHA256:...
    at_ms: int


class KeyRemoved(AccountEvent, frozen=True, tag="key removed"):
    fingerprint: str
    at_ms: int


class PreferenceSet(AccountEvent, frozen=True, tag="setting"):
    key: str
    value: str
    at_ms: int


class StoredKey(msgspec.Struct, frozen=True):
    """A key in a snapshot."""

    key: str
    fingerprint: str
    added_ms: int


class StoredAccount(msgspec.Struct, frozen=True):
    """A whole account in a snapshot."""

    name: str
    opened_ms: int
    password_hash: str | None
    keys: tuple[StoredKey, ...]  # oldest first
    preferences: dict[str, str]


class AccountSnapshot(AccountEvent, frozen=True, tag="snapshot"):
    account: StoredAccount
    at_ms: int
