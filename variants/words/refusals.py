"""The refusals that several plays share: a letter, a spelling, a word on the table, the hand.

Rule 1: all but `refuse_lacking` read public facts only.  See `check` for the order.
Rule 2: where a table has hints switched off, a word that could be made is never named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from variants.contract import IllegalAction, Seat
from variants.kit.text import series
from variants.words.box import END_OF_ROUND
from variants.words.dictionary import Dictionary
from variants.words.lexicon import ALPHABET
from variants.words.spelled import in_order, is_anagram, lacking, letter_cards
from variants.words.view import View, WordView

INSTEAD = " Type moves to see what you can do."

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_NAMED_MAX = 6  # words of the table in one sentence
_AN = "AEFHILMNORSX"  # letters whose names begin with a vowel


def numeral(number: int) -> str:
    """`two`, `12`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def number_of(number: int, noun: str) -> str:
    """`one card`, `two cards`, `12 cards`."""
    return f"{numeral(number)} {noun}{'' if number == 1 else 's'}"


def a_letter(letter: str) -> str:
    return f"{'an' if letter in _AN else 'a'} {letter}"


def held(view: View) -> str:
    """The own hand as a sentence."""
    letters = " ".join(in_order(letter_cards(view.hand)))
    end = "End of Round" if END_OF_ROUND in view.hand else ""
    return f"Your hand: {series([part for part in (letters, end) if part]) or 'nothing'}."


# -- letters ---------------------------------------------------------------------------------------


def refuse_letter(letter: str) -> None:
    if letter == END_OF_ROUND:  # [WR-13] [WR-25]
        raise IllegalAction(
            "The End of Round card is no letter: it can be neither traded nor discarded. "
            "Name a letter, A to Z."
        )
    if len(letter) != 1 or letter not in ALPHABET:
        raise IllegalAction("{} is no letter. Name one letter, A to Z.", letter or "Nothing")


def refuse_lacking(view: View, needed: str | Sequence[str]) -> None:
    """The own hand must have these letters."""
    missing = lacking(needed, letter_cards(view.hand))
    if not missing:
        return
    parts = []
    for letter in sorted(set(missing)):
        number = needed.count(letter)
        parts.append(a_letter(letter) if number == 1 else number_of(number, letter))
    raise IllegalAction("You do not hold {}. {}", series(parts, "or"), held(view))


# -- spellings -------------------------------------------------------------------------------------


def refuse_no_word(words: Dictionary, view: View, spelling: str) -> None:
    if spelling and words.is_word(spelling):
        return
    if not view.settings.hints and words.anagrams(spelling):
        raise IllegalAction("{} is no word. Try other letters, or another order.", spelling)
    raise IllegalAction("{}", words.why_not(spelling))


def refuse_left(words: Dictionary, view: View, word: WordView, letter: str, leaving: str) -> None:
    """What is left of a word without one letter must be spelled as a word.  [WR-35] [WR-46]"""
    if letter not in word.spelling:
        raise IllegalAction(
            "There is no {} in {}. Name one of its letters: {}.",
            letter, word.spelling, " ".join(word.spelling),
        )  # fmt: skip
    rest = word.spelling.replace(letter, "", 1)
    if not words.anagrams(rest):
        raise IllegalAction(
            "{} without {} leaves {}, which spells nothing. What is left must be a word: try "
            "another letter.", word.spelling, letter, in_order(rest),
        )  # fmt: skip
    if not is_anagram(leaving, rest):
        raise IllegalAction(
            "{} without {} leaves {}. Name a word of exactly these letters, not {}.",
            word.spelling, letter, in_order(rest), leaving or "nothing",
        )  # fmt: skip
    refuse_no_word(words, view, leaving)


# -- words on the table ----------------------------------------------------------------------------


def choice(fitting: Iterable[WordView], do: str, none: str) -> tuple[str, tuple[Seat | str, ...]]:
    """Which words it could be, as a sentence with its fields: `You can lock word 2 EAST.`"""
    words = list(fitting)
    if not words:
        return none, ()
    if len(words) > _NAMED_MAX:
        return f"You can {do} any of {len(words)} words: look at the table.", ()
    about = tuple([part for word in words for part in (str(word.number), word.spelling)])
    return f"You can {do} {series(['word {} {}'] * len(words), 'or')}.", about


def refuse_no_such(
    view: View, number: int, fitting: Iterable[WordView], do: str, none: str
) -> WordView:
    """The word of that number, which lies on the table, in front of whomever."""
    for word in view.words:
        if word.number == number:
            return word
    right, about = choice(fitting, do, none)
    raise IllegalAction("There is no word {} on the table. " + right, str(number), *about)
