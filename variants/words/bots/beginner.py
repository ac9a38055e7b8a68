"""Easy: a player who has just learned the game.

Rule 1: it lays the words of its manifest that it can spell and does not overlook, the longest
        first, extends them, and takes spoilt words back.  It draws from the pile and keeps what
        its manifest needs.
Rule 2: occasionally it locks a long word or gives away a letter that fits nothing.
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
from variants.words.bots.skill import overlooking
from variants.words.bots.word_selection import (
    manifest_items,
    own_points,
)
from variants.words.events import Event
from variants.words.legal_actions import (
    DISCARD,
    PILE,
    addable_words,
    cards_to_discard,
    cards_to_draw,
    legal_removals,
    may_end_round,
    may_go_out,
    own_exposed_words,
    own_words,
)
from variants.words.lexicon.dictionary import Dictionary, blocklist, dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import (
    is_within,
    letter_cards,
    missing_letters,
)
from variants.words.view import View

BEGINNER_VOCABULARY = 35  # the highest level of the words it knows


BEGINNER_END_POINTS = 30  # points on the table at which it ends the round


BEGINNER_LOCK_LENGTH = 5  # letters of a word that it may lock


BEGINNER_ODDS = 4  # how seldom it locks, and adds to a word


BEGINNER_CHANGES_MAX = 12  # of words in one turn


BEGINNER_OVERLOOKS = 30  # per cent of its printed words, in each turn


def beginner_action(lexicon: Lexicon, view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Easy."""
    view = overlooking(BEGINNER_OVERLOOKS, view)
    assert view.seat is not None
    words = dictionary(lexicon, view.box, min(BEGINNER_VOCABULARY, view.settings.level))
    match view.phase:
        case "trade":
            return Answer(least_needed_letters(view)[0])
        case "removal":
            return best_removal(words, view, view.seat)
        case "close":
            ends = may_end_round(view) and own_table_points(view, view.seat) >= BEGINNER_END_POINTS
            return EndRound() if ends else Pass()
        case "main":
            return _beginner_option(words, view, view.seat, chance)
    if number := cards_to_discard(view):
        return Discard(tuple(least_needed_letters(view)[:number]))
    if view.pile:
        return Draw(PILE, min(cards_to_draw(view), view.pile))
    return Draw(DISCARD, min(cards_to_draw(view), view.discards))


def better_action(view: View, seen: Sequence[Event], played: Action) -> tuple[Action, float] | None:
    """A word of the manifest that could have been laid by whoever was done, and its points."""
    if not isinstance(played, Done) or view.seat is None:
        return None
    worths = [(_gain(view, action), action) for action in _laid(view, view.seat)]
    if not worths:
        return None
    gain, best = max(worths, key=lambda it: it[0])
    return (best, float(gain)) if gain > 0 else None


def _gain(view: View, action: Action) -> int:
    """Points that laying words brings at once."""
    if isinstance(action, Form):
        return own_points(view, action.spelling)
    assert isinstance(action, Rebuild)
    taken = [word.spelling for word in view.words if word.number in action.words]
    laid = sum(own_points(view, spelling) for spelling in action.spellings)
    return laid - sum(own_points(view, spelling) for spelling in taken)


def own_table_points(view: View, me: Seat) -> int:
    """Points of the own words as they lie."""
    return sum(own_points(view, word.spelling) for word in own_words(view, me))


def best_removal(words: Dictionary, view: View, me: Seat) -> Action:
    """The removal that brings most points; Pass if none brings any.  [WR-45]"""
    spelled = {word.number: word.spelling for word in own_exposed_words(view, me)}
    gain, best = 0, None
    for action in legal_removals(words, own_exposed_words(view, me)):
        now = own_points(view, action.leaving) - own_points(view, spelled[action.word])
        if now > gain and action.leaving not in blocklist():
            gain, best = now, action
    return best or Pass()


def least_needed_letters(view: View) -> list[str]:
    """The letters of the hand, those first that the fewest words of the own manifest need."""
    needs: Counter[str] = Counter()
    for it in manifest_items(view):
        needs.update(set(it.spelling))
    held: Counter[str] = Counter()
    rated = []
    for letter in letter_cards(view.hand):
        held[letter] += 1
        rated.append((needs[letter] // held[letter], letter))
    return [letter for _, letter in sorted(rated)]


def _beginner_option(words: Dictionary, view: View, me: Seat, chance: Chance) -> Action:
    if view.changes < BEGINNER_CHANGES_MAX:
        for action in _laid(view, me):
            return action
        if chance.below(BEGINNER_ODDS) == 0:
            for word in own_exposed_words(view, me):
                if word.length >= BEGINNER_LOCK_LENGTH:
                    return Lock(word.number)
            for action in _given_away(words, view, me):
                return action
    if may_go_out(view) and own_table_points(view, me) >= BEGINNER_END_POINTS:
        return Out()
    return Done()


def _laid(view: View, me: Seat) -> Iterator[Action]:
    """Words spoilt that are mended or taken up, words that grow, words from the hand."""
    hand = letter_cards(view.hand)
    printed = sorted(manifest_items(view), key=lambda it: (-it.length, -it.worth, it.spelling))
    for word in own_exposed_words(view, me):
        is_spoilt = own_points(view, word.spelling) < 0
        for it in printed:
            fits = is_spoilt or (it.length > word.length and is_within(word.spelling, it.spelling))
            if fits and is_within(missing_letters(it.spelling, word.spelling), hand):
                yield Rebuild((word.number,), (it.spelling,))
        if is_spoilt:
            yield Rebuild((word.number,), ())
    for it in printed:
        if is_within(it.spelling, hand):
            yield Form(it.spelling)


def _given_away(words: Dictionary, view: View, me: Seat) -> Iterator[Action]:
    """A letter that fits nothing makes somebody's word another one."""
    letters = "".join(least_needed_letters(view)[:2])
    for word in addable_words(view, me):
        for letter, spelling in words.plus_one(word.spelling, letters):
            if spelling not in blocklist():
                yield Add(letter, word.number, spelling)
