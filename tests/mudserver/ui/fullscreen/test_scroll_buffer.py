from __future__ import annotations

from sys import getsizeof

import pytest

from mudserver.ui.encode import wrap_line
from mudserver.ui.fullscreen.scroll_buffer import (
    BYTES_MAX,
    PageView,
    ScrollBuffer,
    TableStand,
    TableView,
)
from variants.kit.text import plain_text, styled_line


def said(*sentences):
    return [styled_line(sentence) for sentence in sentences]


def shown(pane, cols=20, rows=3):
    return [plain_text(row) for row in pane.visible_rows(cols, rows, "utf-8")]


def test_a_roll_follows_what_arrives():
    roll = ScrollBuffer(100)
    roll.add(said("a", "b", "c", "d"))
    assert ["b", "c", "d"] == shown(roll)
    roll.add(said("e"))
    assert ["c", "d", "e"] == shown(roll)


def test_who_has_scrolled_back_stays_where_they_read():
    roll = ScrollBuffer(100)
    roll.add(said(*"abcdef"))
    shown(roll)
    roll.scroll(2)
    assert ["b", "c", "d"] == shown(roll)
    roll.add(said("g", "h"))
    assert (["b", "c", "d"], "4 more below") == (shown(roll), roll.hidden_note)
    roll.scroll(-99)
    assert (["f", "g", "h"], "") == (shown(roll), roll.hidden_note)
    roll.scroll(99)
    assert ["a", "b", "c"] == shown(roll)


def test_a_page_longer_than_the_pane_is_shown_from_its_beginning():
    page = PageView("Help", said("1", "2", "3", "4"), 100)
    assert (["1", "2", "3"], "1 more") == (shown(page), page.hidden_note)
    page.scroll(-9)
    assert (["2", "3", "4"], "") == (shown(page), page.hidden_note)
    page.add(said("5"))
    assert (["2", "3", "4"], "1 more") == (shown(page), page.hidden_note)
    page.scroll(9)
    assert ["1", "2", "3", "4", "5"] == shown(page, rows=9)


def test_a_page_keeps_so_many_lines():
    page = PageView("Help", said(*"abcdef"), 4)
    page.add(said("g"))
    assert [*"abcd"] == shown(page, rows=9)


def test_a_pane_knows_what_fits_it_at_once():
    roll = ScrollBuffer(100)
    assert roll.fits(said(*"abcdef"))  # nothing was drawn yet
    shown(roll)
    assert roll.fits(said(*"abc"))
    assert not roll.fits(said(*"abcd"))
    assert not roll.fits(said("a row of more cells than sixty, which takes more than three rows"))


def test_long_lines_are_wrapped_again_at_another_width():
    roll = ScrollBuffer(100)
    roll.add(said("one two three"))
    assert ["one two three"] == shown(roll)
    assert ["one two", "three"] == shown(roll, cols=8)
    roll.add(said("four five"))
    assert ["three", "four", "five"] == shown(roll, cols=8)


@pytest.mark.parametrize("letter", ["a", "é", "漢", "𝔸"])
def test_a_roll_keeps_so_many_lines_and_so_many_bytes(letter):
    roll = ScrollBuffer(300)
    shown(roll)
    for n in range(400):
        roll.add(said(f"{n}"))
    assert 300 == len(roll.last_lines)
    for n in range(400):
        roll.add(said(f"{n} " + letter * 400))
    assert sum(getsizeof(line[0].text) for line in roll.last_lines) <= BYTES_MAX
    assert len(roll.last_lines) > 70
    roll.scroll(10**9)
    assert 3 == len(shown(roll))
    assert roll.hidden_note == f"{sum(len_of(roll)) - 3} more below"


def len_of(roll, cols=20):
    return [len(wrap_line(line, cols, "utf-8")) for line in roll.last_lines]


def test_a_roll_that_lost_its_beginning_scrolls_no_further_than_it_has():
    roll = ScrollBuffer(50)
    shown(roll)
    roll.add(said(*(str(n) for n in range(300))))
    roll.scroll(10**9)
    assert ["250", "251", "252"] == shown(roll)


def test_a_sheet_shows_its_top_or_its_end_and_says_which_rows():
    sheet = TableView()
    assert sheet.rows_needed(20, "utf-8") is None
    sheet.set_render(lambda cols: said(*"abcde"))
    assert (["a", "b", "c"], "rows 1-3 of 5") == (shown(sheet), sheet.hidden_note)
    sheet.set_render(lambda cols: said(*"abcde"), shows_own_seat=True)
    assert ["c", "d", "e"] == shown(sheet)
    sheet.scroll(1)
    assert ["b", "c", "d"] == shown(sheet)
    sheet.set_render(lambda cols: said(*"ABCDE"), shows_own_seat=True)
    assert ["C", "D", "E"] == shown(sheet)
    assert ("", 5) == (
        sheet.hidden_note if shown(sheet, rows=9) else "?",
        sheet.rows_needed(20, "utf-8"),
    )


def test_what_a_table_needs_only_grows_until_another_game():
    sheet = TableView()
    sheet.set_render(lambda cols: said(*"abcde"))
    assert 5 == sheet.rows_needed(20, "utf-8")
    sheet.set_render(lambda cols: said("a"))
    assert 5 == sheet.rows_needed(20, "utf-8")
    sheet.reset_height()
    assert 1 == sheet.rows_needed(20, "utf-8")


@pytest.mark.parametrize("about", [4, 5])
def test_a_table_stands_as_on_another_screen_whatever_is_shown_before_it(about):
    sheet = TableView()
    sheet.restore(TableStand(4, 9, 1))
    sheet.set_render(lambda cols: said("the lobby"))
    assert 1 == sheet.rows_needed(20, "utf-8")
    sheet.reset_height()
    sheet.set_render(lambda cols: said(*"abc"), about=about)
    assert list("bc" if about == 4 else "ab") == shown(sheet, rows=2)
    assert TableStand(about, *((9, 1) if about == 4 else (3, None))) == sheet.stand


def test_a_sheet_is_laid_out_once_for_a_width():
    widths = []
    sheet = TableView()
    sheet.set_render(lambda cols: widths.append(cols) or said("a"))
    for cols in (20, 20, 30, 30):
        shown(sheet, cols)
    assert [20, 30] == widths


def test_who_is_asked_sees_the_own_part_of_a_table_too_long():
    sheet = TableView()
    sheet.set_render(
        lambda cols: said(*"abcd", "Your hand: 7", "You can: e", "f", "g", "h"), shows_own_seat=True
    )
    assert ["Your hand: 7", "You can: e", "f"] == shown(sheet)
    sheet.set_render(lambda cols: said(*"abcd", "Your hand: 7"), shows_own_seat=True)
    assert ["c", "d", "Your hand: 7"] == shown(sheet)
