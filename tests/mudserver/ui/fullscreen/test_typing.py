from __future__ import annotations

import pytest

from mudserver.config.schema import Config, SessionLimits
from tests.mudserver.ui.fullscreen.harness import Harness

SEVERAL = ("give 7 bob", "give 8 bob", "going", "go")


# -- the line --------------------------------------------------------------------------------------


def test_a_line_is_given_and_shown_in_the_log(harness):
    harness.type("look")
    assert "> look" == harness.row
    harness.type("\r")
    assert (["look"], ">") == (harness.lines, harness.row)
    assert "> look" in harness.rows[1:-2]


def test_the_editor_is_that_of_line_mode(harness):
    harness.type("draw the card\x17\x1b[D\x01X\x0b\x19")
    assert "> Xdraw the" == harness.row
    harness.type("\rnext\x1b[A")
    assert "> Xdraw the " == harness.row + " "
    harness.type("\x1b[B")
    assert "> next" == harness.row


def test_control_c_clears_the_line_and_control_d_ends_only_on_an_empty_one(harness):
    harness.type("ab\x01\x04")
    assert ("> b", 0) == (harness.row, harness.ends)
    harness.type("\x03")
    assert (">", 0) == (harness.row, harness.ends)
    harness.type("\x04")
    assert 1 == harness.ends


def test_a_long_line_scrolls_sideways(harness):
    harness.type("0123456789" * 12)
    assert harness.row.endswith("789")
    assert len(harness.row) < 80
    harness.type("\x01")
    assert harness.row.startswith("> 0123456789")


def test_a_secret_is_never_shown_kept_completed_or_put_in_the_log(harness):
    harness.words = ("hunter2",)
    harness.type("half")
    harness.screen.set_prompt("Password: ", is_secret=True)
    harness.beat()
    harness.fresh()
    harness.type("hunt\t\x1b[Zer\x1bOP2\r")
    assert ["hunter2"] == harness.lines
    assert "Password:" == harness.row
    assert b"hunt" not in harness.fresh()
    harness.screen.set_prompt("> ")
    harness.beat()
    assert "> half" == harness.row
    harness.type("\x03\x10")
    assert "hunter2" not in harness.emulator.text


def test_lines_and_pastes_are_cut_with_one_sentence():
    harness = Harness(config=Config(session=SessionLimits(line_chars_max=80, paste_chars_max=100)))
    for _ in range(3):
        harness.type("x" * 50)
    harness.type("\x1b[200~" + "y" * 500 + "\x1b[201~\r")
    assert ["x" * 80] == harness.lines
    assert "Your line was cut (at most 80 characters)." in harness.emulator.text
    assert 1 == harness.emulator.text.count("Your paste was cut")


def test_a_paste_is_no_keys_but_enter(harness):
    harness.type("\x1b[200~look\r\x14who\t\x1b[201~\r")
    assert ["look", "who "] == harness.lines


def test_f1_asks_for_the_keys_and_keeps_the_line(harness):
    harness.type("half\x1bOP")
    assert (["/help panes"], "> half") == (harness.lines, harness.row)


# -- the menu --------------------------------------------------------------------------------------


def test_tab_puts_in_the_one_word_or_what_all_share(harness):
    harness.words = ("discard", "disconnect", "draw")
    harness.type("dr\t")
    assert "> draw" == harness.row
    assert 7 == harness.emulator.cursor[1]
    harness.type("\x15di\t")
    assert "> disc" == harness.row
    assert ["  discard", "  disconnect"] == harness.rows[-4:-2]


def test_the_menu_is_walked_by_keys_and_enter_takes_the_word_without_sending(harness):
    harness.words = SEVERAL
    harness.type("g\t")
    harness.type("\t")
    assert "> give 7 bob" == harness.row
    harness.type("\x1b[B\x1b[B\x1b[B\x1b[B")
    assert "> give 7 bob" == harness.row
    harness.type("\x1b[A")
    assert "> go" == harness.row
    assert any(row.startswith("> go") for row in harness.rows[:-2])
    harness.type("\r")
    assert ([], "> go") == (harness.lines, harness.row)
    harness.type("\r")
    assert ["go"] == harness.lines


@pytest.mark.parametrize("key", ["\x03", "\x1b"])
def test_leaving_the_menu_puts_back_what_was_typed(harness, key):
    harness.words = SEVERAL
    harness.type("g\t\t\t")
    harness.type(key)
    harness.clock.wait(0.5)
    assert ("> g", 0) == (harness.row, harness.ends)
    assert "going" not in harness.emulator.text
    harness.type("\x03")
    assert ">" == harness.row


def test_typing_on_keeps_the_word_and_closes_the_menu(harness):
    harness.words = SEVERAL
    harness.type("g\t\t")
    harness.type(" now")
    assert "> give 7 bob now" == harness.row
    assert "going" not in harness.emulator.text


def test_a_menu_fits_the_smallest_terminal_and_says_how_many_there_are():
    harness = Harness(20, 5)
    harness.words = tuple(f"word{n:03} " + "x" * 40 for n in range(100))
    harness.type("w\t\t\x1b[B")
    assert "2 of 100" in harness.emulator.text
    assert not harness.faults


def test_an_escape_before_a_word_is_no_key_with_it(harness):
    harness.type("one two\x1b")
    harness.clock.wait(0.5)
    harness.type("d")
    assert "> one twod" == harness.row
