"""What a listener knows for certain of a round, beyond where letters are.

Rule 1: it follows from redacted events; what was not heard is not known.
Rule 2: End of Round never leaves a hand, so who once had no card does not hold it.  [WR-13]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import Seat
from variants.words.box import HAND_SIZE
from variants.words.counting import Record
from variants.words.events import (
    Event,
    LetterAdded,
    LetterDiscarded,
    LetterDrawn,
    LetterStolen,
    PositionArranged,
    RoundBegun,
    RoundEnding,
    Word,
    WordFormed,
    WordsRebuilt,
)
from variants.words.view import View


class Heard:
    """One reader's record of the round, and what follows from it.

    Args:
        view: The own view, or a watcher's.
        seen: The reader's redacted events of the game, oldest first; may begin late.
    """

    def __init__(self, view: View, seen: Sequence[Event]) -> None:
        self.record = Record(view, seen)
        self.ending: RoundEnding | None = None
        self.next_word = 1 + max([0, *[word.number for word in view.words]])
        self.had_none: set[Seat] = set()  # seats that had no card, so no End of Round  [WR-13]
        self._cards: list[int] = []
        for event in seen:
            self._hear(event)

    def _hear(self, event: Event) -> None:
        match event:
            case RoundBegun(hands=hands):
                self._begin([HAND_SIZE] * len(hands), ())
            case PositionArranged(hand_counts=counts, words=words):
                self._begin(counts, words)
            case RoundEnding():
                self.ending = event
            case LetterDrawn(seat):
                self._hold(seat, 1)
            case LetterDiscarded(seat) | LetterAdded(seat):
                self._hold(seat, -1)
            case LetterStolen(seat, made=made):
                self._hold(seat, 1 - len(made.spelling))
                self._number(made)
            case WordFormed(word):
                self._hold(word.owner, -len(word.spelling))
                self._number(word)
            case WordsRebuilt(seat, laid=laid, from_hand=gone, to_hand=come):
                self._hold(seat, len(come) - len(gone))
                self._number(*laid)

    def _begin(self, counts: Sequence[int], words: Iterable[Word]) -> None:
        """A deal: what was heard before is of another round."""
        self.ending, self.had_none, self._cards = None, set(), list(counts)
        for seat in range(len(counts)):
            self._hold(Seat(seat), 0)
        self.next_word = 1
        self._number(*words)

    def _hold(self, seat: Seat, cards: int) -> None:
        if self._cards:
            self._cards[seat] += cards
            if not self._cards[seat]:
                self.had_none.add(seat)

    def _number(self, *words: Word) -> None:
        self.next_word = max([self.next_word, *[word.number + 1 for word in words]])
