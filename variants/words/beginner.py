"""Level 1: somebody who has just learned the game.

Rule 1: lays the words of its manifest that it can spell, the longest first, and lets them grow;
        what is spoilt it takes up.  It draws from the pile and keeps what its manifest needs.
Rule 2: now and then it locks a long word, or gives away a letter that fits nothing.
Rule 3: it ends the round as soon as it has a few words.  It neither trades nor steals, and counts
        nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from variants.contract import Chance, Seat
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Out,
    Pass,
    Rebuild,
)
from variants.words.denied import denied
from variants.words.dictionary import Dictionary, dictionary
from variants.words.events import Event
from variants.words.lexicon import Lexicon
from variants.words.moves import (
    DISCARD,
    PILE,
    addable,
    may_end_round,
    may_go_out,
    own_exposed,
    own_words,
    removals,
    surplus,
    wanted,
)
from variants.words.plans import own_items, own_worth
from variants.words.spelled import is_within, lacking, letter_cards
from variants.words.view import View

VOCABULARY = 35  # the highest level of the words it knows
ENDS_AT = 30  # points on the table at which it ends the round
LONG = 5  # letters of a word that it may lock
ONE_IN = 4  # how seldom it locks, and adds to a word
CHANGES = 12  # of words in one turn


def beginner(lexicon: Lexicon, view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Level 1."""
    assert view.seat is not None
    words = dictionary(lexicon, view.box, min(VOCABULARY, view.settings.level))
    match view.phase:
        case "trade":
            return Answer(spare(view)[0])
        case "removal":
            return best_removal(words, view, view.seat)
        case "close":
            ends = may_end_round(view) and on_table(view, view.seat) >= ENDS_AT
            return EndRound() if ends else Pass()
        case "main":
            return _option(words, view, view.seat, chance)
    if number := surplus(view):
        return Discard(tuple(spare(view)[:number]))
    if view.pile:
        return Draw(PILE, min(wanted(view), view.pile))
    return Draw(DISCARD, min(wanted(view), view.discards))


def on_table(view: View, me: Seat) -> int:
    """Points of the own words as they lie."""
    return sum(own_worth(view, word.spelling) for word in own_words(view, me))


def best_removal(words: Dictionary, view: View, me: Seat) -> Action:
    """The removal that brings most points; Pass if none brings any.  [WR-45]"""
    spelled = {word.number: word.spelling for word in own_exposed(view, me)}
    gain, best = 0, None
    for action in removals(words, own_exposed(view, me)):
        now = own_worth(view, action.leaving) - own_worth(view, spelled[action.word])
        if now > gain and action.leaving not in denied():
            gain, best = now, action
    return best or Pass()


def spare(view: View) -> list[str]:
    """The letters of the hand, those first that the fewest words of the own manifest need."""
    needs: Counter[str] = Counter()
    for it in own_items(view):
        needs.update(set(it.spelling))
    held: Counter[str] = Counter()
    rated = []
    for letter in letter_cards(view.hand):
        held[letter] += 1
        rated.append((needs[letter] // held[letter], letter))
    return [letter for _, letter in sorted(rated)]


def _option(words: Dictionary, view: View, me: Seat, chance: Chance) -> Action:
    if view.changes < CHANGES:
        for action in _laid(view, me):
            return action
        if chance.below(ONE_IN) == 0:
            for word in own_exposed(view, me):
                if word.length >= LONG:
                    return Lock(word.number)
            for action in _given_away(words, view, me):
                return action
    if may_go_out(view) and on_table(view, me) >= ENDS_AT:
        return Out()
    return Done()


def _laid(view: View, me: Seat) -> Iterator[Action]:
    """Words spoilt that are mended or taken up, words that grow, words from the hand."""
    hand = letter_cards(view.hand)
    printed = sorted(own_items(view), key=lambda it: (-it.length, -it.worth, it.spelling))
    for word in own_exposed(view, me):
        is_spoilt = own_worth(view, word.spelling) < 0
        for it in printed:
            fits = is_spoilt or (it.length > word.length and is_within(word.spelling, it.spelling))
            if fits and is_within(lacking(it.spelling, word.spelling), hand):
                yield Rebuild((word.number,), (it.spelling,))
        if is_spoilt:
            yield Rebuild((word.number,), ())
    for it in printed:
        if is_within(it.spelling, hand):
            yield Form(it.spelling)


def _given_away(words: Dictionary, view: View, me: Seat) -> Iterator[Action]:
    """A letter that fits nothing makes somebody's word another one."""
    letters = "".join(spare(view)[:2])
    for word in addable(view, me):
        for letter, spelling in words.plus_one(word.spelling, letters):
            if spelling not in denied():
                yield Add(letter, word.number, spelling)
