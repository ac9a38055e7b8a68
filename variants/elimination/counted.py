"""What one reader can count: where every card is that can be known, and how many are unseen.

Rule 1: it follows from the own view and the own redacted events, from nothing else.  People read it
        with `cards`; the expert deals its worlds out by it.  The hard one has odds of its own from
        the same events (`bots/estimate.py`).  [G-14]
Rule 2: a card that was seen to go into a hand is there until that hand gives, loses, shuffles or
        locks something unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from variants.contract import Seat
from variants.elimination.data.cards import GIVE_WAIT_TURNS, PACKS, RANK_OF, cards_of_rank
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    CardTaken,
    Cleared,
    Eliminated,
    Event,
    HandsShuffled,
    PairLocked,
    PositionArranged,
    TripletLocked,
    TurnStarted,
)
from variants.elimination.view import View


@dataclass
class KnownCards:
    """Which cards of the others are certainly in which hand or face-down pair."""

    seats: int
    own: Seat | None
    hands: dict[str, Seat] = field(default_factory=dict)
    pairs: dict[str, Seat] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    turns: list[int] = field(default_factory=list)
    _came: str | None = None  # the last single card that went into a hand, if it was seen

    def __post_init__(self) -> None:
        self.turns = [0] * self.seats

    def apply(self, event: Event) -> None:
        """Take in one redacted event, in order."""
        match event:
            case CardDrawn(seat, card):
                self._move(None, seat, card)
            case CardForced(_, seat, card):
                self._move(None, seat, card)
            case CardGiven(giver, receiver, card) | CardTaken(receiver, giver, card):
                self._move(giver, receiver, card)
            case PairLocked(seat, None):
                self._lock(seat)
            case TripletLocked(_, cards):
                for card in cards:
                    self.hands.pop(card, None)
                    self.pairs.pop(card, None)
            case HandsShuffled():
                self.hands.clear()
                self.marks.clear()  # [ER-20]
                self._came = None
            case Cleared(seat) | Eliminated(seat):
                self._forget(self.hands, seat)
                self._forget(self.pairs, seat)
                self._came = None
            case TurnStarted(seat):
                self.turns[seat] += 1
            case PositionArranged():
                self.turns = list(event.turns)

    def _move(self, giver: Seat | None, receiver: Seat, card: str | None) -> None:
        if card is None:
            if giver is not None:
                self._forget(self.hands, giver)
        else:
            self.hands.pop(card, None)
            if receiver != self.own:
                self.hands[card] = receiver
                self.marks[card] = self.turns[receiver] + GIVE_WAIT_TURNS
        self._came = card

    def _lock(self, seat: Seat) -> None:
        """One card that was seen to come locks its own rank; otherwise any might have."""
        if self._came is None:
            self._forget(self.hands, seat)
            return
        for card in [c for c, s in self.hands.items() if s == seat]:
            if RANK_OF[card] == RANK_OF[self._came]:
                self.pairs[card] = self.hands.pop(card)

    @staticmethod
    def _forget(zone: dict[str, Seat], seat: Seat) -> None:
        for card in [card for card, where in zone.items() if where == seat]:
            del zone[card]


@dataclass(frozen=True, slots=True)
class RankCount:
    """The cards of one rank, by where the reader knows them to be."""

    rank: str
    copies: int
    hand: int  # own, mobile
    pair: int  # own, face down
    triplets: tuple[Seat, ...]  # whose three lie face up, the own included
    outside: int
    known: tuple[Seat, ...]  # others who hold one that was seen, a seat for each card
    unseen: int


@dataclass(frozen=True, slots=True)
class Count:
    ranks: tuple[RankCount, ...]
    deck: int  # cards
    hands: int  # unseen cards in hands and face-down pairs that are not the reader's


def counted(view: View, seen: Sequence[Event]) -> Count:
    """All ranks of the pack, in order; for a watcher what is public."""
    heard = KnownCards(len(view.seats), view.seat)
    for event in seen:
        heard.apply(event)
    pack = PACKS[view.pack].cards
    own = {card for cards in (view.hand, *view.pairs) for card in cards}
    lying = {card for it in view.outside for card in it.cards}
    triplets = {card: Seat(n) for n, it in enumerate(view.seats)
                for cards in it.triplets for card in cards}  # fmt: skip
    open_cards = own | lying | set(triplets)
    held = {c: s for c, s in (heard.hands | heard.pairs).items() if c not in open_cards}
    ranks = []
    for rank in dict.fromkeys(RANK_OF[card] for card in pack):
        cards = cards_of_rank(pack, rank)
        pair = sum(card in own for card in cards) - len(cards_of_rank(view.hand, rank))
        ranks.append(
            RankCount(
                rank=rank,
                copies=len(cards),
                hand=len(cards_of_rank(view.hand, rank)),
                pair=pair,
                triplets=tuple(sorted({triplets[card] for card in cards if card in triplets})),
                outside=sum(card in lying for card in cards),
                known=tuple(sorted(held[card] for card in cards if card in held)),
                unseen=sum(card not in open_cards and card not in held for card in cards),
            )
        )
    return Count(tuple(ranks), view.deck, sum(it.unseen for it in ranks) - view.deck)
