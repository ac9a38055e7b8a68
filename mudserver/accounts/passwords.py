"""Passwords: prepared, hashed, compared.

Rule 1: a password means the same over SSH and telnet: SSH clients prepare it before they send it,
        so a password from telnet is prepared the same way before argon2.
Rule 2: every comparison costs one argon2id, whether the name exists or not.
Rule 3: nothing here waits or counts; the caller provides threads and limits their number.

Source: RFC 4013 (SASLprep); argon2id with the limits of docs/limits.md.
"""

from __future__ import annotations

import stringprep
import unicodedata
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from mudserver.accounts import texts
from mudserver.config import schema
from mudserver.errors import UserError


def prepare_password(password: str) -> str:
    """All kinds of spaces become one, invisible characters are removed, then NFKC."""
    kept = (
        " " if stringprep.in_table_c12(char) else char
        for char in password
        if not stringprep.in_table_b1(char)
    )
    return unicodedata.normalize("NFKC", "".join(kept))


def check_new_password(password: str, limits: schema.PeopleLimits) -> None:
    """UserError: too short, too long, or impossible to type."""
    if len(password) > 4 * limits.password_bytes_max:
        raise UserError(too_long(password, limits.password_bytes_max), "usage")
    password = prepare_password(password)
    if len(password) < limits.password_chars_min:
        raise UserError(texts.PASSWORD_TOO_SHORT.format(limits.password_chars_min), "usage")
    if len(password.encode("utf-8", "replace")) > limits.password_bytes_max:
        raise UserError(too_long(password, limits.password_bytes_max), "usage")
    if any(unicodedata.category(char) in ("Cc", "Cs", "Cn") for char in password):
        raise UserError(texts.PASSWORD_CHARACTERS, "usage")
    if len(set(password)) == 1:
        raise UserError(texts.PASSWORD_TOO_EASY, "usage")


def too_long(password: str, bytes_max: int) -> str:
    """Bytes are characters, but for letters that take more than one."""
    return texts.PASSWORD_TOO_LONG.format(
        bytes_max, "characters" if password.isascii() else "bytes"
    )


class Argon2Hasher:
    """argon2id under the configured cost."""

    def __init__(self, limits: schema.PeopleLimits) -> None:
        self._limits = limits
        self._hasher = PasswordHasher(
            time_cost=limits.argon2_passes, memory_cost=limits.argon2_memory_kib, parallelism=1
        )

    def hash(self, password: str) -> str:
        """A PHC string with a salt of its own.  The password has passed `check_new_password`."""
        return self._hasher.hash(prepare_password(password))

    def verify(self, hashed: str | None, password: str) -> bool:
        """Whether *password* belongs to *hashed*; None (no such name): False, as slowly."""
        # A password that is too long cannot be right: do not prepare a megabyte.
        is_possible = len(password) <= 4 * self._limits.password_bytes_max
        text = prepare_password(password) if is_possible else ""
        is_possible = is_possible and len(text.encode("utf-8", "replace")) <= (
            self._limits.password_bytes_max
        )
        try:
            is_right = self._hasher.verify(
                hashed or self._dummy_hash, (text if is_possible else "").encode("utf-8", "replace")
            )
        except (VerificationError, InvalidHashError):
            return False
        return is_right and is_possible and bool(hashed)

    @cached_property
    def _dummy_hash(self) -> str:
        return self._hasher.hash("nobody has this password")
