"""What a seat may ask for.  Imperative; words by number, letters in capitals."""

from __future__ import annotations

from dataclasses import dataclass

from variants.contract import Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """In DRAW and, to fill the hand, in SETTLE."""

    source: str  # "pile" or "discard"
    count: int = 1  # cards, all from that source


@dataclass(frozen=True, slots=True)
class Offer:
    to: Seat
    letter: str


@dataclass(frozen=True, slots=True)
class Trade:
    """One own letter to each of several others.  [WR-23]"""

    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a partner gives in a trade.  [WR-24]"""

    letter: str


@dataclass(frozen=True, slots=True)
class Add:
    letter: str
    word: int
    spelling: str  # what the word becomes


@dataclass(frozen=True, slots=True)
class Steal:
    letter: str
    word: int
    leaving: str
    making: str


@dataclass(frozen=True, slots=True)
class Form:
    spelling: str


@dataclass(frozen=True, slots=True)
class Lock:
    word: int


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Take own exposed words up and lay others.  [WR-40] [WR-41] [WR-42]

    Letters that the new words need beyond the taken ones come from the hand; letters left over
    go to the hand.
    """

    words: tuple[int, ...]
    spellings: tuple[str, ...]  # none: only taken up


@dataclass(frozen=True, slots=True)
class Discard:
    letters: tuple[str, ...]  # first to go first: the last lies on top  [WR-20]


@dataclass(frozen=True, slots=True)
class Remove:
    """One letter out of one own exposed word, at the end of a round.  [WR-45]"""

    letter: str
    word: int
    leaving: str


@dataclass(frozen=True, slots=True)
class Done:
    """No more options in this turn."""


@dataclass(frozen=True, slots=True)
class Out:
    """End the round: no letter in hand, all own words on the manifest.  [WR-48]"""


@dataclass(frozen=True, slots=True)
class EndRound:
    """Play the End of Round card.  [WR-43] [WR-44]"""


@dataclass(frozen=True, slots=True)
class Pass:
    """No End of Round now; or no letter removed."""


Action = (
    Draw | Trade | Answer | Add | Steal | Form | Lock | Rebuild | Discard | Remove | Done | Out
    | EndRound | Pass
)  # fmt: skip
ACTION_TYPES = (
    Draw, Trade, Answer, Add, Steal, Form, Lock, Rebuild, Discard, Remove, Done, Out, EndRound,
    Pass,
)  # fmt: skip
