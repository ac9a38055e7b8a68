"""What one reader can count: where every card is that can be known, and how many are unseen.

Rule 1: it follows from the own view and the own redacted events, from nothing else.  People read it
        with `cards`; the expert deals its worlds out by it.  The hard one has odds of its own from
        the same events (`bots/estimate.py`).  [G-14]
Rule 2: a card that was seen to go into a hand is there until that hand gives, loses, shuffles or
        locks something unseen.  The only card of a hand is known where it goes, and after a
        shuffle all cards that were known are in the only hand that is not the reader's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from variants.contract import Seat
from variants.elimination.data.cards import GIVE_WAIT_TURNS, PACKS, RANK_OF, cards_of_rank
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    Cards,
    CardTaken,
    Cleared,
    Dealt,
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
    """Which cards are certainly in which hand, the own one included, or in which pair of others."""

    seats: int
    own: Seat | None
    hands: dict[str, Seat] = field(default_factory=dict)
    pairs: dict[str, Seat] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    turns: list[int] = field(default_factory=list)
    sizes: list[int | None] = field(default_factory=list)  # of hands; None: not certain
    _came: str | None = None  # the last single card that went into a hand, if it was seen
    _are_several: bool = True  # whether more than one came last

    def __post_init__(self) -> None:
        self.turns = [0] * self.seats
        self.sizes = [None] * self.seats

    def apply(self, event: Event) -> None:
        """Take in one redacted event, in order."""
        match event:
            case CardDrawn(seat, card):
                self._move(None, seat, card)
            case CardForced(_, seat, card):
                self._move(None, seat, card)
            case CardGiven(giver, receiver, card) | CardTaken(receiver, giver, card):
                self._move(giver, receiver, card)
            case PairLocked(seat, cards):
                self._resize(seat, -2)
                if cards is None:
                    self._lock(seat)
                for card in cards or ():
                    self.hands.pop(card, None)
            case TripletLocked(seat, cards):
                self.sizes[seat] = None if self._are_several else self._resize(seat, -1)
                for card in cards:
                    self.hands.pop(card, None)
                    self.pairs.pop(card, None)
            case Dealt(hands, hand_count=count):
                self._deal(hands, [count] * self.seats)
            case HandsShuffled(_, hands, counts):
                self._shuffle(hands, counts)
            case Cleared(seat, hand=hand, hand_count=count):
                self._forget(self.pairs, seat)
                self._renew(seat, hand, count)
            case Eliminated(seat):
                self._forget(self.pairs, seat)
                self._renew(seat, None, 0)
            case TurnStarted(seat):
                self.turns[seat] += 1
            case PositionArranged():
                self.turns = list(event.turns)
                self._deal(event.hands, event.hand_counts)

    def _move(self, giver: Seat | None, receiver: Seat, card: str | None) -> None:
        if card is None and giver is not None:
            held = [each for each, seat in self.hands.items() if seat == giver]
            if self.sizes[giver] == len(held) == 1:
                card = held[0]
            self._forget(self.hands, giver)
        if card is not None:
            self.hands[card] = receiver
            if receiver != self.own:
                self.marks[card] = self.turns[receiver] + GIVE_WAIT_TURNS
        if giver is not None:
            self._resize(giver, -1)
        self._resize(receiver, 1)
        self._came, self._are_several = card, False

    def _resize(self, seat: Seat, by: int) -> int | None:
        size = self.sizes[seat]
        self.sizes[seat] = None if size is None else size + by
        return self.sizes[seat]

    def _deal(self, hands: Sequence[Cards | None], counts: Sequence[int]) -> None:
        for seat, (cards, count) in enumerate(zip(hands, counts, strict=True)):
            self._renew(Seat(seat), cards, count)

    def _renew(self, seat: Seat, cards: Cards | None, count: int) -> None:
        """All cards of this hand are new."""
        self._forget(self.hands, seat)
        self.hands |= dict.fromkeys(cards or (), seat)
        self.sizes[seat] = count
        self._came, self._are_several = None, True

    def _shuffle(self, hands: Sequence[Cards | None], counts: Sequence[int]) -> None:
        known = list(self.hands)
        self.hands.clear()
        self.marks.clear()  # [ER-20]
        self._deal(hands, counts)
        others = [Seat(n) for n, count in enumerate(counts) if count and n != self.own]
        if len(others) == 1:
            self.hands |= {card: others[0] for card in known if card not in self.hands}

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
    paired = Counter((RANK_OF[card], seat) for card, seat in heard.pairs.items())
    ranks = []
    for rank in dict.fromkeys(RANK_OF[card] for card in pack):
        cards = cards_of_rank(pack, rank)
        pair = sum(card in own for card in cards) - len(cards_of_rank(view.hand, rank))
        known = [held[card] for card in cards if card in held]
        seconds = [s for (of, s), number in paired.items() if of == rank and number == 1]
        unseen = sum(card not in open_cards and card not in held for card in cards)
        ranks.append(
            RankCount(
                rank=rank,
                copies=len(cards),
                hand=len(cards_of_rank(view.hand, rank)),
                pair=pair,
                triplets=tuple(sorted({triplets[card] for card in cards if card in triplets})),
                outside=sum(card in lying for card in cards),
                known=tuple(sorted([*known, *seconds])),
                unseen=unseen - len(seconds),
            )
        )
    return Count(tuple(ranks), view.deck, sum(it.unseen for it in ranks) - view.deck)
