"""A trade: one card for one with each partner, all exchanges at once.  [WR-23]

Rule 1: offered and answered letters stay in their hands until everybody has answered; meanwhile
        nobody can do anything else, so no card is used twice.  [G-11]
Rule 2: the window opens for every partner, also where nothing is left to choose.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.words.actions import Offer
from variants.words.events import TradeAnswered, Traded, TradeOffered
from variants.words.play import Play


def offer(play: Play, seat: Seat, offers: Sequence[Offer]) -> None:
    """Partners in seat order, so that the order of naming them tells nothing."""
    ordered = sorted(offers, key=lambda each: each.to)
    partners = tuple([each.to for each in ordered])
    play.do(TradeOffered(seat, partners, tuple([each.letter for each in ordered])))


def answer(play: Play, seat: Seat, letter: str) -> None:
    state = play.state
    missing = len(state.offers) - len(state.replies) - 1
    play.do(TradeAnswered(seat, letter, missing))
    if not missing:
        _exchange(play)


def _exchange(play: Play) -> None:
    offers = play.state.offers
    got = {reply.seat: reply.letter for reply in play.state.replies}
    play.do(
        Traded(
            play.turn,
            tuple([each.to for each in offers]),
            tuple([each.letter for each in offers]),
            tuple([got[each.to] for each in offers]),
        )
    )
