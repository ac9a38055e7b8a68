import pytest

from mudserver.transport.terminal_type import (
    charset_of_locale,
    clamped_size,
    clean_name,
    colours_of,
    is_ansi_name,
)


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ((0, 0), (80, 24)),
        ((2**32 - 1, 2**32 - 1), (300, 100)),
        ((1, 1), (20, 5)),
        ((120, 40), (120, 40)),
    ],
)
def test_sizes_are_clamped(said, believed):
    assert believed == clamped_size(*said)


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("XTERM-256color", "xterm-256color"),
        ("", "unknown"),
        ("x" * 33, "unknown"),
        ("x\x1b[2J", "unknown"),
        ("xterm\n", "unknown"),
        ("vt100 x", "unknown"),
    ],
)
def test_a_name_is_a_word_or_unknown(said, believed):
    assert believed == clean_name(said)


@pytest.mark.parametrize("name", ["xterm", "screen.xterm", "linux", "tmux-256color", "vt220"])
def test_terminals_that_understand_ansi(name):
    assert is_ansi_name(name)


@pytest.mark.parametrize("name", ["dumb", "unknown", "network", "vt52"])
def test_terminals_that_may_not(name):
    assert not is_ansi_name(name)


def test_colours_follow_name_and_colorterm():
    assert ["16", "256", "true", "true"] == [
        colours_of("xterm"),
        colours_of("xterm-256color"),
        colours_of("xterm", "truecolor"),
        colours_of("xterm-direct"),
    ]


@pytest.mark.parametrize(
    ("values", "charset"),
    [
        (("", ""), "utf-8"),
        (("", "de_AT.UTF-8"), "utf-8"),
        (("de_AT.ISO-8859-1", "C.UTF-8"), "latin-1"),
        (("", "x.hex"), "utf-8"),
        (("", "x.unicode_escape"), "utf-8"),
        (("", "en_US.ISO8859-1@euro"), "latin-1"),
    ],
)
def test_a_locale_names_a_charset_of_ours_or_none(values, charset):
    assert charset == charset_of_locale(*values)
