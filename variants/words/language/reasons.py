"""Why a move is advised.

Rule 1: a reason follows from the own view, and is true of the position, whoever advises the move.
        [G-14]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from variants.kit.reasons import REASONS_MAX, Reason, margin
from variants.kit.text import join_words
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
    Remove,
    Steal,
    Trade,
)
from variants.words.data.box import scored_in
from variants.words.events import Event
from variants.words.legal_actions import DISCARD, own_words
from variants.words.lexicon.multiset import is_within, letter_cards
from variants.words.view import View

ON_MANIFEST = "{} is on your manifest and brings {} points."
PARKS = "Letters on the table are no letters too many in your hand."
TAKES_BACK = "{} costs you {} points where it lies."
MAKES_LOCKED = "{} brings {} points and is locked at once."
SPOILS = "{} has {} in place of {}."
NOBODY_TOUCHES = "Nobody can touch {} any more, and it brings {} points."
LETTER_FITS = "You still want {1}, and it has the letter {0}."
TOP_FITS_NOT = "No word that you still want has the letter {}."
UNKNOWN_LETTER = "The draw pile promises more than the letter {}."
NO_DISCARDS = "There is no letter on the discard pile."
NEED_NONE = "You still want {} words, and none of them has {}."
NEED_SOME = "You still want {} words, and {} of them has {}."
NEED_SOME_MORE = "You still want {} words, and {} of them have {}."
NOTHING_READY = "Your hand spells no word that you still want."
WORTH_NOW = "Your words bring {} points if the round ends now."
GOES_ON = "Your words bring {} points by now. More can come if you don't end the round."
NO_BETTER = "Your words bring {} points as they are."
COST = "{} cost you {} points in the last round."
MENDS = "{} brings {} points."


def explain(view: View, seen: Sequence[Event], action: Action) -> tuple[Reason, ...]:
    """Reasons for *action*, the weightiest first; empty where none of these fits."""
    return tuple(islice(_reasons(view, action), REASONS_MAX))


def explain_end(view: View, seen: Sequence[Event]) -> tuple[Reason, ...]:
    """By how much the reader won or lost, and the words that cost points in the last round."""
    if not view.ended or view.seat is None:
        return ()
    totals = {seat: it.total for seat, it in enumerate(view.seats)}
    reasons = [*margin(totals, view.seat)]
    costly = [it for it in view.last[view.seat].words if it.points < 0] if view.last else []
    if costly:
        lost = -sum(it.points for it in costly)
        about = (join_words([it.spelling for it in costly]), str(lost))
        reasons.append(Reason("spoiled_words", COST, about))
    return tuple(reasons)


def _reasons(view: View, action: Action) -> Iterator[Reason]:
    spelled = {word.number: word.spelling for word in view.words}
    owners = {word.number: word.owner for word in view.words}
    wanted = _wanted(view)
    match action:
        case Form(spelling):
            yield from _laid(view, [spelling])
        case Rebuild(words, spellings):
            yield from _laid(view, spellings)
            for word in words:
                points = _points(view, spelled[word])
                if points < 0 and not spellings:
                    yield Reason("mends_word", TAKES_BACK, (spelled[word], str(-points)))
        case Steal(_, word, leaving, making):
            if (points := _points(view, making)) > 0:
                yield Reason("steals_letter", MAKES_LOCKED, (making, str(points)))
            yield Reason("spoils_word", SPOILS, (owners[word], leaving, spelled[word]))
        case Add(_, word, spelling):
            yield Reason("spoils_word", SPOILS, (owners[word], spelling, spelled[word]))
        case Lock(word):
            points = _points(view, spelled[word])
            if points > 0:
                yield Reason("locks_points", NOBODY_TOUCHES, (spelled[word], str(points)))
        case Draw(source):
            yield from _drawn(view, source == DISCARD, wanted)
        case Discard(letters):
            yield _given(letters, wanted)
        case Answer(letter):
            yield _given([letter], wanted)
        case Trade(offers):
            yield _given([offer.letter for offer in offers], wanted)
        case Done():
            hand = letter_cards(view.hand)
            if not any(is_within(word, hand) for word in wanted):
                yield Reason("nothing_ready", NOTHING_READY)
        case Out() | EndRound():
            yield Reason("ends_with", WORTH_NOW, (str(_table_points(view)),))
        case Pass():
            says = NO_BETTER if view.phase == "removal" else GOES_ON
            yield Reason("goes_on", says, (str(_table_points(view)),))
        case Remove(_, _, leaving):
            if (points := _points(view, leaving)) > 0:
                yield Reason("mends_word", MENDS, (leaving, str(points)))


def _laid(view: View, spellings: Sequence[str]) -> Iterator[Reason]:
    printed = [(_points(view, word), word) for word in spellings]
    if not printed:
        return
    points, word = max(printed)
    if points > 0:
        yield Reason("manifest_word", ON_MANIFEST, (word, str(points)))
    else:
        yield Reason("parks_letters", PARKS)


def _drawn(view: View, is_discard: bool, wanted: Sequence[str]) -> Iterator[Reason]:
    fitting = [word for word in wanted if view.top and view.top in word]
    if is_discard and fitting:
        yield Reason("letter_fits", LETTER_FITS, (view.top, fitting[-1]))
    elif not is_discard and not view.top:
        yield Reason("unknown_letter", NO_DISCARDS)
    elif not is_discard:
        says = UNKNOWN_LETTER if fitting else TOP_FITS_NOT
        yield Reason("unknown_letter", says, (view.top,))


def _given(letters: Sequence[str], wanted: Sequence[str]) -> Reason:
    said = join_words(sorted(set(letters)), "or")
    needing = sum(any(letter in word for letter in letters) for word in wanted)
    if not needing:
        return Reason("letter_unneeded", NEED_NONE, (str(len(wanted)), said))
    says = NEED_SOME if needing == 1 else NEED_SOME_MORE
    return Reason("letter_unneeded", says, (str(len(wanted)), str(needing), said))


def _wanted(view: View) -> list[str]:
    """Words of the own manifest that do not lie before the seat, the longest last."""
    assert view.seat is not None and view.manifest is not None
    laid = {word.spelling for word in own_words(view, view.seat)}
    printed = {word for words in view.manifest.sets for word in words}
    return sorted(printed - laid, key=lambda word: (len(word), word))


def _points(view: View, spelling: str) -> int:
    assert view.manifest is not None and view.indicator is not None
    return scored_in(view.box, view.manifest, view.indicator, spelling)[1]


def _table_points(view: View) -> int:
    assert view.seat is not None
    return sum(_points(view, word.spelling) for word in own_words(view, view.seat))
