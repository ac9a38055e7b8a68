"""What a seat may see: everything that leaves the game leaves it here.  [G-20]

Rule 1: a view is built up from what is public and what is the seat's own; nothing is made by
        copying the state and taking things away.
Rule 2: an event is passed on as it is only if all of it is public; otherwise it is built anew
        with the secret as None, and everybody who may not know it gets the same.
Rule 3: of a foreign hand the backs are counted; of a deck, the cards.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.data.cards import INDOORS, OUTDOORS, Cards
from variants.stockpile.events import CardDrawn, Dealt, Event, PositionArranged
from variants.stockpile.state import Player, State
from variants.stockpile.view import SeatView, View


def observe(state: State, seat: Seat | None) -> View:
    """What *seat*, or a watcher (None), may see."""
    return View(
        seat=seat,
        decks=state.decks,
        seats=tuple([_seen(player) for player in state.players]),
        turn=state.turn,
        number=state.number,
        action=state.action,
        asks=state.asks,
        asked=state.asked,
        question=state.question,
        skips=state.skips,
        impact=state.impact if state.asks == "give up" else None,
        effects=state.effects,
        counters=state.counters,
        supplies=len(state.supplies),
        indoor=len(state.indoor),
        outdoor=len(state.outdoor),
        discards=state.discards,
        fallen=state.fallen,
        ended=state.ended,
        winners=state.winners,
        hand=() if seat is None else state.players[seat].hand,
        settings=state.settings,
    )


def redact(event: Event, seat: Seat | None) -> Event:
    """The event as *seat* may know it; its public twin for everybody else.  [G-04]"""
    match event:
        case CardDrawn(who, back):
            return event if who == seat else CardDrawn(who, back, None)
        case Dealt(stockpiles):
            return Dealt(stockpiles, None, None, None, event.counts)
        case PositionArranged():
            return PositionArranged(
                decks=event.decks,
                turn=event.turn,
                number=event.number,
                action=event.action,
                out=event.out,
                locations=event.locations,
                bound=event.bound,
                isolation=event.isolation,
                stockpiles=event.stockpiles,
                hands=tuple(
                    [hand if other == seat else None for other, hand in enumerate(event.hands)]
                ),
                backs=event.backs,
                discards=event.discards,
                supplies=None,
                indoor=None,
                outdoor=None,
                counts=event.counts,
                settings=event.settings,
            )
    return event  # the others hold public facts only


def _seen(player: Player) -> SeatView:
    return SeatView(
        is_in=player.is_in,
        indoor=_backs(player.hand, INDOORS),
        outdoor=_backs(player.hand, OUTDOORS),
        stockpile=player.stockpile,
        location=player.location,
        is_bound=player.is_bound,
        isolation=player.isolation,
    )


def _backs(hand: Cards, back: str) -> int:
    return len([card for card in hand if card.deck == back])
