"""What a strong player lays down: own words that bring most, and room for further letters.

Rule 1: a selection follows from the letters of the hand and the own exposed words together, from
        the locked ones and from what others have laid; not from how those letters lie now.  So it
        is the same before and after it is carried out, and nothing is rebuilt twice.
Rule 2: letters that bring nothing yet are parked in short words while the round is likely to go
        on: a parked letter is kept, and another one is drawn for it.  [WR-40]
Rule 3: letters are packed in one whole number, a field for each of A to Z, so that + and - are
        those of multisets, and one subtraction tells whether a word is within.
Rule 4: the same letters and words give the same selection: ties go to what comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from variants.words.bots.estimate import SeatKnowledge
from variants.words.bots.skill import Skill, overlooking
from variants.words.data.box import ALPHABET, END_OF_ROUND, STEAL_MIN, sets_of
from variants.words.legal_actions import (
    manifest_words,
    own_exposed_words,
    own_words,
    stealable_words,
)
from variants.words.lexicon.dictionary import Dictionary, blocklist
from variants.words.lexicon.multiset import letter_cards, missing_letters
from variants.words.manifests.chains import GUARD_BITS, pack_counts
from variants.words.view import View, WordView

COPIES_MAX = 31  # of one letter: what a field holds
NODES_MAX = 3_000  # of one search; a hand and the words beside it take far fewer

LETTER_UNITS = {letter: pack_counts({letter: 1}) for letter in ALPHABET}


class Item(NamedTuple):
    """A word that could be laid."""

    spelling: str
    bits: int
    length: int
    worth: float  # of having it on the table
    rate: float  # worth of a letter


class Packing(NamedTuple):
    worth: float
    spellings: tuple[str, ...]


EMPTY_PACKING = Packing(0.0, ())


def pack_letters(letters: Iterable[str]) -> int:
    """The letters as one number; what is no letter counts as nothing."""
    counts = Counter(letter for letter in letters if letter in LETTER_UNITS)
    return pack_counts({letter: min(number, COPIES_MAX) for letter, number in counts.items()})


def make_item(spelling: str, worth: float) -> Item:
    return Item(spelling, pack_letters(spelling), len(spelling), worth, worth / len(spelling))


def by_points_per_letter(items: Iterable[Item]) -> list[Item]:
    """The most for a letter first: as the searches below need them."""
    return sorted(items, key=lambda it: (-it.rate, -it.worth, it.spelling))


def has_letters(pool: int, bits: int) -> bool:
    return ((pool | GUARD_BITS) - bits) & GUARD_BITS == GUARD_BITS


def fitting_items(items: Iterable[Item], pool: int) -> list[Item]:
    """Those that the letters of *pool* spell, in their order."""
    guarded = pool | GUARD_BITS
    return [it for it in items if (guarded - it.bits) & GUARD_BITS == GUARD_BITS]


def best_packing(items: Sequence[Item], pool: int, letters: int, nodes: int = NODES_MAX) -> Packing:
    """The words that bring most together; a word may be laid several times.  [WR-07]

    Args:
        items: In the order of `in_order`.
        letters: How many there are in *pool*.
        nodes: Combinations that are looked at; beyond them the best so far is good enough.
    """
    usable = fitting_items(items, pool)
    found, left = EMPTY_PACKING, nodes

    def go(start: int, pool: int, letters: int, worth: float, chosen: tuple[str, ...]) -> None:
        nonlocal found, left
        left -= 1
        if worth > found.worth:
            found = Packing(worth, chosen)
        guarded = pool | GUARD_BITS
        for at in range(start, len(usable)):
            it = usable[at]
            if worth + letters * it.rate <= found.worth or left <= 0:
                return
            if (guarded - it.bits) & GUARD_BITS == GUARD_BITS:
                rest = letters - it.length
                go(at, pool - it.bits, rest, worth + it.worth, (*chosen, it.spelling))

    go(0, pool, letters, 0.0, ())
    return found


def greedy_points(items: Sequence[Item], pool: int) -> float:
    """What the most worthwhile words bring if each is taken as soon as it fits: nearly `best`."""
    worth = 0.0
    guarded = pool | GUARD_BITS
    for it in items:
        while (guarded - it.bits) & GUARD_BITS == GUARD_BITS:
            guarded -= it.bits
            worth += it.worth
    return worth


LETTER_POINTS = 1.3  # points that one more letter brings by the own next turn
PARKED = (3, 4)  # letters of a word that is laid to park them
PARK_NODES = 250
STEAL_GAIN = 4.0  # points that a stolen letter has to bring


class PlannedSteal(NamedTuple):
    letter: str
    word: int
    leaving: str
    making: str


class WordSelection(NamedTuple):
    layout: tuple[str, ...]  # own exposed words as they are to lie
    points: float  # of the own words without those that are parked
    ends_first: float  # how likely the round ends before the own next turn


def manifest_items(view: View) -> list[Item]:
    """The words of the own manifest with their points, the most for a letter first."""
    if view.manifest is None:
        return []
    found = [item_of(view, word) for word in manifest_words(view) if word not in blocklist()]
    return by_points_per_letter(found)


def item_of(view: View, word: str) -> Item:
    return make_item(word, own_points(view, word))


def own_points(view: View, spelling: str) -> int:
    """Points of a word in front of the own seat.  [WR-09] [WR-51]"""
    worth = view.box.worth(spelling)
    sets = sets_of(view.manifest, spelling) if view.manifest else []
    if not sets:
        return -worth
    bonus = view.indicator
    return worth * max(bonus.multiplier if bonus and bonus.set == n else 1 for n in sets)


@lru_cache(maxsize=8)
def parking_words(words: Dictionary) -> tuple[Item, ...]:
    """The words that letters are parked in."""
    found = words.lexicon.words(words.level, max(PARKED))
    return tuple([make_item(word, 0.0) for word in found if word not in blocklist()])


class WordSelector:
    """Plans of one seat in MAIN."""

    def __init__(self, words: Dictionary, known: SeatKnowledge, skill: Skill) -> None:
        self.words, self.known, self.view, self.me = words, known, known.view, known.me
        self.parked_max = skill.parked_max
        self.items = manifest_items(overlooking(skill.overlooks, self.view))
        self.exposed = own_exposed_words(self.view, self.me)
        self.hand = letter_cards(self.view.hand)
        self.letters = "".join(sorted([*self.hand, *"".join(w.spelling for w in self.exposed)]))
        self.pool = pack_letters(self.letters)
        self.locked = sum(
            own_points(self.view, w.spelling) for w in own_words(self.view, self.me) if w.is_locked
        )
        self.best = best_packing(self.items, self.pool, len(self.letters))
        self.points = self.locked + self.best.worth

    @property
    def holds_end(self) -> bool:
        return END_OF_ROUND in self.view.hand

    # -- laying --------------------------------------------------------------------------------

    def manifest_words_only(self) -> WordSelection:
        """Only words of the own manifest."""
        left = len(self.letters) - sum(map(len, self.best.spellings))
        return WordSelection(
            self.best.spellings,
            self.points,
            self.known.ends_before_next_turn_odds(self.known.refill(left)),
        )

    def with_parked_letters(self) -> WordSelection:
        """The same, and other letters parked where that is worth its risk."""
        bare = self.manifest_words_only()
        rest = missing_letters(self.letters, "".join(bare.layout))
        usual = self._parking(rest, bare.ends_first)
        if not usual.spellings:
            return bare
        left = len(rest) - sum(map(len, usual.spellings))
        risk = self.known.ends_before_next_turn_odds(self.known.refill(left))
        if risk > bare.ends_first + 0.02:
            usual = self._parking(rest, risk)
            if not usual.spellings:
                return bare
        return WordSelection((*bare.layout, *usual.spellings), bare.points, risk)

    def _parking(self, rest: str, risk: float) -> Packing:
        """Words to park letters of *rest*, by the worth of letters and the risk of points."""
        worth = {n: (1 - risk) * LETTER_POINTS * n - risk * 5 * (n - 2) for n in PARKED}
        if not self.parked_max or len(rest) < min(PARKED) or max(worth.values()) <= 0:
            return EMPTY_PACKING
        pool = pack_letters(rest)
        items = [
            it._replace(worth=worth[it.length], rate=worth[it.length] / it.length)
            for it in fitting_items(parking_words(self.words), pool)
            if worth[it.length] > 0
        ]
        packing = best_packing(_rarest_first(items), pool, len(rest), nodes=PARK_NODES)
        return packing._replace(spellings=packing.spellings[: self.parked_max])

    # -- stealing ------------------------------------------------------------------------------

    def plan_steal(self) -> PlannedSteal | None:
        """A letter of somebody else that completes an own word.  [WR-33]"""
        if self.view.stolen:
            return None
        words = stealable_words(self.view, self.me)
        there = {letter for word in words for letter in word.spelling}
        gain, found = STEAL_GAIN, None
        for letter in sorted(there):
            made = self._made_with(letter)
            if made is None or made.worth <= gain:
                continue
            left = self._left(words, letter)
            if left is not None:
                gain = made.worth
                found = PlannedSteal(letter, left[0], left[1], made.spelling)
        return found

    def _made_with(self, letter: str) -> Item | None:
        """The own word that a stolen letter completes, and what it adds to the points."""
        unit = LETTER_UNITS[letter]
        made: Item | None = None
        for it in self.items:
            if has_letters(self.pool, it.bits) or not has_letters(self.pool + unit, it.bits):
                continue
            pool, letters = self.pool + unit - it.bits, len(self.letters) + 1 - it.length
            rest = best_packing(self.items, pool, letters)
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
            was = self.known.expected_points(word.owner, word.spelling)
            for other, leaving in self.words.minus_one(word.spelling):
                if other == letter and leaving not in blocklist():
                    points = was - self.known.expected_points(word.owner, leaving)
                    lost.append((points, -word.number, leaving))
        return (-max(lost)[1], max(lost)[2]) if lost else None

    def layout_without(self, letters: str) -> tuple[str, ...]:
        """The best that can lie while *letters* are in the hand."""
        pool = self.pool - pack_letters(letters)
        return best_packing(self.items, pool, len(self.letters) - len(letters)).spellings


def _rarest_first(items: Sequence[Item]) -> list[Item]:
    """Of equal worth those first whose letters few others use: so that most letters find room."""
    uses: dict[str, int] = {}
    for it in items:
        for letter in set(it.spelling):
            uses[letter] = uses.get(letter, 0) + 1

    def order(it: Item) -> tuple[float, float, str]:
        return -it.rate, -sum(1 / uses[letter] for letter in it.spelling), it.spelling

    return sorted(items, key=order)


def layout_changes(now: Iterable[WordView], layout: Sequence[str]) -> tuple[list[int], list[str]]:
    """(words to take up, words to lay) that make *layout* of what lies there now."""
    missing, taken = list(layout), []
    for word in now:
        if word.spelling in missing:
            missing.remove(word.spelling)
        else:
            taken.append(word.number)
    return taken, missing
