"""All that can be said with a card: what the words of a line are held against.

Rule 1: an offer is well said, not legal.  A Loot of somebody in Self-Isolation is offered, too, so
        that `check` can say why not.
Rule 2: cards and supplies equal in name and number are one: the oldest copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from variants.contract import Seat
from variants.stockpile.actions import (
    Action,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Reflect,
    Stock,
    Switch,
    Trade,
)
from variants.stockpile.data.cards import (
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_NEIGHBOUR,
    REFLECTION,
    SELF_ISOLATION,
    STOCK_UPS,
    SUPPLY_KINDS,
    TRADING_STATION,
    Card,
    Cards,
    distinct_cards,
)
from variants.stockpile.view import View


class Offer(NamedTuple):
    action: Action
    card: Card
    target: Seat | None = None
    give: Card | None = None
    take: Card | None = None
    supply: str = ""  # Nosey Neighbour: the kind


def speaker(view: View) -> Seat:
    """Whose words they are; a watcher's are refused whatever they mean."""
    return view.turn if view.seat is None else view.seat


def supplies(view: View, seat: Seat, is_boxed: bool) -> Cards:
    """What *seat* can lose; with *is_boxed* what it could have if it had everything."""
    if is_boxed:
        return distinct_cards([card for card in view.decks.supplies if card.number])
    return distinct_cards(view.seats[seat].stockpile)


def offers(card: Card, view: View, is_boxed: bool) -> Iterator[Offer]:
    """Everything that can be said with one card; Swap Shop is read with the other card."""
    seats = [Seat(seat) for seat in range(len(view.seats))]
    name = card.name
    if name in STOCK_UPS:
        yield Offer(Stock(card.id), card)
    elif name in LOOT_KINDS:
        for seat, take in _takes(view, LOOT_KINDS[name], is_boxed):
            yield Offer(Loot(card.id, seat, take.id), card, seat, None, take)
    elif name == TRADING_STATION:
        for seat, give, take in _trades(view, is_boxed):
            yield Offer(Trade(card.id, seat, give.id, take.id), card, seat, give, take)
    elif name == LOCATION_SWITCH:
        for seat in seats:
            yield Offer(Switch(card.id, seat), card, seat)
    elif name == NOSEY_NEIGHBOUR:
        for seat in seats:
            for kind in SUPPLY_KINDS:
                yield Offer(Nosey(card.id, seat, kind), card, seat, supply=kind)
    elif name == SELF_ISOLATION:
        yield Offer(Isolate(card.id), card)
    elif name == NICE_TRY:
        yield Offer(NiceTry(card.id), card)
    elif name == REFLECTION:
        yield from _reflections(card, view, is_boxed)


def _reflections(card: Card, view: View, is_boxed: bool) -> Iterator[Offer]:
    """As the live effect needs it; against a counter nobody need be named.  [SR-59]"""
    seats = [Seat(seat) for seat in range(len(view.seats))]
    if not view.effects or view.counters:
        yield Offer(Reflect(card.id), card)
        for seat in seats:
            yield Offer(Reflect(card.id, seat), card, seat)
        return
    name = view.effects[0].card.name
    if name in LOOT_KINDS:
        for seat, take in _takes(view, (view.effects[-1].supply,), is_boxed):
            yield Offer(Reflect(card.id, seat, take=take.id), card, seat, None, take)
    elif name == TRADING_STATION:
        for seat, give, take in _trades(view, is_boxed):
            yield Offer(Reflect(card.id, seat, give.id, take.id), card, seat, give, take)
    elif name == NOSEY_NEIGHBOUR:  # its kind stays; to say it again does no harm
        for seat in seats:
            kind = view.effects[-1].supply
            yield Offer(Reflect(card.id, seat), card, seat, supply=kind)
    else:
        for seat in seats:
            yield Offer(Reflect(card.id, seat), card, seat)


def _takes(view: View, kinds: tuple[str, ...], is_boxed: bool) -> Iterator[tuple[Seat, Card]]:
    """Supplies of anybody, those first that the card takes."""
    for number in range(len(view.seats)):
        seat = Seat(number)
        found = supplies(view, seat, is_boxed)
        for take in sorted(found, key=lambda supply: supply.name not in kinds):
            yield seat, take


def _trades(view: View, is_boxed: bool) -> Iterator[tuple[Seat, Card, Card]]:
    own = supplies(view, speaker(view), is_boxed)
    for number in range(len(view.seats)):
        seat = Seat(number)
        for give in own:
            for take in supplies(view, seat, is_boxed):
                yield seat, give, take
