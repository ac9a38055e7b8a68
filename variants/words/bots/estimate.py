"""What a seat can work out: whose card is whose, who is ahead, how soon the round ends.

Rule 1: it follows from the own view and what was heard; the printed cards are public, who holds
        which is not.  Of fresh ones those are known that were turned up in this game.
Rule 2: words betray their card: that with most letters of a seat's words is taken to be its own.
Rule 3: a word on no card that is known may be on one that is not, if it is as familiar as those of
        cards are.  The longer ones probably are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from variants.contract import Seat
from variants.words.data.box import (
    DRAWS,
    END_OF_ROUND,
    HAND_SIZE,
    LENGTHS,
    Manifest,
    sets_of,
)
from variants.words.events import Event, LetterDrawn, RoundBegun, TurnStarted
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests.maker import LEVEL
from variants.words.public_knowledge import (
    LetterKnowledge,
    ends_in_other_hands,
    known_manifests,
)
from variants.words.view import View, WordView

# Found by play: `tests.bench.league`.
BONUS = 1.25  # of a word whose bonus is not known, on average
DRAWN = 3.5  # cards that a seat takes off the pile in a turn, before it has been seen to
SPREAD = 0.35  # of the number of cards that others will take, as a part of it
PARKING_LENGTH = 3  # letters of a word in which letters are rather parked
FRESH_ODDS, FRESH_ODDS_SHORT = 0.75, 0.35
"""How likely a longer word, or one of that length, is on a fresh card of its owner that nobody else
knows: in 24 games, of the words of players of level 2 it were .72 and .35."""
ENDS_AT = ((50, 0.8), (30, 0.3), (5, 0.05))
"""How likely a holder of End of Round plays it, by the points it has on the table."""


@lru_cache(maxsize=64)
def manifests_by_word(cards: Sequence[Manifest]) -> Mapping[str, tuple[int, ...]]:
    """On which of the cards, by place, each word stands."""
    found: dict[str, tuple[int, ...]] = {}
    for place, card in enumerate(cards):
        for words in card.sets:
            for word in words:
                found[word] = (*found.get(word, ()), place)
    return found


class SeatKnowledge:
    """The round as one seat knows it."""

    def __init__(self, lexicon: Lexicon, view: View, seen: Sequence[Event]) -> None:
        assert view.seat is not None
        self.lexicon = lexicon
        self.view, self.seen, self.me = view, seen, view.seat
        self.cards = known_manifests(view, seen)
        self.others = [Seat(s) for s in range(len(view.seats)) if s != view.seat]
        self.manifest_of = {seat: self._card_of(seat) for seat in self.others}

    @cached_property
    def letter_knowledge(self) -> LetterKnowledge:
        return LetterKnowledge(self.view, self.seen)

    @cached_property
    def unseen(self) -> list[str]:
        """Letters in the pile or, unknown, in other hands; in alphabetical order."""
        left = self.letter_knowledge.unseen_letters()
        return [letter for letter in sorted(left) for _ in range(left[letter])]

    def may_others_hold(self, letter: str) -> bool:
        """Whether others may hold it."""
        return letter in self.unseen or bool(self.letter_knowledge.known_in_other_hands()[letter])

    def words_of(self, seat: Seat) -> list[WordView]:
        return [word for word in self.view.words if word.owner == seat]

    def spelling_of(self, word: WordView) -> str:
        """Also of a locked word, if it was heard when it was made; else ""."""
        if word.spelling or word.number not in self.letter_knowledge.words:
            return word.spelling
        return self.letter_knowledge.words[word.number].spelling

    # -- points --------------------------------------------------------------------------------

    def _card_of(self, seat: Seat) -> int | None:
        """Which manifest a seat shows that it holds, by its place among the known ones."""
        printed, own = manifests_by_word(self.cards), self.view.manifest
        letters: dict[int, int] = {}
        for word in self.words_of(seat):
            for place in printed.get(self.spelling_of(word), ()):
                if own is None or self.cards[place].id != own.id:
                    letters[place] = letters.get(place, 0) + word.length
        return max(letters, key=lambda place: (letters[place], -place)) if letters else None

    def printed_odds(self, seat: Seat, spelling: str) -> float:
        """How likely a word stands on another seat's manifest."""
        place = self.manifest_of[seat]
        if place is not None and sets_of(self.cards[place], spelling):
            return 1.0
        return self._unknown_card_odds(spelling) if self.view.settings.has_fresh else 0.0

    def _unknown_card_odds(self, spelling: str) -> float:
        """How likely a word that another seat has laid is on a card that nobody has seen."""
        own = self.view.manifest
        is_known = spelling in manifests_by_word(self.cards) or (own and sets_of(own, spelling))
        if is_known or len(spelling) > LENGTHS[-1]:
            return 0.0
        level = self.lexicon.level_of(spelling)
        if level is None or level > LEVEL:
            return 0.0
        return FRESH_ODDS if len(spelling) > PARKING_LENGTH else FRESH_ODDS_SHORT

    def expected_points(self, seat: Seat, spelling: str) -> float:
        """Points that a word probably brings another seat."""
        worth, odds = self.view.box.worth(spelling), self.printed_odds(seat, spelling)
        return odds * BONUS * worth - (1 - odds) * worth

    def points(self, seat: Seat) -> float:
        """What another seat probably has on the table."""
        found = 0.0
        for word in self.words_of(seat):
            spelling = self.spelling_of(word)
            found += self.expected_points(seat, spelling) if spelling else 2.0 * word.length
        return found

    # -- time ----------------------------------------------------------------------------------

    @cached_property
    def drawn_by_others(self) -> float:
        """Cards that one of the others takes off the pile in a turn, on average."""
        cards, turns = DRAWN * 2, 2
        for event in reversed(self.seen):
            if isinstance(event, RoundBegun):
                break
            if isinstance(event, LetterDrawn):
                cards += event.seat != self.me and event.source == "pile"
            elif isinstance(event, TurnStarted):
                turns += event.seat != self.me
        return max(DRAWS / 2, cards / turns)

    def refill(self, letters: int) -> int:
        """Cards to pick up at the end of the turn with so many letters left in the hand."""
        return max(0, HAND_SIZE - letters - self.view.hand.count(END_OF_ROUND))

    def pile_end_odds(self, refill: int) -> float:
        """How likely the pile is empty before the own next turn, if so many cards go now."""
        left = self.view.pile - refill
        if left <= 0:
            return 1.0
        taken = self.drawn_by_others * len(self.others)
        return 0.5 * (1 + math.erf((taken - left) / (SPREAD * taken * math.sqrt(2))))

    def end_card_odds(self, seat: Seat) -> float:
        """How likely another seat holds End of Round."""
        ends = ends_in_other_hands(self.view)
        return min(1.0, ends / len(self.others)) if self.view.seats[seat].cards else 0.0

    def round_end_odds(self, seat: Seat) -> float:
        """How likely another seat ends the round in its next turn, with a card or going out."""
        exposed = [word for word in self.words_of(seat) if not word.is_locked]
        may_end = max([self.printed_odds(seat, word.spelling) for word in exposed], default=0.0)
        if not may_end:
            return 0.02
        points, holds = self.points(seat), may_end * self.end_card_odds(seat)
        if self.view.seats[seat].total + points >= self.view.settings.target:
            return holds
        for least, odds in ENDS_AT:
            if points >= least:
                return odds * holds
        return 0.02

    def ends_before_next_turn_odds(self, refill: int) -> float:
        """How likely the round ends before the own next turn."""
        goes_on = 1 - self.pile_end_odds(refill)
        for seat in self.others:
            goes_on *= 1 - self.round_end_odds(seat)
        return 1 - goes_on
