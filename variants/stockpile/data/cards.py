"""The cards: what each is, and the rules that hang on its name.

Rule 1: how many of each, their values and test symbols are data (`decks.json`, or a host's own
        file); what a card does follows from its name, and the rules know these names only.
Rule 2: a card stands for itself: its zone holds the card, not a number to look up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

INDOORS, OUTDOORS = "indoor", "outdoor"
"""A location, the deck that belongs to it, and the back of that deck's cards."""
SUPPLIES = "supplies"
DECKS = (SUPPLIES, INDOORS, OUTDOORS)
DECK_SIZE = 35
HAND_MAX = 8  # [SR-06]
ACTIONS_PER_TURN = 3  # in a turn  [SR-03]

FOOD, PAPER, PREVENTION = "Food", "Toilet Paper", "Infection Prevention"
SUPPLY_KINDS = (FOOD, PAPER, PREVENTION)  # of supplies worth keeping
SOLD_OUT = "Sold Out"
STARTING_SUPPLIES = (
    (FOOD, 1),
    (PAPER, 1),
    (PREVENTION, 2),
)  # (kind, value) of each player's first supplies

INFECTION = "Infection"
IMPACT_KINDS = {
    INFECTION: PREVENTION,
    "Snack Attack": FOOD,
    "Binge Watch": FOOD,
    "Sourdough Solution": FOOD,
    "Feed The Family": FOOD,
    "Caught Short": PAPER,
    "Feeling Flushed": PAPER,
    "Dress To Impress": PAPER,
    "Personal Space": PAPER,
    "Caught Red Handed": PREVENTION,
}
"""Impact cards by name, and the kind of supply that each takes."""
STOCK_UPS = ("Stock Up", "Home Delivery")

NICE_TRY, REFLECTION = "Nice Try!", "Reflection"
REACTIONS = (NICE_TRY, REFLECTION)  # Indoor cards only, so that backs tell who may react  [G-12]
LOOT_ANY = "Loot Any Supply"
LOOT_KINDS: dict[str, tuple[str, ...]] = {
    **{f"Loot {kind}": (kind,) for kind in SUPPLY_KINDS},
    LOOT_ANY: SUPPLY_KINDS,
}
"""Loot cards by name, and the kinds each may take."""
TRADING_STATION, LOCATION_SWITCH = "Trading Station", "Location Switch"
NOSEY_NEIGHBOUR, SELF_ISOLATION, SWAP_SHOP = "Nosey Neighbour", "Self-Isolation", "Swap Shop"
NOSEY_KINDS = (FOOD, PAPER)  # [SR-41]
EFFECTS = (
    *REACTIONS, *LOOT_KINDS, TRADING_STATION, LOCATION_SWITCH, NOSEY_NEIGHBOUR, SELF_ISOLATION,
    SWAP_SHOP,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    id: str  # unique in the box: "I21"
    deck: str  # one of DECKS: where it comes from and its back
    name: str
    sort: str  # "supply", "impact", "stockup" or "effect"
    number: int = 0  # a supply's value; how many supplies a stock-up draws
    test: str = ""  # "+" infected, "-" not; "" on supplies


Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table chose that holds for a whole game."""

    grace: int = 0  # rounds in which an Infection does nothing  [SR-68]
    infected: str = "out"  # or "restart": who is infected starts again  [SR-70]


@dataclass(frozen=True)
class Decks:
    """Everything in the box, in the order of the data file."""

    supplies: Cards
    indoor: Cards
    outdoor: Cards

    def cards_of(self, deck: str) -> Cards:
        return {SUPPLIES: self.supplies, INDOORS: self.indoor, OUTDOORS: self.outdoor}[deck]

    @property
    def all_cards(self) -> Cards:
        return (*self.supplies, *self.indoor, *self.outdoor)

    @cached_property
    def by_id(self) -> Mapping[str, Card]:
        return {card.id: card for card in self.all_cards}


@dataclass(frozen=True)
class Box:
    """The decks that a table may choose from."""

    standard: Decks
    indoors: Decks | None = None  # [SR-71] None: these cards have no such list


def total_value(cards: Sequence[Card]) -> int:
    """What a stockpile is worth."""
    return sum(card.number for card in cards)


def supplies_of_kind(cards: Sequence[Card], kind: str) -> Cards:
    """The supplies of one kind, in order."""
    return tuple([card for card in cards if card.name == kind])


def card_title(card: Card) -> str:
    """`Food 3`, `Stock Up 2`, `Nice Try!`: the name by which people know a card."""
    return f"{card.name} {card.number}" if card.number else card.name


def is_same_card(one: Card, other: Card) -> bool:
    """Whether two cards are one and the same in a command: equal but for symbol and id."""
    return one.name == other.name and one.number == other.number


def distinct_cards(cards: Sequence[Card]) -> Cards:
    """The oldest copy of each card, in order: what a list of plays names."""
    oldest: dict[tuple[str, int], Card] = {}
    for card in cards:
        oldest.setdefault((card.name, card.number), card)
    return tuple(oldest.values())


END_REASONS = {
    "survivor": "everybody else is infected",
    SUPPLIES: "the Supplies deck has run out",
    INDOORS: "the Indoor deck has run out",
    OUTDOORS: "the Outdoor deck has run out",
}
"""Why a game ended, as a clause, by GameEnded.reason."""
