"""What was seen at a word table: letters counted, and the history of the discard pile.  [G-18]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.variants.driver import ANN, BOB, CY
from tests.variants.words.views import LINEAR, STYLES, WIDE, random_game, readers, view, whole, word
from tests.variants.words.views import answered as rows
from variants.contract import Seat
from variants.kit.text import Style
from variants.words import events as e
from variants.words.public_knowledge import LetterKnowledge
from variants.words.view import SeatView, View

WATCHER = None


def text(line: str, view: View, seen: Sequence[e.Event] = (), style: Style = WIDE) -> str:
    return whole(rows(line, view, seen, style))


def dealt(seat: Seat | None, discards: str = "X") -> e.RoundBegun:
    hands = tuple(tuple("DATEOV*") if seat == other else None for other in range(3))
    nobody = (None,) * 3
    return e.RoundBegun(1, ANN, hands, nobody, nobody, None, tuple(discards), 85)


DRIVER: list[e.Event] = [
    e.LetterDrawn(BOB, "discard", "X"),
    e.LetterDrawn(BOB, "pile", None),
    e.WordFormed(e.Word(1, BOB, "EAST")),
    e.WordLocked(e.Word(1, BOB, "EAST", True)),
    e.LetterDiscarded(BOB, "Q"),
    e.LetterDiscarded(BOB, "R"),
    e.LetterDrawn(CY, "discard", "R"),
]


def test_count_takes_off_the_box_what_was_announced_and_the_own_hand():
    """[G-18] A locked word was public when it was made."""
    it = view(ANN, words=(word(1, BOB, "", locked=4),), discards=1, top="Q", pile=80,
              seats=(SeatView(7, 0), SeatView(3, 0), SeatView(8, 0)))  # fmt: skip
    shown = text("count", it, [dealt(ANN), *DRIVER])
    for fact in ("A 7/9", "E 10/12", "S 6/7", "T 4/6", "D 4/5", "O 6/7", "V 1/2",
                 "X 0/1", "Q 0/1", "R 6/7", "B 3/3", "Bob is known to hold X.",
                 "Cy is known to hold R."):  # fmt: skip
        assert fact in shown, fact
    assert "A: 7 of 9." in rows("count", it, [dealt(ANN), *DRIVER], LINEAR)


def test_what_is_not_seen_is_said_to_be_in_the_pile_or_in_hands():
    """Three players: 106 letters, six of them in the own hand and one on the discard pile."""
    shown = text("count", view(ANN, discards=1, top="X", pile=86), [dealt(ANN)])
    assert "99 letters unseen: 86 in the draw pile, 13 in other hands." in shown
    watched = text("count", view(WATCHER, discards=1, top="X", pile=86), [dealt(WATCHER)])
    assert "105 letters unseen: 86 in the draw pile, 19 in hands." in watched


def test_a_letter_that_may_have_been_traded_on_is_known_to_lie_in_one_of_two_hands():
    told = [dealt(ANN), e.LetterDrawn(BOB, "discard", "X"),
            e.Traded(BOB, (CY,), (None,), (None,))]  # fmt: skip
    shown = text("count", view(ANN, discards=0, top=""), told)
    assert "Bob and Cy are known to hold between them X." in shown
    told.append(e.LetterDiscarded(CY, "X"))
    assert "known to hold" not in text("count", view(ANN, discards=1, top="X"), told)


def test_in_an_own_trade_both_letters_are_known():
    told = [dealt(ANN), e.Traded(ANN, (BOB,), ("K",), ("S",))]
    assert "Bob is known to hold K." in text("count", view(ANN, discards=1), told)
    told.append(e.Traded(BOB, (ANN,), ("K",), ("Z",)))
    shown = text("count", view(ANN, discards=1), told)
    assert "Bob is known to hold Z." in shown


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_what_is_counted_is_true_and_adds_up(seats):
    """Every letter of the box is known, in the pile, or unknown in a hand of others."""
    for seed in range(2):
        for number, moment in enumerate(random_game(seats, 30 + seed, max_rounds="1")):
            if number % 4 or moment.state.ended:
                continue
            for reader in readers(seats):
                it, state = moment.view(reader), moment.state
                record = LetterKnowledge(it, moment.heard(reader))
                unseen = record.unseen_letters()
                assert min(unseen.values()) >= 0
                assert unseen.total() == it.pile + record.unknown_in_hands()
                assert list(state.discards) == record.discards
                assert sorted(record.spellings()) == sorted([w.spelling for w in state.words])
                for pool in record.known_pools():
                    held = Counter(c for seat in pool.seats for c in state.players[seat].hand)
                    assert pool.letters <= held and reader not in pool.seats


@STYLES
def test_discards_shows_the_pile_from_its_top_and_who_put_and_took_what(style):
    it = view(ANN, discards=1, top="Q")
    shown = text("discards", it, [dealt(ANN), *DRIVER], style).replace(",", "")
    for fact in ("Discard pile top first: Q", "There from the beginning: X.", "Bob put there: Q R",
                 "Bob took: X", "Cy took: R"):  # fmt: skip
        assert fact in shown
    assert "Ann" not in shown and "You" not in shown
    empty = text("discards", view(ANN, discards=0, top=""),
                 [dealt(ANN), e.LetterDrawn(ANN, "discard", "X")], style)  # fmt: skip
    assert "top first: empty" in empty and "You took: X" in empty


def test_a_new_round_is_a_new_pile():
    told = [dealt(ANN), *DRIVER, dealt(ANN, "K")]
    shown = rows("discards", view(ANN, discards=1, top="K"), told)
    assert ["Discard pile, top first: K", "There from the beginning: K."] == shown


def test_who_has_not_heard_it_all_is_told_so():
    shown = text("discards", view(ANN, discards=5, top="K"), [e.LetterDiscarded(BOB, "K")])
    assert "The discard pile has 5 letters; you have not heard of all of them." in shown


def test_a_locked_word_that_was_not_heard_of_is_not_counted():
    it = view(ANN, words=(word(1, BOB, "", locked=4),))
    assert "E 11/12" in text("count", it, [dealt(ANN)])
