"""The words that a table names of its own accord: in hints, in samples, where a word is left out.

Rule 1: they are those of the table's hints, without what nobody wants to read (`denied`).  Who
        types such a word may play it, and what is printed on a manifest of the box is named.
"""

from __future__ import annotations

from functools import lru_cache

from variants.words.box import WORD_MIN, Box
from variants.words.denied import denied
from variants.words.dictionary import Dictionary
from variants.words.lexicon import Lexicon
from variants.words.view import View


class Hints(Dictionary):
    """A dictionary that is discreet.  `hints` makes it once for each box and level."""

    __slots__ = ("_unsaid",)

    def __init__(self, lexicon: Lexicon, box: Box, level: int) -> None:
        super().__init__(lexicon, box, level)
        printed = {word for card in box.manifests for words in card.sets for word in words}
        self._unsaid = denied() - printed

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
