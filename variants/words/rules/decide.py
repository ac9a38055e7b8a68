"""What an action does: the options of a turn, trades, and the order of play.

Rule 1: a decision is checked against the actor's own view and the word list before anything
        else.  [G-03]
Rule 2: what public facts leave no choice about is done at once.  [G-07]
Rule 3: chance is asked for only where a round is dealt: after the last answer of a removal, or
        after the decision that ended a round in which nobody could remove a letter.
Rule 4: a word is its number.  Every new word gets the next unused one of the round; add, steal,
        lock and removal keep it, and so does a word that a rebuild leaves unchanged.  [WR-28]
Rule 5: a trade is one card for one with each partner, all exchanges at once.  Offered and answered
        letters stay in their hands until everybody has answered; meanwhile nobody can do anything
        else, so no card is used twice.  [WR-23] [G-11]
Rule 6: the trade window opens for every partner, also where nothing is left to choose.  [G-12]
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


def add_letter(transition: Transition, seat: Seat, action: Add) -> None:
    """The word stays its owner's, and exposed.  [WR-28] [WR-31]"""
    was = transition.word(action.word)
    now = replace(was, spelling=action.spelling)
    transition.add(LetterAdded(seat, now, action.letter, was.spelling))


def steal_letter(transition: Transition, seat: Seat, action: Steal) -> None:
    """One step: the letter is in the new word, which is locked at once.  [WR-34] [WR-35]"""
    was = transition.word(action.word)
    now = replace(was, spelling=action.leaving)
    made = Word(transition.state.next_word, seat, action.making, is_locked=True)
    on = _set(transition, seat, action.making)
    transition.add(LetterStolen(seat, now, action.letter, was.spelling, made, on))


def form_word(transition: Transition, seat: Seat, spelling: str) -> None:
    transition.add(
        WordFormed(
            Word(transition.state.next_word, seat, spelling), _set(transition, seat, spelling)
        )
    )


def lock_word(transition: Transition, number: int) -> None:
    """[WR-37] For the rest of the round."""
    word = replace(transition.word(number), is_locked=True)
    transition.add(WordLocked(word, _set(transition, word.owner, word.spelling)))


def rebuild_words(transition: Transition, seat: Seat, action: Rebuild) -> None:
    """What the new words lack comes from the hand; what they leave goes there.  [WR-40] [WR-42]"""
    taken = tuple([transition.word(number) for number in sorted(set(action.words))])
    laid = _laid(seat, taken, action.spellings, transition.state.next_word)
    had, has = "".join(word.spelling for word in taken), "".join(action.spellings)
    from_hand, to_hand = tuple(missing_letters(has, had)), tuple(missing_letters(had, has))
    sets = tuple([_set(transition, seat, word.spelling) for word in laid])
    transition.add(WordsRebuilt(seat, taken, laid, from_hand, to_hand, sets))


def _set(transition: Transition, seat: Seat, spelling: str) -> int:
    """The set of the own manifest in which a word is printed; 0: it is not on it.  [WR-06]"""
    return next(iter(sets_of(transition.state.players[seat].manifest, spelling)), 0)


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
    transition = Transition(lexicon, state, chance)
    match action:
        case Draw(source, count):
            turns.draw_letters(transition, seat, source, count)
        case Discard(letters):
            turns.discard_letters(transition, seat, letters)
        case Trade(offers):
            offer_trade(transition, seat, offers)
        case Answer(letter):
            answer_trade(transition, seat, letter)
        case Done():
            turns.begin_settle(transition)
        case Out():
            scoring.end_round(transition, seat, "out")  # [WR-48] without SETTLE
        case EndRound():
            scoring.end_round(transition, seat, "end")
        case Remove(letter, word, leaving):
            scoring.answer_removal(transition, seat, Removal(word, letter, leaving))
        case Pass():
            if state.phase == "removal":
                scoring.answer_removal(transition, seat, None)
            else:
                turns.pass_turn(transition, seat)
        case Add() | Steal() | Form() | Lock() | Rebuild():
            _change_words(transition, seat, action)
    return transition.events


def _change_words(
    transition: Transition, seat: Seat, action: Add | Steal | Form | Lock | Rebuild
) -> None:
    """An option that changes words; the turn goes on.  [WR-22]"""
    match action:
        case Add():
            add_letter(transition, seat, action)
        case Steal():
            steal_letter(transition, seat, action)
        case Form(spelling):
            form_word(transition, seat, spelling)
        case Lock(number):
            lock_word(transition, number)
        case Rebuild():
            rebuild_words(transition, seat, action)


def offer_trade(transition: Transition, seat: Seat, offers: Sequence[Offer]) -> None:
    """Partners in seat order, so that the order of naming them tells nothing."""
    ordered = sorted(offers, key=lambda each: each.to)
    partners = tuple([each.to for each in ordered])
    transition.add(TradeOffered(seat, partners, tuple([each.letter for each in ordered])))


def answer_trade(transition: Transition, seat: Seat, letter: str) -> None:
    state = transition.state
    missing = len(state.offers) - len(state.replies) - 1
    transition.add(TradeAnswered(seat, letter, missing))
    if not missing:
        _exchange(transition)


def _exchange(transition: Transition) -> None:
    offers = transition.state.offers
    got = {reply.seat: reply.letter for reply in transition.state.replies}
    transition.add(
        Traded(
            transition.turn,
            tuple([each.to for each in offers]),
            tuple([each.letter for each in offers]),
            tuple([got[each.to] for each in offers]),
        )
    )
