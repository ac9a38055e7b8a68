from __future__ import annotations

from dataclasses import replace

import pytest

from mudserver.config.schema import Config, DoorLimits
from mudserver.ui import ansi
from mudserver.ui.terminal_profile import DisplayPreferences
from tests.mudserver.ui.conftest import ANSI, DUMB, Desk


def test_what_is_typed_is_echoed_at_once_and_costs_one_byte(desk):
    desk.fresh()
    desk.type("d")
    assert b"d" == desk.fresh()
    assert "> d" == desk.row


def test_a_line_that_arrives_in_mid_typing_goes_above_what_is_typed(desk):
    desk.type("disc")
    desk.say("Bob sits down.")
    assert "> disc" == desk.row
    desk.tick()
    assert ["Bob sits down.", "> disc"] == desk.emulator.text
    assert 6 == desk.emulator.cursor[1]


def test_the_cursor_comes_back_into_the_middle_of_the_line(desk):
    desk.type("discard\x02\x02\x02")
    desk.say("Bob sits down.")
    desk.tick()
    desk.type("X")
    assert "> discXard" == desk.row
    assert 7 == desk.emulator.cursor[1]


def test_all_that_comes_in_one_tick_is_one_write(desk):
    writes = desk.emulator.writes
    for n in range(10):
        desk.say(f"line {n}")
    desk.tick()
    assert writes + 1 == desk.emulator.writes
    assert [*(f"line {n}" for n in range(10)), ">"] == desk.emulator.text


def test_enter_gives_the_line_and_leaves_it_on_the_screen(desk):
    desk.type("look\r")
    desk.say("A table.")
    desk.tick()
    assert ["look"] == desk.lines
    assert ["> look", "A table.", ">"] == desk.emulator.text


def test_typing_ahead_of_an_answer_is_kept(desk):
    desk.type("look\rwh")
    desk.say("A table.")
    desk.tick()
    desk.type("o")
    assert ["> look", "A table.", "> who"] == desk.emulator.text


def test_control_c_clears_the_line_and_ends_nothing(desk):
    desk.type("discard\x03who\r")
    assert (["who"], 0) == (desk.lines, desk.ends)


def test_control_d_deletes_on_a_line_and_ends_on_an_empty_one(desk):
    desk.type("ab\x01\x04")
    assert ("> b", 0) == (desk.row, desk.ends)
    desk.type("\x04\x04")
    assert 1 == desk.ends


def test_control_l_clears_the_screen_and_shows_the_line_again(desk):
    desk.say("old")
    desk.tick()
    desk.type("half")
    desk.say("new")
    desk.type("\x0c")
    desk.tick()
    assert ["new", "> half"] == desk.emulator.text


def test_history_brings_lines_back_and_keeps_the_draft(desk):
    desk.type("look\rwho\rdra")
    desk.type("\x1b[A\x1b[A\x1b[A")
    assert "> look" == desk.row
    desk.type("\x1b[B\x1b[B\x1b[B")
    assert "> dra" == desk.row


def test_a_secret_is_not_shown_kept_completed_or_killed_into_the_line(desk):
    desk.words = ("hunter2",)
    desk.type("half")
    desk.screen.set_prompt("Password: ", is_secret=True)
    desk.tick()
    desk.fresh()
    desk.type("hunt\t\t\r\x10\x15hun  ter\u200d2\r")
    assert ["hunt", "hun  ter\u200d2"] == desk.lines
    desk.screen.set_prompt("Again: ", is_secret=True)
    desk.type("\x10\r")
    assert "" == desk.lines[-1]
    assert b"\r\n\r\x1b[KPassword: \r\n\r\x1b[KAgain: \r\n" == desk.fresh()
    desk.screen.set_prompt("> ")
    desk.tick()
    assert "> half" == desk.row
    desk.type("\x15\x19\x1b[A")
    assert "> half" == desk.row


def test_a_changed_prompt_keeps_what_is_typed(desk):
    desk.type("dra")
    desk.screen.set_prompt("12> ")
    desk.type("w")
    assert "12> draw" == desk.row
    desk.screen.set_prompt("13> ")
    desk.tick()
    assert "13> draw" == desk.row


@pytest.mark.parametrize("enter", ["\r", "\n"])
def test_a_key_before_the_tick_brings_the_prompt_with_it(desk, enter):
    desk.type("look" + enter)
    desk.type("w")
    assert "> w" == desk.row


def test_tab_completes_one_and_lists_several(desk):
    desk.words = ("discard", "disconnect", "draw")
    desk.type("dr\t")
    assert "> draw" == desk.row
    assert 7 == desk.emulator.cursor[1]
    desk.type("\x15DI\t")
    assert "> disc" == desk.row
    desk.type("\t")
    desk.tick()
    assert ["discard     disconnect", "> disc"] == desk.emulator.text


def test_a_tab_key_held_down_lists_once_a_tick(desk):
    desk.words = ("discard", "disconnect")
    desk.type("disc\t" + "\t" * 50)
    desk.tick()
    assert ["discard     disconnect", "> disc"] == desk.emulator.text


def test_the_lines_of_a_paste_are_typed_one_by_one(desk):
    desk.type("\x1b[200~look\r\nwho\ntabl\t\x1b[201~es\r")
    assert ["look", "who", "tabl es"] == desk.lines


def test_a_paste_of_300_kilobytes_is_cut_and_told():
    desk = Desk()
    data = b"\x1b[200~" + b"all work and no play\n" * 15_000 + b"\x1b[201~\x03who\r"
    for at in range(0, len(data), 4096):
        desk.screen.feed(data[at : at + 4096])
    desk.tick()
    assert 195 == len(desk.lines) - 1
    assert "who" == desk.lines[-1]
    assert any("paste was cut" in row for row in desk.emulator.text)
    assert len(desk.out) < 20_000


def test_a_paste_without_brackets_is_only_lines(desk):
    data = b"all work and no play\n" * 1_000
    for at in range(0, len(data), 4096):
        desk.screen.feed(data[at : at + 4096])
    assert ["all work and no play"] * 1_000 == desk.lines


def test_paste_mode_is_on_while_the_screen_is_open_and_off_after(desk):
    assert desk.emulator.has_paste_mode
    desk.type("half a line")
    desk.say("Goodbye.")
    desk.screen.close()
    assert not desk.emulator.has_paste_mode
    assert ["Goodbye."] == desk.emulator.text
    desk.fresh()
    desk.type("more\r")
    desk.say("more")
    desk.screen.ring_bell()
    desk.screen.close()
    desk.tick()
    assert (b"", [], []) == (desk.fresh(), desk.lines, desk.screen._out.chunks)


def test_a_screen_that_is_closed_by_a_line_hears_no_more():
    desk = Desk()
    desk.screen._on_line = lambda text: desk.screen.close()
    desk.type("quit\rwho\r")
    written = desk.fresh()
    desk.type("x")
    assert written.endswith(ansi.BRACKETED_PASTE_OFF)
    assert b"" == desk.fresh()


def test_a_reader_who_lags_loses_chat_and_is_told_how_much():
    desk = Desk(config=Config(door=DoorLimits(output_lag_bytes=1_000)))
    desk.lag_bytes = 1_001
    for n in range(3):
        desk.say(f"chat {n}", droppable=True)
    desk.say("It is your turn.")
    desk.tick()
    assert ["It is your turn.", ">"] == desk.emulator.text
    desk.lag_bytes = 0
    desk.say("chat 4", droppable=True)
    desk.tick()
    assert ["It is your turn.", "... 3 lines dropped", "chat 4", ">"] == desk.emulator.text


def test_what_waits_for_a_tick_is_bounded():
    desk = Desk(config=Config(door=DoorLimits(output_lag_bytes=1_000)))
    writes = desk.emulator.writes
    for _ in range(100):
        desk.say("x" * 70)
    assert writes + 6 <= desk.emulator.writes


def test_a_bell_rings_unless_the_person_wants_none():
    loud, quiet = Desk(), Desk(settings=DisplayPreferences(has_bell=False))
    for desk in (loud, quiet):
        desk.fresh()
        desk.screen.ring_bell()
        desk.tick()
    assert ansi.BELL in loud.fresh()
    assert b"" == quiet.fresh()


def test_a_terminal_that_turns_out_to_be_ansi_is_edited_in_place():
    desk = Desk(replace(ANSI, is_ansi=False))
    desk.type("ab")
    desk.screen.resize(ANSI)
    desk.tick()
    desk.type("\x02X")
    assert "> aXb" == desk.row
    assert desk.emulator.has_paste_mode


def test_for_a_screen_reader_nothing_that_was_shown_is_changed(desk):
    desk.type("hel")
    desk.screen.resize(ANSI, DisplayPreferences(is_linear=True))
    desk.tick()
    desk.fresh()
    desk.type("lo")
    desk.say("Bob waves.")
    desk.tick()
    assert b"lo\r\nBob waves.\r\n> hello" == desk.fresh()


def test_a_person_who_chose_a_charset_is_heard_and_answered_in_it(desk):
    desk.screen.resize(ANSI, DisplayPreferences(charset="latin-1"))
    desk.tick()
    desk.type(b"caf\xe9")
    assert desk.fresh().endswith(b"caf\xe9")
    desk.type("\r")
    assert ["café"] == desk.lines


def test_wide_characters_count_two_cells(desk):
    desk.type("漢字かな\x02\x02")
    assert 2 + 4 == desk.emulator.cursor[1]
    desk.type("\x7f")
    assert "> 漢かな" == desk.row.replace(" ", "").replace(">", "> ")


def test_a_letter_and_its_mark_are_one(desk):
    desk.type("ae")
    desk.type("\u0301")
    desk.type("b\x02\x02")
    assert 3 == desk.emulator.cursor[1]
    desk.type("\x04\r")
    assert ["ab"] == desk.lines


# -- a pause -------------------------------------------------------------------------------------


def paused(terminal=ANSI):
    desk = Desk(terminal)
    desk.say("row 1")
    desk.screen.set_prompt("-- more -- ", is_pause=True)
    desk.tick()
    return desk


@pytest.mark.parametrize("key", ["\r", " "])
def test_a_pause_that_is_answered_with_nothing_leaves_no_row(key):
    desk = paused()
    desk.type(key)
    desk.say("row 2")
    desk.screen.set_prompt("> ")
    desk.tick()
    assert [""] == desk.lines
    assert ["row 1", "row 2", ">"] == desk.emulator.text


def test_a_line_typed_in_a_pause_is_a_line_like_any_other():
    desk = paused()
    desk.type("say hi")
    assert "-- more -- say hi" == desk.row
    desk.type("\r")
    assert ["say hi"] == desk.lines
    assert "-- more -- say hi" in desk.emulator.text


def test_control_c_leaves_a_pause():
    desk = paused()
    desk.type("ab\x03")
    assert ["q"] == desk.lines


def test_a_pause_of_a_terminal_that_cannot_erase_stays_where_it_stood():
    desk = paused(DUMB)
    desk.type("\r")
    desk.say("row 2")
    desk.tick()
    assert [""] == desk.lines
    assert ["row 1", "-- more --", "row 2"] == desk.emulator.text[1:4]


def test_a_pause_holds_a_secret_back_from_nobody(desk):
    desk.screen.set_prompt("-- more -- ", is_pause=True)
    desk.screen.set_prompt("Password: ", is_secret=True)
    desk.type(" x\r")
    assert [" x"] == desk.lines
