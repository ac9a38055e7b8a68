"""What a seat of stockpile may know, field by field and zone by zone.  [G-04] [G-05]

Rule 1: every field of every event has an audience; a new field fails until it gets one.
Rule 2: what follows from other public facts is DERIVED and is no knowledge of its own: windows,
        who is asked, turn numbers, flags, whether a counter stands.  So a twin is accepted
        without looking at them, and a window that follows a hidden card is found.  [G-12]
Rule 3: cards that come to lie together are a set: the order of a hand is its owner's alone, so
        the order in which the cards of the fallen lie must not follow it.  Events are told in
        the order in which they happen, and supplies are drawn one after the other.

Hidden are the cards of a hand, their order and test symbols, and the order of the decks.  A
negative test card that is kept was seen by all: it is known by its event for ever.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import variants.stockpile
from tests.conformance.audiences import (
    Audience,
    actor_knows,
    derived,
    each_knows_own,
    nobody_knows,
    of_event,
)
from tests.conformance.play import Game, Step
from variants.contract import Seat
from variants.stockpile import events as e
from variants.stockpile.data.cards import DECKS, Card
from variants.stockpile.state import State
from variants.stockpile.view import View

SHUFFLES_LATER = False  # the deal is the only shuffle
HAS_COPIES = False


def all_know(event: Any, value: Any, observer: Seat | None) -> Hashable:
    return _sorted(value)


def _sorted(value: Hashable) -> Hashable:
    """Cards together are a set [Rule 3]; what is by seat or by deck stays in its order."""
    if not isinstance(value, tuple):
        return value
    if all(isinstance(part, Card) for part in value):
        return tuple(sorted(value, key=repr))
    return tuple(map(_sorted, value))


AUDIENCES: Mapping[type, Mapping[str, Audience]] = {
    e.GameBegun: {"decks": all_know, "seats": all_know, "settings": all_know},
    e.Dealt: {
        "stockpiles": all_know,
        "supplies": nobody_knows,
        "indoor": nobody_knows,
        "outdoor": nobody_knows,
        "counts": all_know,
    },
    e.TurnStarted: {"seat": all_know, "number": derived},
    e.IsolationEnded: {"seat": all_know, "card": all_know},
    e.ActionOpened: {"seat": derived, "action": derived},
    e.CardDrawn: {"seat": all_know, "back": all_know, "card": actor_knows},
    e.ImpactDrawn: {"seat": all_know, "card": all_know, "is_harmless": derived},
    e.GiveUpOpened: {"seat": derived, "supply": derived, "card": derived},
    e.SupplyLost: {"seat": all_know, "lost": all_know, "card": derived},
    e.NothingLost: {"seat": derived, "card": derived, "grace": derived},
    e.Relocated: {
        "seat": all_know,
        "to": all_know,
        "why": derived,
        "is_bound": derived,
        "skips": derived,
    },
    e.Tested: {"seat": all_know, "card": all_know, "is_infected": derived},
    e.TestKept: {"seat": all_know, "card": all_know},
    e.Eliminated: {
        "seat": all_know,
        "hand": all_know,
        "stockpile": all_know,
        "isolation": all_know,
    },
    e.StartedAgain: {
        "seat": all_know,
        "hand": all_know,
        "stockpile": all_know,
        "isolation": all_know,
    },
    e.StockPlayed: {"seat": all_know, "card": all_know},
    e.SupplyDrawn: {"seat": all_know, "card": all_know},
    e.IsolationPlayed: {"seat": all_know, "card": all_know},
    e.SwapPlayed: {"seat": all_know, "card": all_know, "other": all_know},
    e.CardDiscarded: {"seat": all_know, "card": all_know},
    e.EffectPlayed: {
        "seat": all_know,
        "card": all_know,
        "target": all_know,
        "supply": all_know,
        "give": all_know,
        "take": all_know,
    },
    e.ReactionOpened: {"seat": derived, "card": derived, "by": derived},
    e.Passed: {"seat": all_know},
    e.Countered: {"seat": all_know, "card": all_know, "against": derived, "by": derived},
    e.Reflected: {
        "seat": all_know,
        "card": all_know,
        "target": all_know,
        "give": all_know,
        "take": all_know,
    },
    e.CounterSettled: {"stands": derived, "effect": derived, "live": derived},
    e.Looted: {"seat": all_know, "victim": all_know, "card": all_know},
    e.Traded: {"seat": all_know, "other": all_know, "gave": all_know, "took": all_know},
    e.SuppliesDiscarded: {"seat": all_know, "by": all_know, "cards": all_know},
    e.DeckEmptied: {"deck": derived, "seat": derived},
    e.LocationOpened: {"seat": derived},
    e.GameEnded: {"reason": derived, "winners": derived},
    e.PositionArranged: {
        "hands": each_knows_own,
        "supplies": nobody_knows,
        "indoor": nobody_knows,
        "outdoor": nobody_knows,
        **dict.fromkeys(
            ("decks", "turn", "number", "action", "out", "locations", "bound", "isolation",
             "stockpiles", "backs", "discards", "counts", "settings"),
            all_know,
        ),
    },
}  # fmt: skip

DERIVED_EVENTS = (
    e.ActionOpened, e.GiveUpOpened, e.NothingLost, e.ReactionOpened, e.CounterSettled,
    e.DeckEmptied, e.LocationOpened, e.GameEnded,
)  # fmt: skip
"""That they happen at all follows from the rest."""


def facts(step: Step, observer: Seat | None) -> Hashable:
    told = tuple(
        of_event(event, AUDIENCES, observer)
        for event in step.events
        if not isinstance(event, DERIVED_EVENTS)
    )
    return told, _of_table(step.state, observer)


def _of_table(state: State, observer: Seat | None) -> Hashable:
    """What lies on the table, and in the observer's own hand."""
    public = tuple(
        (
            p.is_in,
            frozenset(Counter(card.deck for card in p.hand).items()),
            frozenset(p.stockpile),
            p.location,
            p.isolation,
        )
        for p in state.players
    )
    piles = tuple(map(frozenset, state.discards))
    left = len(state.supplies), len(state.indoor), len(state.outdoor)
    own = () if observer is None else state.players[observer].hand
    return public, piles, left, own


def _titles() -> dict[str, str]:
    """The name and number of each card of the shipped box, by id."""
    box = (Path(variants.stockpile.__file__).with_name("data") / "decks.json").read_text("utf-8")
    return {
        card["id"]: f"{card['name']} {card.get('value', card.get('amount', ''))}"
        for deck, cards in json.loads(box).items()
        if deck in DECKS
        for card in cards
    }


TITLES = _titles()


def kin(component: str) -> str:
    return TITLES[component]


def out(state: State) -> frozenset[Seat]:
    return frozenset(Seat(i) for i, player in enumerate(state.players) if not player.is_in)


def other_acts(view: View, action: Any) -> tuple[Any, ...]:
    """Choices under a seal there are none, and of others too much is seen."""
    return ()


def typed(game: Game, random: Random) -> tuple[str, ...]:
    """What was played at other times is enough."""
    return ()
