"""What a seat may see: everything that leaves the game leaves it here.  [G-20]

Rule 1: a view is built up from what is public and what is the seat's own; nothing is made by
        copying the state and taking things away.
Rule 2: an event is passed on as it is only if all of it is public; otherwise it is built anew
        with the secret as None, and everybody who may not know it gets the same.
"""

from __future__ import annotations

from typing import TypeVar

from variants.contract import Seat
from variants.elimination.data.cards import CARD_ORDER
from variants.elimination.events import (
    CardDrawn,
    CardGiven,
    CardTaken,
    Cleared,
    Dealt,
    Eliminated,
    Event,
    HandsShuffled,
    PairLocked,
    PositionArranged,
)
from variants.elimination.state import State
from variants.elimination.view import SeatView, View, next_candidates

T = TypeVar("T")


def observe(state: State, seat: Seat | None) -> View:
    """What *seat*, or a watcher (None), may see."""
    own = None if seat is None else state.players[seat]
    return View(
        seat=seat,
        pack=state.pack,
        seats=tuple(
            [SeatView(p.is_in, len(p.hand), len(p.pairs), p.triplets, p.turns)
             for p in state.players]
        ),
        dealer=state.dealer,
        turn=state.turn,
        asks=state.asks,
        number=state.number,
        idle=state.idle,
        deck=len(state.deck),
        outside=state.outside,
        candidates=next_candidates(state.players, state.turn) if state.asks == "next" else (),
        fallen=state.fallen,
        ended=state.ended,
        hand=own.hand if own else (),
        marks=own.marks if own else (),
        pairs=tuple(sorted(own.pairs, key=lambda cards: CARD_ORDER[cards[0]])) if own else (),
        until=state.until,
    )  # fmt: skip


def redact(event: Event, seat: Seat | None) -> Event:
    """The event as *seat* may know it; its public twin for everybody else.  [G-04]"""
    match event:
        case CardDrawn(who):
            return event if who == seat else CardDrawn(who, None)
        case CardGiven(who, other):
            return event if seat in (who, other) else CardGiven(who, other, None)
        case CardTaken(who, other):
            return event if seat in (who, other) else CardTaken(who, other, None)
        case PairLocked(who):
            return event if who == seat else PairLocked(who, None)
        case HandsShuffled(who, hands, counts):
            return HandsShuffled(who, _only(hands, seat), counts)
        case Dealt(hands):
            return Dealt(_only(hands, seat), None, event.hand_count, event.deck_count)
        case Cleared(who, used, hand):
            hand = hand if who == seat else None
            return Cleared(who, used, hand, None, event.hand_count, event.deck_count)
        case Eliminated(who, cards, returned):
            returned = returned if who == seat else None
            counts_ = event.returned_count, event.deck_count
            return Eliminated(who, cards, returned, None, *counts_)
        case PositionArranged():
            return PositionArranged(
                pack=event.pack,
                dealer=event.dealer,
                turn=event.turn,
                asks=event.asks,
                number=event.number,
                idle=event.idle,
                fallen=event.fallen,
                hands=_only(event.hands, seat),
                pairs=_only(event.pairs, seat),
                triplets=event.triplets,
                turns=event.turns,
                marks=_only(event.marks, seat),
                outside=event.outside,
                deck=None,
                hand_counts=event.hand_counts,
                pair_counts=event.pair_counts,
                deck_count=event.deck_count,
                until=event.until,
            )
    return event  # the others hold public facts only


def _only(by_seat: tuple[T | None, ...], seat: Seat | None) -> tuple[T | None, ...]:
    return tuple(mine if other == seat else None for other, mine in enumerate(by_seat))
