"""A still screen may tell of a pause; everything else that differs is found."""

from __future__ import annotations

import textwrap

import pytest

from mudserver.tables import texts
from tests.proofs.sitters import FullScreen, Program, SshTerminal, TelnetTerminal, Terminal

PROMPT, ERASE = "table 70> say w1.1.e", "\r\x1b[K"
WIDE, NARROW = 0, 2  # numbers of sitters, which make their sizes
PAUSED, OVER = texts.SUSPENDED, texts.RESUMED_WITHOUT_GAME


def still(number: int, *rows: str) -> Terminal:
    sitter = SshTerminal(number, seed=1)
    sitter.feed("\r\n".join((*rows, PROMPT)).encode())
    return sitter


def tell(sitter: Terminal, *sentences: str, prompt: str = PROMPT) -> None:
    cols = sitter.size[0] - 1
    rows = [row for each in sentences for row in textwrap.wrap(each, cols) or [""]]
    sitter.feed((ERASE + "".join(f"{row}\r\n" for row in rows) + prompt).encode())


@pytest.mark.parametrize("number", [WIDE, NARROW])
@pytest.mark.parametrize("rows", [3, 30])
@pytest.mark.parametrize(
    "told", [(), (PAUSED,), (PAUSED, OVER), (PAUSED, texts.RESUMED), (PAUSED,) * 30]
)
def test_a_screen_that_tells_of_pauses_is_the_same(number, rows, told):
    sitter = still(number, *(f"row {n}" for n in range(rows)))
    before = sitter.picture()
    tell(sitter, *told)
    assert sitter.is_as(before)


@pytest.mark.parametrize("number", [WIDE, NARROW])
@pytest.mark.parametrize("rows", [3, 30])
@pytest.mark.parametrize(
    "told",
    [
        ("-- guest7 joined the table.",),
        (PAUSED, "-- guest7 joined the table.", OVER),
        (PAUSED, OVER, "-- guest7 joined the table."),
        (PAUSED.removesuffix("by itself."),),
        (PAUSED.removeprefix("The server"), OVER),
        (texts.STILL_SUSPENDED,),  # the answer to a play, and who is still makes none
        ("", PAUSED),
    ],
)
def test_a_screen_that_tells_anything_else_is_another_one(number, rows, told):
    sitter = still(number, *(f"row {n}" for n in range(rows)))
    before = sitter.picture()
    tell(sitter, *told)
    assert not sitter.is_as(before)


@pytest.mark.parametrize("told", [(), (PAUSED, OVER)])
def test_a_screen_that_has_lost_something_beside_a_pause_is_another_one(told):
    sitter = still(WIDE, "a", "b")
    before = sitter.picture()
    for other in (still(WIDE, "a"), still(WIDE, "a", "c"), still(WIDE, "b")):
        tell(other, *told)
        assert not other.is_as(before)
    tell(sitter, *told, prompt=PROMPT[:-1])  # a letter of the half line
    assert not sitter.is_as(before)


def test_a_full_screen_has_nothing_new_outside_its_log():
    sitter = FullScreen(0, seed=1)
    before = sitter.picture()
    sitter.feed(PAUSED.encode() + b"\x1b[?25h")
    assert not sitter.is_as(before)


@pytest.mark.parametrize("kind", [Program, TelnetTerminal])
def test_whoever_hears_nothing_is_the_same(kind):
    sitter = kind(WIDE, 1)
    assert sitter.is_as(sitter.picture())


def test_objects_tell_of_pauses_and_of_nothing_else():
    sitter = Program(WIDE, seed=1)
    before = sitter.picture()
    sitter.take("notice", {"text": PAUSED})
    sitter.take("notice", {"text": OVER})
    assert sitter.is_as(before)
    sitter.take("notice", {"text": texts.BUG_APOLOGY})
    assert not sitter.is_as(before)
