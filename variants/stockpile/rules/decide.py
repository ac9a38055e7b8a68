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
    play = Transition(state, chance)
    match action:
        case Loot() | Trade() | Switch() | Nosey():
            _play_effect(play, seat, action)
        case Pass() | NiceTry() | Reflect():
            _react(play, seat, action)
        case Draw():
            _draw(play, seat)
        case GiveUp(lost):
            assert state.impact is not None
            impacts.give_up(play, _supply(play, seat, lost), state.impact)
        case Go(to):
            why = "kept" if to == play.player(seat).location else "chosen"
            play.add(Relocated(seat, to, why, is_bound=False, skips=False))
            turns.end_turn(play)
        case End():
            turns.end_by_empty_deck(play)
        case Stock() | Isolate() | Swap() | Discard():
            _use(play, seat, action)
            turns.end_action(play)
    return play.events


def _draw(play: Transition, seat: Seat) -> None:
    """The top card of the own location's deck: to the hand, or dealt with at once."""
    back = play.player(seat).location
    card = play.top_card(back)
    if card.sort == "impact":
        play.add_draw(ImpactDrawn(seat, card), back)
        impacts.apply_impact(play, card)
    else:
        play.add_draw(CardDrawn(seat, back, card), back)
        turns.end_action(play)


def _use(play: Transition, seat: Seat, action: Stock | Isolate | Swap | Discard) -> None:
    """A card that strikes nobody: there is nothing to answer.  [SR-18]"""
    card = _held(play, seat, action.card)
    match action:
        case Stock():
            play.add(StockPlayed(seat, card))
            for _ in range(min(card.number, len(play.state.supplies))):  # [SR-31]
                _draw_supply(play, seat)
        case Isolate():
            play.add(IsolationPlayed(seat, card))
        case Swap(_, other, draws):
            play.add(SwapPlayed(seat, card, _held(play, seat, other)))  # [SR-46]
            if draws:
                _draw_supply(play, seat)  # [SR-47]
        case Discard():
            play.add(CardDiscarded(seat, card))  # [SR-07]


def _draw_supply(play: Transition, seat: Seat) -> None:
    play.add_draw(SupplyDrawn(seat, play.top_card(SUPPLIES)), SUPPLIES)


def _play_effect(play: Transition, seat: Seat, action: Loot | Trade | Switch | Nosey) -> None:
    """The card is gone at once; what it does waits for the reactions.  [SR-65]"""
    supply, give, take = "", None, None
    match action:
        case Loot():
            take = _supply(play, action.target, action.take)
            supply = take.name  # [SR-36] which binds a Reflection
        case Trade():
            give = _supply(play, seat, action.give)
            take = _supply(play, action.target, action.take)
        case Nosey():
            supply = action.supply
    card = _held(play, seat, action.card)
    play.add(EffectPlayed(seat, card, action.target, supply, give, take))
    reactions.ask_or_apply(play)


def _react(play: Transition, seat: Seat, action: Pass | NiceTry | Reflect) -> None:
    match action:
        case Pass():
            reactions.pass_reaction(play, seat)
        case NiceTry(card) | Reflect(card, None):
            reactions.counter(play, seat, _held(play, seat, card))
        case Reflect(card, target, give, take):
            assert target is not None
            given = None if give is None else _supply(play, seat, give)
            taken = None if take is None else _supply(play, target, take)
            reactions.reflect(play, seat, _held(play, seat, card), target, given, taken)


def _held(play: Transition, seat: Seat, card: str) -> Card:
    return _find(play.player(seat).hand, card)


def _supply(play: Transition, seat: Seat, card: str) -> Card:
    return _find(play.player(seat).stockpile, card)


def _find(cards: Cards, wanted: str) -> Card:
    return next(card for card in cards if card.id == wanted)
