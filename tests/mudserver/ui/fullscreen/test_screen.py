from __future__ import annotations

import random
from itertools import pairwise

import pytest

from mudserver.ui.terminal_profile import DisplayPreferences
from tests.mudserver.ui.fullscreen.harness import ODD_SIZES, SIZES, Harness, terminal
from tests.slow_cases import slow_cases
from variants.kit.text import styled_line

# -- the picture -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES + ODD_SIZES)
def test_the_input_line_and_the_bar_are_intact_at_every_size(size):
    harness = Harness(*size)
    harness.screen.set_prompt("table 3, your turn> ")
    harness.table(*(f"row {n} " + "of a table " * 9 for n in range(40)))
    harness.say(*(f"Event {n}. " + "Words and 漢字 and more. " * 9 for n in range(40)))
    harness.screen.show_status(asks=("You are to play",), is_mine=True, deadline_ms=99_000)
    harness.type("give 7")
    assert harness.row.endswith("> give 7")
    assert (size[1] - 1, len(harness.row)) == harness.emulator.cursor
    assert "You are to pl" in harness.bar
    assert not harness.faults


@pytest.mark.parametrize("charset", ["ascii", "latin-1", "cp437"])
def test_every_charset_is_written_with_its_own_characters(charset):
    harness = Harness(120, 24, charset=charset)
    harness.table("♥ Ace of hearts…")
    harness.say("“Grüße” — 漢字")
    harness.screen.show_status(where="Table 1", who="Zoë")
    harness.beat()
    harness.type("grüße".encode(charset, "replace") if charset != "ascii" else "gr")
    bytes(harness.out).decode(charset)
    assert "\ufffd" not in harness.emulator.text
    if charset == "ascii":
        assert bytes(harness.out).isascii()
        assert "--[ Log ]---" in harness.emulator.text


def test_talk_has_a_pane_of_its_own_where_there_is_room_and_is_in_the_log_where_not():
    for size, is_apart in (((200, 50), True), ((80, 24), False)):
        harness = Harness(*size)
        harness.say("Ann draws.")
        harness.say("Bob: hello", is_chat=True)
        assert is_apart == ("Chat" in harness.emulator.text)
        assert 1 == harness.emulator.text.count("Bob: hello")
        assert is_apart == any("Ann draws." in row and "Bob" in row for row in harness.rows)


def test_a_table_comes_and_goes():
    harness = Harness()
    assert "Table" not in harness.emulator.text
    harness.table("The deck has 9 cards.")
    assert ["── Table ───", "The deck has 9 cards."] == [harness.rows[0][:12], harness.rows[1]]
    harness.screen.show_table(None)
    harness.beat()
    assert "deck" not in harness.emulator.text


def test_a_table_too_long_says_which_rows_are_shown_and_scrolls():
    harness = Harness(80, 24)
    harness.table(*(f"row {n}" for n in range(1, 41)))
    assert "rows 1-15 of 40" in harness.rows[0]
    harness.type("\x0f\x1b[6~")
    assert "[ Table ]" in harness.rows[0]
    assert "rows 15-29 of 40" in harness.rows[0]
    harness.type("\x1b[1;5A")
    assert "rows 14-28 of 40" in harness.rows[0]


def test_who_is_asked_sees_the_end_of_a_table_too_long():
    harness = Harness(40, 12)
    harness.table(*(f"row {n}" for n in range(1, 41)), shows_own_seat=True)
    assert "row 40" in harness.emulator.text


def test_one_pane_can_have_all_the_room():
    harness = Harness(40, 12)
    harness.table(*(f"row {n}" for n in range(1, 10)))
    harness.say("An event.")
    harness.type("\x0f\x14")
    assert all(f"row {n}" in harness.emulator.text for n in range(1, 10))
    assert "An event." not in harness.emulator.text
    harness.type("\x1bOQ")
    assert "An event." in harness.emulator.text


def test_where_a_title_has_no_room_for_the_keys_it_says_which_rows_are_shown():
    harness = Harness(40, 12)
    harness.table(*(f"row {n}" for n in range(1, 15)))
    harness.type("\x0f\x14")  # Ctrl-O, Ctrl-T: the table alone
    assert harness.rows[0].endswith(" rows 1-9 of 14 ──")
    harness.type("\x1b[6~")
    assert harness.rows[0].endswith(" rows 6-14 of 14 ──")


@pytest.mark.parametrize("rows", [5, 8])
def test_where_there_is_one_pane_a_key_shows_the_other(rows):
    harness = Harness(40, rows)
    harness.table("The deck.")
    harness.say("An event.")
    assert ("An event." in harness.emulator.text, "The deck." in harness.emulator.text) == (
        True,
        False,
    )
    harness.type("\x14")
    assert ("An event." in harness.emulator.text, "The deck." in harness.emulator.text) == (
        False,
        True,
    )
    harness.type("\x0f")
    assert "An event." in harness.emulator.text


# -- the terminal ----------------------------------------------------------------------------------


def test_the_terminal_is_left_as_it_was_found_with_the_last_word_on_it(harness):
    assert (
        harness.emulator.is_full and harness.emulator.has_paste_mode and not harness.emulator.wraps
    )
    harness.screen.show([styled_line("Goodbye.")])
    harness.screen.close()
    assert harness.emulator.is_as_found
    assert "Goodbye." == harness.rows[0]
    harness.fresh()
    harness.screen.show([styled_line("more")])
    harness.screen.ring_bell()
    harness.screen.resize(terminal(40, 12))
    harness.screen.close()
    harness.type("more\r")
    harness.beat()
    assert (b"", [], []) == (harness.fresh(), harness.lines, harness.clock.timers)


def test_a_screen_closed_before_it_was_drawn_leaves_no_trace():
    harness = Harness(is_drawn=False)
    harness.screen.close()
    harness.clock.wait(1)
    assert b"" == harness.fresh()


@pytest.mark.parametrize("what", ["feed", "flush", "second", "escape"])
def test_a_fault_of_the_library_is_told_once_and_leaves_the_terminal_as_it_was(what, monkeypatch):
    harness = Harness()
    harness.type("half")
    monkeypatch.setattr(
        type(harness.screen._root),
        "write_to_screen",
        lambda *args, **how: {}["the queen of hearts"],
    )
    if what == "feed":
        harness.type("x")
    elif what == "flush":
        harness.say("An event.")
    elif what == "escape":
        harness.screen.feed(b"\x1b")
        harness.clock.wait(0.5)
    else:
        harness.screen.show_status(deadline_ms=harness.clock.now_ms() + 5_000)
        harness.clock.wait(2)
    assert [KeyError] == [type(bug) for bug in harness.faults]
    assert harness.emulator.is_as_found


def test_a_bell_rings_with_the_next_drawing_unless_it_is_off(harness):
    harness.fresh()
    harness.screen.ring_bell()
    harness.screen.ring_bell()
    harness.beat()
    assert 1 == harness.fresh().count(b"\a")
    quiet = Harness(settings=DisplayPreferences(has_bell=False))
    quiet.screen.ring_bell()
    quiet.beat()
    assert b"\a" not in quiet.out


def test_another_theme_is_drawn_at_once_without_leaving_the_screen(harness):
    harness.say("An event.")
    harness.fresh()
    harness.resize(80, 24, colours="off")
    assert b"An event." in harness.out
    assert b"\x1b[?1049h" not in harness.out


# -- time ------------------------------------------------------------------------------------------


def test_a_drawing_is_one_write_and_there_are_ten_a_second_at_most():
    harness = Harness()
    harness.fresh()
    for n in range(200):
        harness.screen.show([styled_line(f"event {n}")])
        harness.screen.feed(b"x")
        harness.clock.wait(0.01)
    assert 15 <= len(harness.writes) <= 21
    gaps = [later - at for at, later in pairwise(harness.written_at)]
    assert min(gaps) > 0.099


def test_a_key_after_a_pause_is_answered_at_once(harness):
    harness.clock.wait(1)
    harness.fresh()
    harness.screen.feed(b"x")
    assert b"x" in harness.fresh()


def test_the_clock_runs_down_by_itself_and_only_the_bar_is_written():
    harness = Harness()
    harness.screen.show_status(
        deadline_ms=harness.clock.now_ms() + 61_000, asks=("Bob is to play",)
    )
    harness.beat()
    assert "1:01  Bob is to play" in harness.bar
    harness.fresh()
    for left in ("1:00", "0:59", "0:58"):
        harness.clock.wait(1)
        assert left in harness.bar
    assert len(harness.writes) == 3
    assert len(harness.out) < 300
    harness.clock.wait(120)
    assert "0:00" in harness.bar
    assert not harness.clock.timers


def test_nothing_runs_while_nothing_happens(harness):
    harness.say("An event.")
    harness.clock.wait(1)
    assert not harness.clock.timers


def test_who_does_not_read_is_not_drawn_for_and_then_sees_how_it_is():
    harness = Harness()
    harness.lag_bytes = 100_000
    harness.fresh()
    for n in range(500):
        harness.say(f"event {n}")
        harness.screen.feed(b"x")
    assert b"" == harness.fresh()
    harness.lag_bytes = 0
    harness.beat()
    assert "event 499" in harness.emulator.text
    assert harness.row.endswith("xxx")


def test_a_resize_is_one_whole_drawing_in_one_write():
    harness = Harness(80, 24)
    harness.table("The deck.")
    harness.fresh()
    harness.resize(60, 20)
    assert 1 == len(harness.writes)
    assert b"\x1b[?1049" not in harness.out
    assert "The deck." == harness.rows[1]


def test_a_storm_of_resizes_is_drawn_as_often_as_anything_else_and_ends_right():
    harness = Harness()
    harness.table(*(f"row {n}" for n in range(30)))
    harness.fresh()
    for n in range(1_000):
        cols, rows = 20 + n * 37 % 281, 5 + n * 13 % 96
        harness.screen.resize(terminal(cols, rows), harness.settings)
        harness.clock.wait(0.001)
    assert len(harness.writes) <= 11
    harness.resize(80, 24)
    harness.type("look")
    assert ("> look", "row 3") == (harness.row, harness.rows[4])
    assert not harness.faults


def test_thousands_of_keys_of_every_kind_are_no_fault():
    harness = Harness(60, 16)
    harness.words = ("give 7 bob", "give 8 bob", "going", "go")
    harness.table(*(f"row {n}" for n in range(30)))
    rng = random.Random(3)
    keys = [b"g", b"\t", b"\x1b[A", b"\x1b[B", b"\x1b[5~", b"\x1b[6~", b"\x0f", b"\x14", b"\x1b[Z",
            b"\x0c", b"\x03", b"\r", b"\x1b[1;5A", "漢".encode(), b"\x7f", b"\x1bOP"]  # fmt: skip
    for n in range(3_000):
        harness.screen.feed(keys[rng.randrange(16)])
        if n % 100 == 0:
            harness.resize(20 + rng.randrange(200), 5 + rng.randrange(60))
        if n % 700 == 0:
            harness.screen.show_table(None if n % 1400 else lambda cols: [styled_line("The deck.")])
    harness.resize(80, 24)
    harness.type("\x03\x03look")
    assert "> look" == harness.row
    assert not harness.faults


def test_the_log_tells_what_is_not_seen_of_a_table_without_a_title():
    harness = Harness(40, 12)
    harness.table(*(f"row {n}" for n in range(1, 41)))
    assert "──[ Log ]─────── table rows 1-6 of 40 ──" == harness.rows[6]


def test_a_screen_that_is_closed_by_a_line_hears_no_more():
    harness = Harness()
    harness.screen._controller._on_line = lambda text: (
        harness.lines.append(text),
        harness.screen.close(),
    )
    harness.screen.feed(b"quit\rwho\r\x04")
    assert (["quit"], 0) == (harness.lines, harness.ends)
    assert harness.emulator.is_as_found


def _texts(rng, words=("", "ab", "漢字", "e\u0301x", "a longer row of text " * 6, "漢" * 70, "│")):
    return [rng.choice(words) + rng.choice(words) for _ in range(rng.randrange(1, 24))]


@pytest.mark.parametrize(
    ("cols", "rows"),
    slow_cases([(110, 36), (120, 30), (200, 50), (80, 24), (40, 12)], ["(200, 50)"]),
)
def test_what_is_drawn_bit_by_bit_is_what_is_drawn_at_once(cols, rows):
    rng, harness = random.Random(5), Harness(cols, rows)
    harness.words = ("carrot", "carve", "cat")
    for _ in range(60):
        match rng.randrange(6):
            case 0:
                harness.say(*_texts(rng)[:5])
            case 1:
                harness.say(*_texts(rng)[:3], is_chat=True)
            case 2:
                harness.table(*_texts(rng))
            case 3:
                harness.type(rng.choice(("ca\t", "\x15", "\x1b", "x", "\x1b[5~", "\x1b[6~")))
            case 4:
                harness.screen.show_status(
                    asks=(rng.choice(_texts(rng)),), is_mine=rng.random() < 0.5
                )
            case 5:
                harness.screen.show_table(None)
        harness.clock.wait(0.2)
        bit_by_bit, cursor = harness.emulator.rows, harness.emulator.cursor
        harness.resize(cols, rows)
        assert harness.emulator.rows == bit_by_bit and harness.emulator.cursor == cursor
    assert harness.faults == []
