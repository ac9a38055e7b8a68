"""The law of an action.  See RULES.md; numbers in brackets are rulings.

Rule 1: a decision is checked against the actor's own view and the word list before anything
        else.  [G-03]
Rule 2: what public facts leave no choice about is done at once.  [G-07]
Rule 3: chance is asked for only where a round is dealt: after the last answer of a removal, or
        after the decision that ended a round in which nobody could remove a letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.check import check
from variants.words.data.box import sets_of
from variants.words.events import (
    Event,
    LetterAdded,
    LetterStolen,
    Removal,
    TradeAnswered,
    Traded,
    TradeOffered,
    Word,
    WordFormed,
    WordLocked,
    WordsRebuilt,
)
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.multiset import missing_letters
from variants.words.rules import scoring, turns
from variants.words.rules.observe import observe
from variants.words.rules.transition import Transition
from variants.words.state import State


def add_letter(play: Transition, seat: Seat, action: Add) -> None:
    """The word stays its owner's, and exposed.  [WR-28] [WR-31]"""
    was = play.word(action.word)
    now = replace(was, spelling=action.spelling)
    play.add(LetterAdded(seat, now, action.letter, was.spelling))


def steal_letter(play: Transition, seat: Seat, action: Steal) -> None:
    """One step: the letter is in the new word, which is locked at once.  [WR-34] [WR-35]"""
    was = play.word(action.word)
    now = replace(was, spelling=action.leaving)
    made = Word(play.state.next_word, seat, action.making, is_locked=True)
    on = _set(play, seat, action.making)
    play.add(LetterStolen(seat, now, action.letter, was.spelling, made, on))


def form_word(play: Transition, seat: Seat, spelling: str) -> None:
    play.add(WordFormed(Word(play.state.next_word, seat, spelling), _set(play, seat, spelling)))


def lock_word(play: Transition, number: int) -> None:
    """[WR-37] For the rest of the round."""
    word = replace(play.word(number), is_locked=True)
    play.add(WordLocked(word, _set(play, word.owner, word.spelling)))


def rebuild_words(play: Transition, seat: Seat, action: Rebuild) -> None:
    """What the new words lack comes from the hand; what they leave goes there.  [WR-40] [WR-42]"""
    taken = tuple([play.word(number) for number in sorted(set(action.words))])
    laid = _laid(seat, taken, action.spellings, play.state.next_word)
    had, has = "".join(word.spelling for word in taken), "".join(action.spellings)
    from_hand, to_hand = tuple(missing_letters(has, had)), tuple(missing_letters(had, has))
    sets = tuple([_set(play, seat, word.spelling) for word in laid])
    play.add(WordsRebuilt(seat, taken, laid, from_hand, to_hand, sets))


def _set(play: Transition, seat: Seat, spelling: str) -> int:
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


def decide(
    lexicon: Lexicon, state: State, seat: Seat, action: Action, chance: Chance
) -> Sequence[Event]:
    """Everything that follows from *action*; IllegalAction if the seat may not do it."""
    check(lexicon, observe(state, seat), action)
    play = Transition(lexicon, state, chance)
    match action:
        case Draw(source, count):
            turns.draw_letters(play, seat, source, count)
        case Discard(letters):
            turns.discard_letters(play, seat, letters)
        case Trade(offers):
            offer_trade(play, seat, offers)
        case Answer(letter):
            answer_trade(play, seat, letter)
        case Done():
            turns.begin_settle(play)
        case Out():
            scoring.end_round(play, seat, "out")  # [WR-48] without SETTLE
        case EndRound():
            scoring.end_round(play, seat, "end")
        case Remove(letter, word, leaving):
            scoring.answer_removal(play, seat, Removal(word, letter, leaving))
        case Pass():
            if state.phase == "removal":
                scoring.answer_removal(play, seat, None)
            else:
                turns.pass_turn(play, seat)
        case Add() | Steal() | Form() | Lock() | Rebuild():
            _change_words(play, seat, action)
    return play.events


def _change_words(
    play: Transition, seat: Seat, action: Add | Steal | Form | Lock | Rebuild
) -> None:
    """An option that changes words; the turn goes on.  [WR-22]"""
    match action:
        case Add():
            add_letter(play, seat, action)
        case Steal():
            steal_letter(play, seat, action)
        case Form(spelling):
            form_word(play, seat, spelling)
        case Lock(number):
            lock_word(play, number)
        case Rebuild():
            rebuild_words(play, seat, action)


def offer_trade(play: Transition, seat: Seat, offers: Sequence[Offer]) -> None:
    """Partners in seat order, so that the order of naming them tells nothing."""
    ordered = sorted(offers, key=lambda each: each.to)
    partners = tuple([each.to for each in ordered])
    play.add(TradeOffered(seat, partners, tuple([each.letter for each in ordered])))


def answer_trade(play: Transition, seat: Seat, letter: str) -> None:
    state = play.state
    missing = len(state.offers) - len(state.replies) - 1
    play.add(TradeAnswered(seat, letter, missing))
    if not missing:
        _exchange(play)


def _exchange(play: Transition) -> None:
    offers = play.state.offers
    got = {reply.seat: reply.letter for reply in play.state.replies}
    play.add(
        Traded(
            play.turn,
            tuple([each.to for each in offers]),
            tuple([each.letter for each in offers]),
            tuple([got[each.to] for each in offers]),
        )
    )
