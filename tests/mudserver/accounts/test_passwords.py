"""Passwords.  A low cost, so that the tests are quick; the cost itself is configured."""

from __future__ import annotations

import time

import pytest

from mudserver.accounts.passwords import Argon2Hasher, check_new_password, prepare_password
from mudserver.config import schema
from mudserver.errors import UserError

LIMITS = schema.PeopleLimits(argon2_memory_kib=64, argon2_passes=1)


@pytest.fixture(scope="module")
def passwords():
    return Argon2Hasher(LIMITS)


def test_only_the_password_itself_is_right(passwords):
    hashed = passwords.hash("open sesame")
    assert hashed.startswith("$argon2id$v=19$m=64,t=1,p=1$")
    assert passwords.verify(hashed, "open sesame")
    for wrong in ("", "open", "open sesame ", "Open sesame", "x" * 1_000_000, "\ud800"):
        assert not passwords.verify(hashed, wrong)
    assert hashed != passwords.hash("open sesame")


def test_nobody_and_a_broken_hash_have_no_right_password(passwords):
    for text in ("", "nobody has this password", "open sesame"):
        assert not passwords.verify(None, text)
        assert not passwords.verify("", text)
        assert not passwords.verify("$argon2id$broken", text)


def test_a_password_is_the_same_over_ssh_and_telnet(passwords):
    from asyncssh.saslprep import saslprep

    for typed in ("p\uff41ss\u2460word", "caf\u00e9 \u00adcr\u00e8me", "cafe\u0301\u00a0creme"):
        assert saslprep(typed) == prepare_password(typed) == prepare_password(saslprep(typed))
        assert passwords.verify(passwords.hash(typed), saslprep(typed))


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short", "at least 8"),
        ("\u00ad" * 10, "at least 8"),
        ("x1" * 65, "at most 128 characters"),
        ("\U0001f0a1y" * 30, "at most 128 bytes"),
        ("x" * 1_000_000, "at most 128 characters"),
        ("pass\x00word", "letters, digits"),
        ("password\ud800", "letters, digits"),
        ("aaaaaaaaaa", "too easy to guess"),
    ],
)
def test_a_password_that_breaks_the_law_is_refused_with_its_reason(password, reason):
    with pytest.raises(UserError, match=reason):
        check_new_password(password, LIMITS)


def test_a_good_password_passes():
    for password in ("12345678", "x1" * 64, "correct horse", "\u4f60\u597d\u4f60\u597d12345"):
        check_new_password(password, LIMITS)


def test_a_name_nobody_has_takes_as_long_as_a_wrong_password():
    passwords = Argon2Hasher(schema.PeopleLimits(argon2_memory_kib=8_192, argon2_passes=2))
    hashed = passwords.hash("open sesame")
    passwords.verify(None, "")  # makes the hash that is nobody's

    def spent_s(against: str | None) -> float:
        best = 9.0
        for _ in range(5):
            start = time.thread_time()
            passwords.verify(against, "wrong")
            best = min(best, time.thread_time() - start)
        return best

    assert 0.5 < spent_s(None) / spent_s(hashed) < 2
