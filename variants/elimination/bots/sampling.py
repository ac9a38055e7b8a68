"""Where the hidden cards may lie, as one seat may work it out, drawn by chance.

Rule 1: the true state is no parameter; what comes out can only repeat what went in.  [G-14]
Rule 2: every layout is legal: counts, open cards and the invariant of mobile hands hold.
Rule 3: what was heard is used as far as it is certain.  A card that was seen to go into a hand
        is there until that hand gives, loses, shuffles or locks something unseen.

Marks of the others are hidden: their cards are taken to be free, but for those heard of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from variants.contract import Chance
from variants.elimination.counted import KnownCards
from variants.elimination.data.cards import CARD_ORDER, PACKS, RANK_OF
from variants.elimination.events import (
    Cards,
    Event,
    Mark,
    Sets,
)
from variants.elimination.view import View

SAMPLE_TRIES_MAX = 400  # for one layout; then what was heard is left out, and then there is none


@dataclass(frozen=True, slots=True)
class Layout:
    """Every card that a seat does not see, and its own, each in a place that it may be in."""

    hands: tuple[Cards, ...]  # by seat, mobile
    marks: tuple[tuple[Mark, ...], ...]  # by seat
    pairs: tuple[Sets, ...]  # by seat
    deck: Cards  # top first


def sample_layouts(view: View, seen_events: Sequence[Event], chance: Chance) -> Iterator[Layout]:
    """Endless layouts that fit.  ValueError if none is found: no view of a game is like that."""
    heard = KnownCards(len(view.seats), view.seat)
    for event in seen_events:
        heard.apply(event)
    while True:
        layout = _first_consistent(view, heard, chance) or _first_consistent(
            view, KnownCards(len(view.seats), None), chance
        )
        if layout is None:
            raise ValueError("no state fits this view")
        yield layout


def _first_consistent(view: View, heard: KnownCards, chance: Chance) -> Layout | None:
    for _ in range(SAMPLE_TRIES_MAX):
        sample = _Sample(view, heard, chance)
        if sample.fill_pairs() and sample.fill_hands():
            return sample.layout()
    return None


class _Sample:
    """One try: the unseen cards dealt out, pairs first, then hands, the rest is the deck."""

    def __init__(self, view: View, heard: KnownCards, chance: Chance) -> None:
        self.view, self.heard, self.chance = view, heard, chance
        self.pack = PACKS[view.pack]
        seats = range(len(view.seats))
        self.others = [s for s in seats if s != view.seat and view.seats[s].is_in]
        self.pairs: list[list[Cards]] = [[] for _ in seats]
        self.hands: list[list[str]] = [[] for _ in seats]
        self.deck: list[str] = []
        open_ = {card for seat in view.seats for cards in seat.triplets for card in cards}
        open_ |= {card for left in view.outside for card in left.cards}
        open_ |= {*view.hand, *(card for cards in view.pairs for card in cards)}
        self.unseen: dict[str, list[str]] = {}  # by rank, in random order
        for card in chance.shuffled([card for card in self.pack.cards if card not in open_]):
            where = heard.hands.get(card)
            if where is None:
                self.unseen.setdefault(RANK_OF[card], []).append(card)
            else:
                self.hands[where].append(card)

    def fill_pairs(self) -> bool:
        for seat in self.others:
            ranks = dict.fromkeys(RANK_OF[c] for c, s in self.heard.pairs.items() if s == seat)
            taken = {RANK_OF[cards[0]] for cards in self.view.seats[seat].triplets}
            taken |= {RANK_OF[card] for card in self.hands[seat]} | set(ranks)
            while len(ranks) < self.view.seats[seat].pairs:
                rank = self._rank_for_pair(taken)
                if rank is None:
                    return False
                ranks[rank] = None
                taken.add(rank)
            for rank in ranks:
                if not self._lay_pair(seat, rank):
                    return False
        return True

    def _rank_for_pair(self, taken: set[str]) -> str | None:
        """A rank by the number of pairs that its unseen cards could make."""
        sizes = [(rank, len(self.unseen.get(rank, ()))) for rank in self.pack.lockable]
        weights = [(rank, n * (n - 1) // 2) for rank, n in sizes if n > 1 and rank not in taken]
        total = sum(weight for _, weight in weights)
        if not total:
            return None
        at = self.chance.below(total)
        for rank, weight in weights:
            at -= weight
            if at < 0:
                return rank
        raise AssertionError("below(total) is below the total")

    def _lay_pair(self, seat: int, rank: str) -> bool:
        pool = self.unseen.get(rank, [])
        known = [card for card in pool if self.heard.pairs.get(card) == seat][:2]
        free = [card for card in pool if card not in self.heard.pairs]
        pair = (known + free)[:2]
        if len(pair) < 2:
            return False
        self.pairs[seat].append(
            (min(pair, key=CARD_ORDER.__getitem__), max(pair, key=CARD_ORDER.__getitem__))
        )
        self.unseen[rank] = [card for card in pool if card not in pair]
        return True

    def fill_hands(self) -> bool:
        """Ranks with most unseen cards first: they fit the fewest places."""
        view = self.view
        room = {seat: view.seats[seat].cards - len(self.hands[seat]) for seat in self.others}
        if min(room.values(), default=0) < 0:
            return False
        deck_room = view.deck
        for rank, cards in sorted(self.unseen.items(), key=lambda item: -len(item[1])):
            for card in cards:
                fitting = [
                    seat for seat in self.others if room[seat] and self._may_hold(seat, rank)
                ]
                total = deck_room + sum(room[seat] for seat in fitting)
                if not total:
                    return False
                at = self.chance.below(total) - deck_room
                if at < 0:
                    self.deck.append(card)
                    deck_room -= 1
                    continue
                for seat in fitting:
                    at -= room[seat]
                    if at < 0:
                        self.hands[seat].append(card)
                        room[seat] -= 1
                        break
        return True

    def _may_hold(self, seat: int, rank: str) -> bool:
        if rank not in self.pack.lockable or self.view.ended:
            return True  # the winner of a fatal shuffle holds whatever came
        sets = (*self.pairs[seat], *self.view.seats[seat].triplets)
        return not any(RANK_OF[cards[0]] == rank for cards in sets) and not any(
            RANK_OF[card] == rank for card in self.hands[seat]
        )

    def layout(self) -> Layout:
        view = self.view
        hands, all_marks = list[Cards](), list[tuple[Mark, ...]]()
        pairs = [tuple(sets) for sets in self.pairs]
        for seat, public in enumerate(view.seats):
            hand: Cards = tuple(self.chance.shuffled(self.hands[seat]))
            marks = tuple(
                (card, self.heard.marks[card])
                for card in hand
                if self.heard.marks.get(card, 0) > public.turns
            )
            if seat == view.seat:
                hand, pairs[seat], marks = view.hand, view.pairs, view.marks
            hands.append(hand)
            all_marks.append(marks)
        deck = self.chance.shuffled(self.deck)
        return Layout(tuple(hands), tuple(all_marks), tuple(pairs), deck)
