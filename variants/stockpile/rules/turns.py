"""Turns and their three actions, and when there are none any more.

Rule 1: whatever a seat does ends in one of these functions, or in a window of its own: after each
        decision somebody is asked, or the game is over.
Rule 2: one survivor ends the game at once, before any other rule.  [SR-49]
Rule 3: which windows open follows from public facts.  [G-12]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.data.cards import ACTIONS_PER_TURN, total_value
from variants.stockpile.events import (
    ActionOpened,
    GameEnded,
    IsolationEnded,
    LocationOpened,
    TurnStarted,
)
from variants.stockpile.rules.transition import Transition


def start_turn(transition: Transition, seat: Seat) -> None:
    transition.add(TurnStarted(seat, transition.state.number + 1))
    if card := transition.player(seat).isolation:
        transition.add(IsolationEnded(seat, card))  # [SR-45]
    open_action(transition, 1)


def continue_position(transition: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    open_action(transition, transition.state.action)


def open_action(transition: Transition, action: int) -> None:
    """The window of an action; in a final turn only while there may be something to do.

    Public facts decide: a card in the hand, whatever it is, or one left to draw.  [SR-50] [G-12]
    """
    state = transition.state
    player = transition.player(state.turn)
    if state.is_final and not player.hand and not state.cards_in_deck(player.location):
        end_by_empty_deck(transition)  # the remaining actions are forfeited  [SR-51]
    else:
        transition.add(ActionOpened(state.turn, action))


def end_action(transition: Transition) -> None:
    """The action is over with all its consequences: what comes next?"""
    state = transition.state
    live = transition.live_seats()
    if len(live) == 1:
        transition.add(GameEnded("survivor", live))  # [SR-49] whatever the stockpile
    elif transition.player(state.turn).is_in and state.action < ACTIONS_PER_TURN:
        open_action(transition, state.action + 1)
    elif state.is_final:
        end_by_empty_deck(transition)  # [SR-53] LOCATION is skipped, nobody gets another turn
    elif state.skips or not transition.player(state.turn).is_in:
        end_turn(transition)  # [SR-14] [SR-38] [SR-30]
    else:
        transition.add(LocationOpened(state.turn))


def end_turn(transition: Transition) -> None:
    """The next seat clockwise that is in.  [G-01]"""
    live = transition.live_seats()
    later = [seat for seat in live if seat > transition.state.turn]
    start_turn(transition, (later or live)[0])


def end_by_empty_deck(transition: Transition) -> None:
    """The most valuable stockpile among the uninfected; equal values share.  [SR-48] [SR-54]"""
    live = transition.live_seats()
    worth = {seat: total_value(transition.player(seat).stockpile) for seat in live}
    best = max(worth.values())
    winners = tuple([seat for seat in live if worth[seat] == best])
    transition.add(GameEnded(transition.state.emptied, winners))  # [SR-50]
