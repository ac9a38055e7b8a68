"""Manifests without end: cards as fair as those in the box, made from a number.  [WR-10]

Rule 1: the same seed, words and box make the same cards on every machine.
Rule 2: a card is as hard as those that are printed in the box, within the tolerances below, under
        the letters of that box: in its longest words, in its ladders (the mean of all words by
        their points), and in the first of its four longest words to come, for the bonus indicator
        picks a set at random.  Where the printed cards tell nothing, since these letters cannot
        spell them or hardly any word is as hard, the standard is what most chains have.
Rule 3: no word of one set is related to a word of another; nor across the cards of a deck as far
        as there are words for it.  After that words come again, the short ones first
        (`RELATION_RULES`).
Rule 4: words are familiar (level 20; a setting, 10 to 35), in a spelling that is, and none that is
        denied, here or by the host.

As a command it prints them: `python -m variants.words.manifests --help`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import count, islice
from math import inf
from typing import NamedTuple

from variants.contract import Chance, InvalidData
from variants.kit.chance import SeededChance
from variants.kit.text import join_words
from variants.words.data.box import LENGTHS, SETS, Box, Manifest
from variants.words.lexicon.dictionary import manifest_blocklist
from variants.words.lexicon.lexicon import Lexicon
from variants.words.manifests.chains import (
    WEIGHTS,
    Chain,
    Difficulty,
    RelatedWords,
    chains,
    counts_fit,
    pack_counts,
)

EDITION = 2  # of what a seed makes; part of the game's data fingerprint
LEVEL = 20  # of the words, unless told
LEVELS = (10, 20, 35)  # that the list has for words of cards

# Tolerances, in draws from the 106 letters of the standard box; other boxes in proportion.  A word
# and a chain may be further off than those of the twenty printed cards, so that many more words
# come; the card as a whole keeps to what they keep.
LONGEST_OFF = 6.0  # one six-letter word: 37.1 to 49.0
LADDER_OFF = 6.0  # one chain
CARD_OFF = 0.3  # mean of the four longest: no card is worth a draw more than another
CARD_LADDER_OFF = 0.4
FIRST_OFF = 0.6  # first of the four to come
STANDARD_CARDS = 107  # the letters and one: expected draws are in proportion to it

SHARED_MAX = 3  # letters that two of the longest words have in common
COPIES_MAX = 4  # of one letter in the four longest: half of those in the box, at most so many ...
COPIES_MANY = 5  # ... but of letters of which there are MANY
MANY = 12
KINDS_MIN = 14  # different letters in the four longest, or half of those in the box
COPIES_S = 3  # the letter of attack

RELATION_RULES: tuple[Callable[[RelatedWords, Chain], bool], ...] = (
    lambda taken, chain: not chain.kin.is_related(taken),
    lambda taken, chain: taken.spelled.isdisjoint(chain.words),
    lambda taken, chain: taken.spelled.isdisjoint(chain.words[1:]),
    lambda taken, chain: chain.words[-1] not in taken.spelled,
    lambda taken, chain: True,
)
"""What a chain still keeps of rule 3, beside the words of the cards before; the strictest first."""

ATTEMPTS = 100  # to make a card of four chains: with fewer, rule 3 is given up too soon ...
TRIES = 20  # to find one once more, where it does not matter what came before
PICKS = 40  # ... each of them picked so often at most
SAMPLES = 12  # cards that tell whether there are cards, and how soon the first of four comes


class CardDifficulty(NamedTuple):
    """How hard cards are, in draws."""

    longest: float
    ladder: float
    first: float


NO_CARD_DIFFICULTY = CardDifficulty(inf, inf, inf)


class Maker:
    """Makes cards for one box.  `maker` builds it once: a tenth of a second, one card 2 ms.

    Raises:
        InvalidData: These letters and words make no card.
    """

    def __init__(self, lexicon: Lexicon, box: Box, level: int = LEVEL) -> None:
        if level not in LEVELS:
            levels = join_words([*map(str, LEVELS)], "or")
            raise InvalidData(f"Level {level} is wrong. Use {levels}.")
        self._difficulty = Difficulty(box.letters)
        self._scale = (sum(c.number for c in box.letters) + 1) / STANDARD_CARDS
        number = {count.letter: count.number for count in box.letters if count.number}
        self._kinds = min(KINDS_MIN, len(number) // 2 + 1)
        without = manifest_blocklist() | lexicon.unprinted
        words = [word for word in lexicon.words(level, LENGTHS[-1]) if word not in without]
        some = {letter: _copies(letter, n) for letter, n in number.items()}
        for find in (self._printed, self._usual):
            self.target = find(words, box)
            self.chains = tuple(self._near(words))
            self._endings = _by_ending(self.chains)
            for copies in (some, number):
                self._copies = pack_counts(copies)
                if self._has_cards():
                    return
        raise InvalidData(
            f"No manifest can be made of these letters with words up to level {level}: of "
            f"{len(self.chains):,} chains of words that are about equally hard, no four make a "
            "fair card. Bring the numbers of the letters nearer to those of the standard box, or "
            f"allow words of a higher level, up to {LEVELS[-1]}."
        )

    def manifest(self, chance: Chance, used: Iterable[str] = (), id_: str = "X1") -> Manifest:
        """One card; no word of *used* nor a relative of one, as far as there are others."""
        return next(self.cards(chance, used, id_))

    def deck(self, seed: int, number: int) -> tuple[Manifest, ...]:
        """*number* cards, X1 and so on, from a seed."""
        return tuple(islice(self.cards(SeededChance(b"manifests %d" % seed)), number))

    def mean(self, card: Manifest) -> CardDifficulty:
        """How hard a card is."""
        draws = self._difficulty.draws
        longest = [words[-1] for words in card.sets]
        return CardDifficulty(
            sum(map(draws, longest)) / SETS,
            sum(w * draws(x) for s in card.sets for w, x in zip(WEIGHTS, s, strict=True)) / SETS,
            self._difficulty.any_of(longest),
        )

    def cards(self, chance: Chance, used: Iterable[str] = (), id_: str = "") -> Iterator[Manifest]:
        """Cards without end, X1 and so on, each with all of rule 3 that *used* and the ones before
        it leave."""
        taken, numbers = RelatedWords(used), count(1)
        for is_free in RELATION_RULES + RELATION_RULES[-1:] * TRIES:
            pool = _Pool(self._endings)
            while card := self._card(chance, pool, partial(is_free, taken)):
                yield Manifest(id_ or f"X{next(numbers)}", tuple(chain.words for chain in card))
                for chain in card:
                    taken.add(chain.kin)
        raise InvalidData("No further manifest was found. Try another seed.")

    def _card(
        self, chance: Chance, pool: _Pool, is_free: Callable[[Chain], bool]
    ) -> tuple[Chain, ...] | None:
        """Four chains in any order; None: not found in so many attempts."""
        for _ in range(ATTEMPTS):
            card: list[Chain] = []
            for _ in range(PICKS):
                chain = pool.picked(chance, is_free)
                if chain is None:
                    return None
                if any(_is_near(chain, other) for other in card):
                    continue
                if len(card) < SETS - 1:
                    card.append(chain)
                elif self._is_fair([*card, chain]):
                    return chance.shuffled([*card, chain])
        return None

    def _is_fair(self, card: list[Chain]) -> bool:
        """The four together, cheapest first."""
        scale, standard = self._scale, self.target
        if abs(sum(c.draws for c in card) / SETS - standard.longest) > CARD_OFF * scale:
            return False
        if abs(sum(c.ladder for c in card) / SETS - standard.ladder) > CARD_LADDER_OFF * scale:
            return False
        longest = [chain.words[-1] for chain in card]
        if len(set("".join(longest))) < self._kinds:
            return False
        if not counts_fit(sum(chain.counts for chain in card), self._copies):
            return False
        if standard.first == inf:
            return True
        return abs(self._difficulty.any_of(longest) - standard.first) <= FIRST_OFF * scale

    def _printed(self, words: Sequence[str], box: Box) -> CardDifficulty:
        """The mean of the cards in the box; infinite: none of them can be spelled."""
        means = [self.mean(card) for card in box.manifests]
        spelled = [mean for mean in means if mean.longest < inf and mean.ladder < inf]
        if not spelled:
            return NO_CARD_DIFFICULTY
        return CardDifficulty(*(sum(each) / len(spelled) for each in zip(*spelled, strict=True)))

    def _usual(self, words: Sequence[str], box: Box) -> CardDifficulty:
        """Where most chains lie; the first of four is not known yet."""
        every = chains(words, self._difficulty)
        draws = sorted(chain.draws for chain in every)
        if not draws:
            return NO_CARD_DIFFICULTY
        off = LONGEST_OFF * self._scale
        near = [bisect_right(draws, x + off) - bisect_left(draws, x - off) for x in draws]
        longest = draws[near.index(max(near))]
        ladders = [chain.ladder for chain in every if abs(chain.draws - longest) <= off]
        return CardDifficulty(longest, sum(ladders) / len(ladders), inf)

    def _near(self, words: Sequence[str]) -> list[Chain]:
        """The chains that keep to the standard."""
        longest, ladder, _ = self.target
        if longest == inf:
            return []
        off, ladder_off = LONGEST_OFF * self._scale, LADDER_OFF * self._scale
        every = chains(words, self._difficulty, longest - off, longest + off)
        return [chain for chain in every if abs(chain.ladder - ladder) <= ladder_off]

    def _has_cards(self) -> bool:
        """Whether a few cards can be made, of which none is left out by bad luck alone."""
        cards = self._samples()
        if len(cards) == SAMPLES and self.target.first == inf:
            firsts = [self._difficulty.any_of([c.words[-1] for c in card]) for card in cards]
            self.target = self.target._replace(first=sum(firsts) / SAMPLES)
            cards = self._samples()
        return len(cards) == SAMPLES

    def _samples(self) -> list[tuple[Chain, ...]]:
        """SAMPLES cards, or fewer where one was not found."""
        chance, pool = SeededChance(b"samples"), _Pool(self._endings)
        cards: list[tuple[Chain, ...]] = []
        while len(cards) < SAMPLES and (card := self._card(chance, pool, lambda chain: True)):
            cards.append(card)
        return cards


class _Pool:
    """Chains by their longest word's letters; those that are not free leave when they come up."""

    def __init__(self, endings: Iterable[Iterable[Chain]]) -> None:
        self._endings = [list(ending) for ending in endings]

    def picked(self, chance: Chance, is_free: Callable[[Chain], bool]) -> Chain | None:
        """Any chain, all endings alike; None: none is left."""
        while self._endings:
            at = chance.below(len(self._endings))
            ending = self._endings[at]
            which = chance.below(len(ending))
            if is_free(ending[which]):
                return ending[which]
            ending[which] = ending[-1]
            ending.pop()
            if not ending:
                self._endings[at] = self._endings[-1]
                self._endings.pop()
        return None


def maker_for(lexicon: Lexicon, box: Box, level: int = LEVEL) -> Maker:
    """The maker for a box, built when it is first asked for; so is the reason against one."""
    made = _build_maker(lexicon, box, level)
    if isinstance(made, Maker):
        return made
    raise InvalidData(made)


@lru_cache(maxsize=4)
def _build_maker(lexicon: Lexicon, box: Box, level: int) -> Maker | str:
    try:
        return Maker(lexicon, box, level)
    except InvalidData as bad:
        return str(bad)


def _by_ending(found: Iterable[Chain]) -> list[list[Chain]]:
    """By the letters of the longest word, so that no word comes up for its many chains."""
    endings: dict[str, list[Chain]] = {}
    for chain in found:
        endings.setdefault("".join(sorted(chain.words[-1])), []).append(chain)
    return [endings[letters] for letters in sorted(endings)]


def _is_near(one: Chain, other: Chain) -> bool:
    shared = (one.letters & other.letters).bit_count()
    if shared > SHARED_MAX or one.kin.is_related(other.kin):
        return True
    return sorted(one.words[0]) == sorted(other.words[0])  # no EAT beside TEA


def _copies(letter: str, number: int) -> int:
    if letter == "S":
        return min(COPIES_S, max(1, (number + 1) // 2))
    return COPIES_MANY if number >= MANY else min(COPIES_MAX, max(1, (number + 1) // 2))
