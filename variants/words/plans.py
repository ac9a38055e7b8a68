"""What a strong player lays down: own words that bring most, and room for further letters.  [W6]

Rule 1: a plan follows from the letters of the hand and the own exposed words together, from the
        locked ones and from what others have laid; not from how those letters lie now.  So it is
        the same plan before and after it is carried out, and nothing is rebuilt twice.
Rule 2: letters that bring nothing yet are parked in short words while the round is likely to go
        on: a parked letter is kept, and another one is drawn for it.  [WR-40]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from variants.words import packing
from variants.words.box import END_OF_ROUND, STEAL_MIN, sets_of
from variants.words.denied import denied
from variants.words.dictionary import Dictionary
from variants.words.estimate import Known
from variants.words.moves import own_exposed, own_words, stealable, targets
from variants.words.packing import Item, Packing
from variants.words.spelled import lacking, letter_cards
from variants.words.view import View, WordView

LETTER = 1.3  # points that one more letter brings by the own next turn
PARKED = (3, 4)  # letters of a word that is laid to park them
PARK_NODES = 250
STEAL_GAIN = 4.0  # points that a stolen letter has to bring


class Theft(NamedTuple):
    letter: str
    word: int
    leaving: str
    making: str


class Plan(NamedTuple):
    layout: tuple[str, ...]  # own exposed words as they are to lie
    points: float  # of the own words without those that are parked
    ends_first: float  # how likely the round ends before the own next turn


def own_items(view: View) -> list[Item]:
    """The words of the own manifest with their points, the most for a letter first."""
    if view.manifest is None:
        return []
    found = [item_of(view, word) for word in targets(view) if word not in denied()]
    return packing.in_order(found)


def item_of(view: View, word: str) -> Item:
    return packing.item(word, own_worth(view, word))


def own_worth(view: View, spelling: str) -> int:
    """Points of a word in front of the own seat.  [WR-09] [WR-51]"""
    worth = view.box.worth(spelling)
    sets = sets_of(view.manifest, spelling) if view.manifest else []
    if not sets:
        return -worth
    bonus = view.indicator
    return worth * max(bonus.multiplier if bonus and bonus.set == n else 1 for n in sets)


@lru_cache(maxsize=8)
def short_words(words: Dictionary) -> tuple[Item, ...]:
    """The words that letters are parked in."""
    found = words.lexicon.words(words.level, max(PARKED))
    return tuple([packing.item(word, 0.0) for word in found if word not in denied()])


class Planner:
    """Plans of one seat in MAIN."""

    def __init__(self, words: Dictionary, known: Known) -> None:
        self.words, self.known, self.view, self.me = words, known, known.view, known.me
        self.items = own_items(self.view)
        self.exposed = own_exposed(self.view, self.me)
        self.hand = letter_cards(self.view.hand)
        self.letters = "".join(sorted([*self.hand, *"".join(w.spelling for w in self.exposed)]))
        self.pool = packing.bits_of(self.letters)
        self.locked = sum(
            own_worth(self.view, w.spelling) for w in own_words(self.view, self.me) if w.is_locked
        )
        self.best = packing.best(self.items, self.pool, len(self.letters))
        self.points = self.locked + self.best.worth

    @property
    def holds_end(self) -> bool:
        return END_OF_ROUND in self.view.hand

    # -- laying --------------------------------------------------------------------------------

    def bare(self) -> Plan:
        """Only words of the own manifest."""
        left = len(self.letters) - sum(map(len, self.best.spellings))
        return Plan(
            self.best.spellings, self.points, self.known.ends_first(self.known.refill(left))
        )

    def parked(self) -> Plan:
        """The same, and other letters parked where that is worth its risk."""
        bare = self.bare()
        rest = lacking(self.letters, "".join(bare.layout))
        usual = self._parking(rest, bare.ends_first)
        if not usual.spellings:
            return bare
        left = len(rest) - sum(map(len, usual.spellings))
        risk = self.known.ends_first(self.known.refill(left))
        if risk > bare.ends_first + 0.02:
            usual = self._parking(rest, risk)
            if not usual.spellings:
                return bare
        return Plan((*bare.layout, *usual.spellings), bare.points, risk)

    def _parking(self, rest: str, risk: float) -> Packing:
        """Words to park letters of *rest*, by the worth of letters and the risk of points."""
        worth = {n: (1 - risk) * LETTER * n - risk * 5 * (n - 2) for n in PARKED}
        if len(rest) < min(PARKED) or max(worth.values()) <= 0:
            return packing.NOTHING
        pool = packing.bits_of(rest)
        items = [
            it._replace(worth=worth[it.length], rate=worth[it.length] / it.length)
            for it in packing.fitting(short_words(self.words), pool)
            if worth[it.length] > 0
        ]
        return packing.best(_rarest_first(items), pool, len(rest), nodes=PARK_NODES)

    # -- stealing ------------------------------------------------------------------------------

    def theft(self) -> Theft | None:
        """A letter of somebody else that completes an own word.  [WR-33]"""
        if self.view.stolen:
            return None
        words = stealable(self.view, self.me)
        there = {letter for word in words for letter in word.spelling}
        gain, found = STEAL_GAIN, None
        for letter in sorted(there):
            made = self._made_with(letter)
            if made is None or made.worth <= gain:
                continue
            left = self._left(words, letter)
            if left is not None:
                gain = made.worth
                found = Theft(letter, left[0], left[1], made.spelling)
        return found

    def _made_with(self, letter: str) -> Item | None:
        """The own word that a stolen letter completes, and what it adds to the points."""
        unit = packing.UNITS[letter]
        made: Item | None = None
        for it in self.items:
            if packing.has(self.pool, it.bits) or not packing.has(self.pool + unit, it.bits):
                continue
            pool, letters = self.pool + unit - it.bits, len(self.letters) + 1 - it.length
            rest = packing.best(self.items, pool, letters)
            gain = it.worth + rest.worth - self.best.worth
            if made is None or gain > made.worth:
                made = it._replace(worth=gain)
        return made

    def _left(self, words: Sequence[WordView], letter: str) -> tuple[int, str] | None:
        """The word that loses most by it: its number, and what is left."""
        lost: list[tuple[float, int, str]] = []
        for word in words:
            if letter not in word.spelling or word.length < STEAL_MIN:
                continue
            was = self.known.worth_for(word.owner, word.spelling)
            for other, leaving in self.words.minus_one(word.spelling):
                if other == letter and leaving not in denied():
                    lost.append((was - self.known.worth_for(word.owner, leaving), -word.number,
                                 leaving))  # fmt: skip
        return (-max(lost)[1], max(lost)[2]) if lost else None

    def layout_without(self, letters: str) -> tuple[str, ...]:
        """The best that can lie while *letters* are in the hand."""
        pool = self.pool - packing.bits_of(letters)
        return packing.best(self.items, pool, len(self.letters) - len(letters)).spellings


def _rarest_first(items: Sequence[Item]) -> list[Item]:
    """Of equal worth those first whose letters few others use: so that most letters find room."""
    uses: dict[str, int] = {}
    for it in items:
        for letter in set(it.spelling):
            uses[letter] = uses.get(letter, 0) + 1

    def order(it: Item) -> tuple[float, float, str]:
        return -it.rate, -sum(1 / uses[letter] for letter in it.spelling), it.spelling

    return sorted(items, key=order)


def kept_apart(now: Iterable[WordView], layout: Sequence[str]) -> tuple[list[int], list[str]]:
    """(words to take up, words to lay) that make *layout* of what lies there now."""
    missing, taken = list(layout), []
    for word in now:
        if word.spelling in missing:
            missing.remove(word.spelling)
        else:
            taken.append(word.number)
    return taken, missing
