"""Impact cards, the infection and its test.  [S2.2, "Impact cards", "TEST"]

Rule 1: an Impact card strikes the seat whose turn it is, in the action that drew it, with
        everything that follows from it.  [SR-28]
Rule 2: it lies on its discard pile before it is dealt with; so does a test card.
Rule 3: the seat is asked what it gives up only where that matters: stockpiles are open, and
        cards of one value are interchangeable.  [SR-12] [G-07]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile import turns
from variants.stockpile.cards import (
    ACTIONS,
    IMPACTS,
    INDOORS,
    INFECTION,
    OUTDOORS,
    PREVENTION,
    Card,
    of_kind,
)
from variants.stockpile.events import (
    Eliminated,
    GiveUpOpened,
    NothingLost,
    Relocated,
    SupplyLost,
    Tested,
    TestKept,
)
from variants.stockpile.play import Play


def suffer(play: Play, card: Card) -> None:
    """Deal with an Impact card that has just been discarded."""
    seat, kind = play.state.turn, IMPACTS[card.name]
    held = of_kind(play.player(seat).stockpile, kind)
    if len({supply.number for supply in held}) > 1:
        play.do(GiveUpOpened(seat, kind, card))
    elif held:
        give_up(play, held[0], card)
    elif card.name == INFECTION:
        _test(play, seat)  # [SR-19] only without Infection Prevention
    else:
        _find_nothing(play, seat, card)
        turns.end_action(play)


def give_up(play: Play, lost: Card, card: Card) -> None:
    """The supply goes, and the action is over."""
    play.do(SupplyLost(play.state.turn, lost, card))
    turns.end_action(play)


def _find_nothing(play: Play, seat: Seat, card: Card) -> None:
    """Out to get some, if it is food or paper and the seat is at home.  [SR-13] [SR-16] [SR-17]"""
    is_home = play.player(seat).location == INDOORS
    if is_home and IMPACTS[card.name] != PREVENTION:
        is_last = play.state.action == ACTIONS  # [SR-15] the third action and all inside it
        play.do(Relocated(seat, OUTDOORS, "impact", is_bound=is_last, skips=is_last))
    else:
        play.do(NothingLost(seat, card))


def _test(play: Play, seat: Seat) -> None:
    """The top card of the deck of the current location decides.  [SR-20] [SR-21]"""
    deck = play.player(seat).location
    if not play.state.deck(deck):
        play.do(Tested(seat, None, is_infected=True))  # [SR-26]
        _eliminate(play, seat)
        return
    card = play.top(deck)
    is_infected = card.test == "+"
    play.take(Tested(seat, card, is_infected), deck)  # [SR-27] the last card tests like any
    if is_infected:
        _eliminate(play, seat)
    elif card.sort == "impact":
        suffer(play, card)  # [SR-23] [SR-25], and a negative Infection begins anew [SR-24]
    else:
        play.do(TestKept(seat, card))  # [SR-22] a draw found at most 7 cards in the hand
        turns.end_action(play)


def _eliminate(play: Play, seat: Seat) -> None:
    """All cards are laid open [SR-29], the hand as it stands in the box.

    In what order it came is its owner's alone, and would say who had which card when.  [S3]
    """
    player = play.player(seat)
    hand = tuple([card for card in play.state.decks.all if card in player.hand])
    play.do(Eliminated(seat, hand, player.stockpile, player.isolation))
    turns.end_action(play)
