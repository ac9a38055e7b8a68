"""What one seat, or a watcher, may see.

Rule 1: nothing here knows the state.  Legality, the question and the time-out default follow
        from a view and the word list, so none of them can tell a hidden card.  [G-12]
Rule 2: `hand`, `manifest`, `indicator`, `offers`, `answer`, `removal` and `has_answered` are the
        seat's own; everything else is the same for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from variants.contract import Seat, Window
from variants.kit.json_values import SINCE_2
from variants.words.actions import Offer
from variants.words.data.box import Box, Indicator, Manifest
from variants.words.events import Letters, Removal, Settings, Sheet


@dataclass(frozen=True, slots=True)
class WordView:
    number: int
    owner: Seat
    spelling: str  # "" where it is locked and not one's own: its identity was public when made
    length: int
    is_locked: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of one seat."""

    cards: int  # in the hand, End of Round included until it is played  [WR-14]
    total: int  # points of the rounds before


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None  # None: a watcher
    box: Box  # without its manifests where they are fresh: `events.public_box`
    settings: Settings
    seats: tuple[SeatView, ...]
    round: int  # from 1
    starter: Seat
    turn: Seat  # whose turn it is
    number: int  # of the turn in the round, from 1
    phase: str  # "draw" "main" "trade" "settle" "close" "removal"; "" when the game is over
    drawn: int  # cards taken so far, where phase is "draw"
    words: tuple[WordView, ...]  # in order of number
    pile: int  # cards
    discards: int  # cards
    top: str  # of the discard pile; "" where it is empty
    traded: bool  # the trade of this turn is used  [WR-22]
    stolen: bool  # the steal of this turn is used
    added: tuple[int, ...]  # words that got a letter this turn  [WR-28]
    changes: int  # of words in this turn: formed, added to, stolen, locked, rebuilt
    tapped: bool  # a card has left the draw pile in this turn  [WR-56]
    partners: tuple[Seat, ...]  # in a trade: who gives a letter
    removers: tuple[Seat, ...]  # in a removal: who may remove a letter
    missing: int  # answers to a sealed window; NOT_TOLD
    quiet: int  # turns  [WR-56]
    still: int
    last: tuple[Sheet, ...]  # the sheets of the last round, by seat; empty in the first
    ended: str  # "" while the game goes on, else GameEnded.reason
    hand: Letters = ()  # own, in order of arrival
    manifest: Manifest | None = None
    indicator: Indicator | None = None
    offers: tuple[Offer, ...] = ()  # own, in a trade
    answer: str = ""  # own letter, given in a trade
    removal: Removal | None = None  # own
    has_answered: bool = False  # the open sealed window
    is_end_played: bool = field(default=False, metadata=SINCE_2)
    """End of Round has ended the round and lies open; for everybody."""


NOT_TOLD = -1  # how many answers are missing  [G-11]

WINDOW_PROMPTS = {
    "draw": "to draw",
    "main": "to play",
    "trade": "to give a letter",
    "settle": "to bring the hand to seven",
    "close": "to end the round or pass",
    "removal": "to remove a letter or pass",
}


def open_window(view: View) -> Window | None:
    """The open window, from the public view: one for the whole turn, one for each sealed round."""
    if not view.phase:
        return None
    turn = f"round {view.round} turn {view.number}"
    asks = WINDOW_PROMPTS[view.phase]
    if view.phase == "trade":
        return Window(
            *(f"{turn} trade", view.partners, "trade", asks),
            is_sealed=True,
            paused_window_key=turn,
            turn=turn,
        )
    if view.phase == "removal":
        key = f"round {view.round} removal"
        return Window(key, view.removers, "removal", asks, is_sealed=True, accepts_empty_line=True)
    return Window(turn, (view.turn,), "turn", asks, accepts_empty_line=view.phase == "close")
