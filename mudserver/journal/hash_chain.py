"""The hash chain of a stream: each record's hash covers the previous record.

Rule 1: hash = sha256(previous hash || stream || sequence || at_ms || body); sequence and at_ms are
        eight bytes, big-endian, and the first previous hash is sha256(stream).
Rule 2: sequences count up from 1 without a gap.

The chain detects a changed, missing, added or exchanged record.  It does not detect that the end of
a stream was cut off and its head moved back: what is left is a valid chain.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from mudserver.errors import JournalCorruptError


class StoredRecord(NamedTuple):
    """One record as it is stored."""

    sequence: int  # from 1
    at_ms: int  # UTC, when `append` was called
    body: bytes


_numbers = Struct(">QQ").pack


def first_hash(stream: str) -> bytes:
    return sha256(stream.encode()).digest()


def next_hash(previous: bytes, stream: bytes, sequence: int, at_ms: int, body: bytes) -> bytes:
    return sha256(previous + stream + _numbers(sequence, at_ms) + body).digest()


def verify_chain(
    stream: str, rows: Iterable[tuple[int, int, bytes, bytes]], after: int, previous: bytes
) -> list[StoredRecord]:
    """Rows of (sequence, at_ms, body, hash), checked against the chain.

    Args:
        after: Sequence of the record before the first row, 0 for none.
        previous: That record's hash.

    Raises:
        JournalCorruptError: Naming the stream, the sequence and what is wrong.
    """
    name, records = stream.encode(), []
    for sequence, at_ms, body, found in rows:
        if sequence != after + 1:
            raise chain_error(stream, after + 1, f"missing; the next one there is {sequence}")
        try:
            previous = next_hash(previous, name, sequence, at_ms, body)
        except (TypeError, StructError):
            raise chain_error(stream, sequence, "not a record") from None
        if previous != found:
            raise chain_error(stream, sequence, "does not fit its hash")
        records.append(StoredRecord(sequence, at_ms, body))
        after = sequence
    return records


def chain_error(stream: str, sequence: int, reason: str) -> JournalCorruptError:
    return JournalCorruptError(f"journal broken stream={stream} seq={sequence} reason={reason!r}")
