from __future__ import annotations

import pytest

from mudserver.config.schema import Config, SessionLimits
from tests.mudserver.ui.fullscreen.desk import Desk

SEVERAL = ("give 7 bob", "give 8 bob", "going", "go")


# -- the line --------------------------------------------------------------------------------------


def test_a_line_is_given_and_shown_in_the_log(desk):
    desk.type("look")
    assert "> look" == desk.row
    desk.type("\r")
    assert (["look"], ">") == (desk.lines, desk.row)
    assert "> look" in desk.rows[1:-2]


def test_the_editor_is_that_of_line_mode(desk):
    desk.type("draw the card\x17\x1b[D\x01X\x0b\x19")
    assert "> Xdraw the" == desk.row
    desk.type("\rnext\x1b[A")
    assert "> Xdraw the " == desk.row + " "
    desk.type("\x1b[B")
    assert "> next" == desk.row


def test_control_c_clears_the_line_and_control_d_ends_only_on_an_empty_one(desk):
    desk.type("ab\x01\x04")
    assert ("> b", 0) == (desk.row, desk.ends)
    desk.type("\x03")
    assert (">", 0) == (desk.row, desk.ends)
    desk.type("\x04")
    assert 1 == desk.ends


def test_a_long_line_scrolls_sideways(desk):
    desk.type("0123456789" * 12)
    assert desk.row.endswith("789")
    assert len(desk.row) < 80
    desk.type("\x01")
    assert desk.row.startswith("> 0123456789")


def test_a_secret_is_never_shown_kept_completed_or_put_in_the_log(desk):
    desk.words = ("hunter2",)
    desk.type("half")
    desk.screen.set_prompt("Password: ", is_secret=True)
    desk.beat()
    desk.fresh()
    desk.type("hunt\t\x1b[Zer\x1bOP2\r")
    assert ["hunter2"] == desk.lines
    assert "Password:" == desk.row
    assert b"hunt" not in desk.fresh()
    desk.screen.set_prompt("> ")
    desk.beat()
    assert "> half" == desk.row
    desk.type("\x03\x10")
    assert "hunter2" not in desk.glass.text


def test_lines_and_pastes_are_cut_with_one_sentence():
    desk = Desk(config=Config(session=SessionLimits(line_chars_max=80, paste_chars_max=100)))
    for _ in range(3):
        desk.type("x" * 50)
    desk.type("\x1b[200~" + "y" * 500 + "\x1b[201~\r")
    assert ["x" * 80] == desk.lines
    assert "Your line was cut: 80 characters are the most." in desk.glass.text
    assert 1 == desk.glass.text.count("Your paste was cut")


def test_a_paste_is_no_keys_but_enter(desk):
    desk.type("\x1b[200~look\r\x14who\t\x1b[201~\r")
    assert ["look", "who "] == desk.lines


def test_f1_asks_for_the_keys_and_keeps_the_line(desk):
    desk.type("half\x1bOP")
    assert (["/help panes"], "> half") == (desk.lines, desk.row)


# -- the menu --------------------------------------------------------------------------------------


def test_tab_puts_in_the_one_word_or_what_all_share(desk):
    desk.words = ("discard", "disconnect", "draw")
    desk.type("dr\t")
    assert "> draw" == desk.row
    assert 7 == desk.glass.cursor[1]
    desk.type("\x15di\t")
    assert "> disc" == desk.row
    assert ["  discard", "  disconnect"] == desk.rows[-4:-2]


def test_the_menu_is_walked_by_keys_and_enter_takes_the_word_without_sending(desk):
    desk.words = SEVERAL
    desk.type("g\t")
    desk.type("\t")
    assert "> give 7 bob" == desk.row
    desk.type("\x1b[B\x1b[B\x1b[B\x1b[B")
    assert "> give 7 bob" == desk.row
    desk.type("\x1b[A")
    assert "> go" == desk.row
    assert any(row.startswith("> go") for row in desk.rows[:-2])
    desk.type("\r")
    assert ([], "> go") == (desk.lines, desk.row)
    desk.type("\r")
    assert ["go"] == desk.lines


@pytest.mark.parametrize("key", ["\x03", "\x1b"])
def test_leaving_the_menu_puts_back_what_was_typed(desk, key):
    desk.words = SEVERAL
    desk.type("g\t\t\t")
    desk.type(key)
    desk.clock.wait(0.5)
    assert ("> g", 0) == (desk.row, desk.ends)
    assert "going" not in desk.glass.text
    desk.type("\x03")
    assert ">" == desk.row


def test_typing_on_keeps_the_word_and_closes_the_menu(desk):
    desk.words = SEVERAL
    desk.type("g\t\t")
    desk.type(" now")
    assert "> give 7 bob now" == desk.row
    assert "going" not in desk.glass.text


def test_a_menu_fits_the_smallest_terminal_and_says_how_many_there_are():
    desk = Desk(20, 5)
    desk.words = tuple(f"word{n:03} " + "x" * 40 for n in range(100))
    desk.type("w\t\t\x1b[B")
    assert "2 of 100" in desk.glass.text
    assert not desk.faults


def test_an_escape_before_a_word_is_no_key_with_it(desk):
    desk.type("one two\x1b")
    desk.clock.wait(0.5)
    desk.type("d")
    assert "> one twod" == desk.row
