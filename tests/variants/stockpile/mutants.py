"""Planted leaks of stockpile: every secret of its visibility table has a hole here.

Rule 1: what a mutant says is of the right kind (real cards, real counts, real windows), as a
        real slip would be: it must be found by comparing worlds, not by an exception.

Those of its windows are in `mutants_stockpile_windows.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book, in_event, in_seats, in_view
from variants.contract import Seat
from variants.kit.text import styled_line
from variants.stockpile import events as e
from variants.stockpile.data.cards import INDOORS, OUTDOORS, REACTIONS
from variants.stockpile.state import Player, State
from variants.stockpile.view import SeatView, View

# -- hands and backs -------------------------------------------------------------------


def cards_that_answer_are_counted(v: Book) -> Book:
    def count(player: Player, shown: SeatView) -> SeatView:
        return replace(shown, indoor=len([c for c in player.hand if c.name in REACTIONS]))

    return in_seats(v, count)


def hands_show_their_test_symbols(v: Book) -> Book:
    def symbols(player: Player, shown: SeatView) -> SeatView:
        return replace(shown, outdoor=len([c for c in player.hand if c.test == "+"]))

    return in_seats(v, symbols)


def backs_lie_in_the_order_in_which_they_came(v: Book) -> Book:
    """Who sees from where a card is taken knows when it was drawn."""

    def order(player: Player, shown: SeatView) -> SeatView:
        places = [2**n for n, card in enumerate(player.hand) if card.deck == INDOORS]
        return replace(shown, indoor=sum(places))

    return in_seats(v, order)


def backs_lie_in_the_order_of_their_names(v: Book) -> Book:
    """A sorted hand: the place of a new back says what it is."""

    def order(player: Player, shown: SeatView) -> SeatView:
        hand = sorted(player.hand, key=lambda card: (card.name, card.number))
        places = [2**n for n, card in enumerate(hand) if card.deck == INDOORS]
        return replace(shown, indoor=sum(places))

    return in_seats(v, order)


def watchers_hold_the_hand_of_who_plays(v: Book) -> Book:
    def hand(state: State, seat: Seat | None, view: View) -> View:
        return view if seat is not None else replace(view, hand=state.players[state.turn].hand)

    return in_view(v, hand)


def one_who_is_asked_lays_the_hand_open(v: Book) -> Book:
    def hand(state: State, seat: Seat | None, view: View) -> View:
        shown = state.players[state.asked].hand if state.asks == "reaction" else ()
        return replace(view, hand=(*view.hand, *shown))

    return in_view(v, hand)


# -- the decks -------------------------------------------------------------------------


def the_next_supply_lies_open(v: Book) -> Book:
    def top(state: State, seat: Seat | None, view: View) -> View:
        supplies, indoor, outdoor = view.discards
        return replace(view, discards=((*supplies, *state.supplies[:1]), indoor, outdoor))

    return in_view(v, top)


def a_deck_is_counted_without_its_reactions(v: Book) -> Book:
    """Those that are gone are in hands."""

    def count(state: State, seat: Seat | None, view: View) -> View:
        return replace(view, indoor=len([c for c in state.indoor if c.name not in REACTIONS]))

    return in_view(v, count)


def the_deal_shows_the_last_card(v: Book) -> Book:
    return in_event(v, e.Dealt, lambda full, known: replace(known, indoor=full.indoor[-1:]))


# -- cards on the move -----------------------------------------------------------------


def a_drawn_card_is_named(v: Book) -> Book:
    return in_event(v, e.CardDrawn, lambda full, known: replace(known, card=full.card))


def a_drawn_card_shows_its_test_symbol(v: Book) -> Book:
    def symbol(full: e.CardDrawn, known: e.CardDrawn) -> e.CardDrawn:
        assert full.card is not None
        return replace(known, card=replace(full.card, id="", name="card", sort="", number=0))

    return in_event(v, e.CardDrawn, symbol)


def the_back_of_a_drawn_card_follows_its_face(v: Book) -> Book:
    """Whatever defends looks like an Indoor card."""

    def back(full: e.CardDrawn, known: e.CardDrawn) -> e.CardDrawn:
        assert full.card is not None
        return replace(known, back=INDOORS if full.card.name in REACTIONS else OUTDOORS)

    return in_event(v, e.CardDrawn, back)


def a_drawn_reaction_makes_no_news(v: Book) -> Book:
    def silence(full: e.CardDrawn, known: e.CardDrawn) -> e.CardDrawn | None:
        assert full.card is not None
        return None if known.card is None and full.card.name in REACTIONS else known

    return in_event(v, e.CardDrawn, silence)


def a_hidden_card_makes_its_line_longer(v: Book) -> Book:
    """Padded to the width of the name that it hides."""
    peep = Peephole()

    def tell(event: Any, seat: Any, names: Any, style: Any) -> Any:
        told, full = v.describe_event(event, seat, names, style), peep.events.get(event)
        if not told or not isinstance(full, e.CardDrawn) or full.card is None:
            return told
        return (*told, *styled_line(" " * len(full.card.name)))

    return replace(peep.in_redact(v), describe_event=tell)


def a_kept_test_card_is_taken_for_another(v: Book) -> Book:
    """The place in the hand is wrong by one, and so is the card that everybody is told of."""
    peep = Peephole()

    def other(full: e.TestKept, known: e.TestKept) -> e.TestKept:
        return replace(known, card=peep.state.players[full.seat].hand[0])

    return in_event(peep.in_observe(v), e.TestKept, other)


def the_fallen_lay_their_hand_down_as_it_came(v: Book) -> Book:
    """The order says who had which card when.  Found in an early stockpile by these twins."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        events, hand = list(v.decide(state, seat, action, chance)), state.players[seat].hand
        came = {card: place for place, card in enumerate(hand)}
        for i, event in enumerate(events):
            if isinstance(event, e.Eliminated | e.StartedAgain):
                cards = sorted(event.hand, key=lambda card: came.get(card, len(came)))
                events[i] = replace(event, hand=tuple(cards))
        return events

    return replace(v, decide=decide)


MUTANTS = (
    cards_that_answer_are_counted,
    hands_show_their_test_symbols,
    backs_lie_in_the_order_in_which_they_came,
    backs_lie_in_the_order_of_their_names,
    watchers_hold_the_hand_of_who_plays,
    one_who_is_asked_lays_the_hand_open,
    the_next_supply_lies_open,
    a_deck_is_counted_without_its_reactions,
    the_deal_shows_the_last_card,
    a_drawn_card_is_named,
    a_drawn_card_shows_its_test_symbol,
    the_back_of_a_drawn_card_follows_its_face,
    a_drawn_reaction_makes_no_news,
    a_hidden_card_makes_its_line_longer,
    a_kept_test_card_is_taken_for_another,
)

RULE_MUTANTS = (the_fallen_lay_their_hand_down_as_it_came,)
"""Holes in `decide`: its games are played anew."""
