"""The codes of private tables.

Rule 1: a code is stored as a hash alone.  In clear it is presence: the people at the table are
        shown it, and after a restart nobody is.
Rule 2: a hash is of one table: a code found elsewhere opens nothing.
"""

from __future__ import annotations

from hashlib import sha256
from hmac import compare_digest

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without what looks alike
LENGTH = 8


def make_code(seed: bytes) -> str:
    """A code from a secret seed of 32 bytes."""
    number, letters = int.from_bytes(seed), []
    for _ in range(LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(letters)


def is_code(word: str) -> bool:
    """Whether *word* looks like a code."""
    return len(word) == LENGTH and all(letter in ALPHABET for letter in word)


def hash_of(table: int, code: str) -> str:
    return sha256(f"{table} {code}".encode()).hexdigest()


def matches(table: int, code: str, code_hash: str) -> bool:
    return compare_digest(hash_of(table, code), code_hash)
