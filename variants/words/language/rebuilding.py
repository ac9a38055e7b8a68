"""Own words as they are typed, to lock, to take up and to rebuild.

Rule 1: a word on the table is its number, or its spelling: an own one first, an exposed one first.
        Nobody is named here, so no name of a player disturbs.
Rule 2: what a plus sign joins belongs together and is never a filler: `rebuild 2+3 as foam+and`.
Rule 3: without `as` every place where the words to take up may end is tried.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from variants.words.actions import Rebuild
from variants.words.language.arrangements import acting_seat
from variants.words.language.slots import (
    FILLERS,
    WORD_CHARS,
    is_letter,
    is_letters,
    is_spelling,
    parse_word_number,
    split_plus_signs,
    table_spelling,
)
from variants.words.lexicon.dictionary import Dictionary
from variants.words.lexicon.multiset import is_within, letter_cards
from variants.words.view import View

SPLITS_MAX = 20  # words without `as`
_SPLITS = ("as", "to", "into", "making")  # no word has two letters, so `as` comes first
_REBUILD_FILLERS = FILLERS | {"up", "plus", "hand", "take"}


class RebuildReading(NamedTuple):
    """One way to read a rebuild."""

    action: Rebuild
    letters: str  # of the hand that were named; "" if none was


def find_word_number(word: str, view: View, used: Container[int] = ()) -> int | None:
    """The number of the word that is typed, in front of whomever; None: it is none."""
    if (number := parse_word_number(word)) is not None:
        return number
    named = [each for each in view.words if each.spelling and each.spelling == table_spelling(word)]
    me = acting_seat(view)
    named.sort(key=lambda each: (each.owner != me, each.is_locked, each.number in used))
    return named[0].number if named else None


def find_word_numbers(words: Sequence[str], view: View) -> tuple[list[int], str]:
    """The words that are named, each as often as it is; and the first that is none on the table."""
    numbers: list[int] = []
    for word, is_joined in _pieces(words):
        number = find_word_number(word, view, numbers)
        if number is not None:
            numbers.append(number)
        elif is_joined or word not in _REBUILD_FILLERS:
            return numbers, word
    return numbers, ""


def find_rebuilds(words: Sequence[str], view: View, known: Dictionary) -> list[RebuildReading]:
    """Every way to read what follows `rebuild`; those first that take up most words."""
    mark = next((mark for mark in _SPLITS if mark in words[1:]), "")
    if mark:
        at = words.index(mark, 1)
        return list(_read(words[:at], words[at + 1 :], view, known, is_split=True))
    found: list[RebuildReading] = []
    for at in range(len(words), 0, -1) if len(words) <= SPLITS_MAX else ():
        found += _read(words[:at], words[at:], view, known, is_split=False)
    return found


def _read(
    take: Sequence[str], lay: Sequence[str], view: View, known: Dictionary, *, is_split: bool
) -> Iterator[RebuildReading]:
    numbers, letters = split_words_and_letters(take, view)
    if not numbers or not (is_split or len(set(numbers)) == len(numbers)):
        return
    was = [word.spelling for word in view.words if word.number in numbers]
    laid = list(dict.fromkeys([_laid(lay, False), _laid(lay, True)]))
    if not lay:
        laid = [(new,) for new in known.anagrams("".join(was) + letters) if [new] != was]
    for spellings in laid:
        if spellings and all(map(is_spelling, spellings)):
            yield RebuildReading(Rebuild(tuple(numbers), spellings), letters)


def split_words_and_letters(words: Sequence[str], view: View) -> tuple[list[int], str]:
    """Numbers of words, and letters of the hand.  No numbers: something is neither."""
    numbers: list[int] = []
    letters, hand = "", letter_cards(view.hand)
    for word, is_joined in _pieces(words):
        number = find_word_number(word, view, numbers)
        if number is not None:
            numbers.append(number)
        elif (
            not is_joined
            and word in _REBUILD_FILLERS
            and not (is_letter(word) and word.upper() in hand)
        ):
            continue
        elif is_letters(word) and (is_letter(word) or is_within(letters + word.upper(), hand)):
            letters += word.upper()
        else:
            return [], letters
    return numbers, letters


def _laid(words: Sequence[str], is_plain: bool) -> tuple[str, ...]:
    """The new words; *is_plain*: without fillers between them."""
    pieces = list(_pieces(words))
    if len(pieces) > 1 and all(is_letter(word) for word, _ in pieces):
        return ("".join([word for word, _ in pieces]).upper(),)
    last = len(pieces) - 1
    return tuple(
        [
            table_spelling(word)
            for at, (word, is_joined) in enumerate(pieces)
            if not (is_plain and not is_joined and at < last and word in _REBUILD_FILLERS)
        ]
    )


def _pieces(words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each piece, and whether a plus sign joins it to another; what is too long is cut."""
    for word in words:
        each = split_plus_signs([word])
        yield from ((piece[: 2 * WORD_CHARS], len(each) > 1) for piece in each)
