"""Planted leaks of elimination: every secret of its visibility table has a hole here.

Rule 1: what a mutant says is of the right kind (real cards, real counts), as a real slip would
        be: it must be found by comparing worlds, not by an exception.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.conformance.mutants import Peephole
from tests.conformance.spoiled import Book, in_event, in_view
from variants.contract import Seat
from variants.elimination import events as e
from variants.elimination.data.cards import ALL_CARDS, CARD_ORDER, JOKERS, PACKS, RANK_OF
from variants.elimination.state import State
from variants.elimination.view import Outside, View

# -- the deck --------------------------------------------------------------------------


def the_top_of_the_deck_lies_open(v: Book) -> Book:
    return in_view(
        v,
        lambda state, seat, view: replace(
            view, outside=(*view.outside, Outside(state.deck[:1], None, ""))
        ),
    )


def the_deck_is_counted_without_its_jokers(v: Book) -> Book:
    return in_view(
        v,
        lambda state, seat, view: replace(
            view, deck=len([card for card in state.deck if card not in (*JOKERS, "AS", "AH")])
        ),
    )


def an_elimination_shows_the_new_deck(v: Book) -> Book:
    return in_event(v, e.Eliminated, lambda full, known: replace(known, deck=full.deck))


def the_deal_shows_the_deck(v: Book) -> Book:
    return in_event(v, e.Dealt, lambda full, known: replace(known, deck=full.deck[-1:]))


def a_misdealt_hand_is_shown(v: Book) -> Book:
    """[ER-06] The first deal goes out as if it counted, each hand to its owner."""

    def deal(seats: int, options: Any, chance: Any) -> Any:
        events = list(v.deal(seats, options, chance))
        orders = iter([draw for draw in chance.draws if not isinstance(draw, int)])
        cards = PACKS[events[0].pack].cards
        for i, event in enumerate(events):
            if isinstance(event, e.Misdealt):
                order = [cards[k] for k in next(orders)]
                hands = tuple(tuple(order[4 * s : 4 * s + 4]) for s in range(seats))
                events[i] = e.Dealt(hands, (), 4, 0)
        return events

    return replace(v, deal=deal)


# -- cards on the move -----------------------------------------------------------------


def a_drawn_card_is_named(v: Book) -> Book:
    return in_event(v, e.CardDrawn, lambda full, known: replace(known, card=full.card))


def a_drawn_card_shows_its_suit(v: Book) -> Book:
    def suit(full: e.CardDrawn, known: e.CardDrawn) -> e.CardDrawn:
        assert full.card is not None
        return known if full.card in JOKERS else replace(known, card="2" + full.card[-1])

    return in_event(v, e.CardDrawn, suit)


def a_given_card_is_named(v: Book) -> Book:
    return in_event(v, e.CardGiven, lambda full, known: replace(known, card=full.card))


def a_taken_card_shows_its_rank(v: Book) -> Book:
    def rank(full: e.CardTaken, known: e.CardTaken) -> e.CardTaken:
        assert full.card is not None
        return known if full.card in JOKERS else replace(known, card=RANK_OF[full.card] + "S")

    return in_event(v, e.CardTaken, rank)


def a_clear_shows_the_new_hand(v: Book) -> Book:
    return in_event(v, e.Cleared, lambda full, known: replace(known, hand=full.hand))


def the_fallen_lay_their_cards_open(v: Book) -> Book:
    return in_event(v, e.Eliminated, lambda full, known: replace(known, returned=full.returned))


def backs_can_be_followed_through_a_shuffle(v: Book) -> Book:
    """Every card has a number on its back that stays the same, hidden face or not."""

    def backs(full: e.HandsShuffled, known: e.HandsShuffled) -> e.HandsShuffled:
        hands = tuple(
            tuple(ALL_CARDS[-CARD_ORDER[card]] for card in hand or ()) if own is None else own
            for hand, own in zip(full.hands, known.hands, strict=True)
        )
        return replace(known, hands=hands)

    return in_event(v, e.HandsShuffled, backs)


# -- sets ------------------------------------------------------------------------------


def a_locked_pair_shows_its_rank(v: Book) -> Book:
    return in_event(v, e.PairLocked, lambda full, known: replace(known, cards=full.cards))


def sets_stand_in_the_order_of_their_ranks(v: Book) -> Book:
    """Pairs stay face down, but among the triplets they stand where their rank belongs."""

    def spoil(state: State, seat: Seat | None, view: View) -> View:
        seats = []
        for player, shown in zip(state.players, view.seats, strict=True):
            stand = sorted(
                (*player.pairs, *player.triplets), key=lambda cards: CARD_ORDER[cards[0]]
            )
            slots = tuple(cards if len(cards) == 3 else () for cards in stand)
            seats.append(replace(shown, triplets=slots))
        return replace(view, seats=tuple(seats))

    return in_view(v, spoil)


def a_pair_becomes_a_triplet_in_its_place(v: Book) -> Book:
    """The row of sets keeps its order, so one sees which of the hidden pairs it was."""
    peep = Peephole()

    def place(full: e.TripletLocked, known: e.TripletLocked) -> e.TripletLocked:
        pairs = peep.state.players[full.seat].pairs
        slot = sum(1 for pair in pairs if CARD_ORDER[pair[0]] < CARD_ORDER[full.cards[0]]) % 3
        return replace(known, cards=known.cards[slot:] + known.cards[:slot])

    return in_event(peep.in_observe(v), e.TripletLocked, place)


def a_triplet_starts_with_its_pair(v: Book) -> Book:
    """The order of the three cards says which of them came last."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        events = list(v.decide(state, seat, action, chance))
        paired = {card for player in state.players for pair in player.pairs for card in pair}
        for i, event in enumerate(events):
            if isinstance(event, e.TripletLocked):
                cards = sorted(event.cards, key=lambda card: card not in paired)
                events[i] = replace(event, cards=tuple(cards))
        return events

    return replace(v, decide=decide)


def pairs_weigh_what_they_are(v: Book) -> Book:
    def spoil(state: State, seat: Seat | None, view: View) -> View:
        seats = tuple(
            replace(shown, pairs=sum(CARD_ORDER[cards[0]] for cards in player.pairs))
            for player, shown in zip(state.players, view.seats, strict=True)
        )
        return replace(view, seats=seats)

    return in_view(v, spoil)


def a_clear_lays_its_aces_as_they_came(v: Book) -> Book:
    """Their order is that of a hidden hand.  Found in an early elimination by these twins."""

    def decide(state: State, seat: Seat, action: Any, chance: Any) -> Any:
        events, hand = list(v.decide(state, seat, action, chance)), state.players[seat].hand
        for i, event in enumerate(events):
            if isinstance(event, e.Cleared):
                events[i] = replace(event, used=tuple(sorted(event.used, key=hand.index)))
        return events

    return replace(v, decide=decide)


# -- marks, hands and windows ----------------------------------------------------------


def everybody_sees_the_marks(v: Book) -> Book:
    def spoil(state: State, seat: Seat | None, view: View) -> View:
        return replace(view, marks=tuple(m for p in state.players for m in p.marks))

    return in_view(v, spoil)


def everybody_sees_how_many_cards_are_marked(v: Book) -> Book:
    def spoil(state: State, seat: Seat | None, view: View) -> View:
        return replace(view, idle=sum(len(p.marks) for p in state.players))

    return in_view(v, spoil)


def a_hand_without_a_joker_gets_less_time(v: Book) -> Book:
    """The window closes sooner for who holds nothing to Clear with."""
    peep = Peephole()

    def asked(view: View) -> Any:
        window, hand = v.open_window(view), peep.state.players[view.turn].hand
        return window and replace(window, clock_name="action" if {*hand} & {*JOKERS} else "next")

    return replace(peep.in_observe(v), open_window=asked)


MUTANTS = (
    the_top_of_the_deck_lies_open,
    the_deck_is_counted_without_its_jokers,
    an_elimination_shows_the_new_deck,
    the_deal_shows_the_deck,
    a_drawn_card_is_named,
    a_drawn_card_shows_its_suit,
    a_given_card_is_named,
    a_taken_card_shows_its_rank,
    a_clear_shows_the_new_hand,
    the_fallen_lay_their_cards_open,
    backs_can_be_followed_through_a_shuffle,
    a_locked_pair_shows_its_rank,
    sets_stand_in_the_order_of_their_ranks,
    a_pair_becomes_a_triplet_in_its_place,
    pairs_weigh_what_they_are,
    everybody_sees_the_marks,
    everybody_sees_how_many_cards_are_marked,
    a_hand_without_a_joker_gets_less_time,
)

RULE_MUTANTS = (
    a_misdealt_hand_is_shown,
    a_triplet_starts_with_its_pair,
    a_clear_lays_its_aces_as_they_came,
)
"""Holes in `deal` and `decide`: their games are played anew."""
