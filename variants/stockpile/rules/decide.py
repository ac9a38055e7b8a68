"""The law of an action.  See RULES.md; numbers in brackets are rulings.

Rule 1: a decision is checked against the actor's own view before anything else.  [G-03]
Rule 2: what public facts leave no choice about is done at once.  [G-07]
Rule 3: after the deal no chance is asked for: the decks lie as they were shuffled.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Chance, Seat
from variants.stockpile.actions import (
    Action,
    Discard,
    Draw,
    End,
    GiveUp,
    Go,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Swap,
    Switch,
    Trade,
)
from variants.stockpile.check import check
from variants.stockpile.data.cards import SUPPLIES, Card, Cards
from variants.stockpile.events import (
    CardDiscarded,
    CardDrawn,
    EffectPlayed,
    Event,
    ImpactDrawn,
    IsolationPlayed,
    Relocated,
    StockPlayed,
    SupplyDrawn,
    SwapPlayed,
)
from variants.stockpile.rules import impacts, reactions, turns
from variants.stockpile.rules.observe import observe
from variants.stockpile.rules.transition import Transition
from variants.stockpile.state import State


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
    """Everything that follows from *action*; IllegalAction if the seat may not do it."""
    check(observe(state, seat), action)
    transition = Transition(state, chance)
    match action:
        case Loot() | Trade() | Switch() | Nosey():
            _play_effect(transition, seat, action)
        case Pass() | NiceTry() | Reflect():
            _react(transition, seat, action)
        case Draw():
            _draw(transition, seat)
        case GiveUp(lost):
            assert state.impact is not None
            impacts.give_up(transition, _supply(transition, seat, lost), state.impact)
        case Go(to):
            why = "kept" if to == transition.player(seat).location else "chosen"
            transition.add(Relocated(seat, to, why, is_bound=False, skips=False))
            turns.end_turn(transition)
        case End():
            turns.end_by_empty_deck(transition)
        case Stock() | Isolate() | Swap() | Discard():
            _use(transition, seat, action)
            turns.end_action(transition)
    return transition.events


def _draw(transition: Transition, seat: Seat) -> None:
    """The top card of the own location's deck: to the hand, or dealt with at once."""
    back = transition.player(seat).location
    card = transition.top_card(back)
    if card.sort == "impact":
        transition.add_draw(ImpactDrawn(seat, card, impacts.is_harmless(transition, card)), back)
        impacts.apply_impact(transition, card)
    else:
        transition.add_draw(CardDrawn(seat, back, card), back)
        turns.end_action(transition)


def _use(transition: Transition, seat: Seat, action: Stock | Isolate | Swap | Discard) -> None:
    """A card that strikes nobody: there is nothing to answer.  [SR-18]"""
    card = _held(transition, seat, action.card)
    match action:
        case Stock():
            transition.add(StockPlayed(seat, card))
            for _ in range(min(card.number, len(transition.state.supplies))):  # [SR-31]
                _draw_supply(transition, seat)
        case Isolate():
            transition.add(IsolationPlayed(seat, card))
        case Swap(_, other, draws):
            transition.add(SwapPlayed(seat, card, _held(transition, seat, other)))  # [SR-46]
            if draws:
                _draw_supply(transition, seat)  # [SR-47]
        case Discard():
            transition.add(CardDiscarded(seat, card))  # [SR-07]


def _draw_supply(transition: Transition, seat: Seat) -> None:
    transition.add_draw(SupplyDrawn(seat, transition.top_card(SUPPLIES)), SUPPLIES)


def _play_effect(transition: Transition, seat: Seat, action: Loot | Trade | Switch | Nosey) -> None:
    """The card is gone at once; what it does waits for the reactions.  [SR-65]"""
    supply, give, take = "", None, None
    match action:
        case Loot():
            take = _supply(transition, action.target, action.take)
            supply = take.name  # [SR-36] which binds a Reflection
        case Trade():
            give = _supply(transition, seat, action.give)
            take = _supply(transition, action.target, action.take)
        case Nosey():
            supply = action.supply
    card = _held(transition, seat, action.card)
    transition.add(EffectPlayed(seat, card, action.target, supply, give, take))
    reactions.ask_or_apply(transition)


def _react(transition: Transition, seat: Seat, action: Pass | NiceTry | Reflect) -> None:
    match action:
        case Pass():
            reactions.pass_reaction(transition, seat)
        case NiceTry(card) | Reflect(card, None):
            reactions.counter(transition, seat, _held(transition, seat, card))
        case Reflect(card, target, give, take):
            assert target is not None
            given = None if give is None else _supply(transition, seat, give)
            taken = None if take is None else _supply(transition, target, take)
            reactions.reflect(transition, seat, _held(transition, seat, card), target, given, taken)


def _held(transition: Transition, seat: Seat, card: str) -> Card:
    return _find(transition.player(seat).hand, card)


def _supply(transition: Transition, seat: Seat, card: str) -> Card:
    return _find(transition.player(seat).stockpile, card)


def _find(cards: Cards, wanted: str) -> Card:
    return next(card for card in cards if card.id == wanted)
