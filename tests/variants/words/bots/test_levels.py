"""The computer players of the word game: what they do, that they end, how strong they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from mudserver.bots.worker import choose_action
from tests.bench.league import league
from tests.variants.driver import ANN, BOB, chance
from tests.variants.words.bots.players import SEEDS, choices, heard, turn, whole_game
from tests.variants.words.driver import BOX, Driver, shipped_lexicon
from variants.contract import Seat
from variants.words.actions import (
    Action,
    Add,
    Answer,
    Discard,
    Draw,
    EndRound,
    Form,
    Offer,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.bots.beginner import BEGINNER_VOCABULARY
from variants.words.bots.expert import EXPERT_VOCABULARY
from variants.words.events import (
    Event,
    RoundEnding,
    TurnStarted,
    WordsRebuilt,
)
from variants.words.game import build_game
from variants.words.lexicon.dictionary import blocklist
from variants.words.lexicon.lexicon import Lexicon


class Played:
    """A whole game among computer players, decision by decision."""

    def __init__(self, levels: list[int], seed: int, **options: str) -> None:
        game, dice = whole_game(), chance(seed)
        self.levels, self.events, self.actions = levels, [], []
        seen: list[list[Event]] = [[] for _ in levels]
        state: Any = None
        events = game.deal(len(levels), options, dice)
        while True:
            for event in events:
                state = game.evolve(state, event)
                for seat, known in enumerate(seen):
                    known.append(game.redact(event, Seat(seat)))
            self.events += events
            window = game.open_window(game.observe(state, None))
            if window is None:
                break
            views = [game.observe(state, seat) for seat in window.seats]
            view = next(view for view in views if game.may_act(view))
            seed_ = len(self.actions).to_bytes(4, "big")
            action = choose_action(game, levels[view.seat], view, seen[view.seat], seed_)
            self.actions.append((view.seat, action))
            events = game.decide(state, view.seat, action, dice)
        self.outcome = game.outcome(state)


@cache
def played(levels: tuple[int, ...], seed: int) -> Played:
    return Played(list(levels), seed)


GAMES = [((2, 2), 1), ((1, 1), 2), ((2, 1, 2), 3), ((1, 2, 1, 2, 1, 2), 4), ((2, 2, 2, 2), 5)]


# -- both levels ---------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "seed"), GAMES)
def test_every_game_comes_to_its_end(levels: tuple[int, ...], seed: int) -> None:
    """[WR-56] And to no stalled round: all end by a card, going out or the pile."""
    game = played(levels, seed)
    assert game.outcome is not None and 1 in game.outcome.places
    why = {event.why for event in game.events if isinstance(event, RoundEnding)}
    assert why <= {"end", "out", "pile"}


@pytest.mark.parametrize(("levels", "seed"), GAMES)
def test_words_are_familiar_and_none_is_denied(levels: tuple[int, ...], seed: int) -> None:
    game, lexicon, number = played(levels, seed), shipped_lexicon(), 0
    printed = {word for card in BOX.manifests for words in card.sets for word in words}
    knows = {1: BEGINNER_VOCABULARY, 2: EXPERT_VOCABULARY}
    assert knows == {1: 35, 2: 50}
    for seat, action in game.actions:
        for word in spelled_in(action):
            number += 1
            level = lexicon.level_of(word)
            assert level is not None
            assert word in printed or level <= knows[game.levels[seat]], (action, level)
            assert word not in blocklist()
    assert number > 20


def spelled_in(action: Action) -> tuple[str, ...]:
    match action:
        case Form(spelling) | Add(spelling=spelling):
            return (spelling,)
        case Rebuild(spellings=spellings):
            return spellings
        case Steal(leaving=leaving, making=making):
            return leaving, making
        case Remove(leaving=leaving):
            return (leaving,)
    return ()


@pytest.mark.parametrize(("levels", "seed"), GAMES)
def test_nobody_lays_the_same_words_twice_in_a_turn(levels: tuple[int, ...], seed: int) -> None:
    laid: Counter[tuple[str, ...]] = Counter()
    turns = 0
    for event in played(levels, seed).events:
        if isinstance(event, TurnStarted):
            laid, turns = Counter(), turns + 1
        elif isinstance(event, WordsRebuilt):
            laid[tuple(sorted(word.spelling for word in event.laid))] += 1
            assert laid.total() <= 4
            assert all(number == 1 for words, number in laid.items() if words)
    assert turns > 20


def test_the_same_view_history_and_chance_give_the_same_action() -> None:
    driver = Driver(hands={ANN: "DATEOVQXZ"}, manifests={ANN: "T14"})
    view, seen = driver.view(ANN), heard(driver.past, ANN)
    for level in (1, 2):
        for seed in SEEDS:
            one, other = (
                choose_action(whole_game(), level, view, seen, bytes([seed])) for _ in "12"
            )
            assert one == other


@pytest.mark.parametrize("phase", ["draw", "main", "settle", "close", "removal"])
def test_a_seat_that_heard_nothing_plays_all_the_same(phase: str) -> None:
    own = {"draw": "DATEOV*", "close": "DATEOV*", "removal": "DATEOV*"}.get(phase, "DATEOVQ*")
    driver = Driver(
        phase=phase, hands={ANN: own}, words={ANN: ["EAST"], BOB: ["FOAMS", "locked OVER"]}
    )
    view = driver.view(ANN)
    for level in (1, 2):
        choose_action(whole_game(), level, view, [], b"1")


def test_players_end_games_with_any_letters_and_words() -> None:
    """Few vowels, and a list of three words of which one is familiar."""
    letters = tuple(
        replace(c, number=2 if c.letter in "AEIOU" else c.number + 1) for c in BOX.letters
    )
    game = build_game(
        replace(BOX, letters=letters), Lexicon([("CWM", 80), ("EAST", 10), ("SEAT", 70)])
    )
    for level in (1, 2):
        view = None
        dice = chance(level)
        state: Any = None
        for event in game.deal(3, {"max_rounds": "1"}, dice):
            state = game.evolve(state, event)
        while (window := game.open_window(game.observe(state, None))) is not None:
            views = [game.observe(state, seat) for seat in window.seats]
            view = next(view for view in views if game.may_act(view))
            action = choose_action(game, level, view, [], b"1")
            for event in game.decide(state, view.seat, action, dice):
                state = game.evolve(state, event)
        assert game.outcome(state) is not None


# -- level 1 -------------------------------------------------------------------------------


def test_a_beginner_draws_from_the_pile_and_lays_the_longest_word_first() -> None:
    driver = Driver(phase="draw", hands={ANN: "DATESXQ"}, manifests={ANN: "T14"})
    assert {Draw("pile", 2)} == choices(driver, level=1)
    driver = Driver(hands={ANN: "DATESEAXQ"}, manifests={ANN: "T14"})
    assert [Form("DATES")] == turn(driver, level=1)[:1]


def test_a_beginner_lets_words_grow_and_takes_up_what_is_spoilt() -> None:
    driver = Driver(hands={ANN: "TDXQZJV"}, manifests={ANN: "T14"}, words={ANN: ["EAST", "BOAT"]})
    (grow,), numbers = choices(driver, level=1), [word.number for word in driver.state.words]
    assert Rebuild((numbers[0],), ("TASTED",)) == grow
    driver.when(ANN, grow)
    assert {Rebuild((numbers[1],), ())} == choices(driver, level=1)


def test_a_beginner_ends_the_round_with_a_few_words() -> None:
    for words, ends in ((["DATES"], Pass()), (["DATES", "OVER", "SEA"], EndRound())):
        driver = Driver(
            phase="close", hands={ANN: "XQZJVK*"}, manifests={ANN: "T14"},
            indicators={ANN: "B2"}, words={ANN: words},
        )  # fmt: skip
        assert {ends} == choices(driver, level=1)


def test_a_beginner_discards_and_gives_what_fits_nothing() -> None:
    driver = Driver(phase="settle", hands={ANN: "DATESEAXQ"}, manifests={ANN: "T14"})
    assert {Discard(("Q", "X"))} >= {
        Discard(tuple(sorted(action.letters))) for action in choices(driver, level=1)
    }
    driver = Driver(hands={ANN: "DATEOVQ", BOB: "SATZED*"}, manifests={BOB: "T14"})
    driver.when(ANN, Trade((Offer(BOB, "Q"),)))
    assert {Answer("Z")} == choices(driver, BOB, level=1)


# -- how strong they are -------------------------------------------------------------------


def test_level_2_beats_level_1() -> None:
    score = league(whole_game(), {}, 3, range(1, 9))
    assert score.interval[0] > 0.45, (score.shares, score.interval)  # chance: 1 / 3


@pytest.mark.prove
def test_level_2_beats_two_of_level_1_in_five_hundred_games() -> None:
    score = league(whole_game(), {}, 3, range(1_001, 1_501))
    low, high = score.interval
    print(f"n {score.games} 95 % {low:.3f} - {high:.3f} p99 {score.time_ms(0.99)} ms")
    assert low > 0.45
    assert score.time_ms(0.99) <= 40.0


@pytest.mark.parametrize(
    ("levels", "seeds", "why"),
    [((1, 1), 4, "end"), ((2, 2), 3, "end"), ((1,) * 6, 1, "pile"), ((2,) * 6, 1, "pile")],
)
def test_rounds_of_two_end_by_the_card_and_those_of_six_by_the_pile(
    levels: tuple[int, ...], seeds: int, why: str
) -> None:
    """[W App. A]"""
    ends: Counter[str] = Counter()
    for seed in range(100, 100 + seeds):
        events = played(levels, seed).events
        ends.update(event.why for event in events if isinstance(event, RoundEnding))
    assert ends[why] > 0.55 * ends.total(), ends
