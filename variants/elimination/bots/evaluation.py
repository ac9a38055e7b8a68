"""What each action of the seat to play promises, one action deep.

Rule 1: it follows from what the seat has counted (`estimate.py`), from nothing else.

A share is 1 for the whole game, 1/n for each of n live players; whoever is out has none.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.elimination.actions import (
    Action,
    Clear,
    Draw,
    Force,
    Give,
    Next,
    Shuffle,
    Take,
)
from variants.elimination.bots.estimate import SeatKnowledge
from variants.elimination.data.cards import HAND_SIZE, RANK_OF
from variants.elimination.view import next_candidates

# What things are worth, in shares.  Found by play: `python -m tests.bench.league`.
EXTRA_TURN_WEIGHT = 0.3  # an extra turn, as a part of what an elimination brings
LATER_KILL_WEIGHT = 0.45  # a killing card in hand that may be given some turns from now
REPLY_GIFT = 0.6  # how likely a player who can give us the fourth card does
REPLY_FORCE = 0.3  # how likely a player forces us when that could eliminate us
OWN_RISK_WEIGHT = 1.3  # our own share against an average one: we mean to do better than that
CERTAIN_KILL_MARGIN = 0.25  # beside a kill for sure nothing else is worth a thought
PAIR, TRIPLET = 0.03, 0.03  # what one more set costs its owner, with four players alive
JOKER, ACE = 0.03, 0.012  # what a card that Clears is worth in hand, with four players alive
SPARE_CARD_VALUE = 0.001  # a harmless card to give away when nothing else is safe
IDLE_MOVE_PENALTY = 0.001  # against giving, taking and shuffling for its own sake  [ER-40]
OWN_DANGER = 0.1  # how far a turn of somebody in danger is hoped to end with an elimination


class ActionEvaluator:
    """What each action of the seat to play promises."""

    def __init__(self, count: SeatKnowledge) -> None:
        self.count, self.view, self.me = count, count.view, count.me
        live = len(count.others) + 1
        self.share = 1 / live
        self.kill = (1 / max(1, live - 1) - self.share) * (1 + EXTRA_TURN_WEIGHT)
        self.death = self.share * OWN_RISK_WEIGHT
        self.scale = 4 / live
        self.triplets = {
            (rank, seat): count.locate_fourth(rank, seat)
            for seat in (*count.others, self.me)
            for rank in sorted(count.triplets[seat])
        }
        self.my_triplets = [
            fourth for (_, seat), fourth in self.triplets.items() if seat == self.me
        ]
        self.to_kill = {rank for (rank, _), fourth in self.triplets.items() if fourth.is_mine}
        self.deck = max(1, self.view.deck)

    def score(self, action: Action) -> float:
        match action:
            case Draw():
                return self._draw()
            case Give(card, to):
                return self._give(card, to)
            case Take(victim):
                return self._take(victim)
            case Force(to):
                return self._force(to)
            case Shuffle():
                return self._shuffle()
            case Clear(with_):
                return self._clear(with_)
            case Next(seat):
                return self._moves_next(seat)

    # -- actions -------------------------------------------------------------------------------

    def _draw(self) -> float:
        death = sum(fourth.deck for fourth in self.my_triplets) / self.deck
        return -death * self.death - self._grown(self.me) + self._choose()

    def _give(self, card: str, to: Seat) -> float:
        rank = RANK_OF[card]
        if (rank, to) in self.triplets:
            return self.kill + CERTAIN_KILL_MARGIN
        cost = self._card(rank)
        if rank in self.to_kill:  # it would hand somebody else our elimination, or lose it
            cost += LATER_KILL_WEIGHT * self.kill
        if rank in self.count.pack.lockable:
            # They lock a pair, or open a triplet: cards that weigh on them.
            paired = self.count.pairing_odds(to, rank)
            cost -= self.scale * TRIPLET * paired
            cost -= self.scale * PAIR * (1 - paired) * self.count.holding_odds(to, rank)
        return self._moves_next(to) - cost - IDLE_MOVE_PENALTY

    def _take(self, victim: Seat) -> float:
        size = self.view.seats[victim].cards
        death = sum(fourth.hands.get(victim, 0.0) for fourth in self.my_triplets) / size
        gain = sum(
            fourth.hands.get(victim, 0.0)
            for (_, seat), fourth in self.triplets.items()
            if seat not in (self.me, victim)
        ) / size * LATER_KILL_WEIGHT * self.kill  # fmt: skip
        return (
            gain
            - death * self.death
            - self._grown(self.me)
            + self._moves_next(victim)
            - IDLE_MOVE_PENALTY
        )

    def _force(self, to: Seat) -> float:
        kill = sum(
            fourth.deck for (_, seat), fourth in self.triplets.items() if seat == to
        ) / self.deck  # fmt: skip
        worth = kill * (self.kill + CERTAIN_KILL_MARGIN) + (1 - kill) * self._moves_next(to)
        return worth + self._grown(to)

    def _shuffle(self) -> float:
        seats = self.view.seats
        pool = sum(seat.cards for seat in seats if seat.is_in)
        worth = 0.0
        for (_, owner), fourth in self.triplets.items():
            hit = (fourth.is_mine + sum(fourth.hands.values())) * seats[owner].cards / pool
            worth += hit * (-self.death if owner == self.me else self.kill)
        worth -= LATER_KILL_WEIGHT * self.kill * len(self.to_kill)
        return worth + self._choose() - IDLE_MOVE_PENALTY

    def _clear(self, with_: str) -> float:
        pack = self.count.pack
        used = pack.single if with_ == "single" else pack.pair
        cost = self._card(used or "") * (1 if with_ == "single" else 2)
        cost += LATER_KILL_WEIGHT * self.kill * len(self.to_kill)
        mine = self.view.seats[self.me]
        freed = self.scale * PAIR * mine.pairs
        for fourth in self.my_triplets:
            freed += self.scale * TRIPLET * (1 + bool(fourth.deck or fourth.hands))
        fresh = min(HAND_SIZE, self.view.deck) - mine.cards
        return freed - cost - self.scale * SPARE_CARD_VALUE * fresh + self._choose(is_cleared=True)

    # -- what follows --------------------------------------------------------------------------

    def _choose(self, is_cleared: bool = False) -> float:
        """The best we can name after an action that concerns nobody in particular."""
        named = next_candidates(self.view.seats, self.me)
        return max(self._moves_next(seat, is_cleared) for seat in named)

    def _moves_next(self, seat: Seat, is_cleared: bool = False) -> float:
        """What it means for us that *seat* plays next; *is_cleared*: our triplets are gone."""
        hurt = 0.0 if is_cleared else self.death * self._hurt_by(seat)
        return self.scale * OWN_DANGER * self._own_danger(seat) - hurt

    def _hurt_by(self, seat: Seat) -> float:
        """How likely *seat* eliminates us in its next turn."""
        hurt = 0.0
        for (rank, owner), fourth in self.triplets.items():
            if owner != self.me:
                continue
            if self.count.may_give_next_turn(seat, rank):
                hurt += REPLY_GIFT * fourth.hands.get(seat, 0.0)
            hurt += REPLY_FORCE * fourth.deck / self.deck
        return min(1.0, hurt)

    def _own_danger(self, seat: Seat) -> float:
        """How likely *seat*'s next card from the deck eliminates it."""
        return sum(
            fourth.deck for (_, owner), fourth in self.triplets.items() if owner == seat
        ) / self.deck  # fmt: skip

    def _grown(self, seat: Seat) -> float:
        """What one more unseen card costs *seat* in sets that it may lock."""
        count, mine = self.count, seat == self.me
        if mine:
            pairs = sum(count.unseen_by_rank[RANK_OF[cards[0]]] for cards in self.view.pairs)
            singles = sum(
                count.unseen_by_rank[RANK_OF[card]]
                for card in self.view.hand
                if RANK_OF[card] in count.pack.lockable
            )
        else:
            pairs, singles = 2 * self.view.seats[seat].pairs, 3 * self.view.seats[seat].cards
        return self.scale * (TRIPLET * pairs + PAIR * singles) / count.unseen

    def _card(self, rank: str) -> float:
        """What a card is worth in our hand."""
        pack = self.count.pack
        if rank == pack.single:
            return self.scale * JOKER
        return self.scale * (ACE if rank == pack.pair else SPARE_CARD_VALUE)
