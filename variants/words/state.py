"""Everything about one game, hidden cards included.  Nobody is handed it."""

from __future__ import annotations

from dataclasses import dataclass

from variants.contract import Seat
from variants.words.actions import Offer
from variants.words.data.box import Box, Indicator, Manifest
from variants.words.events import Letters, Removal, Settings, Sheet, Word


@dataclass(frozen=True, slots=True)
class Player:
    manifest: Manifest
    indicator: Indicator
    hand: Letters = ()  # in order of arrival


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer in a sealed window."""

    seat: Seat
    letter: str = ""  # in a trade
    removal: Removal | None = None  # in a removal; None: nothing


@dataclass(frozen=True, slots=True)
class State:
    box: Box
    settings: Settings
    players: tuple[Player, ...]  # empty before the first round
    seats: int
    totals: tuple[int, ...]  # by seat
    round: int = 0
    starter: Seat | None = None
    turn: Seat | None = None
    number: int = 0  # turns started in this round
    phase: str = ""  # see View.phase
    drawn: int = 0
    pile: Letters = ()  # top first
    discards: Letters = ()  # top last
    words: tuple[Word, ...] = ()  # by number
    next_word: int = 1
    traded: bool = False
    stolen: bool = False
    added: tuple[int, ...] = ()
    changes: int = 0  # of words in this turn
    tapped: bool = False  # a card has left the draw pile in this turn
    is_end_played: bool = False  # End of Round lies open, in no hand  [WR-43]
    offers: tuple[Offer, ...] = ()
    removers: tuple[Seat, ...] = ()
    replies: tuple[Reply, ...] = ()
    quiet: int = 0
    still: int = 0
    last: tuple[Sheet, ...] = ()
    ended: str = ""
