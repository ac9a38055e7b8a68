"""Codes that open an account once."""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest

from mudserver.accounts import codes
from mudserver.accounts.events import StoredCode
from mudserver.errors import UserError

HASHED = codes.hash_code("k7w2m9pxqd")
KEY = StoredCode(HASHED, "key", 1_000)
RECOVER = StoredCode(codes.hash_code("z" * 16), "recover", 1_000)


@pytest.mark.parametrize(("purpose", "length"), [("key", 10), ("recover", 16)])
def test_a_code_has_letters_and_digits_that_nobody_mistakes(purpose, length):
    made = {codes.new_code(purpose, random.Random(n).choice) for n in range(200)}
    assert 200 == len(made) and {length} == set(map(len, made))
    assert set("".join(made)) == set(codes.ALPHABET)
    assert not set("ilo01") & set(codes.ALPHABET)


def test_what_is_typed_is_a_name_and_a_code():
    assert ("ann", "k7w2") == codes.split_code("ann+k7w2")
    assert ("ann", "") == codes.split_code("ann")
    assert ("", "a+b") == codes.split_code("+a+b")


def test_a_code_is_found_in_any_case_until_it_expires():
    held = {"key": KEY, "recover": RECOVER}
    assert KEY is codes.live_code(held, "key", "K7W2M9PXQD", 999)
    assert RECOVER is codes.live_code(held, "recover", "z" * 16, 999)
    assert codes.live_code(held, "key", "k7w2m9pxqd", 1_000) is None
    assert codes.live_code(held, "recover", "k7w2m9pxqd", 999) is None  # another purpose
    assert codes.live_code({}, "key", "k7w2m9pxqd", 999) is None
    assert codes.live_code(held, "key", "\ud800" * 5_000, 999) is None


def test_a_look_at_a_code_costs_the_same_whatever_there_is():
    """Unknown name, no code, wrong code, expired code and right code: the same work."""
    costs = set()
    for held, code, now_ms in (
        ({}, "x", 1), ({"key": KEY}, "x", 1), ({"key": KEY, "recover": RECOVER}, "x", 1),
        ({"key": KEY}, "k7w2m9pxqd", 2_000), ({"key": KEY}, "k7w2m9pxqd", 1),
    ):  # fmt: skip
        with (
            patch.object(codes, "sha256", wraps=codes.sha256) as hashed,
            patch.object(codes, "compare_digest", wraps=codes.compare_digest) as compared,
        ):
            codes.live_code(held, "key", code, now_ms)
        lengths = {len(text) for call in compared.call_args_list for text in call.args}
        costs.add((hashed.call_count, compared.call_count, *lengths))
    assert {(1, 2, 64)} == costs


def test_no_text_is_the_code_that_stands_for_none():
    assert codes._NO_CODE.expires_ms == 0  # so it is never live, even if its hash were found


def test_five_codes_within_an_hour_are_the_most():
    codes.check_rate((0, 1, 2, 3), 4)
    with pytest.raises(UserError, match=r"^You have had 5 codes .* Please wait 60 min"):
        codes.check_rate((0, 1, 2, 3, 4), 5)
    codes.check_rate((0, 1, 2, 3, 4), codes.HOUR_MS)
