"""Text by a person over several rows: at every width it stands behind the margin."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.sanitize import sanitize
from mudserver.ui.charset import transliterate
from mudserver.ui.encode import encode_lines, wrap_line
from mudserver.ui.quotation import NARROW_MARGIN, SPOKEN_MARGIN, WIDE_MARGIN, quoted
from mudserver.ui.terminal_profile import Charset, TerminalProfile
from mudserver.ui.width import cell_width
from tests.slow_cases import slow_cases
from tests.terminal import Emulator
from variants.kit.text import plain_text

WIDTHS = range(20, 301)  # of a terminal (`transport/terminal_type.py`)
SOME = range(20, 301, 5)
LONG_NAME = "a234567890123456"
HEADS = {"al: ": "al", f"{LONG_NAME} tells you: ": LONG_NAME, "* mallory ": "mallory",
         "mallory tells you: ": "mallory", "You tell alice: ": "You"}  # fmt: skip
FORGED = ("-- alice sits down.", "Game over: alice wins.", "alice tells you: hi",
          "Type your password:", '" alice: hi', "    | hi")  # fmt: skip
WORDS = st.text("ab. |'\"“»漢字é-", max_size=40) | st.sampled_from(FORGED)
MARKED = st.lists(st.sampled_from(["x\u0325", "n\u0308\u0323", "漢\u0301"]), max_size=30)
TEXTS = st.lists(WORDS | MARKED.map("".join), min_size=1, max_size=8).map(
    lambda words: sanitize(" ".join(words), "chat") or "."
)
CHARSETS = st.sampled_from(get_args(Charset))


def rows(head: str, text: str, cols: int, charset: str = "utf-8", *, is_linear: bool) -> list[str]:
    line = quoted(head, HEADS[head], text, is_linear)
    return [plain_text(row) for row in wrap_line(line, cols, charset)]


def margin(head: str, cols: int, *, is_linear: bool) -> str:
    if is_linear:
        named = f"{SPOKEN_MARGIN}{HEADS[head]}: "
        return named if cols >= 28 or len(HEADS[head]) <= 8 else SPOKEN_MARGIN
    return WIDE_MARGIN.text if cols >= 60 else NARROW_MARGIN.text


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("unit", [".", "漢", "x\u0325"], ids=["narrow", "wide", "marked"])
@pytest.mark.parametrize("widths", slow_cases([SOME, WIDTHS], [str(WIDTHS)]), ids=str)
def test_however_wide_the_terminal_no_row_begins_with_what_somebody_typed(widths, unit, is_linear):
    for cols in widths:
        for number, head in enumerate(HEADS):
            forged = FORGED[(cols + number) % len(FORGED)]
            room = max(0, cols - len(head) - is_linear)
            for fill in (room // cell_width(unit) - 1, room // cell_width(unit)):
                first, *further = rows(head, f"{unit * fill} {forged}", cols, is_linear=is_linear)
                assert first.startswith(head.split()[0])
                before = margin(head, cols, is_linear=is_linear)
                assert all(row.startswith(before) for row in further)
                assert max(cell_width(row) for row in (first, *further)) <= cols


@given(st.sampled_from(list(HEADS)), TEXTS, st.integers(20, 300), CHARSETS)
def test_in_rows_behind_a_bar_nothing_is_lost_and_none_is_too_wide(head, text, cols, charset):
    first, *further = rows(head, text, cols, charset, is_linear=False)
    before = margin(head, cols, is_linear=False)
    assert all(row.startswith(before) for row in further)
    assert max(cell_width(row) for row in (first, *further)) <= cols
    said = first + "".join(row.removeprefix(before) for row in further)
    assert squeezed(transliterate(head + text, charset)) == squeezed(said)


@given(st.sampled_from(list(HEADS)), TEXTS, st.integers(20, 300), CHARSETS)
def test_read_aloud_only_the_end_of_the_text_closes_the_quotation(head, text, cols, charset):
    first, *further = rows(head, text, cols, charset, is_linear=True)
    before = margin(head, cols, is_linear=True)
    assert all(row.startswith(before) for row in further)
    assert max(cell_width(row) for row in (first, *further)) <= cols
    said = first + "".join(row.removeprefix(before) for row in further)
    assert said.endswith('"') and said.count('"') == 2
    as_read = transliterate(head + re.sub('["“»]', "'", text), charset)
    assert squeezed(as_read) == squeezed(said).replace('"', "")


@given(st.text('ab. |"漢é', max_size=120), st.sampled_from([20, 59, 60]), st.booleans())
def test_a_terminal_shows_the_rows_as_they_were_broken(text, cols, is_linear):
    emulator = Emulator(cols, 40)
    emulator.feed(encode_lines([quoted("al: ", "al", text, is_linear)], TerminalProfile(cols=cols)))
    broken = [row.rstrip() for row in rows("al: ", text, cols, is_linear=is_linear)]
    assert broken == emulator.rows[: len(broken)]


def test_a_line_that_fits_its_row_is_as_it_was_typed():
    assert ['al: he said "no"'] == rows("al: ", 'he said "no"', 80, is_linear=False)
    assert ["al: \"he said 'no'\""] == rows("al: ", 'he said "no"', 80, is_linear=True)


def test_the_margin_is_narrow_below_60_columns_and_dim():
    for cols, before in ((20, "  | "), (59, "  | "), (60, "    | "), (300, "    | ")):
        row = "x" * (cols - 4)
        assert ["al: " + row, before + "on"] == rows("al: ", row + " on", cols, is_linear=False)
    look = TerminalProfile(cols=20, colours="16")
    paint = encode_lines([quoted("al: ", "al", "one two three four five", False)], look)
    assert b"\r\n\x1b[2m  | \x1b[0mfour five\r\n" in paint


def test_a_word_longer_than_a_row_is_cut_behind_the_margin():
    assert ["al:", "  | " + "x" * 16, "  | " + "x" * 4] == rows(
        "al: ", "x" * 20, 20, is_linear=False
    )
