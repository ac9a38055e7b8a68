"""What a seat's cards do by themselves.

Rule 1: locking is forced, at once, for all ranks together.  [ER-24] [ER-26]
Rule 2: pairs are told before triplets and without their rank, so that neither their number in
        the row nor their place says which hidden pair grew.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.elimination.data.cards import CARD_ORDER, PACKS, RANK_OF
from variants.elimination.events import Cards, Eliminated, PairLocked, TripletLocked
from variants.elimination.rules.transition import Transition
from variants.elimination.state import Player


def resolve_locks(transition: Transition, seat: Seat) -> None:
    """Lock what must lock in *seat*'s cards, or eliminate the seat."""
    gathered = _group_by_rank(transition.player(seat), PACKS[transition.state.pack].lockable)
    quadruples = [cards for cards in gathered if len(cards) >= 4]
    if quadruples:
        _eliminate(transition, seat, tuple(card for cards in quadruples for card in cards))
        return
    for cards in gathered:
        if len(cards) == 2:
            transition.add(PairLocked(seat, cards))
    for cards in gathered:
        if len(cards) == 3:
            transition.add(TripletLocked(seat, cards))


def has_four_of_a_rank(hand: Cards, lockable: tuple[str, ...]) -> bool:
    """Whether a dealt hand is four of one lockable rank.  [ER-06]"""
    return any(len(cards) == 4 for cards in _group_by_rank(Player(hand), lockable))


def _group_by_rank(player: Player, lockable: tuple[str, ...]) -> list[Cards]:
    """By rank, low to high: every mobile card of a lockable rank with the own set of it."""
    by_rank: dict[str, list[str]] = {}
    for card in player.hand:
        by_rank.setdefault(RANK_OF[card], []).append(card)
    for locked in (*player.pairs, *player.triplets):
        if RANK_OF[locked[0]] in by_rank:
            by_rank[RANK_OF[locked[0]]] += locked
    return [
        tuple(sorted(by_rank[rank], key=CARD_ORDER.__getitem__))
        for rank in lockable
        if rank in by_rank
    ]


def _eliminate(transition: Transition, seat: Seat, quadruples: Cards) -> None:
    """[ER-33] The quadruples go Outside, everything else unseen into the deck."""
    player = transition.player(seat)
    held = (*player.hand, *(card for cards in (*player.pairs, *player.triplets) for card in cards))
    returned = tuple(card for card in held if card not in quadruples)
    deck = transition.chance.shuffled((*transition.state.deck, *returned))
    transition.add(Eliminated(seat, quadruples, returned, deck, len(returned), len(deck)))
