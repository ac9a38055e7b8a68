"""What the options of a turn do to the words on the table.  [W2.2]

Rule 1: `check` has passed the action: nothing is refused here.
Rule 2: a word is its number.  Every word laid gets the next unused one of the round; add, steal,
        lock and removal keep it, and so does a word that comes out of a rebuild unchanged.
        [WR-28]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from variants.contract import Seat
from variants.words.actions import Add, Rebuild, Steal
from variants.words.box import sets_of
from variants.words.events import (
    LetterAdded,
    LetterStolen,
    Word,
    WordFormed,
    WordLocked,
    WordsRebuilt,
)
from variants.words.play import Play
from variants.words.spelled import lacking


def add(play: Play, seat: Seat, action: Add) -> None:
    """The word stays its owner's, and exposed.  [WR-28] [WR-31]"""
    was = play.word(action.word)
    now = replace(was, spelling=action.spelling)
    play.do(LetterAdded(seat, now, action.letter, was.spelling))


def steal(play: Play, seat: Seat, action: Steal) -> None:
    """One step: the letter is in the new word, which is locked at once.  [WR-34] [WR-35]"""
    was = play.word(action.word)
    now = replace(was, spelling=action.leaving)
    made = Word(play.state.next_word, seat, action.making, is_locked=True)
    on = _set(play, seat, action.making)
    play.do(LetterStolen(seat, now, action.letter, was.spelling, made, on))


def form(play: Play, seat: Seat, spelling: str) -> None:
    play.do(WordFormed(Word(play.state.next_word, seat, spelling), _set(play, seat, spelling)))


def lock(play: Play, number: int) -> None:
    """[WR-37] For the rest of the round."""
    word = replace(play.word(number), is_locked=True)
    play.do(WordLocked(word, _set(play, word.owner, word.spelling)))


def rebuild(play: Play, seat: Seat, action: Rebuild) -> None:
    """What the new words lack comes from the hand; what they leave goes there.  [WR-40] [WR-42]"""
    taken = tuple([play.word(number) for number in sorted(set(action.words))])
    laid = _laid(seat, taken, action.spellings, play.state.next_word)
    had, has = "".join(word.spelling for word in taken), "".join(action.spellings)
    from_hand, to_hand = tuple(lacking(has, had)), tuple(lacking(had, has))
    sets = tuple([_set(play, seat, word.spelling) for word in laid])
    play.do(WordsRebuilt(seat, taken, laid, from_hand, to_hand, sets))


def _set(play: Play, seat: Seat, spelling: str) -> int:
    """The set of the own manifest in which a word is printed; 0: it is not on it.  [WR-06]"""
    return next(iter(sets_of(play.state.players[seat].manifest, spelling)), 0)


def _laid(
    seat: Seat, taken: Sequence[Word], spellings: Sequence[str], number: int
) -> tuple[Word, ...]:
    """Unchanged words are themselves again, whichever was laid first; the others are new."""
    same = list(taken)
    laid = []
    for spelling in spellings:
        word = next((word for word in same if word.spelling == spelling), None)
        if word is None:
            word, number = Word(number, seat, spelling), number + 1
        else:
            same.remove(word)
        laid.append(word)
    return tuple(laid)
