"""Whole games of seeded random play: what holds after every decision, and that they end."""

from __future__ import annotations

from functools import cache

import pytest

from tests.conformance.play import folded
from tests.variants.driver import chance, kinds, of_kind
from tests.variants.words.driver import Game, assert_in_order, words_game
from variants.contract import Seat
from variants.kit.chance import SeededChance
from variants.words.events import (
    EVENT_TYPES,
    LetterDrawn,
    PositionArranged,
    RemovalAnswered,
    RoundBegun,
    RoundScored,
    TradeAnswered,
    Traded,
)

SEATS = (2, 3, 4, 5, 6)
ROUNDS = {"max_rounds": "3", "target": "50"}


@cache
def in_order(seats: int) -> Game:
    """A whole game in which cards, words and hands were in order after every decision."""
    game = Game(seats, 0, **ROUNDS)
    while not game.is_over:
        before = game.state
        assert_in_order(game.step(), before)
    return game


@pytest.mark.parametrize("seats", SEATS)
def test_cards_words_and_hands_are_in_order_after_every_decision(seats):
    """[G-19]"""
    game = in_order(seats)
    assert game.decisions <= words_game().decisions_max(seats)
    assert folded(words_game(), game.events) == game.state
    outcome = words_game().outcome(game.state)
    assert outcome is not None and 1 in outcome.places


def test_random_play_knows_every_kind_of_event():
    seen = {kind for seats in SEATS for kind in kinds(in_order(seats).events)}
    assert {kind.__name__ for kind in EVENT_TYPES if kind is not PositionArranged} == seen


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_table_of_absent_people_comes_to_an_end_by_its_defaults(seats):
    """[G-09] Every time-out default is legal, and each round ends with the pile."""
    game = words_game()
    draws = chance(seats)
    events = list(game.deal(seats, {"max_rounds": "2"}, draws))
    state = folded(words_game(), events)
    while (window := game.open_window(game.observe(state, None))) is not None:
        views = [game.observe(state, seat) for seat in window.seats]
        view = next(view for view in views if game.may_act(view))
        for event in game.decide(state, view.seat, game.default_action(view, draws), draws):
            state = game.evolve(state, event)
            events.append(event)
    assert {"pile"} == {event.why for event in events if hasattr(event, "why")}
    assert [(0,) * seats] * 2 == [
        tuple(sheet.points for sheet in scored.sheets) for scored in of_kind(events, RoundScored)
    ]


def test_a_game_is_dealt_and_played_again_from_its_seed():
    """[G-02]"""
    first, second = (Game(3, 7, **ROUNDS) for _ in range(2))
    while not first.is_over:
        assert first.step() == second.step()
    assert first.events == second.events


def test_fresh_manifests_are_the_box_of_their_game():
    """[WR-10] One number decides; it is drawn before anything is shuffled."""
    one, other = (words_game().deal(3, {"manifests": "fresh"}, chance(seed)) for seed in (1, 2))
    cards = {card.id: card for card in one[0].box.manifests}
    assert 20 == len(cards)
    assert {cards[card.id] for card in one[1].manifests} <= set(cards.values())
    assert one[0].box.manifests != other[0].box.manifests
    source = SeededChance((1).to_bytes(32, "big"))
    again = words_game().deal(3, {"manifests": "fresh"}, source)
    assert one[0] == again[0] and isinstance(source.draws[0], int)


def test_who_is_not_concerned_hears_what_a_watcher_hears():
    """[G-04] And nothing of what is somebody else's."""
    game, redact = in_order(4), words_game().redact
    secrets = [event for event in game.events if redact(event, None) != event]
    assert {
        "RoundBegun", "LetterDrawn", "TradeOffered", "TradeAnswered", "Traded", "RemovalAnswered",
        "LetterStolen", "WordFormed", "WordLocked", "WordsRebuilt",
    } == set(kinds(secrets))  # fmt: skip
    for event in secrets:
        has_seat = isinstance(event, RoundBegun) or hasattr(event, "seat")
        actor = getattr(event, "seat", None) if has_seat else event.word.owner
        concerned = {actor, *getattr(event, "partners", ())}
        for seat in range(4):
            heard = redact(event, Seat(seat))
            if isinstance(event, RoundBegun):
                own = [other == seat for other in range(4)]
                assert own == [hand is not None for hand in heard.hands]
                assert own == [card is not None for card in heard.manifests]
                assert own == [card is not None for card in heard.indicators]
            elif seat == actor:
                assert event == heard
            elif seat not in concerned or not isinstance(event, Traded):
                assert redact(event, None) == heard
        twin = redact(event, None)
        assert not isinstance(twin, LetterDrawn | TradeAnswered) or twin.letter is None
        assert not isinstance(twin, RemovalAnswered) or (None, None) == (twin.seat, twin.removal)
