"""What a seat of elimination may know, field by field and zone by zone.  [G-04] [G-05]

Rule 1: every field of every event has an audience; a new field fails until it gets one.
Rule 2: what follows from other public facts is DERIVED and is no knowledge of its own: turn
        numbers, candidates, counters, who is asked.  So a twin is accepted without looking at
        them, and a counter that follows a hidden card is found.
Rule 3: cards told together are a set (but a hand comes in an order).  Their order, and the order
        of the events of one step, are no knowledge: one that follows hidden ranks is found.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any

from tests.conformance.audiences import (
    HIDDEN,
    Audience,
    derived,
    each_knows_own,
    nobody_knows,
    of_event,
)
from tests.conformance.audiences import (
    actor_knows as actor_knows_in_order,
)
from tests.conformance.play import Game, Step
from variants.contract import Seat
from variants.elimination import events as e
from variants.elimination.data.cards import RANK_OF
from variants.elimination.state import State
from variants.elimination.view import View

SHUFFLES_LATER = True  # hands, and what returns to the deck
HAS_COPIES = False


def all_know(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return tuple(sorted(value)) if isinstance(value, tuple) else value


def actor_knows(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return all_know(event, value, observer) if observer == event.seat else HIDDEN


def giver_and_receiver_know(event: Any, value: Any, observer: Seat | None) -> Hashable:
    other = event.to if isinstance(event, e.CardGiven) else event.victim
    return value if observer in (event.seat, other) else HIDDEN


AUDIENCES: Mapping[type, Mapping[str, Audience]] = {
    e.GameBegun: {"pack": all_know, "seats": all_know, "dealer": all_know, "until": all_know},
    e.Misdealt: {},
    e.Dealt: {
        "hands": each_knows_own,
        "deck": nobody_knows,
        "hand_count": derived,
        "deck_count": derived,
    },
    e.PairLocked: {"seat": all_know, "cards": actor_knows},
    e.TripletLocked: {"seat": all_know, "cards": all_know},
    e.Eliminated: {
        "seat": all_know,
        "cards": all_know,
        "returned": actor_knows,
        "deck": nobody_knows,
        "returned_count": derived,
        "deck_count": derived,
    },
    e.TurnStarted: {"seat": all_know, "number": derived, "why": derived, "by": derived},
    e.TurnEnded: {"seat": derived, "idle": derived},
    e.Passed: {"seat": all_know},
    e.ChoiceOpened: {"seat": derived, "candidates": derived},
    e.CardDrawn: {"seat": all_know, "card": actor_knows},
    e.CardGiven: {"seat": all_know, "to": all_know, "card": giver_and_receiver_know},
    e.CardTaken: {"seat": all_know, "victim": all_know, "card": giver_and_receiver_know},
    e.CardForced: {"seat": all_know, "to": all_know, "card": all_know},
    e.HandsShuffled: {"seat": all_know, "hands": each_knows_own, "counts": derived},
    e.Cleared: {
        "seat": all_know,
        "used": all_know,
        "hand": actor_knows_in_order,
        "deck": nobody_knows,
        "hand_count": derived,
        "deck_count": derived,
    },
    e.GameEnded: {"survivors": derived, "reason": derived},
}

DERIVED_EVENTS = (e.TurnEnded, e.ChoiceOpened, e.GameEnded)
"""That they happen at all follows from the rest."""


def facts(step: Step, observer: Seat | None) -> Hashable:
    told = sorted(
        repr(of_event(event, AUDIENCES, observer))
        for event in step.events
        if not isinstance(event, DERIVED_EVENTS)
    )
    return tuple(told), _of_table(step.state, observer)


def _of_table(state: State, observer: Seat | None) -> Hashable:
    """What lies on the table, and in the observer's own hand."""
    public = tuple(
        (p.is_in, len(p.hand), len(p.pairs), frozenset(map(frozenset, p.triplets)))
        for p in state.players
    )
    outside = frozenset(card for gone in state.outside for card in gone.cards)
    if observer is None:
        return public, outside, len(state.deck)
    own = state.players[observer]
    pairs = frozenset(map(frozenset, own.pairs))
    return public, outside, len(state.deck), own.hand, frozenset(own.marks), pairs


def kin(component: str) -> str:
    return RANK_OF[component]


def out(state: State) -> frozenset[Seat]:
    return frozenset(Seat(i) for i, player in enumerate(state.players) if not player.is_in)


def other_acts(view: View, action: Any) -> tuple[Any, ...]:
    """Choices under a seal there are none, and of others too much is seen."""
    return ()


def typed(game: Game, random: Random) -> tuple[str, ...]:
    """What was played at other times is enough."""
    return ()
