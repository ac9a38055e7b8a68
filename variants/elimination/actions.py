"""What a seat may ask for.  Imperative; exactly one in a turn, and no pass."""

from __future__ import annotations

from dataclasses import dataclass

from variants.contract import Seat


@dataclass(frozen=True, slots=True)
class Draw:
    pass


@dataclass(frozen=True, slots=True)
class Give:
    card: str
    to: Seat


@dataclass(frozen=True, slots=True)
class Take:
    victim: Seat


@dataclass(frozen=True, slots=True)
class Force:
    to: Seat


@dataclass(frozen=True, slots=True)
class Shuffle:
    pass


@dataclass(frozen=True, slots=True)
class Clear:
    with_: str  # "single" or "pair"  [ER-34]


@dataclass(frozen=True, slots=True)
class Next:
    """Say who plays next."""

    seat: Seat


Action = Draw | Give | Take | Force | Shuffle | Clear | Next
ACTION_TYPES = (Draw, Give, Take, Force, Shuffle, Clear, Next)
