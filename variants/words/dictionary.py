"""The words of one table: the list up to a level, and whatever is printed on the cards.  [WR-02]

Rule 1: a word is valid if the list has it up to the table's level, or if it stands on any manifest
        of the box, in play or not: so validity tells nothing about who holds which card.
Rule 2: the questions are those of the lexicon, answered for this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from variants.kit.text import series
from variants.words.box import WORD_MIN, Box
from variants.words.denied import denied
from variants.words.lexicon import ALPHABET, LEVEL_MAX, Lexicon

SHOWN = 4  # words that a reason names at most
TEXT_MAX = 24  # characters of a word that a reason repeats


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

    def why_not(self, word: str) -> str:
        """Why these letters, in this order, are no word here: a sentence; "" if they are one."""
        shown = word if len(word) <= TEXT_MAX else word[: TEXT_MAX - 3] + "..."
        if not word or set(word) - set(ALPHABET):
            return f"{shown or 'Nothing'} is no word: a word has letters A to Z only."
        if len(word) < WORD_MIN:
            return f"{shown} is too short: three letters at least."
        if self.is_word(word):
            return ""
        if self.lexicon.level_of(word) is not None:
            return f"{shown} is a word, but this table plays words up to level {self.level}."
        if not (others := sorted(self.anagrams(word), key=self._familiar)):
            return f"{shown} spells nothing."
        if not (others := [each for each in others if each not in denied()]):
            return f"{shown} is no word. Try other letters, or another order."
        named = (
            series(others[:SHOWN])
            if len(others) <= SHOWN
            else ", ".join(others[:SHOWN]) + " and more"
        )
        return f"{shown} is no word, but its letters spell {named}."

    def _familiar(self, word: str) -> int:
        return self.lexicon.level_of(word) or 0

    def _beyond(self, letters: str) -> tuple[str, ...]:
        return self._printed.get("".join(sorted(letters)), ()) if self._printed else ()


@lru_cache(maxsize=64)
def dictionary(lexicon: Lexicon, box: Box, level: int = LEVEL_MAX) -> Dictionary:
    """The words of a table with this box and this highest level; kept, for it is asked often."""
    return Dictionary(lexicon, box, level)
