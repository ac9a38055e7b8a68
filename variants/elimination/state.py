"""Everything about one game, hidden cards included.  Nobody is handed it."""

from __future__ import annotations

from dataclasses import dataclass

from variants.contract import Seat
from variants.elimination.events import Cards, Mark, Sets
from variants.elimination.view import Outside


@dataclass(frozen=True, slots=True)
class Player:
    """One seat's cards.

    Invariant: the hand holds at most one card of each lockable rank and none of a locked rank,
    except in the middle of a resolution and for the winner of a fatal shuffle.
    """

    hand: Cards = ()  # mobile, in order of arrival
    pairs: Sets = ()  # face down
    triplets: Sets = ()  # face up
    turns: int = 0  # started so far
    marks: tuple[Mark, ...] = ()  # cards of the hand that may not be given yet
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class State:
    pack: str
    dealer: Seat
    players: tuple[Player, ...]
    turn: Seat  # who is to act; the dealer before the first turn
    deck: Cards = ()  # top first
    outside: tuple[Outside, ...] = ()
    asks: str = ""  # "action", "next"; "" before the first turn and after the end
    number: int = 0  # turns of the game started so far
    idle: int = 0  # turns in a row without progress  [ER-40]
    fallen: tuple[Seat, ...] = ()  # first to fall first
    ended: str = ""
    until: str = "last"  # "last" "half" "first"  [ER-51]
