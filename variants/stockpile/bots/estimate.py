"""What one seat can work out: what is unseen, and how likely each card is where.

Rule 1: it is worked out from the own view and the own redacted events, from nothing else.  [G-14]
Rule 2: numbers come from the box that is played with, never from the shipped one.
Rule 3: what is only counted stands in `counted.py`, where people read it too.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.stockpile.counted import find_kept_tests, may_be_held, next_card_odds, unseen_cards
from variants.stockpile.data.cards import (
    DECKS,
    INDOORS,
    INFECTION,
    OUTDOORS,
    REACTIONS,
    SUPPLIES,
    SUPPLY_KINDS,
    Card,
    Cards,
)
from variants.stockpile.events import Event
from variants.stockpile.view import View

HELD_REACTION_WEIGHT = 2.0  # how much likelier an unseen reaction is held than what is soon played


class SeatKnowledge:
    """Everything one seat has worked out.

    Args:
        view: The seat's own view; not a watcher's.
        seen: The seat's own redacted events, oldest first.  May begin late: what was not heard
            is not known, and nothing goes wrong.
    """

    def __init__(self, view: View, seen: Sequence[Event]) -> None:
        assert view.seat is not None
        self.view, self.me = view, view.seat
        self.kept_tests = find_kept_tests(view, seen)
        self.unseen: dict[str, Cards] = {deck: unseen_cards(view, deck) for deck in DECKS}
        self.draw_odds = {deck: next_card_odds(view, seen, deck) for deck in (INDOORS, OUTDOORS)}
        supplies = self.unseen[SUPPLIES]
        count = max(1, len(supplies))
        self.supply_mean = sum(card.number for card in supplies) / count
        """What one Supply off the deck is worth, Sold Out included."""
        self.supply_variance = (
            sum(card.number**2 for card in supplies) / count - self.supply_mean**2
        )
        self.supply_share = {
            kind: sum(card.name == kind for card in supplies) / count for kind in SUPPLY_KINDS
        }
        """How likely one Supply off the deck is of each kind."""

    def is_harmless(self, card: Card) -> bool:
        """Whether it is an Infection that does nothing as long as the grace lasts.  [SR-68]"""
        return card.name == INFECTION and self.view.is_in_grace

    def infection_odds(self, deck: str) -> float:
        """How likely the next card of *deck* is an Infection that does anything."""
        if self.view.is_in_grace:
            return 0.0
        return sum(odds for card, odds in self.draw_odds[deck].items() if card.name == INFECTION)

    def positive_test_odds(self, deck: str) -> float:
        """How likely a test infects, just after an Infection came off *deck*.  [SR-26]"""
        left = self.view.cards_left(deck) - 1
        if left < 1:
            return 1.0
        odds = self.draw_odds[deck]
        infections = [card for card in odds if card.name == INFECTION]
        tested = sum(odds_ for card, odds_ in odds.items() if card.test == "+") * (left + 1)
        spent = sum(card.test == "+" for card in infections) / max(1, len(infections))
        return min(1.0, max(0.0, (tested - spent) / left))

    def reaction_odds(self, seat: Seat) -> float:
        """How likely *seat* holds a Nice Try! or a Reflection."""
        known = [card for card, where in self.kept_tests.items() if where == seat]
        if any(card.name in REACTIONS for card in known):
            return 1.0
        backs = self.view.seats[seat].indoor - sum(card.deck == INDOORS for card in known)
        free = [c for c in self.unseen[INDOORS] if may_be_held(c) and c not in self.kept_tests]
        reactions = sum(card.name in REACTIONS for card in free)
        holding, lacking = HELD_REACTION_WEIGHT * reactions, float(len(free) - reactions)
        lacks = 1.0
        for _ in range(backs):
            if lacking <= 0:
                return 1.0 if holding else 0.0
            lacks *= lacking / (holding + lacking)
            lacking -= 1
        return 1.0 - lacks
