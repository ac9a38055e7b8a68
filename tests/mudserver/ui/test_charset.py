from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.transport.link import Terminal
from mudserver.ui.charset import encode_text, replace_missing, transliterate
from mudserver.ui.keys import KeyParser
from tests.mudserver.ui.conftest import Harness

CHARSETS = ["utf-8", "ascii", "latin-1", "cp437"]
C1_INTRODUCERS = b"\x90\x98\x9b\x9d\x9e\x9f"  # DCS SOS CSI OSC PM APC


@pytest.mark.parametrize(
    ("text", "ascii_", "latin", "cp437"),
    [
        ("7♥ Q♠ 2♦ A♣", "7H QS 2D AC", "7H QS 2D AC", "7H QS 2D AC"),
        ("┌─┐ │ “yes” – …", '+-+ | "yes" - ...', '+-+ | "yes" - ...', '┌─┐ │ "yes" - ...'),
        ("╭━╮ ╔═╗ ▒█", "+-+ +=+ ##".replace("=", "-"), "+-+ +-+ ##", "┌─┐ ╔═╗ ▒█"),
        ("café 漢 ½ ﬁ", "cafe ? ? ?", "café ? ½ ?", "café ? ½ ?"),
        ("x\u0301", "x", "x", "x"),
        ("Ünal Éva 5¢", "Unal Eva 5?", "Ünal Éva 5¢", "Ünal Eva 5?"),
    ],
)
def test_what_a_charset_lacks_is_written_otherwise(text, ascii_, latin, cp437):
    assert ascii_ == transliterate(text, "ascii")
    assert latin == transliterate(text, "latin-1")
    assert cp437 == transliterate(text, "cp437")
    assert text == transliterate(text, "utf-8")


@given(st.text(), st.sampled_from(CHARSETS))
def test_what_is_written_otherwise_can_be_sent(text, charset):
    written = transliterate(text, charset)
    if charset != "utf-8":  # there a surrogate has no bytes; `clean` takes it away
        assert written == encode_text(written, charset).decode(charset)


@given(st.text(), st.sampled_from(CHARSETS))
def test_who_types_finds_every_character_in_its_place(text, charset):
    assert len(text) == len(replace_missing(text, charset))


@given(st.text(st.characters(max_codepoint=0x3000, exclude_categories=["Cc", "Cs"])))
def test_cp437_begins_no_sequence_on_an_8_bit_terminal(text):
    for made in (encode_text(text, "cp437"), encode_text(replace_missing(text, "cp437"), "cp437")):
        assert not set(made) & set(C1_INTRODUCERS)
        assert b"\x1b" not in made


def test_typing_in_cp437_is_read_and_shown_in_it():
    assert ["Käse ½ ░"] == list(KeyParser(100, "cp437").feed("Käse ½ ░".encode("cp437")))
    harness = Harness(Terminal(is_ansi=True, is_character_mode=True, charset="cp437"))
    harness.fresh()
    harness.type("Käse".encode("cp437"))
    assert "> Käse".encode("cp437").removeprefix(b"> ") in harness.fresh()
    harness.type("\r")
    assert ["Käse"] == harness.lines


@pytest.mark.parametrize("charset", CHARSETS)
def test_every_charset_writes_a_line_and_its_prompt(charset):
    harness = Harness(Terminal(is_ansi=True, is_character_mode=True, charset=charset))
    harness.screen.set_prompt("né 7♥> ")
    harness.say("7♥ │ é")
    harness.tick()
    rows = harness.out.decode(charset)
    wanted = transliterate("7♥ │ é", charset)
    assert wanted in rows
    assert transliterate("né 7♥> ", charset) in rows
