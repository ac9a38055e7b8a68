"""The table of the second referee of stockpile: where everything lies, and what may be done.

Rule 1: written from S2 alone; see `referee.py`, which plays on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from variants.contract import Outcome, Seat
from variants.stockpile import actions as a
from variants.stockpile.data.cards import Card
from variants.stockpile.events import Dealt
from variants.stockpile.state import State

FOOD, PAPER, PREVENTION = "Food", "Toilet Paper", "Infection Prevention"
LOOTS = {
    "Loot Food": {FOOD},
    "Loot Toilet Paper": {PAPER},
    "Loot Infection Prevention": {PREVENTION},
    "Loot Any Supply": {FOOD, PAPER, PREVENTION},
}


@dataclass
class Person:
    hand: list[Card] = field(default_factory=list)
    stockpile: list[Card] = field(default_factory=list)
    location: str = "indoor"
    is_bound: bool = False
    isolation: Card | None = None
    is_in: bool = True

    def of(self, kind: str) -> list[Card]:
        return [card for card in self.stockpile if card.name == kind]

    @property
    def value(self) -> int:
        return sum(card.number for card in self.stockpile)


@dataclass(frozen=True)
class Ask:
    seat: int
    asks: str
    legal: frozenset[Any]


def kinds_of(cards: Iterable[Card]) -> list[Card]:
    """One card of each name and number, the oldest."""
    first: dict[tuple[str, int], Card] = {}
    for card in cards:
        first.setdefault((card.name, card.number), card)
    return list(first.values())


class Table:
    """Where the cards of one game lie, from the deal on."""

    def __init__(self, dealt: Dealt, first: int, prevention: int = 1) -> None:
        self.decks = {
            "supplies": list(dealt.supplies or ()),
            "indoor": list(dealt.indoor or ()),
            "outdoor": list(dealt.outdoor or ()),
        }
        self.piles: dict[str, list[Card]] = {deck: [] for deck in self.decks}
        self.people = [Person(stockpile=list(cards)) for cards in dealt.stockpiles]
        start = [(FOOD, 1), (PAPER, 1)] + [(PREVENTION, 2)] * prevention
        assert all([(c.name, c.number) for c in p.stockpile] == start for p in self.people)
        self.turn, self.number, self.action = first, 0, 0
        self.fallen, self.winners, self.skips = list[int](), list[int](), False
        self.said: list[str] = []
        self.ask: Ask | None = None

    @property
    def is_final(self) -> bool:
        return not all(self.decks.values())

    # -- what may be done ----------------------------------------------------------------------

    def plays(self, me: int) -> Iterator[Any]:
        person, has_supplies = self.people[me], bool(self.decks["supplies"])
        if len(person.hand) <= 7 and self.decks[person.location]:
            yield a.Draw()
        plays: list[Any] = []
        for card in kinds_of(person.hand):
            if card.sort == "stockup":
                plays += [a.Stock(card.id)] if has_supplies else []
            elif card.name == "Self-Isolation":
                plays += [] if person.isolation else [a.Isolate(card.id)]
            elif card.name == "Swap Shop":
                rest = [c for c in person.hand if c.sort == "effect" and c != card]
                plays += [
                    a.Swap(card.id, other.id, draws)
                    for other in kinds_of(rest)
                    for draws in (True, False)
                    if has_supplies
                ]
            elif card.name not in ("Nice Try!", "Reflection"):
                plays += self.aims(card.name, me, sorted(LOOTS.get(card.name, {FOOD, PAPER})),
                                    card.id)  # fmt: skip
        yield from plays
        if len(person.hand) == 8 and not plays:
            yield from (a.Discard(card.id) for card in kinds_of(person.hand))
        if self.is_final:
            yield a.End()

    def aims(self, name: str, me: int, kinds: Sequence[str], card: str) -> Iterator[Any]:
        """All that the effect *name* can be to others, if *me* controls it."""
        for number, other in enumerate(self.people):
            seat = Seat(number)
            if seat == me or not other.is_in or other.isolation:
                continue
            if name in LOOTS:
                found = [c for kind in kinds for c in other.of(kind)]
                yield from (a.Loot(card, seat, c.id) for c in kinds_of(found))
            elif name == "Trading Station":
                for give in kinds_of(self.people[me].stockpile):
                    for take in kinds_of(other.stockpile):
                        yield a.Trade(card, seat, give.id, take.id)
            elif name == "Location Switch":
                yield a.Switch(card, seat)
            elif other.location == "outdoor":
                yield from (a.Nosey(card, seat, kind) for kind in kinds if other.of(kind))

    # -- cards ---------------------------------------------------------------------------------

    def top(self, deck: str) -> Card:
        return self.decks[deck].pop(0)

    def tell_taken(self, what: str, deck: str) -> None:
        """*what* took the top card of a deck: perhaps the last."""
        self.said += [what] if self.decks[deck] else [what, "DeckEmptied"]

    def supply(self, me: int) -> None:
        if self.decks["supplies"]:
            card = self.top("supplies")
            if card.name == "Sold Out":
                self.discard(card)
            else:
                self.people[me].stockpile.append(card)
            self.tell_taken("SupplyDrawn", "supplies")

    def discard(self, card: Card) -> None:
        self.piles[card.deck].append(card)

    def from_hand(self, me: int, wanted: str) -> Card:
        card = next(c for c in self.people[me].hand if c.id == wanted)
        self.people[me].hand.remove(card)
        return card

    def supply_of(self, seat: int, wanted: str) -> Card:
        return next(c for c in self.people[seat].stockpile if c.id == wanted)

    # -- the two beside each other -------------------------------------------------------------

    def agrees(self, state: State, outcome: Outcome | None) -> None:
        """Raise AssertionError where *state* differs from what the text makes of the game."""
        for deck, pile in zip(("supplies", "indoor", "outdoor"), state.discards, strict=True):
            assert list(getattr(state, deck)) == self.decks[deck]
            assert by_id(pile) == by_id(self.piles[deck])
        for player, person in zip(state.players, self.people, strict=True):
            assert list(player.hand) == person.hand
            assert by_id(player.stockpile) == by_id(person.stockpile)
            assert (player.is_in, player.isolation) == (person.is_in, person.isolation)
            if person.is_in:
                assert (player.location, player.is_bound) == (person.location, person.is_bound)
        assert list(state.fallen) == self.fallen
        assert (state.turn, state.number) == (self.turn, self.number)
        if self.ask is not None:
            assert (state.asked, state.asks) == (self.ask.seat, self.ask.asks)
            assert state.action == self.action and state.skips == self.skips
            assert outcome is None and not state.ended
            return
        assert state.ended and not state.asks and list(state.winners) == self.winners
        worth = [person.value if person.is_in else -1 for person in self.people]
        assert outcome is not None
        assert list(outcome.places) == [1 + sum(w > mine for w in worth) for mine in worth]


def by_id(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: card.id)
