"""What the tests of all games are told of duel, and leaks that they have to find in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.conformance.play import Game
from tests.conformance.rigged import Faces, Rigged, swapped
from tests.conformance.spoiled import in_event, in_view
from tests.games import AnyVariant, Profile
from tests.toys.duel import game as g
from tests.toys.duel import knowledge


def a_bid_is_told_before_all_have_bid(v: AnyVariant) -> AnyVariant:
    return in_event(v, g.BidMade, lambda event, known: event)


def a_hand_is_counted_without_the_bid(v: AnyVariant) -> AnyVariant:
    def counted(state: Any, seat: Any, view: Any) -> Any:
        return replace(view, counts=tuple(map(len, state.hands)))

    return in_view(v, counted)


def a_draw_follows_the_next_hand(v: AnyVariant) -> AnyVariant:
    def decide(state: Any, seat: Any, action: Any, chance: Any) -> Any:
        events = v.decide(state, seat, action, chance)
        hand = state.hands[(seat + 1) % len(state.hands)]
        if isinstance(action, g.Draw) and sum(map(int, hand)) % 2:
            return [g.Drawn(seat, max(state.deck, key=int))]
        return events

    return replace(v, decide=decide)


def _about_the_unlucky_card(game: Game) -> Faces:
    """Whoever may draw or not holds the card that forbids it, or no longer."""
    state: g.State = game.state
    if state.chooser is None:
        return {}
    hand = state.hands[state.chooser]
    if g.UNLUCKY in hand:
        return swapped(g.UNLUCKY, state.deck[0])
    return swapped(hand[0], g.UNLUCKY) if g.UNLUCKY in state.deck else {}


PROFILE = Profile(
    knowledge=knowledge,
    mutants=(a_bid_is_told_before_all_have_bid, a_hand_is_counted_without_the_bid),
    rule_mutants=(a_draw_follows_the_next_hand,),
    rigged=(Rigged((), _about_the_unlucky_card, decisions_max=7),),
    is_sealed=True,
)
