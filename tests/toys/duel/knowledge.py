"""What a seat of duel may know: its own cards and bid, and all bids once they are shown."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any

from tests.conformance.audiences import (
    Audience,
    actor_knows,
    derived,
    each_knows_own,
    nobody_knows,
    of_event,
)
from tests.conformance.play import Game, Step
from tests.toys.duel import game as g
from variants.contract import Seat

SHUFFLES_LATER = False
HAS_COPIES = False


def all_know(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return value


AUDIENCES: Mapping[type, Mapping[str, Audience]] = {
    g.Dealt: {"hands": each_knows_own, "deck": nobody_knows, "rounds": all_know},
    g.BidMade: {"seat": all_know, "card": actor_knows},
    g.BidsShown: {"cards": all_know, "winner": derived},
    g.Drawn: {"seat": all_know, "card": actor_knows},
    g.Passed: {"seat": all_know},
}


def facts(step: Step, observer: Seat | None) -> Hashable:
    """Nobody else knows even that a seat has bid."""
    told = [
        of_event(event, AUDIENCES, observer)
        for event in step.events
        if not isinstance(event, g.BidMade) or event.seat == observer
    ]
    own = None if observer is None else (step.state.hands[observer], step.state.bids[observer])
    return tuple(told), step.state.shown, own


def kin(component: str) -> str:
    return component


def out(state: g.State) -> frozenset[Seat]:
    return frozenset()


def other_acts(view: g.View, action: Any) -> tuple[Any, ...]:
    """Bids are sealed, and altered as such; whether somebody draws is seen by all."""
    return ()


def typed(game: Game, random: Random) -> tuple[str, ...]:
    return ("bid 21", "bid", "draw 3")
