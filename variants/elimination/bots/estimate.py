"""Counting cards: where the fourth card of a rank can be, as one seat may work it out.

Rule 1: it is worked out from the own view and the own redacted events, from nothing else.
Rule 2: what was seen is certain: a card given to or taken from us, a forced card, the rank of a
        pair that locked just after a known card came.  What was not seen is spread evenly over
        the places it can be in.
Rule 3: a card that leaves a hand unseen may be any card of that hand; a certainty becomes a
        chance, and is passed on with the card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from variants.contract import Seat
from variants.elimination.data.cards import GIVE_WAIT_TURNS, PACKS, RANK_OF
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

RankOdds = dict[str, float]
"""By rank, how likely it is there: 0 to 1."""


@dataclass(slots=True)
class KnownHand:
    """What is known of one seat's cards."""

    size: int = 0  # mobile cards, as far as the events tell
    turns: int = 0  # started so far
    held_odds: RankOdds = field(default_factory=dict)  # mobile
    paired_odds: RankOdds = field(default_factory=dict)  # in face-down pairs
    free_at: dict[str, int] = field(default_factory=dict)  # own turn from which it may be given
    last_rank: str | None = None  # the rank that came last; "" unseen; None: several at once

    def refill(self, size: int, cards: Cards | None = None) -> None:
        """All mobile cards are new; *cards* if we may see them."""
        self.size, self.last_rank = size, None
        self.held_odds = {RANK_OF[card]: 1.0 for card in cards or ()}
        self.free_at.clear()

    def receive(self, card: str | None) -> None:
        self.size += 1
        self.last_rank = RANK_OF[card] if card else ""
        if card:
            self.held_odds[self.last_rank] = 1.0
            self.free_at[self.last_rank] = self.turns + GIVE_WAIT_TURNS

    def lose(self, card: str | None) -> RankOdds:
        """A card goes; what it may have been."""
        share = 1 / max(1, self.size)
        self.size -= 1
        if card:
            self.held_odds.pop(RANK_OF[card], None)
            return {}
        lost = {rank: chance * share for rank, chance in self.held_odds.items()}
        for rank, chance in lost.items():
            self.held_odds[rank] -= chance
        return lost

    def lock_pair(self, cards: Cards | None) -> None:
        known = RANK_OF[cards[0]] if cards else self.last_rank
        matched = max(1, self.size - 1)  # one of so many cards met the one that came
        self.size -= 2
        if known:
            self.held_odds.pop(known, None)
            self.paired_odds[known] = 1.0
        elif known == "":
            for rank, chance in self.held_odds.items():
                self.paired_odds[rank] = self.paired_odds.get(rank, 0.0) + chance / matched
                self.held_odds[rank] = chance - chance / matched

    def lock_triplet(self, rank: str) -> None:
        self.size -= 3 if self.last_rank is None and rank not in self.paired_odds else 1
        self.held_odds.pop(rank, None)
        self.paired_odds.pop(rank, None)


@dataclass(frozen=True, slots=True)
class FourthCard:
    """Where the one card is that would eliminate the owner of a triplet; chances add up to 1."""

    is_mine: bool  # in the own mobile hand: certain
    deck: float
    hands: dict[Seat, float]  # other live seats but the owner


class SeatKnowledge:
    """Everything one seat has counted.

    Args:
        view: The seat's own view; not a watcher's.
        seen: The seat's own redacted events, oldest first.  May begin late: what was not heard
            is not known, and nothing goes wrong.
    """

    def __init__(self, view: View, seen: Iterable[Event]) -> None:
        assert view.seat is not None
        self.view, self.me = view, view.seat
        self.pack = PACKS[view.pack]
        self.hands = [KnownHand() for _ in view.seats]
        for event in seen:
            self._apply(event)
        self.others = tuple(
            Seat(n) for n, seat in enumerate(view.seats) if seat.is_in and n != self.me
        )
        self.own_ranks = {RANK_OF[card] for card in view.hand}
        self.triplets = [{RANK_OF[cards[0]] for cards in seat.triplets} for seat in view.seats]
        self.unseen_by_rank = self._unseen()
        self.unseen = max(1, sum(self.unseen_by_rank.values()))

    def _unseen(self) -> Counter[str]:
        view = self.view
        open_: list[Sequence[str]] = [view.hand, *view.pairs]
        open_ += [cards for seat in view.seats for cards in seat.triplets]
        open_ += [outside.cards for outside in view.outside]
        unseen = Counter(RANK_OF[card] for card in self.pack.cards)
        for cards in open_:
            unseen.subtract(RANK_OF[card] for card in cards)
        return unseen

    def _apply(self, event: Event) -> None:
        hands = self.hands
        match event:
            case TurnStarted(seat):
                hands[seat].turns += 1
            case CardDrawn(seat, card):
                hands[seat].receive(card)
            case CardForced(_, seat, card):
                hands[seat].receive(card)
            case CardGiven(giver, seat, card) | CardTaken(seat, giver, card):
                lost = hands[giver].lose(card)
                hands[seat].receive(card)
                for rank, chance in lost.items():
                    hands[seat].held_odds[rank] = min(
                        1.0, hands[seat].held_odds.get(rank, 0.0) + chance
                    )
            case PairLocked(seat, cards):
                hands[seat].lock_pair(cards)
            case TripletLocked(seat, cards):
                hands[seat].lock_triplet(RANK_OF[cards[0]])
            case HandsShuffled(_, dealt, counts):
                self._shuffle(dealt, counts)
            case Cleared(seat, hand=cards, hand_count=count):
                hands[seat].refill(count, cards)
                hands[seat].paired_odds.clear()
            case Eliminated(seat):
                hands[seat].refill(0)
                hands[seat].paired_odds.clear()
            case Dealt(dealt, hand_count=count):
                for hand, own in zip(hands, dealt, strict=True):
                    hand.refill(count, own)
            case PositionArranged(hands=dealt, hand_counts=counts, turns=turns):
                for hand, own, count, turn in zip(hands, dealt, counts, turns, strict=True):
                    hand.refill(count, own)
                    hand.turns = turn

    def _shuffle(self, dealt: Sequence[Cards | None], counts: Sequence[int]) -> None:
        """What was known to be in some hand is now in any, but in ours only if we see it."""
        pool: RankOdds = {}
        for hand in self.hands:
            for rank, chance in hand.held_odds.items():
                pool[rank] = min(1.0, pool.get(rank, 0.0) + chance)
        own = {RANK_OF[card] for card in dealt[self.me] or ()}
        elsewhere = max(1, sum(counts) - counts[self.me])
        for hand, cards, count in zip(self.hands, dealt, counts, strict=True):
            hand.refill(count, cards)
            if cards is None:
                hand.held_odds = {
                    rank: chance * count / elsewhere
                    for rank, chance in pool.items()
                    if rank not in own
                }

    # -- questions -----------------------------------------------------------------------------

    def locate_fourth(self, rank: str, owner: Seat) -> FourthCard:
        """Where the fourth card of *owner*'s triplet is."""
        if rank in self.own_ranks:
            return FourthCard(True, 0.0, {})
        places = [seat for seat in self.others if seat != owner]
        known = {seat: self.hands[seat].held_odds.get(rank, 0.0) for seat in places}
        certain = sum(known.values())
        if certain >= 1.0:
            return FourthCard(False, 0.0, {seat: known[seat] / certain for seat in places})
        # What is left is spread over the deck and those cards in hands that we cannot name.
        slots = {seat: self._unknown_cards(seat) for seat in places}
        share = (1.0 - certain) / max(1.0, self.view.deck + sum(slots.values()))
        hands = {seat: known[seat] + share * slots[seat] for seat in places}
        return FourthCard(False, self.view.deck * share, hands)

    def _unknown_cards(self, seat: Seat) -> float:
        return max(0.0, self.view.seats[seat].cards - sum(self.hands[seat].held_odds.values()))

    def holding_odds(self, seat: Seat, rank: str) -> float:
        """How likely *seat* has that rank in its mobile hand."""
        chance = self.hands[seat].held_odds.get(rank, 0.0)
        unnamed = self._unknown_cards(seat) * self.unseen_by_rank[rank] / self.unseen
        return min(1.0, chance + (1.0 - chance) * unnamed)

    def pairing_odds(self, seat: Seat, rank: str) -> float:
        """How likely one of *seat*'s face-down pairs is of that rank."""
        if self.unseen_by_rank[rank] < 2 or not self.view.seats[seat].pairs:
            return 0.0
        known = self.hands[seat].paired_odds
        unnamed = max(0.0, self.view.seats[seat].pairs - sum(known.values()))
        return min(1.0, known.get(rank, 0.0) + unnamed / len(self.pack.lockable))

    def may_give_next_turn(self, seat: Seat, rank: str) -> bool:
        """Whether no mark that we know of holds the card back in its next turn.  [ER-17]"""
        free_at = self.hands[seat].free_at.get(rank, 0)
        return self.view.seats[seat].turns + 1 >= free_at
