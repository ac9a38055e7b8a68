"""What a seat's cards do by themselves.  [E2.2]

Rule 1: locking is forced, at once, for all ranks together.  [ER-24] [ER-26]
Rule 2: pairs are told before triplets and without their rank, so that neither their number in
        the row nor their place says which hidden pair grew.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.elimination.data import ORDER, PACKS, RANK
from variants.elimination.events import Cards, Eliminated, PairLocked, TripletLocked
from variants.elimination.play import Play
from variants.elimination.state import Player


def resolve(play: Play, seat: Seat) -> None:
    """Lock what must lock in *seat*'s cards, or eliminate the seat."""
    gathered = _gathered(play.player(seat), PACKS[play.state.pack].lockable)
    quadruples = [cards for cards in gathered if len(cards) >= 4]
    if quadruples:
        _eliminate(play, seat, tuple(card for cards in quadruples for card in cards))
        return
    for cards in gathered:
        if len(cards) == 2:
            play.do(PairLocked(seat, cards))
    for cards in gathered:
        if len(cards) == 3:
            play.do(TripletLocked(seat, cards))


def has_four(hand: Cards, lockable: tuple[str, ...]) -> bool:
    """Whether a dealt hand is four of one lockable rank.  [ER-06]"""
    return any(len(cards) == 4 for cards in _gathered(Player(hand), lockable))


def _gathered(player: Player, lockable: tuple[str, ...]) -> list[Cards]:
    """By rank, low to high: every mobile card of a lockable rank with the own set of it."""
    by_rank: dict[str, list[str]] = {}
    for card in player.hand:
        by_rank.setdefault(RANK[card], []).append(card)
    for locked in (*player.pairs, *player.triplets):
        if RANK[locked[0]] in by_rank:
            by_rank[RANK[locked[0]]] += locked
    return [
        tuple(sorted(by_rank[rank], key=ORDER.__getitem__)) for rank in lockable if rank in by_rank
    ]


def _eliminate(play: Play, seat: Seat, quadruples: Cards) -> None:
    """[ER-33] The quadruples go Outside, everything else unseen into the deck."""
    player = play.player(seat)
    held = (*player.hand, *(card for cards in (*player.pairs, *player.triplets) for card in cards))
    returned = tuple(card for card in held if card not in quadruples)
    deck = play.chance.shuffled((*play.state.deck, *returned))
    play.do(Eliminated(seat, quadruples, returned, deck, len(returned), len(deck)))
