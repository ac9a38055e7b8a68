"""A line that somebody types in the word game, and what it is read as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.variants.words.views import ANN, BOB, CY, SeatView, lexicon, view, word
from variants.contract import AmbiguousInput, ParseError, Refusal
from variants.words.actions import Action
from variants.words.check import check
from variants.words.language import grammar
from variants.words.view import View

NAMES = ("Ann", "Bob", "Cleo", "Dee", "Eve", "Fay")
RICH = view(
    hand=tuple("DTGOBKES*"),
    words=(
        word(1, ANN, "EAST"), word(2, BOB, "THUMB"), word(3, BOB, "EAST"), word(4, CY, "OAT"),
        word(5, CY, "", locked=4), word(6, ANN, "FOAMS"), word(7, ANN, "NOTE"),
        word(8, ANN, "OVER", locked=4), word(9, CY, "DATED"),
    ),
)  # fmt: skip
"""Ann to play; EAST lies twice, in front of her and of Bob."""
REMOVAL = view(
    phase="removal", turn=BOB, removers=(ANN, BOB), missing=2,
    words=(word(1, ANN, "BEAST"), word(2, ANN, "FOAMS"), word(3, BOB, "EAST"),
           word(4, ANN, "OAT")),
)  # fmt: skip
DRAW = replace(RICH, phase="draw")
OVER = replace(RICH, phase="settle", seats=(SeatView(9, 0),) * 3)
UNDER = replace(RICH, phase="settle", seats=(SeatView(4, 0),) * 3, hand=tuple("DTG*"))
TRADE = replace(RICH, phase="trade", turn=BOB, partners=(ANN, CY), missing=2)
CLOSE = replace(RICH, phase="close")


def typed(line: str, at: View = RICH, names: Sequence[str] = NAMES) -> Action:
    return grammar.parse(lexicon(), line, at, names[: len(at.seats)])


def offered(line: str, at: View = RICH, names: Sequence[str] = NAMES) -> str:
    """The play that a line is read as, as it would be typed."""
    return grammar.phrase(typed(line, at, names), at, names[: len(at.seats)])


def asked_back(line: str, at: View = RICH, names: Sequence[str] = NAMES) -> str:
    with pytest.raises(AmbiguousInput) as asked:
        typed(line, at, names)
    return asked.value.format(names)


def not_understood(line: str, at: View = RICH, names: Sequence[str] = NAMES) -> str:
    with pytest.raises(ParseError) as refused:
        typed(line, at, names)
    return refused.value.format(names)


def refused(line: str, at: View = RICH, names: Sequence[str] = NAMES) -> str:
    """What `check` says to a line that is well said."""
    action = typed(line, at, names)
    with pytest.raises(Refusal) as found:
        check(lexicon(), at, action)
    return found.value.format(names)


def meant(line: str, at: View, names: Sequence[str] = NAMES) -> str:
    """The play that a line is read as, or what is said instead."""
    try:
        return repr(typed(line, at, names))
    except Refusal as refusal:
        return refusal.format(names)
