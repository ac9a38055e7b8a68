"""What one seat may see.

Rule 1: nothing here knows the state.  The question that is open follows from a view, and what a
        seat may do follows from it in `legal_actions.py` and `check.py`.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from variants.contract import Seat, Window
from variants.elimination.events import Cards, Mark, Sets
from variants.kit.json_values import SINCE_2


@dataclass(frozen=True, slots=True)
class Outside:
    """Cards that left the game together, face up."""

    cards: Cards
    seat: Seat | None
    why: str  # "out": the seat's quadruples; "clear": the seat used them; "": set aside


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of one seat."""

    is_in: bool
    cards: int  # in the mobile hand
    pairs: int  # face down
    triplets: Sets  # face up
    turns: int  # started so far


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None  # None: a watcher
    pack: str
    seats: tuple[SeatView, ...]
    dealer: Seat
    turn: Seat  # who is to act; the last one when the game is over
    asks: str  # "action", "next", or "" when the game is over
    number: int  # of the turn
    idle: int  # turns in a row without progress
    deck: int  # cards
    outside: tuple[Outside, ...]  # oldest first
    candidates: tuple[Seat, ...]  # who may be named next, clockwise; empty unless asks "next"
    fallen: tuple[Seat, ...]  # first to fall first
    ended: str  # "" while the game goes on, else GameEnded.reason
    hand: Cards = ()  # own mobile hand, in order of arrival
    marks: tuple[Mark, ...] = ()  # own cards that may not be given yet
    pairs: Sets = ()  # own, by rank
    until: str = field(default="last", metadata=SINCE_2)  # "last" "half" "first"  [ER-51]


class _Player(Protocol):
    @property
    def is_in(self) -> bool: ...
    @property
    def triplets(self) -> Sets: ...


def others_clockwise(seats: Sequence[_Player], seat: int) -> list[Seat]:
    """The other live seats, from the left neighbour on.  [G-01]"""
    order = (*range(seat + 1, len(seats)), *range(seat))
    return [Seat(other) for other in order if seats[other].is_in]


def next_candidates(seats: Sequence[_Player], chooser: int) -> tuple[Seat, ...]:
    """Whom *chooser* may name next: the Rule of 3.  [ER-12] [ER-13] [ER-14]"""
    others = others_clockwise(seats, chooser)
    return tuple(seat for seat in others if seats[seat].triplets) or tuple(others)


def open_window(view: View) -> Window | None:
    """The open window, from the public view."""
    if not view.asks:
        return None
    asks = "to play" if view.asks == "action" else "to choose the next player"
    turn = f"turn {view.number}"
    return Window(f"{turn} {view.asks}", (view.turn,), view.asks, asks, turn=turn)


def eliminated_seats(view: View) -> tuple[Seat, ...]:
    """Who has fallen, first to fall first."""
    return view.fallen


# -- what may be done ------------------------------------------------------------------------------


# -- why something may not be done -----------------------------------------------------------------


# -- cards in words --------------------------------------------------------------------------------
