"""The game in ranks alone: quick enough for hundreds of turns in one decision.

Rule 1: it does what `rules/` does, which no computer player may import.  A test plays both side by
        side with the same draws.
Rule 2: an action must be legal; nothing here checks it.
Rule 3: of the cards only the rank counts: the lockable ranks of the pack are 0, 1, 2 ..., and the
        sets of a seat are bits of a whole number.
"""

from __future__ import annotations

from variants.contract import Chance
from variants.elimination.bots.ranks import LOCKABLE, PAIR, SINGLE, rank_bits, rank_numbers
from variants.elimination.bots.sampling import Layout
from variants.elimination.data.cards import GIVE_WAIT_TURNS, HAND_SIZE, STALEMATE_TURNS, ends_when
from variants.elimination.view import View

HeldCard = tuple[int, int]
"""A mobile card: its rank, and the own turn from which it may be given.  [ER-17]"""


class Simulation:
    """One game from a position on; the seats that are out hold nothing."""

    __slots__ = (
        "asks", "chance", "deck", "ended", "ends_at", "hands", "has_fallen", "has_progress", "idle",
        "is_in", "live", "pairs", "triplets", "turn", "turns", "until",
    )  # fmt: skip

    def __init__(self, view: View, layout: Layout, chance: Chance) -> None:
        number = rank_numbers(view.pack)
        self.chance = chance
        self.hands: list[list[HeldCard]] = []
        for hand, marks in zip(layout.hands, layout.marks, strict=True):
            free_at = dict(marks)
            self.hands.append([(number[card], free_at.get(card, 0)) for card in hand])
        self.pairs = [rank_bits(sets, number) for sets in layout.pairs]
        self.triplets = [rank_bits(seat.triplets, number) for seat in view.seats]
        self.deck = [number[card] for card in reversed(layout.deck)]  # the top comes last
        self.turns = [seat.turns for seat in view.seats]
        self.is_in = [seat.is_in for seat in view.seats]
        self.live, self.turn, seats = sum(self.is_in), int(view.turn), len(view.seats)
        self.until, self.ends_at = view.until, seats - ends_when(view.until, seats)  # [ER-51]
        self.asks, self.ended, self.idle = view.asks, view.ended, view.idle
        self.has_progress = self.has_fallen = False  # in the turn that is played

    def copy(self, chance: Chance) -> Simulation:
        """The same position, going on by *chance*."""
        other = Simulation.__new__(Simulation)
        other.chance, other.hands = chance, [hand[:] for hand in self.hands]
        other.pairs, other.triplets, other.deck = self.pairs[:], self.triplets[:], self.deck[:]
        other.turns, other.is_in, other.live = self.turns[:], self.is_in[:], self.live
        other.turn, other.asks = self.turn, self.asks
        other.until, other.ends_at = self.until, self.ends_at
        other.ended, other.idle = self.ended, self.idle
        other.has_progress = other.has_fallen = False
        return other

    # -- actions -------------------------------------------------------------------------------

    def draw(self) -> None:
        self.has_progress = True
        self._receive(self.turn, self.deck.pop())
        self._end_turn(None)

    def force(self, to: int) -> None:
        self.has_progress = True
        self._receive(to, self.deck.pop())
        self._end_turn(to)

    def give(self, place: int, to: int) -> None:
        """Args: place: of the card in the hand."""
        rank, _ = self.hands[self.turn].pop(place)
        self._receive(to, rank)
        self._end_turn(to)

    def take(self, victim: int) -> None:
        hand = self.hands[victim]
        rank, _ = hand.pop(self.chance.below(len(hand)))
        self._receive(self.turn, rank)
        self._end_turn(victim)

    def shuffle(self) -> None:
        """[ER-29] Locks clockwise, the actor last."""
        actor, others = self.turn, self.others(self.turn)
        pool = iter(self.chance.shuffled([rank for hand in self.hands for rank, _ in hand]))
        self.hands = [[(next(pool), 0) for _ in hand] for hand in self.hands]  # [ER-20]
        for seat in (*others, actor):
            self._lock(seat)
            if self.live == 1:
                break
        self._end_turn(None)

    def clear(self, *, is_pair: bool) -> None:
        seat, self.has_progress = self.turn, True
        rest = [rank for rank, _ in self.hands[seat]]
        for _ in range(2 if is_pair else 1):
            rest.remove(PAIR if is_pair else SINGLE)
        self.deck = list(self.chance.shuffled(self.deck + rest + self._locked_cards(seat)))
        self.pairs[seat] = self.triplets[seat] = 0
        free_at = self.turns[seat] + GIVE_WAIT_TURNS
        number = min(HAND_SIZE, len(self.deck))
        self.hands[seat] = [(self.deck.pop(), free_at) for _ in range(number)]
        self._lock(seat)
        self._end_turn(None)

    def start_turn(self, seat: int) -> None:
        """Whoever is asked has named *seat*; or it follows."""
        self.turn, self.asks = seat, "action"
        self.turns[seat] += 1
        self.has_progress = self.has_fallen = False
        if not self.deck and self._is_stuck(seat) and not self._is_over():  # [ER-41]
            self._choose(seat)

    # -- questions -----------------------------------------------------------------------------

    def others(self, seat: int) -> list[int]:
        """The other live seats, clockwise.  [G-01]"""
        is_in = self.is_in
        return [n for n in (*range(seat + 1, len(is_in)), *range(seat)) if is_in[n]]

    def candidates(self) -> list[int]:
        """Who may be named next.  [ER-12] [ER-13] [ER-14]"""
        others = self.others(self.turn)
        return [seat for seat in others if self.triplets[seat]] or others

    def clear_kinds(self, seat: int) -> tuple[bool, bool]:
        """Whether the hand Clears with a single card, and with a pair.  [ER-34] [ER-35]"""
        ranks = [rank for rank, _ in self.hands[seat]]
        return SINGLE in ranks, ranks.count(PAIR) >= 2

    # -- what follows --------------------------------------------------------------------------

    def _receive(self, seat: int, rank: int) -> None:
        """One card comes, and locks if it must."""
        hand, bit = self.hands[seat], 1 << rank
        if rank < LOCKABLE:
            if self.triplets[seat] & bit:
                self._eliminate(seat, bit)
                return
            if self.pairs[seat] & bit:
                self.pairs[seat] ^= bit
                self.triplets[seat] |= bit
                self.has_progress = True
                return
            for place, (held, _) in enumerate(hand):
                if held == rank:
                    del hand[place]
                    self.pairs[seat] |= bit
                    self.has_progress = True
                    return
        hand.append((rank, self.turns[seat] + GIVE_WAIT_TURNS))

    def _lock(self, seat: int) -> None:
        """Several cards came: lock all that must lock, or eliminate the seat.  [ER-24] [ER-26]"""
        pairs, triplets = self.pairs[seat], self.triplets[seat]
        numbers: dict[int, int] = {}
        for rank, _ in self.hands[seat]:
            if rank < LOCKABLE:
                there = 2 * (pairs >> rank & 1) + 3 * (triplets >> rank & 1)
                numbers[rank] = numbers.get(rank, there) + 1
        if fourths := sum(1 << rank for rank, number in numbers.items() if number >= 4):
            self._eliminate(seat, fourths)
            return
        locking = {rank: number for rank, number in numbers.items() if number > 1}
        self.has_progress = self.has_progress or bool(locking)
        for rank, number in locking.items():
            self.pairs[seat] = self.pairs[seat] & ~(1 << rank) | (number == 2) << rank
            self.triplets[seat] |= (number == 3) << rank
        self.hands[seat] = [card for card in self.hands[seat] if card[0] not in locking]

    def _eliminate(self, seat: int, fourths: int) -> None:
        """[ER-33] The quadruples leave the game, everything else goes into the deck."""
        held = [*(rank for rank, _ in self.hands[seat]), *self._locked_cards(seat)]
        returned = [rank for rank in held if not fourths >> rank & 1]
        self.hands[seat], self.pairs[seat], self.triplets[seat] = [], 0, 0
        self.is_in[seat] = False
        self.live -= 1
        self.deck = list(self.chance.shuffled(self.deck + returned))
        self.has_progress = self.has_fallen = True

    def _locked_cards(self, seat: int) -> list[int]:
        pairs, triplets = self.pairs[seat], self.triplets[seat]
        return [
            rank
            for rank in range(LOCKABLE)
            for _ in range(2 * (pairs >> rank & 1) + 3 * (triplets >> rank & 1))
        ]

    def _end_turn(self, affected: int | None) -> None:
        """[ER-11] [ER-12] [ER-30] [ER-31] Who is next."""
        if self._is_over():
            return
        actor = self.turn
        if self.is_in[actor] and self.has_fallen:
            self.start_turn(actor)
        elif affected is not None and self.is_in[affected]:
            self.start_turn(affected)
        elif not self.is_in[actor]:
            self.start_turn(self.candidates()[0])
        else:
            self._choose(actor)

    def _is_over(self) -> bool:
        """Count the turn that ends.  [ER-40]"""
        if self.live <= self.ends_at:
            self.ended = "last" if self.live == 1 else self.until
        else:
            self.idle = 0 if self.has_progress else self.idle + 1
            if not self.deck and not any(self.hands):
                self.ended = "dead"
            elif self.idle >= STALEMATE_TURNS:
                self.ended = "idle"
        if self.ended:
            self.asks = ""
        return bool(self.ended)

    def _choose(self, chooser: int) -> None:
        """[G-07] With one candidate there is nothing to ask."""
        self.turn, named = chooser, self.candidates()
        if len(named) == 1:
            self.start_turn(named[0])
        else:
            self.asks = "next"

    def _is_stuck(self, seat: int) -> bool:
        """Whether *seat* has no legal action without a deck."""
        if any(self.clear_kinds(seat)) or any(self.hands[other] for other in self.others(seat)):
            return False
        return not any(free_at <= self.turns[seat] for _, free_at in self.hands[seat])
