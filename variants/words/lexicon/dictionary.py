"""The words of one table: what is valid, what the server may name, what it never uses.  [WR-02]

Rule 1: a word is valid if the list has it up to the table's level, or if it stands on any manifest
        of the public box, in play or not: so validity tells nothing about who holds which card.
        Fresh manifests are not in it (`events.public_box`); they have words of the list only, so
        all fresh games share one dictionary.
Rule 2: hints, samples and suggestions name the words of `Hints`: those valid at the hint level,
        without the blocklist.  People may play blocked words, and printed words are named.
Rule 3: the shipped blocklists block more than they need to, on purpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pkgutil import get_data

from variants.kit.text import join_words, quantity, shortened
from variants.words.data.box import (
    ALPHABET,
    WORD_MIN,
    Box,
)
from variants.words.lexicon.lexicon import LEVEL_MAX, Lexicon
from variants.words.lexicon.word_list import parse_word_lines
from variants.words.view import View

NAMED_MAX = 4  # words that a reason names at most
QUOTED_CHARS_MAX = 24  # characters of a word that a reason repeats


class Dictionary:
    """What counts as a word at a table.  `dictionary` makes it once for each box and level."""

    __slots__ = ("_printed", "level", "lexicon")

    def __init__(self, lexicon: Lexicon, box: Box, level: int) -> None:
        self.lexicon, self.level = lexicon, level
        printed: dict[str, tuple[str, ...]] = {}  # beyond the list, by sorted letters
        words = {word for card in box.manifests for words in card.sets for word in words}
        for word in sorted(words):
            known = lexicon.level_of(word)
            if known is None or known > level:
                key = "".join(sorted(word))
                printed[key] = (*printed.get(key, ()), word)
        self._printed: Mapping[str, tuple[str, ...]] = printed

    def is_word(self, word: str) -> bool:
        level = self.lexicon.level_of(word)
        return (level is not None and level <= self.level) or word in self._beyond(word)

    def anagrams(self, letters: str) -> tuple[str, ...]:
        """The words of exactly these letters, in alphabetical order."""
        found = self.lexicon.anagrams(letters, self.level)
        beyond = self._beyond(letters)
        return tuple(sorted((*found, *beyond))) if beyond else found

    def within(self, letters: str, shortest: int = WORD_MIN) -> list[str]:
        """All words of some of these letters, in no order; ValueError beyond LETTERS_MAX."""
        found = self.lexicon.within(letters, self.level, shortest)
        for key, words in self._printed.items():
            if len(key) >= shortest and all(key.count(x) <= letters.count(x) for x in set(key)):
                found += words
        return found

    def plus_one(self, word: str, letters: str) -> list[tuple[str, str]]:
        """(letter, spelling) for every word of all letters of *word* and one of *letters*."""
        found = self.lexicon.plus_one(word, letters, self.level)
        if self._printed:
            beyond = [(x, each) for x in set(letters) for each in self._beyond(word + x)]
            found = sorted(found + beyond) if beyond else found
        return found

    def minus_one(self, word: str) -> list[tuple[str, str]]:
        """(letter, spelling) for every word that is left when *word* loses one letter."""
        found = self.lexicon.minus_one(word, self.level)
        if self._printed:
            rests = ((x, word.replace(x, "", 1)) for x in set(word))
            beyond = [(x, each) for x, rest in rests for each in self._beyond(rest)]
            found = sorted(found + beyond) if beyond else found
        return found

    def rejection_reason(self, word: str) -> str:
        """Why these letters, in this order, are no word here: a sentence; "" if they are one."""
        shown = shortened(word, QUOTED_CHARS_MAX)
        if not word or set(word) - set(ALPHABET):
            return f"{shown or 'Nothing'} isn't a word: words have letters A to Z only."
        if len(word) < WORD_MIN:
            return f"{shown} is too short: three letters at least."
        if self.is_word(word):
            return ""
        if self.lexicon.level_of(word) is not None:
            return f"{shown} is a word, but this table plays words up to level {self.level}."
        if not (others := sorted(self.anagrams(word), key=self._familiar)):
            return f"{shown} spells nothing."
        if not (others := [each for each in others if each not in blocklist()]):
            return f"{shown} isn't in the word list. Try other letters, or another order."
        named = (
            join_words(others[:NAMED_MAX])
            if len(others) <= NAMED_MAX
            else ", ".join(others[:NAMED_MAX]) + " and more"
        )
        return f"{shown} isn't in the word list, but its letters spell {named}."

    def _familiar(self, word: str) -> int:
        return self.lexicon.level_of(word) or 0

    def _beyond(self, letters: str) -> tuple[str, ...]:
        return self._printed.get("".join(sorted(letters)), ()) if self._printed else ()


@lru_cache(maxsize=64)
def dictionary(lexicon: Lexicon, box: Box, level: int = LEVEL_MAX) -> Dictionary:
    """The words of a table with this box and this highest level; kept, for it is asked often."""
    return Dictionary(lexicon, box, level)


class Hints(Dictionary):
    """A dictionary that is discreet.  `hints` makes it once for each box and level."""

    __slots__ = ("_unsaid",)

    def __init__(self, lexicon: Lexicon, box: Box, level: int) -> None:
        super().__init__(lexicon, box, level)
        printed = {word for card in box.manifests for words in card.sets for word in words}
        self._unsaid = blocklist() - printed

    def is_word(self, word: str) -> bool:
        return word not in self._unsaid and super().is_word(word)

    def anagrams(self, letters: str) -> tuple[str, ...]:
        return tuple([word for word in super().anagrams(letters) if word not in self._unsaid])

    def within(self, letters: str, shortest: int = WORD_MIN) -> list[str]:
        return [word for word in super().within(letters, shortest) if word not in self._unsaid]

    def plus_one(self, word: str, letters: str) -> list[tuple[str, str]]:
        return [each for each in super().plus_one(word, letters) if each[1] not in self._unsaid]

    def minus_one(self, word: str) -> list[tuple[str, str]]:
        return [each for each in super().minus_one(word) if each[1] not in self._unsaid]


def hints(lexicon: Lexicon, view: View) -> Hints:
    """What the table of this view may name; at hints=off what is printed on its manifests."""
    return _made(lexicon, view.box, min(view.settings.level, view.settings.hints))


@lru_cache(maxsize=64)
def _made(lexicon: Lexicon, box: Box, level: int) -> Hints:
    return Hints(lexicon, box, level)


BLOCKLIST_FILES = ("data/deny.txt", "data/softdeny.txt")
MANIFEST_BLOCKLIST_FILES = (
    "data/spelling_variants.txt",
)  # spellings that few people use: they are no offence, but no fun


@cache
def blocklist() -> frozenset[str]:
    """What nobody wants to read, in capitals: neither printed nor played."""
    return frozenset(_words(BLOCKLIST_FILES))


@cache
def manifest_blocklist() -> frozenset[str]:
    """What stands on no manifest that is made here, in capitals."""
    return blocklist() | frozenset(_words(MANIFEST_BLOCKLIST_FILES))


def _words(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        data = get_data("variants.words", name)
        assert data, f"{name} is not shipped"
        yield from parse_word_lines(data)


def box_warnings(box: Box, lexicon: Lexicon) -> tuple[str, ...]:
    """What a host should know of cards that are played as they are, a sentence for each kind."""
    counts = {c.letter: c.number for c in box.letters}
    doubled, unlisted, unspelled = [], [], []
    for card in box.manifests:
        printed = Counter(word for words in card.sets for word in words)
        for word, times in printed.items():
            here = f"{word} of {card.id}"
            if times > 1:  # [WR-09]
                doubled.append(here)
            if lexicon.level_of(word) is None:
                unlisted.append(here)
            for letter in sorted(set(word)):
                if word.count(letter) > counts[letter]:
                    unspelled.append(f"{here} needs {word.count(letter)} {letter}")
                    break
    kinds = (
        (doubled, "{} on one card twice or more", "The best bonus counts."),
        (unlisted, "{} not in the word list", "What is printed is valid."),
        (unspelled, "cannot be spelled with the letters of the box", "Nobody can lay that."),
    )
    return tuple([_warning(*kind) for kind in kinds if kind[0]])


def _warning(found: Sequence[str], what: str, follows: str) -> str:
    does = what.format("is" if len(found) == 1 else "are")
    some = [*found[:NAMED_MAX], *([f"{left} more"] if (left := len(found[NAMED_MAX:])) else [])]
    return f"{quantity(len(found), 'printed word')} {does}: {join_words(some)}. {follows}"
