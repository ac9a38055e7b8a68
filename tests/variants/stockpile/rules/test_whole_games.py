"""Whole games of stockpile by chance: what holds after every decision."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from tests.conformance.play import folded
from tests.variants.driver import Game, chance
from tests.variants.stockpile.driver import BOX, STOCKPILE, Driver
from variants.stockpile.data.cards import DECK_SIZE, DECKS, HAND_MAX, SOLD_OUT, Card, total_value
from variants.stockpile.events import (
    ActionOpened,
    CardDrawn,
    Dealt,
    Event,
    GameBegun,
    PositionArranged,
    TurnStarted,
)
from variants.stockpile.state import Player, State

each_number = pytest.mark.parametrize("seats", [2, 3, 4])
SEEDS = range(4)


@each_number
def test_what_the_rules_say_of_every_position_holds(seats):
    """[G-19]"""
    everything = STOCKPILE.components({})
    for seed in SEEDS:
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            state = game.step()
            zones = STOCKPILE.zones(state)
            assert everything == sorted(card for zone in zones.values() for card in zone)
            for deck in DECKS:
                ids = {card.id for card in BOX.cards_of(deck)}
                assert DECK_SIZE == sum(card in ids for zone in zones.values() for card in zone)
            for player in state.players:
                assert len(player.hand) <= HAND_MAX
                assert SOLD_OUT not in {card.name for card in player.stockpile}
                assert {"supply"} >= {card.sort for card in player.stockpile}
                assert {"stockup", "effect"} >= {card.sort for card in player.hand}
                assert player.is_in or not (player.hand or player.stockpile or player.isolation)
            assert state.ended or state.players[state.asked].is_in
            assert state.players[state.turn].is_in or state.ended


@each_number
def test_a_game_ends_within_its_bound_and_its_journal_folds_to_it(seats):
    for seed in SEEDS:
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            game.step()
        assert game.decisions <= STOCKPILE.decisions_max(seats)
        assert game.state.number <= 47
        assert game.state == folded(STOCKPILE, game.events)


@each_number
def test_places_follow_from_survival_and_value(seats):
    for seed in SEEDS:
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            game.step()
        players = game.state.players
        ended = STOCKPILE.outcome(game.state)
        live = [seat for seat in range(seats) if players[seat].is_in]
        best = max(total_value(players[seat].stockpile) for seat in live)
        winners = tuple(s for s in live if total_value(players[s].stockpile) == best)
        assert winners == game.state.winners
        assert winners == tuple(s for s in range(seats) if ended.places[s] == 1)
        assert all(ended.places[s] == len(live) + 1 for s in range(seats) if s not in live)
        assert (ended.reason == "everybody else is infected") == (len(live) == 1)


@each_number
def test_every_finished_turn_used_three_actions(seats):
    """Except a final one, and one that an infection cut short."""
    for seed in SEEDS:
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            game.step()
        names = [type(event).__name__ for event in game.events]
        starts = [n for n, event in enumerate(game.events) if isinstance(event, TurnStarted)]
        for start, end in pairwise(starts):
            opened = [e.action for e in game.events[start:end] if isinstance(e, ActionOpened)]
            if "Eliminated" not in names[start:end]:
                assert [1, 2, 3] == opened


@each_number
def test_after_the_deal_nothing_is_left_to_chance(seats):
    """The decks lie as they were shuffled."""
    game = Game(STOCKPILE, seats, 5)
    dealt = len(game.chance.draws)
    while not game.is_over:
        game.step()
    assert 4 == dealt == len(game.chance.draws)


@pytest.mark.parametrize("seats", [2, 4])
def test_time_outs_alone_end_a_game(seats):
    """[G-09] The default is always legal."""
    by = chance(7)
    state = folded(STOCKPILE, STOCKPILE.deal(seats, {}, by))
    for _ in range(STOCKPILE.decisions_max(seats)):
        window = STOCKPILE.open_window(STOCKPILE.observe(state, None))
        if window is None:
            break
        (seat,) = window.seats
        view = STOCKPILE.observe(state, seat)
        action = STOCKPILE.default_action(view, by)
        assert action in STOCKPILE.legal_actions(view)
        for event in STOCKPILE.decide(state, seat, action, by):
            state = STOCKPILE.evolve(state, event)
    assert STOCKPILE.outcome(state) is not None


# -- the keyhole -----------------------------------------------------------------------------------


def twin(state: State, seat: int | None, rng: Random) -> State:
    """The same game with every card changed that *seat* cannot see; backs stay."""
    hidden: dict[str, list[Card]] = {deck: list(state.cards_in_deck(deck)) for deck in DECKS}
    others = [s for s in range(len(state.players)) if s != seat]
    for s in others:
        for card in state.players[s].hand:
            hidden[card.deck].append(card)
    for cards in hidden.values():
        rng.shuffle(cards)
    players: list[Player] = list(state.players)
    for s in others:
        hand = [hidden[card.deck].pop() for card in players[s].hand]
        rng.shuffle(hand)  # the order of backs tells nothing either
        players[s] = replace(players[s], hand=tuple(hand))
    supplies, indoor, outdoor = (tuple(hidden[deck]) for deck in DECKS)
    return replace(state, players=tuple(players), supplies=supplies, indoor=indoor, outdoor=outdoor)


@each_number
def test_a_view_is_blind_to_what_the_seat_cannot_see(seats):
    """[G-20]"""
    rng = Random(seats)
    game = Game(STOCKPILE, seats, 1)
    while not game.is_over:
        state = game.step()
        for seat in (None, *range(seats)):
            other = twin(state, seat, rng)
            assert STOCKPILE.observe(state, seat) == STOCKPILE.observe(other, seat)


@each_number
def test_a_view_differs_in_the_own_hand_only(seats):
    game = Game(STOCKPILE, seats, 2)
    while not game.is_over:
        state = game.step()
        watched = STOCKPILE.observe(state, None)
        assert () == watched.hand
        for seat in range(seats):
            own = STOCKPILE.observe(state, seat)
            assert state.players[seat].hand == own.hand
            assert watched == replace(own, seat=None, hand=())
            backs = [card.deck for card in own.hand]
            shown = watched.seats[seat]
            assert [shown.indoor, shown.outdoor] == [backs.count("indoor"), backs.count("outdoor")]


def hidden_in(event: Event, seat: int | None) -> set[str]:
    """The cards of an event that the visibility table keeps from *seat*."""
    match event:
        case CardDrawn(who, _, card):
            return set() if who == seat else {card.id}
        case Dealt():
            return {card.id for deck in (event.supplies, event.indoor, event.outdoor)
                    for card in deck}  # fmt: skip
        case PositionArranged():
            cards = [*event.supplies, *event.indoor, *event.outdoor]
            for other, hand in enumerate(event.hands):
                cards += hand if other != seat else ()
            return {card.id for card in cards}
    return set()


def ids_in(event: Event) -> set[str]:
    words = repr(event)
    return {card.id for card in BOX.all_cards if f"'{card.id}'" in words}


@each_number
def test_a_redacted_event_keeps_back_what_its_reader_may_not_know_and_no_more(seats):
    """[G-04] In no field: the words of the event are searched."""
    for seed in SEEDS:
        game = Game(STOCKPILE, seats, seed)
        while not game.is_over:
            game.step()
        for event in game.events:
            if isinstance(event, GameBegun):
                continue  # the box is public
            for seat in (None, *range(seats)):
                told = STOCKPILE.redact(event, seat)
                assert ids_in(event) - hidden_in(event, seat) == ids_in(told)
                assert type(told) is type(event)


def test_an_arranged_position_hides_what_a_dealt_one_hides():
    driver = Driver(
        hands={0: ["Nice Try!"], 1: ["Loot Food", "Reflection"]}, indoor_top=["Infection"]
    )
    (arranged,) = (event for event in driver.past if isinstance(event, PositionArranged))
    for seat in (None, 0, 1):
        told = replace(
            STOCKPILE.redact(arranged, seat), decks=replace(BOX, indoor=(), outdoor=(), supplies=())
        )
        whole = replace(arranged, decks=told.decks)
        assert ids_in(whole) - hidden_in(whole, seat) == ids_in(told)
        assert ((1, 0), (1, 1), (0, 0)) == told.backs
