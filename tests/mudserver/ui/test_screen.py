from __future__ import annotations

from dataclasses import replace

import pytest

from mudserver.config.schema import Config, DoorLimits
from mudserver.ui import ansi
from mudserver.ui.terminal_profile import DisplayPreferences
from tests.mudserver.ui.conftest import ANSI, DUMB, Harness


def test_what_is_typed_is_echoed_at_once_and_costs_one_byte(harness):
    harness.fresh()
    harness.type("d")
    assert b"d" == harness.fresh()
    assert "> d" == harness.row


def test_a_line_that_arrives_in_mid_typing_goes_above_what_is_typed(harness):
    harness.type("disc")
    harness.say("Bob sits down.")
    assert "> disc" == harness.row
    harness.tick()
    assert ["Bob sits down.", "> disc"] == harness.emulator.text
    assert 6 == harness.emulator.cursor[1]


def test_the_cursor_comes_back_into_the_middle_of_the_line(harness):
    harness.type("discard\x02\x02\x02")
    harness.say("Bob sits down.")
    harness.tick()
    harness.type("X")
    assert "> discXard" == harness.row
    assert 7 == harness.emulator.cursor[1]


def test_all_that_comes_in_one_tick_is_one_write(harness):
    writes = harness.emulator.writes
    for n in range(10):
        harness.say(f"line {n}")
    harness.tick()
    assert writes + 1 == harness.emulator.writes
    assert [*(f"line {n}" for n in range(10)), ">"] == harness.emulator.text


def test_a_line_that_comes_whole_is_one_write_with_its_answer():
    harness = Harness()
    harness.fresh()
    harness.type("look\r")
    assert b"" == harness.fresh()
    harness.say("A table.")
    harness.tick()
    assert b"look\r\n\r\x1b[KA table.\r\n> " == harness.fresh()


@pytest.mark.parametrize("line", ["look", "x" * 50, "caf\u00e9", "two words "])
@pytest.mark.parametrize("end", ["\r", "\r\n", "\rmore", "\r\rmore"])
def test_a_line_that_comes_whole_is_shown_and_taken_as_if_typed_key_by_key(line, end):
    whole, by_keys = Harness(), Harness()
    for harness in (whole, by_keys):
        harness.type("be")
    whole.type(line + end)
    for key in line + end:
        by_keys.type(key)
    for harness in (whole, by_keys):
        harness.tick()
    assert by_keys.lines == whole.lines
    assert (by_keys.emulator.text, by_keys.row) == (whole.emulator.text, whole.row)


def test_a_line_that_clears_the_screen_does_not_stand_on_the_cleared_one(harness):
    harness.type("/clear\r")
    harness.screen.clear()
    harness.tick()
    assert [">"] == [row.rstrip() for row in harness.emulator.text if row.strip()]


def test_enter_gives_the_line_and_leaves_it_on_the_screen(harness):
    harness.type("look\r")
    harness.say("A table.")
    harness.tick()
    assert ["look"] == harness.lines
    assert ["> look", "A table.", ">"] == harness.emulator.text


def test_typing_ahead_of_an_answer_is_kept(harness):
    harness.type("look\rwh")
    harness.say("A table.")
    harness.tick()
    harness.type("o")
    assert ["> look", "A table.", "> who"] == harness.emulator.text


def test_control_c_clears_the_line_and_ends_nothing(harness):
    harness.type("discard\x03who\r")
    assert (["who"], 0) == (harness.lines, harness.ends)


def test_control_d_deletes_on_a_line_and_ends_on_an_empty_one(harness):
    harness.type("ab\x01\x04")
    assert ("> b", 0) == (harness.row, harness.ends)
    harness.type("\x04\x04")
    assert 1 == harness.ends


def test_control_l_clears_the_screen_and_shows_the_line_again(harness):
    harness.say("old")
    harness.tick()
    harness.type("half")
    harness.say("new")
    harness.type("\x0c")
    harness.tick()
    assert ["new", "> half"] == harness.emulator.text


def test_history_brings_lines_back_and_keeps_the_draft(harness):
    harness.type("look\rwho\rdra")
    harness.type("\x1b[A\x1b[A\x1b[A")
    assert "> look" == harness.row
    harness.type("\x1b[B\x1b[B\x1b[B")
    assert "> dra" == harness.row


def test_a_secret_is_not_shown_kept_completed_or_killed_into_the_line(harness):
    harness.words = ("hunter2",)
    harness.type("half")
    harness.screen.set_prompt("Password: ", is_secret=True)
    harness.tick()
    harness.fresh()
    harness.type("hunt\t\t\r\x10\x15hun  ter\u200d2\r")
    assert ["hunt", "hun  ter\u200d2"] == harness.lines
    harness.screen.set_prompt("Again: ", is_secret=True)
    harness.type("\x10\r")
    assert "" == harness.lines[-1]
    harness.screen.set_prompt("> ")
    harness.tick()
    rows = b"\r\n\r\x1b[KPassword: \r\n\r\x1b[KAgain: \r\n\r\x1b[K> half"
    assert rows == harness.fresh()
    assert "> half" == harness.row
    harness.type("\x15\x19\x1b[A")
    assert "> half" == harness.row


def test_a_changed_prompt_keeps_what_is_typed(harness):
    harness.type("dra")
    harness.screen.set_prompt("12> ")
    harness.type("w")
    assert "12> draw" == harness.row
    harness.screen.set_prompt("13> ")
    harness.tick()
    assert "13> draw" == harness.row


@pytest.mark.parametrize("enter", ["\r", "\n"])
def test_a_key_before_the_tick_brings_the_prompt_with_it(harness, enter):
    harness.type("look" + enter)
    harness.type("w")
    assert "> w" == harness.row


def test_tab_completes_one_and_lists_several(harness):
    harness.words = ("discard", "disconnect", "draw")
    harness.type("dr\t")
    assert "> draw" == harness.row
    assert 7 == harness.emulator.cursor[1]
    harness.type("\x15DI\t")
    assert "> disc" == harness.row
    harness.type("\t")
    harness.tick()
    assert ["discard     disconnect", "> disc"] == harness.emulator.text


def test_a_tab_key_held_down_lists_once_a_tick(harness):
    harness.words = ("discard", "disconnect")
    harness.type("disc\t" + "\t" * 50)
    harness.tick()
    assert ["discard     disconnect", "> disc"] == harness.emulator.text


def test_the_lines_of_a_paste_are_typed_one_by_one(harness):
    harness.type("\x1b[200~look\r\nwho\ntabl\t\x1b[201~es\r")
    assert ["look", "who", "tabl es"] == harness.lines


def test_a_paste_of_300_kilobytes_is_cut_and_told():
    harness = Harness()
    data = b"\x1b[200~" + b"all work and no play\n" * 15_000 + b"\x1b[201~\x03who\r"
    for at in range(0, len(data), 4096):
        harness.screen.feed(data[at : at + 4096])
    harness.tick()
    assert 195 == len(harness.lines) - 1
    assert "who" == harness.lines[-1]
    assert any("paste was cut" in row for row in harness.emulator.text)
    assert len(harness.out) < 20_000


def test_a_paste_without_brackets_is_only_lines(harness):
    data = b"all work and no play\n" * 1_000
    for at in range(0, len(data), 4096):
        harness.screen.feed(data[at : at + 4096])
    assert ["all work and no play"] * 1_000 == harness.lines


def test_paste_mode_is_on_while_the_screen_is_open_and_off_after(harness):
    assert harness.emulator.has_paste_mode
    harness.type("half a line")
    harness.say("Goodbye.")
    harness.screen.close()
    assert not harness.emulator.has_paste_mode
    assert ["Goodbye."] == harness.emulator.text
    harness.fresh()
    harness.type("more\r")
    harness.say("more")
    harness.screen.ring_bell()
    harness.screen.close()
    harness.tick()
    assert (b"", [], []) == (harness.fresh(), harness.lines, harness.screen._chunks)


def test_a_screen_that_is_closed_by_a_line_hears_no_more():
    harness = Harness()
    harness.screen._on_line = lambda text: harness.screen.close()
    harness.type("quit\rwho\r")
    written = harness.fresh()
    harness.type("x")
    assert written.endswith(ansi.BRACKETED_PASTE_OFF)
    assert b"" == harness.fresh()


def test_a_reader_who_lags_loses_chat_and_is_told_how_much():
    harness = Harness(config=Config(door=DoorLimits(output_lag_bytes=1_000)))
    harness.lag_bytes = 1_001
    for n in range(3):
        harness.say(f"chat {n}", droppable=True)
    harness.say("It is your turn.")
    harness.tick()
    assert ["It is your turn.", ">"] == harness.emulator.text
    harness.lag_bytes = 0
    harness.say("chat 4", droppable=True)
    harness.tick()
    assert ["It is your turn.", "... 3 lines dropped", "chat 4", ">"] == harness.emulator.text


def test_what_waits_for_a_tick_is_bounded():
    harness = Harness(config=Config(door=DoorLimits(output_lag_bytes=1_000)))
    writes = harness.emulator.writes
    for _ in range(100):
        harness.say("x" * 70)
    assert writes + 6 <= harness.emulator.writes


def test_a_bell_rings_unless_the_person_wants_none():
    loud, quiet = Harness(), Harness(settings=DisplayPreferences(has_bell=False))
    for harness in (loud, quiet):
        harness.fresh()
        harness.screen.ring_bell()
        harness.tick()
    assert ansi.BELL in loud.fresh()
    assert b"" == quiet.fresh()


def test_a_terminal_that_turns_out_to_be_ansi_is_edited_in_place():
    harness = Harness(replace(ANSI, is_ansi=False))
    harness.type("ab")
    harness.screen.resize(ANSI)
    harness.tick()
    harness.type("\x02X")
    assert "> aXb" == harness.row
    assert harness.emulator.has_paste_mode


def test_for_a_screen_reader_nothing_that_was_shown_is_changed(harness):
    harness.type("hel")
    harness.screen.resize(ANSI, DisplayPreferences(is_linear=True))
    harness.tick()
    harness.fresh()
    harness.type("lo")
    harness.say("Bob waves.")
    harness.tick()
    assert b"lo\r\nBob waves.\r\n> hello" == harness.fresh()


def test_a_person_who_chose_a_charset_is_heard_and_answered_in_it(harness):
    harness.screen.resize(ANSI, DisplayPreferences(charset="latin-1"))
    harness.tick()
    harness.type(b"caf\xe9")
    assert harness.fresh().endswith(b"caf\xe9")
    harness.type("\r")
    assert ["café"] == harness.lines


def test_wide_characters_count_two_cells(harness):
    harness.type("漢字かな\x02\x02")
    assert 2 + 4 == harness.emulator.cursor[1]
    harness.type("\x7f")
    assert "> 漢かな" == harness.row.replace(" ", "").replace(">", "> ")


def test_a_letter_and_its_mark_are_one(harness):
    harness.type("ae")
    harness.type("\u0301")
    harness.type("b\x02\x02")
    assert 3 == harness.emulator.cursor[1]
    harness.type("\x04\r")
    assert ["ab"] == harness.lines


# -- a pause -------------------------------------------------------------------------------------


def paused(terminal=ANSI):
    harness = Harness(terminal)
    harness.say("row 1")
    harness.screen.set_prompt("-- more -- ", is_pause=True)
    harness.tick()
    return harness


@pytest.mark.parametrize("key", ["\r", " "])
def test_a_pause_that_is_answered_with_nothing_leaves_no_row(key):
    harness = paused()
    harness.type(key)
    harness.say("row 2")
    harness.screen.set_prompt("> ")
    harness.tick()
    assert [""] == harness.lines
    assert ["row 1", "row 2", ">"] == harness.emulator.text


def test_a_line_typed_in_a_pause_is_a_line_like_any_other():
    harness = paused()
    harness.type("say hi")
    assert "-- more -- say hi" == harness.row
    harness.type("\r")
    assert ["say hi"] == harness.lines
    assert "-- more -- say hi" in harness.emulator.text


def test_control_c_leaves_a_pause():
    harness = paused()
    harness.type("ab\x03")
    assert ["q"] == harness.lines


def test_a_pause_of_a_terminal_that_cannot_erase_stays_where_it_stood():
    harness = paused(DUMB)
    harness.type("\r")
    harness.say("row 2")
    harness.tick()
    assert [""] == harness.lines
    assert ["row 1", "-- more --", "row 2"] == harness.emulator.text[1:4]


def test_a_pause_holds_a_secret_back_from_nobody(harness):
    harness.screen.set_prompt("-- more -- ", is_pause=True)
    harness.screen.set_prompt("Password: ", is_secret=True)
    harness.type(" x\r")
    assert [" x"] == harness.lines
