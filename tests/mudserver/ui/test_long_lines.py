"""Lines longer than the row: while they are typed, and after Enter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mudserver.config.schema import Config, SessionLimits
from mudserver.ui.width import cell_width
from tests.mudserver.ui.conftest import ANSI, Harness

# -- while it is typed -----------------------------------------------------------------------------


def test_a_prompt_too_long_for_the_row_loses_its_beginning():
    harness = Harness(replace(ANSI, cols=20))
    harness.screen.set_prompt("at the table of Ann and Bob> ")
    harness.type("discard 7")
    assert harness.row.startswith("n and Bob> ")
    assert harness.row.endswith("d 7")
    assert len(harness.row) < 20


def test_a_letter_typed_at_the_edge_goes_where_the_cursor_is():
    harness = Harness(replace(ANSI, cols=20))
    harness.type("a" * 16 + "漢字\x01" + "\x06" * 16)  # one cell is free, 漢 does not fit
    harness.type("b")
    harness.type("\r")
    assert ["a" * 16 + "b漢字"] == harness.lines


def test_a_line_that_fits_again_is_shown_whole():
    harness = Harness(replace(ANSI, cols=40))
    harness.type("0123456789" * 5)
    for _ in range(15):
        harness.type("\x7f")
    assert "> " + "0123456789" * 3 + "01234" == harness.row


def test_a_long_line_scrolls_sideways_and_never_wraps():
    harness = Harness(replace(ANSI, cols=40))
    harness.type("0123456789" * 6)
    assert harness.row.endswith("6789")
    assert harness.row.startswith("> ")
    assert 1 == len(harness.emulator.text)
    harness.type("\x01")
    assert "> " + ("0123456789" * 4)[:37] == harness.row
    assert 2 == harness.emulator.cursor[1]


def test_a_line_is_cut_at_its_limit_with_one_sentence():
    harness = Harness(config=Config(session=SessionLimits(line_chars_max=80)))
    for _ in range(3):
        harness.type("x" * 50)
    harness.tick()
    harness.type("\r")
    assert ["x" * 80] == harness.lines
    assert 1 == sum("cut" in row for row in harness.emulator.text)


def test_a_line_is_cut_at_its_limit_however_wide_the_terminal():
    harness = Harness(
        replace(ANSI, cols=200), config=Config(session=SessionLimits(line_chars_max=80))
    )
    for _ in range(100):
        harness.type("x")
    harness.type("\r")
    assert ["x" * 80] == harness.lines


# -- after Enter -----------------------------------------------------------------------------------

DIGITS = "0123456789"
MOVES = {"at the end": "", "at the beginning": "\x01", "in the middle": "\x01" + "\x1b[C" * 55}


@pytest.mark.parametrize("place", MOVES)
@pytest.mark.parametrize("over", [-1, 0, 1])
@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("cols", [20, 40, 80])
def test_all_of_it_stands_there_once_after_enter(cols, rows, over, place):
    line = "> " + (DIGITS * 26)[: rows * cols + over - 2]
    harness = Harness(replace(ANSI, cols=cols))
    harness.say("Bob sits down.")
    harness.tick()
    harness.type(line[2:] + MOVES[place] + "\r")
    harness.say("A table.")
    harness.tick()
    typed = [line[at : at + cols] for at in range(0, len(line), cols)]
    assert ["Bob sits down.", *typed, "A table.", ">"] == harness.emulator.text


@pytest.mark.parametrize("enter", ["\r", "\r\n", "\r\0"])
def test_all_of_a_scrolled_line_stands_there_if_enter_comes_with_its_end(enter):
    harness = Harness(replace(ANSI, cols=40))
    harness.type(DIGITS * 5)
    harness.tick()
    harness.type("ab" + enter)
    harness.say("A table.")
    harness.tick()
    line = f"> {DIGITS * 5}ab"
    assert [line[:40], line[40:], "A table.", ">"] == harness.emulator.text
    assert [line[2:]] == harness.lines


def test_an_enter_behind_a_begun_key_ends_the_key_also_where_another_enter_waits():
    harness = Harness(replace(ANSI, cols=40))
    harness.type("look\r\n")
    harness.type("\x1b")  # a key is begun before the tick
    harness.type("\r\n")
    harness.tick()
    harness.type("who\r\n")
    harness.tick()
    assert ("look", "who") == (harness.lines[0], harness.lines[-1])


def test_wide_characters_are_whole_after_enter_wherever_the_rows_break():
    harness = Harness(replace(ANSI, cols=20))
    harness.type("漢字" * 20 + "\r")
    harness.say("A table.")
    harness.tick()
    *rows, answer, _ = harness.emulator.text
    assert "> " + "漢字" * 20 == "".join(rows)
    assert (5, "A table.") == (len(rows), answer)
    assert max(map(cell_width, rows)) <= 20


def test_a_line_that_fits_its_row_costs_no_byte_more_at_enter():
    harness = Harness(replace(ANSI, cols=40))
    harness.type("x" * 37)
    harness.fresh()
    harness.type("\r")
    harness.tick()
    assert b"\r\n\r\x1b[K> " == harness.fresh()


def test_a_secret_longer_than_the_row_stays_one():
    harness = Harness(replace(ANSI, cols=20))
    harness.screen.set_prompt("Password: ", is_secret=True)
    harness.tick()
    harness.type("hunter2" * 10 + "\r")
    assert ["Password:"] == harness.emulator.text


def test_a_line_typed_in_a_charset_that_lacks_some_of_it_is_shown_as_it_was_while_typed():
    harness = Harness(replace(ANSI, cols=40, charset="latin-1"))
    harness.type(("é" * 60).encode("latin-1"))
    harness.screen.resize(replace(ANSI, cols=40, charset="ascii"))
    harness.fresh()
    harness.type("\r")
    harness.tick()
    assert harness.fresh().endswith(b"\r\x1b[K> " + b"?" * 60 + b"\r\n\r\x1b[K> ")
