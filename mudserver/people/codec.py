"""Facts as bytes for the journal and back.  One decision is one record of one or more facts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mudserver.people.facts import (
    AccountOpened,
    Fact,
    KeyAdded,
    KeyRemoved,
    PasswordSet,
    SettingSet,
)

_decoder = msgspec.json.Decoder(
    tuple[AccountOpened | PasswordSet | KeyAdded | KeyRemoved | SettingSet, ...]
)
_encoder = msgspec.json.Encoder()


def encode(facts: Sequence[Fact]) -> bytes:
    return _encoder.encode(facts)


def decode(body: bytes) -> tuple[Fact, ...]:
    """msgspec.DecodeError: this is no record of facts, or one of a newer server."""
    return _decoder.decode(body)
