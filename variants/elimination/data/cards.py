"""The cards and numbers of elimination: data, no rules.

Rule 1: a card is its id for ever: rank then suit, `7H`, `10S`; the two jokers are `*1` and `*2`.
Rule 2: suits are shown and never matter.
Rule 3: what a pack of cards makes of aces and twos is said here once, in a `Pack`.

Every number below is FIXED by the rules but the two of the stalemate, which are ours [ER-40].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from variants.kit.text import number_in_words

HAND_SIZE = 4  # cards dealt to each seat, and drawn after a Clear
STALEMATE_TURNS = 60  # turns in a row without progress: the game is drawn  [ER-40]
STALEMATE_SHOWN_FROM_TURNS = 40  # the counter is shown from here on  [ER-40]
GIVE_WAIT_TURNS = 2  # own turns until a received card may be given  [ER-17]

END_REASONS: Mapping[str, str] = {
    "last": "all the others are out",
    "idle": f"drawn after {STALEMATE_TURNS} turns without progress",
    "dead": "drawn, for no card can be drawn or moved any more",
}
"""Why a game ended, as a clause, by GameEnded.reason; `end_clause` knows the others."""


def ends_when(until: str, seats: int) -> int:
    """How many seats that are out end the game.  [ER-51]"""
    return {"last": seats - 1, "half": seats // 2, "first": 1}[until]


def are_out(count: int) -> str:
    """`one is out`, `three are out`."""
    return f"{number_in_words(count)} {'is' if count == 1 else 'are'} out"


def end_clause(reason: str, out: int) -> str:
    """Why a game ended in which *out* seats had fallen, as a clause without names."""
    return END_REASONS.get(reason) or are_out(out)


JOKER = "*"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", JOKER)
SUITS = ("S", "H", "D", "C")

RANK_NAMES: Mapping[str, str] = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace", JOKER: "joker",
}  # fmt: skip
SUIT_NAMES: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SUIT_SYMBOLS: Mapping[str, str] = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

JOKERS = ("*1", "*2")
ALL_CARDS: tuple[str, ...] = (*(r + s for r in RANKS[:-1] for s in SUITS), *JOKERS)
RANK_OF: Mapping[str, str] = {card: JOKER if card in JOKERS else card[:-1] for card in ALL_CARDS}
"""The rank of every card there is."""

CARD_ORDER: Mapping[str, int] = {card: place for place, card in enumerate(ALL_CARDS)}
"""For showing open cards in one fixed order, whatever order they came in."""


@dataclass(frozen=True)
class Pack:
    """One make-up of the deck.  [ER-01] [ER-02] [ER-03]"""

    name: str
    cards: tuple[str, ...]  # ORDER
    lockable: tuple[str, ...]  # ranks that lock and eliminate
    single: str  # the rank of which one card Clears
    pair: str | None  # the rank of which two cards Clear together


def _pack(name: str, cards: Sequence[str], single: str, pair: str | None) -> Pack:
    lockable = tuple(rank for rank in RANKS[:-2] if rank != pair)
    return Pack(name, tuple(cards), lockable, single, pair)


_FIFTY = tuple(card for card in ALL_CARDS if card not in ("AD", "AC", *JOKERS))

PACKS: Mapping[str, Pack] = {
    pack.name: pack
    for pack in (
        _pack("54", ALL_CARDS, single=JOKER, pair="A"),
        _pack("50", _FIFTY, single="A", pair=None),  # [ER-02] the two aces act as jokers
        _pack("50 twos", _FIFTY, single="A", pair="2"),  # [ER-03] twos do the aces' old job
    )
}


def cards_of_rank(held: Sequence[str], rank: str | None) -> tuple[str, ...]:
    """The cards of one rank among *held*, in their order."""
    return tuple(card for card in held if RANK_OF[card] == rank)


def rank_name(rank: str) -> str:
    """`7` -> "7", `K` -> "king", `*` -> "joker"; an s makes it plural."""
    return rank if rank.isdigit() else RANK_NAMES[rank]


def card_name(card: str) -> str:
    """`7H` -> "7 of hearts", `*1` -> "joker"."""
    rank = RANK_OF[card]
    if rank == JOKER:
        return "joker"
    return f"{rank_name(rank)} of {SUIT_NAMES[card[-1]]}"


def card_list(cards: Sequence[str]) -> str:
    """Cards in the short form that can be typed; "nothing" when there are none."""
    return " ".join("joker" if RANK_OF[card] == JOKER else card for card in cards) or "nothing"
