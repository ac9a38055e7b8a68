"""Impact cards, the infection and its test.

Rule 1: an Impact card strikes the seat whose turn it is, in the action that drew it, with
        everything that follows from it.  [SR-28]
Rule 2: it lies on its discard pile before it is dealt with; so does a test card.
Rule 3: the seat is asked what it gives up only where that matters: stockpiles are open, and
        cards of one value are interchangeable.  [SR-12] [G-07]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.data.cards import (
    ACTIONS_PER_TURN,
    IMPACT_KINDS,
    INDOORS,
    INFECTION,
    OUTDOORS,
    PREVENTION,
    Card,
    supplies_of_kind,
)
from variants.stockpile.events import (
    Eliminated,
    GiveUpOpened,
    NothingLost,
    Relocated,
    StartedAgain,
    SupplyLost,
    Tested,
    TestKept,
)
from variants.stockpile.rules import turns
from variants.stockpile.rules.transition import Transition


def apply_impact(transition: Transition, card: Card) -> None:
    """Deal with an Impact card that has just been discarded."""
    seat, kind = transition.state.turn, IMPACT_KINDS[card.name]
    if is_harmless(transition, card):
        transition.add(NothingLost(seat, card, transition.state.settings.grace))
        turns.end_action(transition)
        return
    held = supplies_of_kind(transition.player(seat).stockpile, kind)
    if len({supply.number for supply in held}) > 1:
        transition.add(GiveUpOpened(seat, kind, card))
    elif held:
        give_up(transition, held[0], card)
    elif card.name == INFECTION:
        _test(transition, seat)  # [SR-19] only without Infection Prevention
    else:
        _find_nothing(transition, seat, card)
        turns.end_action(transition)


def is_harmless(transition: Transition, card: Card) -> bool:
    """[SR-68] No test, and no supply is lost."""
    return card.name == INFECTION and transition.state.is_in_grace


def give_up(transition: Transition, lost: Card, card: Card) -> None:
    """The supply goes, and the action is over."""
    transition.add(SupplyLost(transition.state.turn, lost, card))
    turns.end_action(transition)


def _find_nothing(transition: Transition, seat: Seat, card: Card) -> None:
    """Out to get some, if it is food or paper and the seat is at home.  [SR-13] [SR-16] [SR-17]"""
    is_home = transition.player(seat).location == INDOORS
    if is_home and IMPACT_KINDS[card.name] != PREVENTION:
        is_last = (
            transition.state.action == ACTIONS_PER_TURN
        )  # [SR-15] the third action and all inside it
        transition.add(Relocated(seat, OUTDOORS, "impact", is_bound=is_last, skips=is_last))
    else:
        transition.add(NothingLost(seat, card))


def _test(transition: Transition, seat: Seat) -> None:
    """The top card of the deck of the current location decides.  [SR-20] [SR-21]"""
    deck = transition.player(seat).location
    if not transition.state.cards_in_deck(deck):
        transition.add(Tested(seat, None, is_infected=True))  # [SR-26]
        _infect(transition, seat)
        return
    card = transition.top_card(deck)
    is_infected = card.test == "+"
    transition.add_draw(
        Tested(seat, card, is_infected), deck
    )  # [SR-27] the last card tests like any
    if is_infected:
        _infect(transition, seat)
    elif card.sort == "impact":
        apply_impact(
            transition, card
        )  # [SR-23] [SR-25], and a negative Infection begins anew [SR-24]
    else:
        transition.add(TestKept(seat, card))  # [SR-22] a draw found at most 7 cards in the hand
        turns.end_action(transition)


def _infect(transition: Transition, seat: Seat) -> None:
    """All cards are laid open [SR-29], the hand as it stands in the box.

    In what order it came is its owner's alone, and would say who had which card when.
    """
    player = transition.player(seat)
    hand = tuple([card for card in transition.state.decks.all_cards if card in player.hand])
    kind = StartedAgain if transition.state.settings.infected == "restart" else Eliminated
    transition.add(kind(seat, hand, player.stockpile, player.isolation))  # [SR-70]
    turns.end_action(transition)
