"""What happened.  Past tense and complete: folding needs no other source.

Rule 1: a field with the remark "secret" is None for everybody who may not know it; what stands
        beside it is the public twin.  [G-04]
Rule 2: of answers in a sealed window others hear how many are missing, never whose came.  [G-11]
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from variants.contract import Seat
from variants.kit.json_values import SINCE_2
from variants.words.data.box import Box, Indicator, Manifest

Letters = tuple[str, ...]
"""Cards in order; the End of Round card is "*"."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The table options that rules read, as numbers."""

    target: int  # points  [WR-55]
    level: int  # highest level of a word that is accepted  [WR-02]
    rounds: int  # at most  [WR-56]
    hints: int  # highest level that the question `words` shows; 0: it is switched off
    has_fresh: bool = field(default=False, metadata=SINCE_2)
    """The manifests of the box were made for this game, and nobody knows them."""


def public_box(box: Box, settings: Settings) -> Box:
    """The box as everybody knows it: printed manifests are public, fresh ones are not.  [WR-10]"""
    return replace(box, manifests=()) if settings.has_fresh else box


@dataclass(frozen=True, slots=True)
class Word:
    number: int  # unique in the round  [WR-28]
    owner: Seat
    spelling: str
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class GameBegun:
    box: Box  # so that a journal outlives a change of the data; see `public_box`
    settings: Settings
    seats: int


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """Everything shuffled and dealt anew.  [WR-54]"""

    number: int  # from 1
    starter: Seat
    hands: tuple[Letters | None, ...]  # by seat; secret but for the own
    manifests: tuple[Manifest | None, ...]  # by seat; secret but for the own
    indicators: tuple[Indicator | None, ...]  # by seat; secret but for the own
    pile: Letters | None  # secret; top first
    discards: Letters  # one letter
    pile_count: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    seat: Seat
    number: int  # of the round, from 1


@dataclass(frozen=True, slots=True)
class LetterDrawn:
    seat: Seat
    source: str  # "pile" or "discard"
    letter: str | None  # secret if from the pile
    cards: int = 1  # of the draw that begins with this one; 0: it goes on with this one


@dataclass(frozen=True, slots=True)
class PhaseOpened:
    seat: Seat
    phase: str  # "main" "settle" "close"
    cards: int = 0  # in the hand then, End of Round counted: everybody can reckon it  [WR-14]
    has_choice: bool = True  # settle: of two piles to draw from; from one the server draws  [WR-18]


@dataclass(frozen=True, slots=True)
class TradeOffered:
    seat: Seat
    partners: tuple[Seat, ...]
    letters: tuple[str | None, ...]  # by partner; secret but for the one who offers


@dataclass(frozen=True, slots=True)
class TradeAnswered:
    seat: Seat | None  # secret
    letter: str | None  # secret
    missing: int  # answers


@dataclass(frozen=True, slots=True)
class Traded:
    """All exchanges at once.  [WR-23] A pair knows its own two letters.  [WR-26]"""

    seat: Seat
    partners: tuple[Seat, ...]
    given: tuple[str | None, ...]  # by partner, to that partner
    got: tuple[str | None, ...]  # by partner, from that partner


@dataclass(frozen=True, slots=True)
class LetterAdded:
    seat: Seat
    word: Word  # as it is now
    letter: str
    was: str


@dataclass(frozen=True, slots=True)
class LetterStolen:
    seat: Seat
    word: Word  # as it is now
    letter: str
    was: str
    made: Word  # the thief's, locked
    set: int | None = None  # of the thief's manifest, 0: it is on none; secret


@dataclass(frozen=True, slots=True)
class WordFormed:
    word: Word
    set: int | None = None  # of the owner's manifest, 0: it is on none; secret


@dataclass(frozen=True, slots=True)
class WordLocked:
    word: Word  # as it is now
    set: int | None = None  # of the owner's manifest, 0: it is on none; secret


@dataclass(frozen=True, slots=True)
class WordsRebuilt:
    seat: Seat
    taken: tuple[Word, ...]
    laid: tuple[Word, ...]
    from_hand: Letters
    to_hand: Letters  # they were face up
    sets: tuple[int, ...] | None = None  # of the own manifest, by laid word, or 0; secret


@dataclass(frozen=True, slots=True)
class LetterDiscarded:
    seat: Seat
    letter: str


@dataclass(frozen=True, slots=True)
class Passed:
    """No End of Round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: Seat
    quiet: int  # turns in a row: no card left the pile, no word changed  [WR-56]
    still: int  # turns in a row: no card left the pile  [WR-56]


@dataclass(frozen=True, slots=True)
class RoundEnding:
    seat: Seat
    why: str  # "end" (the card) "out" "pile" "quiet" "still"


@dataclass(frozen=True, slots=True)
class RemovalOpened:
    seats: tuple[Seat, ...]  # those who could remove a letter: a public fact


@dataclass(frozen=True, slots=True)
class Removal:
    word: int
    letter: str
    leaving: str


@dataclass(frozen=True, slots=True)
class RemovalAnswered:
    seat: Seat | None  # secret
    removal: Removal | None  # secret; None also: nothing removed
    missing: int  # answers


@dataclass(frozen=True, slots=True)
class LetterRemoved:
    seat: Seat
    word: Word  # as it is now
    letter: str
    was: str


@dataclass(frozen=True, slots=True)
class Scored:
    """One word in the reckoning."""

    spelling: str
    is_locked: bool
    set: int  # of the own manifest; 0: not on it
    points: int  # with bonus and sign


@dataclass(frozen=True, slots=True)
class Sheet:
    """One seat's round, turned up."""

    manifest: Manifest
    indicator: Indicator
    words: tuple[Scored, ...]
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    number: int
    sheets: tuple[Sheet, ...]  # by seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    totals: tuple[int, ...]  # by seat
    reason: str  # "target" "rounds"


@dataclass(frozen=True, slots=True)
class PositionArranged:
    """A position in the middle of a round, for scenarios and tutorials; by seat."""

    box: Box  # see `public_box`
    settings: Settings
    round: int
    starter: Seat
    turn: Seat
    number: int
    phase: str
    drawn: int
    hands: tuple[Letters | None, ...]  # secret but for the own
    hand_counts: tuple[int, ...]
    manifests: tuple[Manifest | None, ...]  # secret but for the own
    indicators: tuple[Indicator | None, ...]  # secret but for the own
    totals: tuple[int, ...]
    words: tuple[Word, ...]
    pile: Letters | None  # secret
    pile_count: int
    discards: Letters  # bottom first
    quiet: int
    still: int
    traded: bool = False
    stolen: bool = False
    added: tuple[int, ...] = ()
    changes: int = field(default=0, metadata=SINCE_2)  # of words in the open turn  [WR-57]


Event = (
    GameBegun | RoundBegun | TurnStarted | LetterDrawn | PhaseOpened | TradeOffered
    | TradeAnswered | Traded | LetterAdded | LetterStolen | WordFormed | WordLocked
    | WordsRebuilt | LetterDiscarded | Passed | TurnEnded | RoundEnding | RemovalOpened
    | RemovalAnswered | LetterRemoved | RoundScored | GameEnded | PositionArranged
)  # fmt: skip
EVENT_TYPES = (
    GameBegun, RoundBegun, TurnStarted, LetterDrawn, PhaseOpened, TradeOffered, TradeAnswered,
    Traded, LetterAdded, LetterStolen, WordFormed, WordLocked, WordsRebuilt, LetterDiscarded,
    Passed, TurnEnded, RoundEnding, RemovalOpened, RemovalAnswered, LetterRemoved, RoundScored,
    GameEnded, PositionArranged,
)  # fmt: skip
