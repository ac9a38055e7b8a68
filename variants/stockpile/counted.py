"""What one reader can count: which cards are unseen, and how likely each is the next one drawn.

Rule 1: it follows from the own view and the own redacted events, from nothing else.  People read it
        with `cards`; computer players use the same.  [G-14]
Rule 2: numbers come from the box that is played with, never from the shipped one.
Rule 3: a test card that was kept is certain.  Other hand cards may be any unseen card of their
        back but an Impact card, which cannot be held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variants.contract import Seat
from variants.stockpile.data.cards import DECKS, Card, Cards, card_title
from variants.stockpile.events import Event, TestKept
from variants.stockpile.view import View


def may_be_held(card: Card) -> bool:
    """Whether a card of a location deck can lie in a hand."""
    return card.sort in ("stockup", "effect")


def visible_card_ids(view: View) -> set[str]:
    """Cards that the seat sees now, by id."""
    cards = [card for pile in view.discards for card in pile]
    for seat in view.seats:
        cards += seat.stockpile
        if seat.isolation is not None:
            cards.append(seat.isolation)
    return {card.id for card in (*cards, *view.hand)}


def unseen_cards(view: View, deck: str) -> Cards:
    """The cards of one back that the seat does not see, in the order of the box."""
    seen = visible_card_ids(view)
    return tuple([card for card in view.decks.cards_of(deck) if card.id not in seen])


def find_kept_tests(view: View, seen: Sequence[Event]) -> dict[Card, Seat]:
    """Test cards that others were seen to keep and still hold; no hand card changes hands."""
    lying_open = visible_card_ids(view)
    return {
        event.card: event.seat
        for event in seen
        if isinstance(event, TestKept)
        and event.seat != view.seat
        and event.card.id not in lying_open
    }


def next_card_odds(view: View, seen: Sequence[Event], deck: str) -> dict[Card, float]:
    """For each unseen card of a location deck, how likely it is the next one drawn."""
    left = view.cards_left(deck)
    if not left:
        return {}
    kept = find_kept_tests(view, seen)
    cards = [card for card in unseen_cards(view, deck) if card not in kept]
    impacts = [card for card in cards if not may_be_held(card)]
    share = max(0, left - len(impacts)) / max(1, len(cards) - len(impacts))
    return {card: (share if may_be_held(card) else 1.0) / left for card in cards}


@dataclass(frozen=True, slots=True)
class CardCount:
    """All copies of one card, by where the reader knows them to be."""

    title: str
    cards: Cards
    hand: int  # own
    discarded: int
    lying: int  # in stockpiles, or played and still in force
    kept: tuple[Seat, ...]  # others who keep one that a test has shown, a seat for each card
    unseen: Cards


def counted(view: View, seen: Sequence[Event]) -> dict[str, tuple[CardCount, ...]]:
    """By deck, each different card in the order of the box; for a watcher what is public."""
    kept, visible = find_kept_tests(view, seen), visible_card_ids(view)
    own, gone = set(view.hand), {card for pile in view.discards for card in pile}
    found: dict[str, tuple[CardCount, ...]] = {}
    for deck in DECKS:
        by_title: dict[str, list[Card]] = {}
        for card in view.decks.cards_of(deck):
            by_title.setdefault(card_title(card), []).append(card)
        found[deck] = tuple(
            CardCount(
                title=title,
                cards=tuple(cards),
                hand=sum(card in own for card in cards),
                discarded=sum(card in gone for card in cards),
                lying=sum(c.id in visible and c not in own and c not in gone for c in cards),
                kept=tuple(sorted(kept[card] for card in cards if card in kept)),
                unseen=tuple(c for c in cards if c.id not in visible and c not in kept),
            )
            for title, cards in by_title.items()
        )
    return found
