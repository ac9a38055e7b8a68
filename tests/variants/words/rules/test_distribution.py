"""Rounds of words in great numbers: each ends in its bound and breaks no invariant."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest

from tests import counts as cases
from tests.bench.rounds import APPENDIX_A, HEAD, PLAYERS, Watch, check, figures, rounds, words
from tests.variants.words.driver import Driver
from variants.contract import Seat
from variants.words.events import LetterDrawn, RoundBegun, RoundScored, Word
from variants.words.state import State

SEATS = tuple(words().seats)
BOTS = (("random", cases.count(1_000, 150)), ("level 2", cases.count(500, 80)))
WHYS = {"end", "out", "pile", "quiet", "still"}


@pytest.mark.parametrize("table", [each for each in PLAYERS if each[:5] != "level"])
def test_every_round_ends_and_keeps_its_invariants(table: str) -> None:
    for seats in (2, 4, 6):
        for each in islice(rounds(table, seats, count(1)), 1):
            assert each.why in WHYS and len(each.scores) == seats
            assert 0 < each.turns <= each.decisions


def test_the_figures_of_a_game_are_those_of_its_rounds() -> None:
    found = figures("random", 3, 26)
    assert len(found.rounds) == 26
    assert [each.game_over for each in found.rounds] == [*[""] * 24, "rounds", ""]
    assert found.games == [] and found.row.endswith("never")


def middle() -> State:
    """A round in its middle: words, a locked one among them, and cards in every zone."""
    words = {0: ["EAST", "locked OVER"], 1: ["NOTE"]}
    return Driver(words=words, phase="draw", drawn=0, hands={0: "DATEOR*", 1: "QUIETAB"}).state


def test_a_broken_invariant_is_seen() -> None:
    state = middle()
    check(state, "here")
    first, second, *rest = state.players

    def hand(*cards: str) -> tuple[Any, ...]:
        return (replace(first, hand=cards), second, *rest)

    added, short = (*first.hand, "E"), first.hand[1:]
    broken: dict[str, dict[str, Any]] = {
        "cards of the box": {"players": hand(*added)},
        "hands of": {"players": hand(*short), "pile": (first.hand[0], *state.pile)},
        "no word": {"words": tuple(spelled(word, word.spelling[::-1]) for word in state.words)},
        "one number": {"words": tuple(replace(word, number=1) for word in state.words)},
    }
    for what, changed in broken.items():
        with pytest.raises(AssertionError, match=what):
            check(replace(state, **changed), "here")


def spelled(word: Word, spelling: str) -> Word:
    return replace(word, spelling=spelling)


def test_a_locked_word_that_changes_or_goes_is_seen() -> None:
    state, drawn = middle(), LetterDrawn(Seat(0), "discard", "E")
    locked = next(word for word in state.words if word.is_locked)
    others = tuple(word for word in state.words if word is not locked)
    changed = replace(state, words=(*others, spelled(locked, "ROVE")))
    gone = replace(state, words=others)
    for later, event, what in (
        (changed, drawn, "changed"),
        (gone, RoundScored(1, ()), "gone"),
        (replace(state, pile=()), LetterDrawn(Seat(0), "pile", "E"), "empty pile"),
        (state, RoundBegun(2, Seat(0), (), (), (), (), (), 0), "round before"),
    ):
        watch = Watch()
        watch.hear(drawn, state, "here")
        with pytest.raises(AssertionError, match=what):
            watch.hear(event, later, "here")


@pytest.mark.prove
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(("table", "number"), BOTS, ids=[table for table, _ in BOTS])
def test_thousands_of_rounds_end_within_their_bound(table: str, number: int, seats: int) -> None:
    found = figures(table, seats, number)
    print(f"\n{HEAD}\n{found.row}   {number} rounds, at most "
          f"{max(each.decisions for each in found.rounds)} decisions and "
          f"{max(each.turns for each in found.rounds)} turns\n{APPENDIX_A}")  # fmt: skip
    assert len(found.rounds) == number
    is_short = table != "random" and seats == 2  # two who play well lay all before the pile is out
    usual = {"end"} if is_short else {"end", "pile"}
    assert usual <= {each.why for each in found.rounds} <= WHYS
