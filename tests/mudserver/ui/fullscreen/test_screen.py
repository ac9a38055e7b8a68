from __future__ import annotations

import random
from itertools import pairwise

import pytest

from mudserver.ui.terminal_profile import DisplayPreferences
from tests.mudserver.ui.fullscreen.desk import ODD_SIZES, SIZES, Desk, terminal
from variants.kit.text import styled_line

# -- the picture -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES + ODD_SIZES)
def test_the_input_line_and_the_bar_are_intact_at_every_size(size):
    desk = Desk(*size)
    desk.screen.set_prompt("table 3, your turn> ")
    desk.table(*(f"row {n} " + "of a table " * 9 for n in range(40)))
    desk.say(*(f"Event {n}. " + "Words and 漢字 and more. " * 9 for n in range(40)))
    desk.screen.show_status(asks=("You are to play",), is_mine=True, deadline_ms=99_000)
    desk.type("give 7")
    assert desk.row.endswith("> give 7")
    assert (size[1] - 1, len(desk.row)) == desk.glass.cursor
    assert "You are to pl" in desk.bar
    assert not desk.faults


@pytest.mark.parametrize("charset", ["ascii", "latin-1", "cp437"])
def test_every_charset_is_written_with_its_own_characters(charset):
    desk = Desk(120, 24, charset=charset)
    desk.table("♥ Ace of hearts…")
    desk.say("“Grüße” — 漢字")
    desk.screen.show_status(where="Table 1", who="Zoë")
    desk.beat()
    desk.type("grüße".encode(charset, "replace") if charset != "ascii" else "gr")
    bytes(desk.out).decode(charset)
    assert "\ufffd" not in desk.glass.text
    if charset == "ascii":
        assert bytes(desk.out).isascii()
        assert "--[ Log ]---" in desk.glass.text


def test_talk_has_a_pane_of_its_own_where_there_is_room_and_is_in_the_log_where_not():
    for size, is_apart in (((200, 50), True), ((80, 24), False)):
        desk = Desk(*size)
        desk.say("Ann draws.")
        desk.say("Bob: hello", is_chat=True)
        assert is_apart == ("Chat" in desk.glass.text)
        assert 1 == desk.glass.text.count("Bob: hello")
        assert is_apart == any("Ann draws." in row and "Bob" in row for row in desk.rows)


def test_a_table_comes_and_goes():
    desk = Desk()
    assert "Table" not in desk.glass.text
    desk.table("The deck has 9 cards.")
    assert ["── Table ───", "The deck has 9 cards."] == [desk.rows[0][:12], desk.rows[1]]
    desk.screen.show_table(None)
    desk.beat()
    assert "deck" not in desk.glass.text


def test_a_table_too_long_says_which_rows_are_shown_and_scrolls():
    desk = Desk(80, 24)
    desk.table(*(f"row {n}" for n in range(1, 41)))
    assert "rows 1-15 of 40" in desk.rows[0]
    desk.type("\x0f\x1b[6~")
    assert "[ Table ]" in desk.rows[0]
    assert "rows 15-29 of 40" in desk.rows[0]
    desk.type("\x1b[1;5A")
    assert "rows 14-28 of 40" in desk.rows[0]


def test_who_is_asked_sees_the_end_of_a_table_too_long():
    desk = Desk(40, 12)
    desk.table(*(f"row {n}" for n in range(1, 41)), shows_own_seat=True)
    assert "row 40" in desk.glass.text


def test_one_pane_can_have_all_the_room():
    desk = Desk(40, 12)
    desk.table(*(f"row {n}" for n in range(1, 10)))
    desk.say("An event.")
    desk.type("\x0f\x14")
    assert all(f"row {n}" in desk.glass.text for n in range(1, 10))
    assert "An event." not in desk.glass.text
    desk.type("\x1bOQ")
    assert "An event." in desk.glass.text


def test_where_a_title_has_no_room_for_the_keys_it_says_which_rows_are_shown():
    desk = Desk(40, 12)
    desk.table(*(f"row {n}" for n in range(1, 15)))
    desk.type("\x0f\x14")  # Ctrl-O, Ctrl-T: the table alone
    assert desk.rows[0].endswith(" rows 1-9 of 14 ──")
    desk.type("\x1b[6~")
    assert desk.rows[0].endswith(" rows 6-14 of 14 ──")


@pytest.mark.parametrize("rows", [5, 8])
def test_where_there_is_one_pane_a_key_shows_the_other(rows):
    desk = Desk(40, rows)
    desk.table("The deck.")
    desk.say("An event.")
    assert ("An event." in desk.glass.text, "The deck." in desk.glass.text) == (True, False)
    desk.type("\x14")
    assert ("An event." in desk.glass.text, "The deck." in desk.glass.text) == (False, True)
    desk.type("\x0f")
    assert "An event." in desk.glass.text


# -- the terminal ----------------------------------------------------------------------------------


def test_the_terminal_is_left_as_it_was_found_with_the_last_word_on_it(desk):
    assert desk.glass.is_full and desk.glass.has_paste_mode and not desk.glass.wraps
    desk.screen.show([styled_line("Goodbye.")])
    desk.screen.close()
    assert desk.glass.is_as_found
    assert "Goodbye." == desk.rows[0]
    desk.fresh()
    desk.screen.show([styled_line("more")])
    desk.screen.ring_bell()
    desk.screen.resize(terminal(40, 12))
    desk.screen.close()
    desk.type("more\r")
    desk.beat()
    assert (b"", [], []) == (desk.fresh(), desk.lines, desk.clock.timers)


def test_a_screen_closed_before_it_was_drawn_leaves_no_trace():
    desk = Desk(is_drawn=False)
    desk.screen.close()
    desk.clock.wait(1)
    assert b"" == desk.fresh()


@pytest.mark.parametrize("what", ["feed", "flush", "second", "escape"])
def test_a_fault_of_the_library_is_told_once_and_leaves_the_terminal_as_it_was(what, monkeypatch):
    desk = Desk()
    desk.type("half")
    monkeypatch.setattr(
        type(desk.screen._root), "write_to_screen", lambda *args, **how: {}["the queen of hearts"]
    )
    if what == "feed":
        desk.type("x")
    elif what == "flush":
        desk.say("An event.")
    elif what == "escape":
        desk.screen.feed(b"\x1b")
        desk.clock.wait(0.5)
    else:
        desk.screen.show_status(deadline_ms=desk.clock.now_ms() + 5_000)
        desk.clock.wait(2)
    assert [KeyError] == [type(bug) for bug in desk.faults]
    assert desk.glass.is_as_found


def test_a_bell_rings_with_the_next_drawing_unless_it_is_off(desk):
    desk.fresh()
    desk.screen.ring_bell()
    desk.screen.ring_bell()
    desk.beat()
    assert 1 == desk.fresh().count(b"\a")
    quiet = Desk(settings=DisplayPreferences(has_bell=False))
    quiet.screen.ring_bell()
    quiet.beat()
    assert b"\a" not in quiet.out


def test_another_theme_is_drawn_at_once_without_leaving_the_screen(desk):
    desk.say("An event.")
    desk.fresh()
    desk.resize(80, 24, colours="off")
    assert b"An event." in desk.out
    assert b"\x1b[?1049h" not in desk.out


# -- time ------------------------------------------------------------------------------------------


def test_a_drawing_is_one_write_and_there_are_ten_a_second_at_most():
    desk = Desk()
    desk.fresh()
    for n in range(200):
        desk.screen.show([styled_line(f"event {n}")])
        desk.screen.feed(b"x")
        desk.clock.wait(0.01)
    assert 15 <= len(desk.writes) <= 21
    gaps = [later - at for at, later in pairwise(desk.written_at)]
    assert min(gaps) > 0.099


def test_a_key_after_a_pause_is_answered_at_once(desk):
    desk.clock.wait(1)
    desk.fresh()
    desk.screen.feed(b"x")
    assert b"x" in desk.fresh()


def test_the_clock_runs_down_by_itself_and_only_the_bar_is_written():
    desk = Desk()
    desk.screen.show_status(deadline_ms=desk.clock.now_ms() + 61_000, asks=("Bob is to play",))
    desk.beat()
    assert "1:01  Bob is to play" in desk.bar
    desk.fresh()
    for left in ("1:00", "0:59", "0:58"):
        desk.clock.wait(1)
        assert left in desk.bar
    assert len(desk.writes) == 3
    assert len(desk.out) < 300
    desk.clock.wait(120)
    assert "0:00" in desk.bar
    assert not desk.clock.timers


def test_nothing_runs_while_nothing_happens(desk):
    desk.say("An event.")
    desk.clock.wait(1)
    assert not desk.clock.timers


def test_who_does_not_read_is_not_drawn_for_and_then_sees_how_it_is():
    desk = Desk()
    desk.lag_bytes = 100_000
    desk.fresh()
    for n in range(500):
        desk.say(f"event {n}")
        desk.screen.feed(b"x")
    assert b"" == desk.fresh()
    desk.lag_bytes = 0
    desk.beat()
    assert "event 499" in desk.glass.text
    assert desk.row.endswith("xxx")


def test_a_resize_is_one_whole_drawing_in_one_write():
    desk = Desk(80, 24)
    desk.table("The deck.")
    desk.fresh()
    desk.resize(60, 20)
    assert 1 == len(desk.writes)
    assert b"\x1b[?1049" not in desk.out
    assert "The deck." == desk.rows[1]


def test_a_storm_of_resizes_is_drawn_as_often_as_anything_else_and_ends_right():
    desk = Desk()
    desk.table(*(f"row {n}" for n in range(30)))
    desk.fresh()
    for n in range(1_000):
        cols, rows = 20 + n * 37 % 281, 5 + n * 13 % 96
        desk.screen.resize(terminal(cols, rows), desk.settings)
        desk.clock.wait(0.001)
    assert len(desk.writes) <= 11
    desk.resize(80, 24)
    desk.type("look")
    assert ("> look", "row 3") == (desk.row, desk.rows[4])
    assert not desk.faults


def test_ten_thousand_keys_of_every_kind_are_no_fault():
    desk = Desk(60, 16)
    desk.words = ("give 7 bob", "give 8 bob", "going", "go")
    desk.table(*(f"row {n}" for n in range(30)))
    rng = random.Random(3)
    keys = [b"g", b"\t", b"\x1b[A", b"\x1b[B", b"\x1b[5~", b"\x1b[6~", b"\x0f", b"\x14", b"\x1b[Z",
            b"\x0c", b"\x03", b"\r", b"\x1b[1;5A", "漢".encode(), b"\x7f", b"\x1bOP"]  # fmt: skip
    for n in range(10_000):
        desk.screen.feed(keys[rng.randrange(16)])
        if n % 100 == 0:
            desk.resize(20 + rng.randrange(200), 5 + rng.randrange(60))
        if n % 700 == 0:
            desk.screen.show_table(None if n % 1400 else lambda cols: [styled_line("The deck.")])
    desk.resize(80, 24)
    desk.type("\x03\x03look")
    assert "> look" == desk.row
    assert not desk.faults


def test_the_log_tells_what_is_not_seen_of_a_table_without_a_title():
    desk = Desk(40, 12)
    desk.table(*(f"row {n}" for n in range(1, 41)))
    assert "──[ Log ]─────── table rows 1-6 of 40 ──" == desk.rows[6]


def test_a_screen_that_is_closed_by_a_line_hears_no_more():
    desk = Desk()
    desk.screen._controller._on_line = lambda text: (desk.lines.append(text), desk.screen.close())
    desk.screen.feed(b"quit\rwho\r\x04")
    assert (["quit"], 0) == (desk.lines, desk.ends)
    assert desk.glass.is_as_found
