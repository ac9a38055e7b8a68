"""Words that fit what was said: which word on the table, which spelling of its letters.

Rule 1: exact is what the letters and the word list allow; loose is what names its word, and
        `check` says why not.  Neither looks at the own hand, but for what a thief can spell.
Rule 2: an arrangement of given letters is looked for among all words of the table.  For words of
        free choice the table's hints are the limit of what is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from variants.contract import Seat
from variants.words.actions import Action, Add, Remove, Steal
from variants.words.language.slots import Reading, assign_roles
from variants.words.legal_actions import manifest_words, own_exposed_words
from variants.words.lexicon.dictionary import Dictionary, dictionary, hints
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import is_anagram, is_within, letter_cards, missing_letters
from variants.words.view import View, WordView

MAKING_MAX = 12  # letters in which a thief's word is looked for: under a millisecond


class Candidates(NamedTuple):
    exact: list[Action]
    loose: list[Action]


def acting_seat(view: View) -> Seat:
    """Whose words they are; a watcher's are refused whatever they mean."""
    return view.turn if view.seat is None else view.seat


def others_exposed_words(view: View) -> list[WordView]:
    me = acting_seat(view)
    return [word for word in view.words if word.owner != me and not word.is_locked]


def matches_word(said: Reading, word: WordView) -> bool:
    """Whether player and number fit, as far as they are said."""
    return said.seat in (None, word.owner) and said.number in (None, word.number)


# -- a letter to a word, and a letter from a word --------------------------------------------------


def find_adds(said: Reading, view: View, words: Dictionary) -> Candidates:
    """A letter to a word of another: player, number or spelling say which."""
    fits = Candidates([], [])
    pool = [word for word in others_exposed_words(view) if matches_word(said, word)]
    if said.seat is None and said.number is None and not said.spelled:
        return fits
    for role in assign_roles(said, ("old", "new")):
        old, new = role.get("old", ""), role.get("new", "")
        for word in _spelled(pool, old):
            letter = said.letter or missing_letters(new, word.spelling)
            if len(letter) != 1:
                continue
            for spelling in _spellings(word.spelling + letter, new, words):
                fits.exact.append(Add(letter, word.number, spelling))
        if said.letter:
            number = _target(said, old, pool, view)
            if number is not None:
                fits.loose.append(Add(said.letter, number, new))
    return fits


def find_removals(said: Reading, view: View, words: Dictionary) -> Candidates:
    """A letter out of an own word."""
    fits = Candidates([], [])
    pool = [word for word in own_exposed_words(view, acting_seat(view)) if matches_word(said, word)]
    for letter, word, leaving in _left(said, pool, words, ("old", "leaving")):
        fits.exact.append(Remove(letter, word.number, leaving))
    for role in assign_roles(said, ("old", "leaving")) if said.letter else ():
        number = _target(said, role.get("old", ""), pool, view)
        if number is not None:
            fits.loose.append(Remove(said.letter, number, role.get("leaving", "")))
    return fits


def find_steals(said: Reading, view: View, words: Dictionary) -> Candidates:
    """A letter out of a word of another; the new word is "" where it is not said."""
    fits = Candidates([], [])
    pool = [word for word in others_exposed_words(view) if matches_word(said, word)]
    if said.seat is None and said.number is None and not said.spelled:
        return fits
    unsaid = [spelling for role, spelling in said.spelled if not role]
    is_old = len(unsaid) == 1 and bool(_spelled(pool, unsaid[0]))  # what lies there is meant
    for role in assign_roles(said, ("old", "leaving", "making")):
        making = role.get("making", "")
        if is_old and role.get("old") != unsaid[0]:
            continue
        one = said._replace(spelled=tuple(role.items()))
        if not fits.exact:  # of several roles that fit the one that is written first
            fits.exact.extend(
                Steal(letter, word.number, leaving, making)
                for letter, word, leaving in _left(one, pool, words, ("old", "leaving"))
                if not making or (letter in making and words.is_word(making))
            )
        number = _target(said, role.get("old", ""), pool, view) if said.letter else None
        if number is not None:
            fits.loose.append(Steal(said.letter, number, role.get("leaving", ""), making))
    return fits


def _left(
    said: Reading, pool: Iterable[WordView], words: Dictionary, names: tuple[str, ...]
) -> Iterator[tuple[str, WordView, str]]:
    """(letter, word, spelling that is left) for a letter that is said, or that follows."""
    making = dict(said.spelled).get("making", "")
    said = said._replace(spelled=tuple(pair for pair in said.spelled if pair[0] != "making"))
    for role in assign_roles(said, names):
        leaving = role.get("leaving", "")
        for word in _spelled(pool, role.get("old", "")):
            was = word.spelling
            letters = said.letter
            if not letters and leaving:
                letters = missing_letters(was, leaving)
                letters = letters if len(letters) == 1 else ""
            elif not letters:
                letters = "".join(sorted(set(was) & set(making)))
            for letter in letters:
                if letter in was:
                    for left in _spellings(was.replace(letter, "", 1), leaving, words):
                        yield letter, word, left


def _spelled(pool: Iterable[WordView], old: str) -> list[WordView]:
    return [word for word in pool if old in ("", word.spelling)]


def _spellings(letters: str, spelling: str, words: Dictionary) -> tuple[str, ...]:
    """The spelling that was said, if it is one; all there are if none was said."""
    if not spelling:
        return words.anagrams(letters)
    is_one = is_anagram(spelling, letters) and words.is_word(spelling)
    return (spelling,) if is_one else ()


def _target(said: Reading, old: str, pool: Iterable[WordView], view: View) -> int | None:
    """The number of the one word that is meant, in front of whomever; None: it is none, or not
    one.  A number is taken at its word."""
    meant = [word for word in view.words if matches_word(said, word)]
    if said.number is not None and said.seat is None:
        meant = [word for word in view.words if word.number == said.number]
        if not meant:
            return said.number
    found = _spelled(pool, old) or _spelled(meant, old)
    return found[0].number if len({(word.owner, word.spelling) for word in found}) == 1 else None


# -- what a thief can spell ------------------------------------------------------------------------


class StealWords(NamedTuple):
    """Words with a stolen letter."""

    found: list[str] | None  # at this table; None: there are too many letters to look through
    named: list[str]  # those that may be named, words of the own manifest first


def find_steal_words(lexicon: Lexicon, view: View, letter: str) -> StealWords:
    letters = "".join(letter_cards(view.hand)) + letter
    printed = [word for word in manifest_words(view) if letter in word and is_within(word, letters)]
    if len(letters) > MAKING_MAX:
        return StealWords(None, printed)
    words = dictionary(lexicon, view.box, view.settings.level)
    found = [word for word in words.within(letters) if letter in word]
    if not view.settings.hints:
        return StealWords(found, printed)
    shown = hints(lexicon, view)
    others = [word for word in found if word not in printed and shown.is_word(word)]
    return StealWords(found, printed + sorted(others, key=lambda word: (-len(word), word)))
