"""Text from people, made harmless.  The payloads are those of the security notes, A1 to A8."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from mudserver.sanitize import MARKS_MAX, sanitize
from tests.counts import count

KINDS = ("line", "chat", "name")
NASTY = st.sampled_from(
    "\x00\x07\x08\t\n\r\x0e\x1b\x7f\x85\x9b\x9d\u00a0\u00ad\u034f\u0301\u0323\u0345\u061c\u05d0"
    "\u0627\u0e33\u1100\u1161\u11a8\u115f\u200b\u200d\u200e\u2028\u202e\u2066\u212a\u2800\u3000"
    "\u3164\uac00\ud800\udfff\ue000\ufb01\ufdfa\ufdfd\ufe0f\ufeff\uff21\uffa0\uffff\U0001d165"
    "\U0001f1e6\U0001f3fb\U0001f468\U000e0041\U0010ffff e[2J;"
)
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.text(NASTY, max_size=40),
    st.lists(st.one_of(NASTY, st.characters()), max_size=30).map("".join),
)
VIRAMA = 9  # combining class
GONE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def are_cells_added(text: str) -> bool:
    """No character changes the width of another.

    Indic scripts are left out.  Of a spacing mark (Mc) wcwidth says 0 alone and 1 behind its base;
    a virama joins two letters, for which wcswidth has less room than the two take alone.
    """
    spacing = sum(unicodedata.category(char) == "Mc" for char in text)
    joined = sum(unicodedata.combining(char) == VIRAMA for char in text)
    return -2 * joined <= wcswidth(text) - sum(map(wcwidth, text)) <= spacing


def check(text: str, kind: str, chars_max: int | None) -> None:
    """What comes in is harmless and stays as it is."""
    cleaned = sanitize(text, kind, chars_max)
    cleaned.encode("utf-8")
    assert not {unicodedata.category(char) for char in cleaned} & GONE
    assert not {unicodedata.bidirectional(char) for char in cleaned} & {"R", "AL", "AN"}
    assert cleaned == sanitize(cleaned, kind, chars_max)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert chars_max is None or len(cleaned) <= chars_max
    run = MARKS_MAX
    for char in cleaned:
        run = run + 1 if wcwidth(char) == 0 else 0
        assert run <= MARKS_MAX
    assert are_cells_added(cleaned)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(KINDS), st.none() | st.integers(0, 40))
def test_whatever_comes_in_is_harmless_and_stays_as_it_is(text, kind, chars_max):
    check(text, kind, chars_max)


@pytest.mark.prove
@settings(max_examples=count(100_000, 30_000), deadline=None)
@given(TEXTS, st.sampled_from(KINDS), st.none() | st.integers(0, 40))
def test_many_texts_are_harmless(text, kind, chars_max):
    check(text, kind, chars_max)


def test_every_single_character_is_harmless_alone():
    gone = []
    for char in map(chr, range(0x110000)):
        if unicodedata.category(char) in GONE:
            gone.append(char)
            continue
        cleaned = sanitize(typed := "a" + char, "name")
        assert cleaned == typed or cleaned == sanitize(cleaned, "name"), hex(ord(char))
        assert cleaned.isprintable(), hex(ord(char))
    assert set() == set(sanitize("".join(gone))) - {" "}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello, world", "hello, world"),
        ("  two  spaces ", "  two  spaces "),
        ("\x1b[2Jboo", "[2Jboo"),
        ("\x1b\x1b[[2J", "[[2J"),
        ("\x1b]52;c;QQ==\x07", "]52;c;QQ=="),
        ("\x9b2J\x9d0;t\x9c", "2J0;t"),
        ("a\tb\r\nc\u2028d\u0085e", "a b  c d e"),
        ("over\x08\x08\x08\x08writ\rten", "overwrit ten"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("in\u200bvis\U000e0041ible\ufeff\u3164", "invisible"),
        ("e" + "\u0301" * 40, "\u00e9\u0301\u0301"),
        ("\u0301start", "start"),
        ("a \u0301b", "a b"),
        ("\u05e9\u05dc\u05d5\u05dd ok \u0627", " ok "),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467"),
        ("\U0001f44d\U0001f3fd\u2764\ufe0f", "\U0001f44d\u2764"),
        ("\U0001f1e9\U0001f1ea", ""),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("\u1112\u1161\u11ab", "\ud55c"),
        ("%s{0.__class__}[bold]<b>", "%s{0.__class__}[bold]<b>"),
        ("na\u0131ve \u00fc \u4f60\u597d \u2660", "na\u0131ve \u00fc \u4f60\u597d \u2660"),
    ],
)
def test_a_line(text, expected):
    assert expected == sanitize(text)


def test_chat_has_no_spaces_around_it_or_in_a_row():
    assert "a b c" == sanitize("  a \t b\n\nc \u3000", "chat")


def test_a_name_in_compatibility_forms_is_the_plain_name():
    assert "alice" == sanitize("\uff41\uff4c\uff49\uff43\uff45 ", "name")
    assert "fink" == sanitize("\ufb01n\u212a", "name").lower()


def test_a_long_text_is_cut_by_characters():
    assert "abc" == sanitize("abcdef", chars_max=3)
    assert "ab" == sanitize("ab cd", "chat", 3)


def test_a_paste_of_nothing_but_marks_takes_no_more_than_its_share_of_time():
    start = time.process_time()
    assert "" == sanitize("\u0323\u0301" * 150_000)
    assert 3 == len(sanitize("a" + "\u0301\u0323" * 150_000, "chat"))
    assert time.process_time() - start < 5  # a quadratic sort would take minutes
