from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mudserver.ui.encode import encode_lines
from mudserver.ui.terminal_profile import TerminalProfile
from mudserver.ui.width import cell_width
from tests.terminal import Emulator
from variants.kit.text import styled_line

ROLES = [
    "",
    "title",
    "strong",
    "dim",
    "you",
    "red_suit",
    "black_suit",
    "good",
    "warn",
    "bad",
    "key",
]
SPANS = st.lists(st.tuples(st.text(max_size=60), st.sampled_from(ROLES)), max_size=4)
LOOKS = st.builds(
    TerminalProfile,
    cols=st.integers(20, 90),
    colours=st.sampled_from(["off", "16", "256", "true"]),
    charset=st.sampled_from(["utf-8", "ascii", "latin-1", "cp437"]),
    theme=st.sampled_from(["default", "mono", "colour-blind", "high-contrast", "no such theme"]),
)


def rows(text: str, cols: int) -> list[str]:
    return encode_lines([styled_line(text)], TerminalProfile(cols=cols)).decode().split("\r\n")[:-1]


def test_each_line_is_a_row_and_an_empty_line_an_empty_row():
    assert b"one\r\n\r\ntwo\r\n" == encode_lines(
        [styled_line("one"), (), styled_line("two")], TerminalProfile()
    )
    assert b"" == encode_lines([], TerminalProfile())


def test_long_lines_break_between_words():
    assert ["You hold the 7 of", "hearts."] == rows("You hold the 7 of hearts.", 20)
    assert ["12345678901234567890", "next"] == rows("12345678901234567890 next", 20)
    assert ["a" * 20, "a" * 5 + " b"] == rows("a" * 25 + " b", 20)


def test_a_long_line_goes_on_under_its_own_beginning():
    assert ["  Ann discards the 7", "  of hearts."] == rows("  Ann discards the 7 of hearts.", 20)


def test_wide_characters_are_never_split():
    assert ["漢" * 10, "漢" * 5] == rows("漢" * 15, 20)
    assert ["a" + "漢" * 9, "漢漢"] == rows("a" + "漢" * 11, 20)


def test_a_role_ends_with_its_row():
    look = TerminalProfile(cols=20, colours="16")
    paint = encode_lines([styled_line(("strong words that go on", "strong"), " plain")], look)
    assert b"\x1b[1mstrong words that go\x1b[0m\r\n\x1b[1mon\x1b[0m plain\r\n" == paint


def test_without_colours_there_is_no_sequence():
    assert b"Bob\r\n" == encode_lines([styled_line(("Bob", "you"))], TerminalProfile())


def test_markup_and_format_fields_are_shown_as_typed():
    text = "%s%n {0.__class__} [bold] <ansired> <b> &amp;"
    assert text.encode() + b"\r\n" == encode_lines([styled_line(text)], TerminalProfile())


@given(st.lists(SPANS, max_size=3), LOOKS)
def test_rows_fit_and_hold_no_control_character(lines, look):
    paint = encode_lines([styled_line(*spans) for spans in lines], look).decode(look.charset)
    for row in re.sub(r"\x1b\[[\d;]+m", "", paint).split("\r\n"):
        assert row.isprintable()
        assert cell_width(row) <= look.cols
    if look.colours == "off":
        assert "\x1b" not in paint


@given(st.text("abc de 漢", max_size=120), st.sampled_from([20, 40, 80]))
def test_a_terminal_shows_the_rows_as_they_were_laid_out(text, cols):
    emulator = Emulator(cols, 24)
    emulator.feed(encode_lines([styled_line(text)], TerminalProfile(cols=cols)))
    laid_out = [row.rstrip() for row in rows(text, cols)]
    assert laid_out == emulator.rows[: len(laid_out)]
