"""Typing survives, whatever happens: searched for counterexamples on a terminal's screen."""

from __future__ import annotations

import re
from dataclasses import replace
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mudserver.config.schema import Config, SessionLimits
from mudserver.ui.width import cell_width
from tests.mudserver.ui.conftest import ANSI, Harness
from variants.kit.text import styled_line

# -- typing survives, whatever happens ---------------------------------------------------------

CONTROLS = st.sampled_from("ABEFKUWYHDPN").map(lambda letter: chr(ord(letter) - 64))
SEQUENCES = st.sampled_from(["[D", "[C", "[3~", "[A", "[B", "b", "f", "d", "[1;5D"]).map(
    "\x1b{}".format
)
KEYS = CONTROLS | SEQUENCES
# pyte would put a mark behind a wide character, so none is typed there.
TYPED = st.lists(
    st.sampled_from(["a", "bc", " ", "d", "漢", "字", "é", "e\u0301", "\u202e", "ñ"]), max_size=12
).map("".join)
ARRIVES = st.text("xyz 漢é\u0301\x1b\x07\u202e\x9b", min_size=1, max_size=60)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("type"), KEYS | TYPED | TYPED),
        st.tuples(st.just("show"), ARRIVES),
        st.tuples(st.just("tick"), st.none()),
        st.tuples(st.just("ask"), st.sampled_from(["> ", "12> ", "a rather long prompt here> "])),
        st.tuples(st.just("resize"), st.tuples(st.integers(20, 90), st.integers(5, 30))),
        st.tuples(st.just("type"), st.just("\r")),
    ),
    min_size=12,
    max_size=60,
)


def expected_row(harness: Harness) -> tuple[str, str]:
    """The row before and after the cursor, from the document alone."""
    state, cols = harness.screen.input_state, harness.screen.profile.cols
    editor, prompt = state.editor, state.prompt
    while len(prompt) > cols - 9:
        prompt = prompt[1:]
    before, after = editor.visible_window(editor.text, cols - 1 - len(prompt))
    assert editor.text[: editor.cursor].endswith(before)
    assert editor.text[editor.cursor :].startswith(after)
    return prompt + before, after


def on_screen(row: str) -> str:
    """pyte composes letters and marks."""
    return normalize("NFC", row).rstrip()


@settings(max_examples=150, deadline=None)
@given(STEPS, st.sampled_from([(80, 24), (40, 12)]))
def test_typing_survives_everything_at_every_moment(steps, size):
    cols, rows = size
    harness = Harness(replace(ANSI, cols=cols, rows=rows), rows=rows)
    for what, how in steps:
        if what == "type":
            harness.type(how)
        elif what == "show":
            harness.say(how)
        elif what == "ask":
            harness.screen.set_prompt(how)
        elif what == "resize":
            harness.emulator.resize(*how)
            harness.screen.resize(replace(ANSI, cols=how[0], rows=how[1]))
        elif what == "tick":
            harness.tick()
        # After Enter the prompt waits for the answers of this tick; typing on brings it at once.
        if what == "tick" or (what == "type" and harness.screen.input_state.editor.text):
            before, after = expected_row(harness)
            if not harness.screen._is_stale:
                assert on_screen(before + after) == on_screen(harness.emulator.row)
                assert cell_width(before) == harness.emulator.cursor[1]
                assert cell_width(before + after) < harness.screen.profile.cols


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=80), max_size=5), st.sampled_from(["off", "16", "true"]))
def test_no_control_character_of_anybodys_text_comes_out(texts, colours):
    harness = Harness(replace(ANSI, colours=colours))
    harness.type("half")
    harness.fresh()
    harness.screen.show([styled_line((text, "you")) for text in texts])
    harness.tick()
    shown = harness.fresh().decode()
    for ours in ("\x1b[K", "\x1b[0m", "\x1b[1;35m", "\x1b[1;38;2;165;90;170m", "\r", "\n"):
        shown = shown.replace(ours, "")
    assert shown.isprintable()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_no_control_character_that_is_typed_is_echoed(text):
    harness = Harness()
    harness.fresh()
    harness.type(b"\x1b[200~" + text.replace("\x1b", "").encode("utf-8", "replace"))
    # A Ctrl-C in the text ends the paste, and then there are keys: Ctrl-L for one.
    ours = r"\x1b\[(K|\d+D|H|2J)|\r\n|\r"
    shown = re.sub(ours, "", harness.fresh().decode())
    assert shown.isprintable()


@pytest.mark.parametrize(
    "data",
    [
        "é漢😀e\u0301 x\r".encode(),
        b"ab\x1b[D\x1b[Cc\x1b[1;5DX\x1b[3~\r\nlook\r\0who\n",
        b"\x1b[200~a\r\nb\x1b[201~c\r",
        b"\xff\xc3(\xed\xa0\x80\xf0\x9f\x98\r",
        b"a\x1b]52;c;QQ==\x07b\x1bOAc\x1b\x1bbd\x1bPx\x1b\\e\r",
        b"a" * 90 + b"\x01b\r",
        b"disc\t\x17who\x19\x19\r\x10\x10\x0e\r",
    ],
)
def test_where_the_bytes_are_cut_makes_no_difference(data):
    config = Config(session=SessionLimits(line_chars_max=80))
    whole = Harness(config=config)
    whole.screen.feed(data)
    whole.tick()
    cuts = range(0, len(data) + 1, max(1, len(data) // 20))
    for first in cuts:
        for second in cuts:
            if first > second:
                continue
            harness = Harness(config=config)
            for piece in (data[:first], data[first:second], data[second:]):
                harness.screen.feed(piece)
            harness.tick()
            assert whole.lines == harness.lines, (first, second)
            assert whole.screen._drawn_row == harness.screen._drawn_row, (first, second)
