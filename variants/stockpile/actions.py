"""What a seat may ask for.  Imperative; cards are named by id.

Rule 1: what a person typed without naming a copy means the oldest copy held; the grammar has
        already chosen it.
"""

from __future__ import annotations

from dataclasses import dataclass

from variants.contract import Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """The top card of the deck of the own location."""


@dataclass(frozen=True, slots=True)
class Stock:
    """Play Stock Up or Home Delivery."""

    card: str


@dataclass(frozen=True, slots=True)
class Loot:
    card: str
    target: Seat
    take: str  # a supply of the target


@dataclass(frozen=True, slots=True)
class Trade:
    card: str
    target: Seat
    give: str  # an own supply
    take: str  # a supply of the target


@dataclass(frozen=True, slots=True)
class Switch:
    card: str
    target: Seat


@dataclass(frozen=True, slots=True)
class Nosey:
    card: str
    target: Seat
    supply: str  # "Food" or "Toilet Paper"


@dataclass(frozen=True, slots=True)
class Isolate:
    card: str


@dataclass(frozen=True, slots=True)
class Swap:
    card: str
    other: str  # another Effect card of the hand, discarded with it
    draws: bool = True  # [SR-47]


@dataclass(frozen=True, slots=True)
class Discard:
    """One hand card; only with a full hand and nothing to play.  [SR-07]"""

    card: str


@dataclass(frozen=True, slots=True)
class End:
    """Stop in the final turn.  [SR-51]"""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Which supply an Impact card takes.  [SR-12]"""

    card: str


@dataclass(frozen=True, slots=True)
class Go:
    """Where to be in the next turn.  [SR-11]"""

    to: str  # "indoor" or "outdoor"


@dataclass(frozen=True, slots=True)
class Pass:
    """Let what was played against you stand."""


@dataclass(frozen=True, slots=True)
class NiceTry:
    card: str


@dataclass(frozen=True, slots=True)
class Reflect:
    """Against an effect: towards *target*.  Against a counter: no target at all.  [SR-59]"""

    card: str
    target: Seat | None = None
    give: str | None = None  # Trading Station: an own supply
    take: str | None = None  # Loot, Trading Station: a supply of the new target


Action = (
    Draw | Stock | Loot | Trade | Switch | Nosey | Isolate | Swap | Discard | End | GiveUp | Go
    | Pass | NiceTry | Reflect
)  # fmt: skip
ACTION_TYPES = (
    Draw, Stock, Loot, Trade, Switch, Nosey, Isolate, Swap, Discard, End, GiveUp, Go, Pass,
    NiceTry, Reflect,
)  # fmt: skip
