from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.transport.link import Terminal
from mudserver.ui.charset import encoded, one_for_one, written_in
from mudserver.ui.keys import Keys
from tests.mudserver.ui.conftest import Desk

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
    assert ascii_ == written_in(text, "ascii")
    assert latin == written_in(text, "latin-1")
    assert cp437 == written_in(text, "cp437")
    assert text == written_in(text, "utf-8")


@given(st.text(), st.sampled_from(CHARSETS))
def test_what_is_written_otherwise_can_be_sent(text, charset):
    written = written_in(text, charset)
    if charset != "utf-8":  # there a surrogate has no bytes; `clean` takes it away
        assert written == encoded(written, charset).decode(charset)


@given(st.text(), st.sampled_from(CHARSETS))
def test_who_types_finds_every_character_in_its_place(text, charset):
    assert len(text) == len(one_for_one(text, charset))


@given(st.text(st.characters(max_codepoint=0x3000, exclude_categories=["Cc", "Cs"])))
def test_cp437_begins_no_sequence_on_an_8_bit_terminal(text):
    for made in (encoded(text, "cp437"), encoded(one_for_one(text, "cp437"), "cp437")):
        assert not set(made) & set(C1_INTRODUCERS)
        assert b"\x1b" not in made


def test_typing_in_cp437_is_read_and_shown_in_it():
    assert ["Käse ½ ░"] == list(Keys(100, "cp437").feed("Käse ½ ░".encode("cp437")))
    desk = Desk(Terminal(is_ansi=True, is_character=True, charset="cp437"))
    desk.fresh()
    desk.type("Käse".encode("cp437"))
    assert "> Käse".encode("cp437").removeprefix(b"> ") in desk.fresh()
    desk.type("\r")
    assert ["Käse"] == desk.lines


@pytest.mark.parametrize("charset", CHARSETS)
def test_every_charset_writes_a_line_and_its_prompt(charset):
    desk = Desk(Terminal(is_ansi=True, is_character=True, charset=charset))
    desk.screen.ask("né 7♥> ")
    desk.say("7♥ │ é")
    desk.tick()
    rows = desk.out.decode(charset)
    wanted = written_in("7♥ │ é", charset)
    assert wanted in rows
    assert written_in("né 7♥> ", charset) in rows
