"""Piles, letters and spellings as they are typed: to draw, give, discard and form.

Rule 1: letters may be run together or stand apart.  A single letter is never a filler.
Rule 2: one word alone is what it says, also if it could be a filler: `form the`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variants.words.actions import Draw
from variants.words.data.box import END_OF_ROUND
from variants.words.language.slots import (
    FILLERS,
    is_letter,
    is_letters,
    is_spelling,
    split_plus_signs,
    table_spelling,
)
from variants.words.legal_actions import DISCARD, PILE
from variants.words.view import View

_NUMBERS: Mapping[str, int] = {
    word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)
}
_LETTER_FILLERS = FILLERS | {"draw", "pile", "top", "up", "hand", "again", "more", "new"}
_PILES: Mapping[str, str] = {
    "pile": PILE, "deck": PILE, "stock": PILE, "discard": DISCARD, "discards": DISCARD,
    "discarded": DISCARD,
}  # fmt: skip
_END = ("end", "of", "round")
DIGITS_MAX = 3
BEGUN_MIN = 2  # letters that begin the name of a pile: one letter is the top of the discard pile


def parse_draw(words: Sequence[str], view: View) -> Draw | None:
    """`draw`, `draw 2`, `draw 2 from the discard pile`; a letter is the top of the discards."""
    sources: list[str] = []
    counts: list[int] = []
    whole = [word if word in _LETTER_FILLERS else _complete_pile_name(word) for word in words]
    for at, word in enumerate(whole):
        is_of_discards = at > 0 and word == "pile" and _PILES.get(whole[at - 1]) == DISCARD
        if word in _PILES and not is_of_discards:
            sources.append(_PILES[word])
        elif word.isascii() and word.isdigit() and len(word) <= DIGITS_MAX:
            counts.append(int(word))
        elif word in _NUMBERS:
            counts.append(_NUMBERS[word])
        elif len(word) == 1 and word.upper() == view.top and word != "a":
            sources.append(DISCARD)
        elif word not in _LETTER_FILLERS:
            return None
    if len(set(sources)) > 1 or len(counts) > 1 or (counts and len(sources) > 1):
        return None
    source = sources[0] if sources else PILE
    return Draw(source, counts[0] if counts else max(1, len(sources)))


def _complete_pile_name(word: str) -> str:
    """The name of a pile that a word begins; else the word."""
    names = [name for name in _PILES if len(word) >= BEGUN_MIN and name.startswith(word)]
    return names[0] if names else word


def parse_letters(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The letters that may be meant: `r x`, `rx`, `r and x`; the likeliest first."""
    pieces = split_plus_signs(words)
    if tuple(pieces) in (_END, _END[:1] + _END[2:]):
        return [(END_OF_ROUND,)]
    if len(pieces) > 1 and not all(is_letter(word) for word in pieces):
        plain = [word for word in pieces if len(word) == 1 or word not in _LETTER_FILLERS]
        found = [_letters(plain), _letters(pieces)] if plain else [_letters(pieces)]
    else:
        found = [_letters(pieces)]
    return [letters for letters in dict.fromkeys(found) if letters]


def _letters(words: Sequence[str]) -> tuple[str, ...]:
    """Each letter of the words; none if something else is among them."""
    if not all(is_letters(word) or word == END_OF_ROUND for word in words):
        return ()
    return tuple("".join(words).upper())


def parse_spelling(words: Sequence[str]) -> str:
    """The one word that is to be formed; "" if it is none, or not one."""
    pieces = split_plus_signs(words)
    if len(pieces) > 1 and all(is_letter(word) for word in pieces):
        return "".join(pieces).upper()
    if len(pieces) > 1:
        pieces = [word for word in pieces if word not in _LETTER_FILLERS]
    if len(pieces) != 1:
        return ""
    word = pieces[0]
    is_short = len(word) == 1 and is_letters(word)  # `check` says that it is
    return table_spelling(word) if is_short or is_spelling(word) else ""
