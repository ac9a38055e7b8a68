"""Whole games by chance: what holds after every decision."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.variants.driver import Game, chance
from tests.variants.elimination.driver import DECK_50, DECK_54, TWOS
from variants.elimination.data.cards import PACKS, RANK_OF
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    CardTaken,
    Cleared,
    Dealt,
    Eliminated,
    Event,
    HandsShuffled,
    PairLocked,
    PositionArranged,
    TripletLocked,
)
from variants.elimination.game import ELIMINATION
from variants.elimination.state import State

GAMES = [
    pytest.param(seats, options, id=f"{seats}-{name}", marks=[pytest.mark.prove] * (at % 2))
    for at, (seats, (name, options)) in enumerate(
        product(range(2, 9), [("54", DECK_54), ("50", DECK_50), ("twos", TWOS)])
    )
]
"""As on a chessboard every second one runs with `make prove` alone."""
SEEDS = range(3)

each_game = pytest.mark.parametrize(("seats", "options"), GAMES)


@each_game
def test_no_card_is_lost_or_made(seats, options):
    """[G-19]"""
    for seed in SEEDS:
        game = Game(ELIMINATION, seats, seed, **options)
        while not game.is_over:
            zones = ELIMINATION.zones(game.step())
            assert ELIMINATION.components(options) == sorted(c for z in zones.values() for c in z)


@each_game
def test_a_hand_holds_nothing_that_would_have_locked(seats, options):
    for seed in SEEDS:
        game = Game(ELIMINATION, seats, seed, **options)
        while not game.is_over:
            state = game.step()
            if state.ended:
                break
            lockable = PACKS[state.pack].lockable
            for player in state.players:
                ranks = [RANK_OF[card] for card in player.hand if RANK_OF[card] in lockable]
                ranks += [RANK_OF[cards[0]] for cards in (*player.pairs, *player.triplets)]
                assert len(ranks) == len(set(ranks))
            assert state.players[state.turn].is_in


@each_game
def test_a_game_ends_within_its_bound_and_its_journal_folds_to_it(seats, options):
    for seed in SEEDS:
        game = Game(ELIMINATION, seats, seed, **options)
        while not game.is_over:
            game.step()
        assert game.decisions <= ELIMINATION.decisions_max(seats)
        outcome = ELIMINATION.outcome(game.state)
        live = sum(1 for player in game.state.players if player.is_in)
        assert [1] * live + list(range(live + 1, seats + 1)) == sorted(outcome.places)
        again = None
        for event in game.events:
            again = ELIMINATION.evolve(again, event)
        assert game.state == again


@pytest.mark.parametrize("seats", [2, 5])
def test_time_outs_alone_end_a_game(seats):
    """[G-09] The default is always legal."""
    dealt = chance(7)
    state = None
    for event in ELIMINATION.deal(seats, DECK_54, dealt):
        state = ELIMINATION.evolve(state, event)
    for _ in range(ELIMINATION.decisions_max(seats)):
        window = ELIMINATION.open_window(ELIMINATION.observe(state, None))
        if window is None:
            break
        view = ELIMINATION.observe(state, window.seats[0])
        action = ELIMINATION.default_action(view, dealt)
        assert action in ELIMINATION.legal_actions(view)
        for event in ELIMINATION.decide(state, window.seats[0], action, dealt):
            state = ELIMINATION.evolve(state, event)
    assert ELIMINATION.outcome(state) is not None


def twin(state: State, seat: int | None, rng: Random) -> State:
    """The same game with every card changed that *seat* cannot see: ranks may not fit."""
    others = [s for s in range(len(state.players)) if s != seat]
    hidden = [card for s in others for card in state.players[s].hand]
    hidden += [card for s in others for pair in state.players[s].pairs for card in pair]
    hidden += state.deck
    rng.shuffle(hidden)

    def some(number: int) -> tuple[str, ...]:
        return tuple(hidden.pop() for _ in range(number))

    players = list(state.players)
    for s in others:
        it = players[s]
        pairs = tuple(some(2) for _ in it.pairs)
        players[s] = replace(it, hand=some(len(it.hand)), pairs=pairs, marks=())
    return replace(state, players=tuple(players), deck=some(len(state.deck)))


@each_game
def test_a_view_is_blind_to_what_the_seat_cannot_see(seats, options):
    """[G-20]"""
    rng = Random(seats)
    game = Game(ELIMINATION, seats, 1, **options)
    while not game.is_over:
        state = game.step()
        for seat in (None, *range(seats)):
            other = twin(state, seat, rng)
            assert ELIMINATION.observe(state, seat) == ELIMINATION.observe(other, seat)


def granted(event: Event, seat: int | None) -> set[str]:
    """The cards that the visibility table grants of one event."""
    match event:
        case CardForced(card=card):
            return {card}
        case TripletLocked(cards=cards):
            return set(cards)
        case PairLocked(who, cards):
            return set(cards) if seat == who else set()
        case CardDrawn(who, card):
            return {card} if seat == who else set()
        case CardGiven(who, other, card) | CardTaken(who, other, card):
            return {card} if seat in (who, other) else set()
        case Dealt(hands) | HandsShuffled(hands=hands):
            return set() if seat is None else set(hands[seat])
        case Cleared(who, used, hand):
            return {*used, *hand} if seat == who else set(used)
        case Eliminated(who, cards, returned):
            return {*cards, *returned} if seat == who else set(cards)
    return set()


@each_game
def test_a_redacted_event_names_the_cards_its_reader_may_know_and_no_other(seats, options):
    """[G-04] In no field: the words of the event are searched."""
    for seed in SEEDS:
        game = Game(ELIMINATION, seats, seed, **options)
        while not game.is_over:
            game.step()
        for event in game.events:
            for seat in (None, *range(seats)):
                words = repr(ELIMINATION.redact(event, seat))
                named = {card for card in PACKS["54"].cards if f"'{card}'" in words}
                assert granted(event, seat) == named


def test_random_play_is_as_long_as_the_rules_expect():
    """Four players: 90 turns in the middle of many games."""
    turns = []
    for seed in range(41):
        game = Game(ELIMINATION, 4, seed, **DECK_54)
        while not game.is_over:
            game.step()
        turns.append(game.state.number)
    assert 75 <= sorted(turns)[20] <= 105


@pytest.mark.parametrize(("seats", "options"), [(2, DECK_54), (4, TWOS), (8, DECK_50)])
def test_worlds_fit_the_view_and_vary(seats, options):
    """[SEC-10] Each repeats the view, holds every card once, and hides something else."""
    game = Game(ELIMINATION, seats, 4, **options)
    while not game.is_over:
        state = game.step()
        for seat in (None, 0):
            view = ELIMINATION.observe(state, seat)
            seen = [heard for heard in (ELIMINATION.redact(e, seat) for e in game.events) if heard]
            some = ELIMINATION.sample_states(view, seen, chance(game.decisions))
            worlds = [next(some) for _ in range(3)]
            assert all(view == ELIMINATION.observe(world, seat) for world in worlds)
            for world in worlds:
                cards = sorted(c for zone in ELIMINATION.zones(world).values() for c in zone)
                assert ELIMINATION.components(options) == cards
            assert len(state.deck) < 3 or worlds[0] != worlds[1]


def test_worlds_keep_what_was_heard():
    """[G-14] What Ann gave Bob is in Bob's hand until Bob gives, loses or shuffles something."""
    game = Game(ELIMINATION, 4, 11, **DECK_54)
    known = 0
    while not game.is_over:
        state = game.step()
        for event in game.last:
            if type(event).__name__ == "CardForced" and event.to != 0:
                held = state.players[event.to]
                if event.card in held.hand and not state.ended:
                    seen = [ELIMINATION.redact(e, 0) for e in game.events]
                    world = next(
                        ELIMINATION.sample_states(ELIMINATION.observe(state, 0), seen, chance())
                    )
                    assert event.card in world.players[event.to].hand
                    known += 1
    assert known > 3


def test_an_arranged_position_hides_what_a_dealt_one_hides():
    events = ELIMINATION.arrange(
        3, DECK_54, {"hands": {0: ["7S"], 1: ["8S"]}, "pairs": {1: [["9", "9"]]}}, chance()
    )
    (arranged,) = events
    assert isinstance(arranged, PositionArranged)
    heard = ELIMINATION.redact(arranged, 0)
    assert (("7S",), None, None) == heard.hands and heard.deck is None
    assert ((), None, None) == heard.pairs and (0, 1, 0) == heard.pair_counts
