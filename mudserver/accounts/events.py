"""The events of an account: the records of the streams `person/...`.

Rule 1: a field is never renamed or given another meaning; a new field has a default.  Every release
        reads the records of all earlier ones.
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
