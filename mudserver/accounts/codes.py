"""Codes that open an account once: `ann+k7w2m9pxqd`.

Rule 1: only the SHA-256 of a code is kept.  The code is shown once, to whom it was issued.
Rule 2: an account has one live code of each purpose, and gets CODES_PER_HOUR of it at most.
Rule 3: looking for a code costs the same, whatever there is: one hash and one comparison for each
        purpose, for a name that does not exist too.
Rule 4: there is one sentence for every code that opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from hmac import compare_digest

from mudserver.accounts import texts
from mudserver.accounts.events import CodePurpose, StoredCode
from mudserver.errors import UserError
from variants.kit.text import quantity

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without i, l, o, 0 and 1
CODE_LENGTHS: Mapping[CodePurpose, int] = {"key": 10, "recover": 16}  # 49 and 79 bits
CODES_PER_HOUR = 5
HOUR_MS = 3_600_000
CODE_CHARS_MAX = 64  # of a code that somebody types

_NO_CODE = StoredCode(hash="0" * 64, purpose="key", expires_ms=0)


def new_code(purpose: CodePurpose, choose: Callable[[str], str]) -> str:
    """Args: choose: one character of a text, by a secure generator."""
    return "".join(choose(ALPHABET) for _ in range(CODE_LENGTHS[purpose]))


def hash_code(code: str) -> str:
    return sha256(code[:CODE_CHARS_MAX].lower().encode("utf-8", "replace")).hexdigest()


def split_code(typed: str) -> tuple[str, str]:
    """The name and the code of `ann+CODE`; a `+` is in no name."""
    name, _, code = typed.partition("+")
    return name, code.strip()


def live_code(
    codes: Mapping[CodePurpose, StoredCode], purpose: CodePurpose, code: str, now_ms: int
) -> StoredCode | None:
    """The live code of *purpose* that *code* is; None: there is none."""
    hashed, found = hash_code(code), None
    for each in CODE_LENGTHS:
        stored = codes.get(each, _NO_CODE)
        if compare_digest(stored.hash, hashed) and each == purpose and now_ms < stored.expires_ms:
            found = stored
    return found


def check_rate(issued_ms: Collection[int], now_ms: int, text: str = texts.TOO_MANY_CODES) -> None:
    """UserError: too many codes within the last hour.

    Args:
        issued_ms: When, oldest first.
        text: What is said, with places for how many and how long to wait.
    """
    recent = [at_ms for at_ms in issued_ms if now_ms - at_ms < HOUR_MS]
    if len(recent) >= CODES_PER_HOUR:
        minutes = -(-(recent[-CODES_PER_HOUR] + HOUR_MS - now_ms) // 60_000)
        wait = quantity(minutes, "minute")
        raise UserError(text.format(CODES_PER_HOUR, wait), "limit")
