"""What happened.  Past tense and complete: folding needs no other source.

Rule 1: a field typed `... | None` is the secret one; `redact` sets it to None, and the count
        beside it is the public twin.  [G-04]
Rule 2: after a shuffle an event names the new order as a whole; nothing in it can be followed
        from the old order to the new.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from variants.contract import Seat
from variants.kit.json_values import SINCE_2

Cards = tuple[str, ...]
Sets = tuple[Cards, ...]
Mark = tuple[str, int]
"""A card that may not be given yet, and the own turn from which it may.  [ER-17]"""


@dataclass(frozen=True, slots=True)
class GameBegun:
    pack: str  # a key of data.PACKS
    seats: int
    dealer: Seat
    until: str = field(default="last", metadata=SINCE_2)  # "last" "half" "first"  [ER-51]


@dataclass(frozen=True, slots=True)
class Misdealt:
    """Somebody was dealt four of a rank; nobody sees the cards.  [ER-06]"""


@dataclass(frozen=True, slots=True)
class Dealt:
    hands: tuple[Cards | None, ...]  # by seat
    deck: Cards | None  # top first
    hand_count: int  # cards in each hand
    deck_count: int


@dataclass(frozen=True, slots=True)
class PairLocked:
    seat: Seat
    cards: Cards | None  # two of a rank, face down


@dataclass(frozen=True, slots=True)
class TripletLocked:
    seat: Seat
    cards: Cards  # three of a rank, face up


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A fourth card of a rank came; the other cards went back into the deck.  [ER-33]"""

    seat: Seat
    cards: Cards  # every quadruple, open
    returned: Cards | None  # the rest of the seat's cards
    deck: Cards | None  # the new order, top first
    returned_count: int
    deck_count: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    seat: Seat
    number: int  # of the game, from 1
    why: str  # "first" "affected" "again" "chosen" "only" "order"
    by: Seat | None  # who chose, where why is "chosen"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: Seat
    idle: int  # turns in a row without progress, this one included  [ER-40]


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat had no legal action.  [ER-41]"""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChoiceOpened:
    """The seat must say who plays next."""

    seat: Seat
    candidates: tuple[Seat, ...]  # clockwise from the chooser


@dataclass(frozen=True, slots=True)
class CardDrawn:
    seat: Seat
    card: str | None


@dataclass(frozen=True, slots=True)
class CardGiven:
    seat: Seat
    to: Seat
    card: str | None


@dataclass(frozen=True, slots=True)
class CardTaken:
    seat: Seat
    victim: Seat
    card: str | None


@dataclass(frozen=True, slots=True)
class CardForced:
    seat: Seat
    to: Seat
    card: str  # open to all  [ER-10]


@dataclass(frozen=True, slots=True)
class HandsShuffled:
    seat: Seat
    hands: tuple[Cards | None, ...]  # by seat, as dealt again, before locks
    counts: tuple[int, ...]  # by seat  [ER-27]


@dataclass(frozen=True, slots=True)
class Cleared:
    seat: Seat
    used: Cards  # one or two, now Outside
    hand: Cards | None  # the new one, before locks
    deck: Cards | None  # the new order after the draw, top first
    hand_count: int
    deck_count: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    survivors: tuple[Seat, ...]
    reason: str  # "last" "idle" "dead"; "half" "first": so many were out  [ER-51]


@dataclass(frozen=True, slots=True)
class PositionArranged:
    """A position set up by hand, for scenarios and tutorials; every tuple is by seat."""

    pack: str
    dealer: Seat
    turn: Seat
    asks: str  # "action" or "next"
    number: int
    idle: int
    fallen: tuple[Seat, ...]
    hands: tuple[Cards | None, ...]
    pairs: tuple[Sets | None, ...]
    triplets: tuple[Sets, ...]
    turns: tuple[int, ...]
    marks: tuple[tuple[Mark, ...] | None, ...]
    outside: Cards
    deck: Cards | None
    hand_counts: tuple[int, ...]
    pair_counts: tuple[int, ...]
    deck_count: int
    until: str = field(default="last", metadata=SINCE_2)


Event = (
    GameBegun | Misdealt | Dealt | PairLocked | TripletLocked | Eliminated | TurnStarted
    | TurnEnded | Passed | ChoiceOpened | CardDrawn | CardGiven | CardTaken | CardForced
    | HandsShuffled | Cleared | GameEnded | PositionArranged
)  # fmt: skip
EVENT_TYPES = (
    GameBegun, Misdealt, Dealt, PairLocked, TripletLocked, Eliminated, TurnStarted, TurnEnded,
    Passed, ChoiceOpened, CardDrawn, CardGiven, CardTaken, CardForced, HandsShuffled, Cleared,
    GameEnded, PositionArranged,
)  # fmt: skip
