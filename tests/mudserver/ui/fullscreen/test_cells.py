from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _EscapeCodeCache

from mudserver.sanitize import sanitize
from mudserver.ui.ansi import sgr
from mudserver.ui.fullscreen.cells import CELLS_MAX, Segment, cell, cells_of, changed_cells
from mudserver.ui.fullscreen.toolkit_styles import COLOUR_DEPTHS, theme_style
from mudserver.ui.theme import THEMES, style_sequences
from mudserver.ui.width import cell_width
from variants.kit.text import Span


def width(row):
    return max((at + it.width for at, it in row.items()), default=0)


@given(st.text(), st.integers(1, 40))
def test_a_row_is_never_wider_than_it_should_be(text, cols):
    text = sanitize(text)
    row = cells_of((Segment(0, cols, (Span(text), Span("tail", "strong"))),))
    assert width(row) <= cols
    if cell_width(text) <= cols:
        assert "".join(it.char for it in row.values()).startswith(text)


def test_a_mark_stands_with_its_letter():
    row = cells_of((Segment(0, 10, (Span("e\u0301x"),)),))
    assert ["e\u0301", "x"] == [it.char for it in row.values()]


def test_what_lies_above_a_wide_character_takes_all_of_it_away():
    below, above = Segment(0, 10, (Span("漢字漢字"),)), Segment(3, 5, (Span("ab"),))
    assert [(0, "漢"), (2, " "), (3, "a"), (4, "b"), (6, "字")] == sorted(
        (at, it.char) for at, it in cells_of((below, above)).items()
    )


def test_a_segment_with_a_fill_covers_all_of_its_columns():
    row = cells_of((Segment(0, 6, (Span("abcdef"),)), Segment(1, 5, (Span("x"),), "bar", "-")))
    assert "ax---f" == "".join(it.char for _, it in sorted(row.items()))


def test_cells_are_shared_and_what_is_kept_is_bounded():
    assert cell("a", "strong") is cell("a", "strong")
    for code in range(0x4E00, 0x4E00 + 20_000):
        cell(chr(code), "")
    assert cell.cache_info().currsize <= CELLS_MAX


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("depth", ["16", "256", "true"])
def test_roles_look_as_in_line_mode(theme, depth):
    codes = _EscapeCodeCache(COLOUR_DEPTHS[depth])
    for role, switch in style_sequences(theme, depth).items():
        attrs = theme_style(theme, depth).get_attrs_for_style_str(role)
        mine = codes[attrs].removeprefix(sgr("0;")[:-1]).removesuffix("m").split(";")
        assert sorted(switch[2:-1].split(";")) == sorted(mine)


def test_without_colours_there_is_none_and_the_bar_can_still_be_seen():
    off = theme_style("default", "off")
    assert off.get_attrs_for_style_str("bad") == off.get_attrs_for_style_str("")
    assert off.get_attrs_for_style_str("bar strong").reverse
    assert ColorDepth.DEPTH_1_BIT is COLOUR_DEPTHS["off"]


def test_what_two_rows_share_is_compared_in_one_step_and_never_erased():
    left, right = Segment(0, 6, (Span("abc"),)), Segment(6, 12, (Span("xyz"),))
    before, after = changed_cells((left, right), (left, Segment(6, 12, ())))
    assert after[0].width == 5 and max(after) == 5  # what is erased begins behind it
    assert all(before[at] == after[at] for at in (0, 5))
    assert "xyz" == "".join(before[at].char for at in (6, 7, 8))


def test_rows_whose_segments_overlap_are_compared_whole():
    below, menu = Segment(0, 6, (Span("abcdef"),)), Segment(1, 4, (Span("x"),))
    before, after = changed_cells((below,), (below, menu))
    assert before == cells_of((below,)) and after == cells_of((below, menu))
