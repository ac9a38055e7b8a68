"""The events of a mailbox: the records of the streams `mailbox/N`, N as of the account that reads.

Rule 1: a field is never renamed or given another meaning; a new field has a default.  Every release
        reads the records of all earlier ones.
Rule 2: a snapshot replaces all records before its own; events behind it go on from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

RemovedWhy = Literal["owner", "expired"]


class MailEvent(msgspec.Struct, frozen=True):
    """Any of the events below; times are UTC in ms."""


class MailSent(MailEvent, frozen=True, tag="mail"):
    number: int  # in this box; none is given twice
    sender: str  # account id
    sender_name: str  # then
    text: str
    at_ms: int


class MailRead(MailEvent, frozen=True, tag="mail read"):
    numbers: tuple[int, ...]
    at_ms: int


class MailRemoved(MailEvent, frozen=True, tag="mail removed"):
    numbers: tuple[int, ...]
    why: RemovedWhy
    at_ms: int


class Mail(msgspec.Struct, frozen=True):
    number: int
    sender: str  # account id
    sender_name: str  # when it was sent
    text: str
    at_ms: int
    read_ms: int = 0  # 0: not read


class MailboxSnapshot(MailEvent, frozen=True, tag="snapshot"):
    mails: tuple[Mail, ...]  # oldest first
    last_number: int


class MailboxErased(MailEvent, frozen=True, tag="erased"):
    """Closes the stream, and replaces all that is before it: its account is erased."""

    at_ms: int


_decoder = msgspec.json.Decoder(
    tuple[MailSent | MailRead | MailRemoved | MailboxSnapshot | MailboxErased, ...]
)
_encoder = msgspec.json.Encoder()


def encode(events: Sequence[MailEvent]) -> bytes:
    return _encoder.encode(events)


def decode(body: bytes) -> tuple[MailEvent, ...]:
    """msgspec.DecodeError: this is not a record of events, or one of a newer server."""
    return _decoder.decode(body)
