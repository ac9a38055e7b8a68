"""Turns and their three actions, and when there are none any more.

Rule 1: whatever a seat does ends in one of these functions, or in a window of its own: after each
        decision somebody is asked, or the game is over.
Rule 2: one survivor ends the game at once, before any other rule.  [SR-49]
Rule 3: which windows open follows from public facts.  [G-12]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.data.cards import ACTIONS_PER_TURN, DECKS, total_value
from variants.stockpile.events import (
    ActionOpened,
    GameEnded,
    IsolationEnded,
    LocationOpened,
    TurnStarted,
)
from variants.stockpile.rules.transition import Transition


def start_turn(play: Transition, seat: Seat) -> None:
    play.add(TurnStarted(seat, play.state.number + 1))
    if card := play.player(seat).isolation:
        play.add(IsolationEnded(seat, card))  # [SR-45]
    open_action(play, 1)


def continue_position(play: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    open_action(play, play.state.action)


def open_action(play: Transition, action: int) -> None:
    """The window of an action; in a final turn only while there may be something to do.

    Public facts decide: a card in the hand, whatever it is, or one left to draw.  [SR-50] [G-12]
    """
    state = play.state
    player = play.player(state.turn)
    if state.is_final and not player.hand and not state.cards_in_deck(player.location):
        end_by_empty_deck(play)  # the remaining actions are forfeited  [SR-51]
    else:
        play.add(ActionOpened(state.turn, action))


def end_action(play: Transition) -> None:
    """The action is over with all its consequences: what comes next?"""
    state = play.state
    live = play.live_seats()
    if len(live) == 1:
        play.add(GameEnded("survivor", live))  # [SR-49] whatever the stockpile
    elif play.player(state.turn).is_in and state.action < ACTIONS_PER_TURN:
        open_action(play, state.action + 1)
    elif state.is_final:
        end_by_empty_deck(play)  # [SR-53] LOCATION is skipped, nobody gets another turn
    elif state.skips or not play.player(state.turn).is_in:
        end_turn(play)  # [SR-14] [SR-38] [SR-30]
    else:
        play.add(LocationOpened(state.turn))


def end_turn(play: Transition) -> None:
    """The next seat clockwise that is in.  [G-01]"""
    live = play.live_seats()
    later = [seat for seat in live if seat > play.state.turn]
    start_turn(play, (later or live)[0])


def end_by_empty_deck(play: Transition) -> None:
    """The most valuable stockpile among the uninfected; equal values share.  [SR-48] [SR-54]"""
    live = play.live_seats()
    worth = {seat: total_value(play.player(seat).stockpile) for seat in live}
    best = max(worth.values())
    empty = next(deck for deck in DECKS if not play.state.cards_in_deck(deck))
    play.add(GameEnded(empty, tuple([seat for seat in live if worth[seat] == best])))
