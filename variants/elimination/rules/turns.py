"""Whose turn it is, and when there is none any more."""

from __future__ import annotations

from variants.contract import Seat
from variants.elimination.data.cards import STALEMATE_TURNS
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


def end_turn(play: Transition, actor: Seat, affected: Seat | None) -> None:
    """Count the turn and find who is next: the first rule that fits.

    Args:
        affected: The one player the action affected.  [ER-11]
    """
    if _is_over(play, actor, any(isinstance(event, PROGRESS_EVENTS) for event in play.events)):
        return
    actor_is_in = play.player(actor).is_in
    if actor_is_in and any(isinstance(event, Eliminated) for event in play.events):
        start_turn(play, actor, "again")  # [ER-30] once, however many fell
    elif affected is not None and play.player(affected).is_in:
        start_turn(play, affected, "affected")  # [ER-12]; of a fatal take the victim [ER-32]
    elif not actor_is_in:
        start_turn(play, next_candidates(play.state.players, actor)[0], "order")  # [ER-31]
    else:
        _choose(play, actor)


def start_turn(play: Transition, seat: Seat, why: str, by: Seat | None = None) -> None:
    """Begin a turn.  A seat that can do nothing passes at once and chooses.  [ER-41]"""
    play.add(TurnStarted(seat, play.state.number + 1, why, by))
    _pass_if_stuck(play, seat)


def continue_position(play: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    seat = play.state.turn
    if play.state.asks == "action":
        _pass_if_stuck(play, seat)
    elif len(next_candidates(play.state.players, seat)) == 1:
        _choose(play, seat)


def _pass_if_stuck(play: Transition, seat: Seat) -> None:
    if play.state.deck or legal_actions(observe(play.state, seat)):
        return
    play.add(Passed(seat))
    if not _is_over(play, seat, is_progress=False):
        _choose(play, seat)


def end_if_no_cards_move(play: Transition) -> bool:
    """[ER-40] b: no card left to draw and none left to move."""
    if play.state.deck or any(player.hand for player in play.state.players):
        return False
    play.add(GameEnded(play.live_seats(), "dead"))
    return True


def _is_over(play: Transition, actor: Seat, is_progress: bool) -> bool:
    live = play.live_seats()
    if len(live) == 1:
        play.add(GameEnded(live, "last"))
        return True
    play.add(TurnEnded(actor, 0 if is_progress else play.state.idle + 1))
    if end_if_no_cards_move(play):
        return True
    if play.state.idle >= STALEMATE_TURNS:  # [ER-40] a
        play.add(GameEnded(live, "idle"))
        return True
    return False


def _choose(play: Transition, chooser: Seat) -> None:
    """[G-07] With one candidate there is nothing to ask."""
    named = next_candidates(play.state.players, chooser)
    if len(named) == 1:
        start_turn(play, named[0], "only")
    else:
        play.add(ChoiceOpened(chooser, named))
