from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.ui.input_row import ANSI_ROW
from mudserver.ui.keys import SEQUENCE_CHARS_MAX, Key, KeyParser


def heard(*pieces: bytes, charset="utf-8", paste_chars_max=100, moves=False):
    """Tokens, with neighbouring text joined.  Args: moves: each piece is for another parser."""
    keys = KeyParser(paste_chars_max, charset)
    tokens: list[str | Key] = []
    for piece in pieces:
        if moves:
            before, keys = keys, KeyParser(paste_chars_max, charset)
            keys.resume(before.pending)
            assert before.pending == keys.pending
        for token in keys.feed(piece):
            if tokens and isinstance(token, str) and isinstance(tokens[-1], str):
                tokens[-1] += token
            else:
                tokens.append(token)
    return tokens


@pytest.mark.parametrize("end", [b"\r\n", b"\r\0", b"\r", b"\n"])
def test_every_line_end_is_one_enter(end):
    assert ["a", Key.ENTER, Key.ENTER, "b", Key.ENTER] == heard(b"a" + end + end + b"b" + end)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x1b[A", Key.HISTORY_PREVIOUS),
        (b"\x1bOA", Key.HISTORY_PREVIOUS),
        (b"\x1b[B", Key.HISTORY_NEXT),
        (b"\x1b[1~", Key.HOME),
        (b"\x1bOF", Key.END),
        (b"\x1b[3~", Key.DELETE),
        (b"\x1b[1;5C", Key.WORD_RIGHT),
        (b"\x1b[1;3D", Key.WORD_LEFT),
        (b"\x1bb", Key.WORD_LEFT),
        (b"\x1bd", Key.KILL_WORD_AFTER),
        (b"\x1b\x7f", Key.KILL_WORD_BEFORE),
        (b"\x08", Key.BACKSPACE),
        (b"\x7f", Key.BACKSPACE),
        (b"\x19", Key.YANK),
    ],
)
def test_a_key_is_known_in_each_of_its_spellings(data, key):
    assert [key, "x"] == heard(data + b"x")


@pytest.mark.parametrize(
    "data",
    [
        b"\x1b[20;1R",  # a cursor report
        b"\x1b[<0;10;10M",  # a mouse
        b"\x1b[[C",  # F3 of the Linux console
        b"\x1b]52;c;QQ==\x07",
        b"\x1b]0;title\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b[?1;2c",
        b"\x1bx",
        b"\x00\x0e\x0f"[:1],
        "\u009b\u0085".encode(),
    ],
)
def test_what_is_no_key_is_swallowed_whole(data):
    assert ["ab"] == heard(b"a" + data + b"b")


def test_a_sequence_that_does_not_end_holds_nobody_up():
    assert ["9" * (100 - SEQUENCE_CHARS_MAX + 1)] == heard(b"\x1b[" + b"9" * 100)
    assert [Key.ENTER] == heard(b"\x1b[1;\r")
    assert [Key.CANCEL] == heard(b"\x1b]0;tit\x03")
    assert ["é"] == heard(b"\x1b[" + "é".encode())


def test_invalid_bytes_are_replaced_and_c1_is_dropped():
    assert ["a\ufffdb"] == heard(b"a\x9bb")
    assert ["ab"] == heard(b"a\x9bb", charset="latin-1")
    assert ["é"] == heard(b"\xe9", charset="latin-1")
    assert ["\ufffd\ufffd\ufffd"] == heard(b"\xed\xa0\x80")


def test_a_paste_knows_no_keys_but_enter_and_control_c():
    pasted = b"\x1b[200~a\tb\x15\x1b[Ac\r\nd\x04\x1b[201~\x15"
    assert ["a bc", Key.ENTER, "d", Key.KILL_TO_START] == heard(pasted)
    assert ["a", Key.CANCEL, "b", Key.TAB] == heard(b"\x1b[200~a\x03b\t")


def test_a_paste_is_cut_once_and_typing_goes_on_after_it():
    tokens = heard(b"\x1b[200~" + b"x" * 70 + b"\r" + b"y" * 50 + b"\r" * 50 + b"\x1b[201~z")
    assert ["x" * 70, Key.ENTER, "y" * 29, Key.PASTE_TRUNCATED, "z"] == tokens


LETTERS = st.sampled_from([b"a", b"\xc3", b"\xa9", b"\xf0\x9f", b"\x98\x80", b"\xff"])
CONTROLS = st.sampled_from([b"\r", b"\n", b"\0", b"\x03", b"\x07", b"\t", b"\x7f"])
SEQUENCES = st.sampled_from([b"\x1b", b"[", b"200~", b"201~", b"A", b"]", b"O", b"1;5D"])
PIECES = LETTERS | CONTROLS | SEQUENCES


@given(st.lists(PIECES, max_size=20).map(b"".join), st.data())
def test_where_the_bytes_are_cut_makes_no_difference(data, draw):
    first = draw.draw(st.integers(0, len(data)))
    second = draw.draw(st.integers(first, len(data)))
    assert heard(data) == heard(data[:first], data[first:second], data[second:])
    assert heard(data) == heard(*(data[at : at + 1] for at in range(len(data))))
    assert heard(data) == heard(*(data[at : at + 1] for at in range(len(data))), moves=True)


@given(st.binary(max_size=80))
def test_text_holds_no_control_character(data):
    text = "".join(token for token in heard(data) if isinstance(token, str))
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in text)
    text.encode("utf-8")


@given(st.binary(max_size=80))
def test_a_quiet_reader_takes_the_next_letter_as_itself(data):
    keys = KeyParser(100)
    list(keys.feed(data))
    if keys.is_idle:
        assert ["x"] == list(keys.feed(b"x"))


@pytest.mark.parametrize(
    ("bytes_", "key"),
    [
        (b"\x1b[5~", Key.PAGE_UP),
        (b"\x1b[6~", Key.PAGE_DOWN),
        (b"\x1b[1;5A", Key.ROW_UP),
        (b"\x1bOb", Key.ROW_DOWN),
        (b"\x1b[17~", Key.NEXT_PANE),
        (b"\x0f", Key.NEXT_PANE),
        (b"\x1bOQ", Key.ZOOM_PANE),
        (b"\x14", Key.ZOOM_PANE),
        (b"\x1b[[A", Key.HELP),
        (b"\x1b[Z", Key.TAB_BACK),
    ],
)
def test_keys_of_panes_are_known_and_line_mode_has_no_use_for_them(bytes_, key):
    assert [key] == list(KeyParser(100).feed(bytes_))
    assert key not in ANSI_ROW.accepted_keys


def test_an_escape_alone_can_be_given_up():
    keys = KeyParser(100)
    assert [] == list(keys.feed(b"\x1b"))
    assert keys.has_pending_escape
    keys.drop_pending_escape()
    assert ["d"] == list(keys.feed(b"d"))
    list(keys.feed(b"\x1b["))
    assert not keys.has_pending_escape
