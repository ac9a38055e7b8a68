"""Terminals that cannot erase, and clients that edit their own lines: every byte they get."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.mudserver.ui.conftest import DUMB, LINES, Harness
from variants.kit.text import styled_line


@pytest.fixture
def lines():
    return Harness(LINES)


@pytest.fixture
def dumb():
    return Harness(DUMB)


# -- the client edits and echoes -----------------------------------------------------------------


def test_a_prompt_stands_without_a_line_end_and_answers_come_on_fresh_rows(lines):
    assert b"> " == lines.fresh()
    lines.type("look\r\n")
    lines.say("A table.")
    lines.tick()
    assert b"A table.\r\n> " == lines.fresh()


def test_output_under_a_prompt_starts_on_a_row_of_its_own(lines):
    lines.fresh()
    lines.say("Bob joined the table.")
    lines.tick()
    assert b"\r\nBob joined the table.\r\n> " == lines.fresh()


def test_nothing_typed_is_echoed_and_no_sequence_is_sent(lines):
    lines.fresh()
    lines.type("wh\x7fho\t\x1b[A\x01x\r")
    lines.tick()
    assert ["who x"] == lines.lines
    assert b"> " == lines.fresh()


def test_lines_that_come_together_are_answered_together(lines):
    lines.fresh()
    lines.type("look\nwho\n")
    lines.say("A table.")
    lines.tick()
    assert ["look", "who"] == lines.lines
    assert b"A table.\r\n> " == lines.fresh()


def test_the_enter_after_a_secret_is_shown_by_us(lines):
    lines.screen.set_prompt("Password: ", is_secret=True)
    lines.tick()
    lines.fresh()
    lines.type("hunter2\r\n")
    lines.say("Welcome.")
    lines.screen.set_prompt("> ")
    lines.tick()
    assert ["hunter2"] == lines.lines
    assert b"\r\nWelcome.\r\n> " == lines.fresh()


def test_a_mud_client_gets_colours_but_no_erasing():
    harness = Harness(replace(LINES, is_ansi=True, colours="16"))
    harness.fresh()
    harness.screen.show([styled_line(("Bob", "strong"), " joined the table.")])
    harness.screen.clear()
    harness.tick()
    assert b"\r\n\x1b[1mBob\x1b[0m joined the table.\r\n> " == harness.fresh()


def test_a_new_size_prints_nothing(lines):
    lines.fresh()
    lines.screen.resize(replace(LINES, cols=40))
    lines.tick()
    assert b"" == lines.fresh()
    lines.say("a" * 50)
    lines.tick()
    assert b"\r\n" + b"a" * 40 + b"\r\n" + b"a" * 10 + b"\r\n> " == lines.fresh()


def test_a_line_without_end_is_cut_and_told(lines):
    lines.fresh()
    lines.type("x" * 5_000)
    lines.tick()
    assert b"\r\nYour line was cut (at most 512 characters).\r\n> " == lines.fresh()
    lines.type("\n")
    assert ["x" * 512] == lines.lines


def test_the_last_word_stands_alone(lines):
    lines.fresh()
    lines.say("Goodbye.")
    lines.screen.close()
    assert b"\r\nGoodbye.\r\n" == lines.fresh()


# -- single keys, but no sequences ---------------------------------------------------------------


def test_typing_is_echoed_and_rubbed_out_one_by_one(dumb):
    dumb.fresh()
    dumb.type("drax\x7fw")
    assert b"draw" == dumb.fresh()
    dumb.type("\x7f")
    dumb.type("p\r")
    dumb.tick()
    assert b"\b \bp\r\n> " == dumb.fresh()
    assert ["drap"] == dumb.lines


def test_a_wide_character_is_rubbed_out_as_two_cells(dumb):
    dumb.type("a漢")
    dumb.fresh()
    dumb.type("\x7f")
    assert b"\b \b" * 2 == dumb.fresh()


def test_what_was_typed_stands_again_under_what_arrived(dumb):
    dumb.type("dra")
    dumb.fresh()
    dumb.say("Bob joined the table.")
    dumb.tick()
    assert b"\r\nBob joined the table.\r\n> dra" == dumb.fresh()


def test_the_cursor_stays_at_the_end(dumb):
    dumb.fresh()
    dumb.type("ab\x1b[D\x01c\x15\x17look\r\x10\x1b")
    dumb.type("[A")
    assert b"\x1b" not in dumb.fresh()
    assert "> look" == dumb.row


def test_a_long_line_stays_on_its_row(dumb):
    for char in "0123456789" * 12:
        dumb.type(char)
        assert len(dumb.row) < 80
    assert 1 == len(dumb.emulator.text)
    assert dumb.row.endswith("6789")
    dumb.type("\r")
    assert ["0123456789" * 12] == dumb.lines


def test_a_secret_is_not_echoed(dumb):
    dumb.screen.set_prompt("Password: ", is_secret=True)
    dumb.tick()
    dumb.fresh()
    dumb.type("hunter2\r")
    dumb.tick()
    assert b"\r\nPassword: " == dumb.fresh()


def test_no_terminal_of_another_charset_is_written_bytes_it_does_not_know():
    harness = Harness(replace(DUMB, charset="latin-1"))
    harness.fresh()
    harness.type(b"caf\xe9")
    harness.type("\x7f")
    harness.screen.show([styled_line("漢 é ♥")])
    harness.tick()
    assert b"caf\xe9\b \b\r\n? \xe9 H\r\n> caf" == harness.fresh()
