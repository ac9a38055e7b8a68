"""The law of an action.  See RULES.md; numbers in brackets are rulings.

Rule 1: a decision is checked against the actor's own view and the word list before anything
        else.  [G-03]
Rule 2: what public facts leave no choice about is done at once.  [G-07]
Rule 3: chance is asked for only where a round is dealt: after the last answer of a removal, or
        after the decision that ended a round in which nobody could remove a letter.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Chance, Seat
from variants.words import endings, tabletop, trades, turns
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
from variants.words.check import check
from variants.words.events import Event, Removal
from variants.words.lexicon import Lexicon
from variants.words.observe import observe
from variants.words.play import Play
from variants.words.state import State


def decide(
    lexicon: Lexicon, state: State, seat: Seat, action: Action, chance: Chance
) -> Sequence[Event]:
    """Everything that follows from *action*; IllegalAction if the seat may not do it."""
    check(lexicon, observe(state, seat), action)
    play = Play(lexicon, state, chance)
    match action:
        case Draw(source, count):
            turns.draw(play, seat, source, count)
        case Discard(letters):
            turns.discard(play, seat, letters)
        case Trade(offers):
            trades.offer(play, seat, offers)
        case Answer(letter):
            trades.answer(play, seat, letter)
        case Done():
            turns.settle(play)
        case Out():
            endings.end_round(play, seat, "out")  # [WR-48] without SETTLE
        case EndRound():
            endings.end_round(play, seat, "end")
        case Remove(letter, word, leaving):
            endings.answer(play, seat, Removal(word, letter, leaving))
        case Pass():
            if state.phase == "removal":
                endings.answer(play, seat, None)
            else:
                turns.pass_on(play, seat)
        case Add() | Steal() | Form() | Lock() | Rebuild():
            _change(play, seat, action)
    return play.events


def _change(play: Play, seat: Seat, action: Add | Steal | Form | Lock | Rebuild) -> None:
    """An option that changes words; the turn goes on.  [WR-22]"""
    match action:
        case Add():
            tabletop.add(play, seat, action)
        case Steal():
            tabletop.steal(play, seat, action)
        case Form(spelling):
            tabletop.form(play, seat, spelling)
        case Lock(number):
            tabletop.lock(play, number)
        case Rebuild():
            tabletop.rebuild(play, seat, action)
