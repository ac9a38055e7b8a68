"""Whose turn it is, and when there is none any more."""

from __future__ import annotations

from variants.contract import Seat
from variants.elimination.data.cards import STALEMATE_TURNS, ends_when
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    ChoiceOpened,
    Cleared,
    Eliminated,
    GameEnded,
    PairLocked,
    Passed,
    TripletLocked,
    TurnEnded,
    TurnStarted,
)
from variants.elimination.legal_actions import legal_actions
from variants.elimination.rules.observe import observe
from variants.elimination.rules.transition import Transition
from variants.elimination.view import next_candidates

PROGRESS_EVENTS = (CardDrawn, CardForced, PairLocked, TripletLocked, Cleared, Eliminated)
"""[ER-40] A card left the deck, a set was locked or grew, a Clear, an elimination."""


def end_turn(transition: Transition, actor: Seat, affected: Seat | None) -> None:
    """Count the turn and find who is next: the first rule that fits.

    Args:
        affected: The one player the action affected.  [ER-11]
    """
    if _is_over(
        transition, actor, any(isinstance(event, PROGRESS_EVENTS) for event in transition.events)
    ):
        return
    actor_is_in = transition.player(actor).is_in
    if actor_is_in and any(isinstance(event, Eliminated) for event in transition.events):
        start_turn(transition, actor, "again")  # [ER-30] once, however many fell
    elif affected is not None and transition.player(affected).is_in:
        start_turn(transition, affected, "affected")  # [ER-12]; of a fatal take the victim [ER-32]
    elif not actor_is_in:
        start_turn(
            transition, next_candidates(transition.state.players, actor)[0], "order"
        )  # [ER-31]
    else:
        _choose(transition, actor)


def start_turn(transition: Transition, seat: Seat, why: str, by: Seat | None = None) -> None:
    """Begin a turn.  A seat that can do nothing passes at once and chooses.  [ER-41]"""
    transition.add(TurnStarted(seat, transition.state.number + 1, why, by))
    _pass_if_stuck(transition, seat)


def continue_position(transition: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    seat = transition.state.turn
    if transition.state.asks == "action":
        _pass_if_stuck(transition, seat)
    elif len(next_candidates(transition.state.players, seat)) == 1:
        _choose(transition, seat)


def _pass_if_stuck(transition: Transition, seat: Seat) -> None:
    if transition.state.deck or legal_actions(observe(transition.state, seat)):
        return
    transition.add(Passed(seat))
    if not _is_over(transition, seat, is_progress=False):
        _choose(transition, seat)


def end_if_no_cards_move(transition: Transition) -> bool:
    """[ER-40] b: no card left to draw and none left to move."""
    if transition.state.deck or any(player.hand for player in transition.state.players):
        return False
    transition.add(GameEnded(transition.live_seats(), "dead"))
    return True


def _is_over(transition: Transition, actor: Seat, is_progress: bool) -> bool:
    live = transition.live_seats()
    if len(live) == 1:
        transition.add(GameEnded(live, "last"))
        return True
    state = transition.state
    if len(state.fallen) >= ends_when(state.until, len(state.players)):  # [ER-51]
        transition.add(GameEnded(live, state.until))
        return True
    transition.add(TurnEnded(actor, 0 if is_progress else transition.state.idle + 1))
    if end_if_no_cards_move(transition):
        return True
    if transition.state.idle >= STALEMATE_TURNS:  # [ER-40] a
        transition.add(GameEnded(live, "idle"))
        return True
    return False


def _choose(transition: Transition, chooser: Seat) -> None:
    """[G-07] With one candidate there is nothing to ask."""
    named = next_candidates(transition.state.players, chooser)
    if len(named) == 1:
        start_turn(transition, named[0], "only")
    else:
        transition.add(ChoiceOpened(chooser, named))
