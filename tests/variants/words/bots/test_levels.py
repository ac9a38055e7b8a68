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
from variants.words.bots.estimate import SeatKnowledge
from variants.words.bots.skill import EXPERT, HARD, MASTER, MEDIUM, is_overlooked
from variants.words.bots.word_selection import WordSelector
from variants.words.events import (
    Event,
    RoundEnding,
    TurnStarted,
    WordsRebuilt,
)
from variants.words.game import build_game
from variants.words.lexicon.dictionary import blocklist, dictionary
from variants.words.lexicon.lexicon import Lexicon


class Played:
    """A whole game among computer players, decision by decision."""

    def __init__(self, levels: list[str], seed: int, **options: str) -> None:
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
def played(levels: tuple[str, ...], seed: int) -> Played:
    return Played(list(levels), seed, target="100")


GAMES = [
    (("master", "master"), 1),
    (("easy", "easy"), 2),
    (("master", "easy", "master"), 3),
    (("easy", "medium", "hard", "expert", "master", "easy"), 4),
    (("hard", "expert", "medium", "master"), 5),
]
LEVELS = tuple(whole_game().bots)


# -- all levels ---------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "seed"), GAMES)
def test_every_game_comes_to_its_end(levels: tuple[str, ...], seed: int) -> None:
    """[WR-56] And to no stalled round: all end by a card, going out or the pile."""
    game = played(levels, seed)
    assert game.outcome is not None and 1 in game.outcome.places
    why = {event.why for event in game.events if isinstance(event, RoundEnding)}
    assert why <= {"end", "out", "pile"}


@pytest.mark.parametrize(("levels", "seed"), GAMES)
def test_words_are_familiar_and_none_is_denied(levels: tuple[str, ...], seed: int) -> None:
    game, lexicon, number = played(levels, seed), shipped_lexicon(), 0
    printed = {word for card in BOX.manifests for words in card.sets for word in words}
    skills = {"medium": MEDIUM, "hard": HARD, "expert": EXPERT, "master": MASTER}
    knows = {"easy": BEGINNER_VOCABULARY} | {name: it.vocabulary for name, it in skills.items()}
    assert knows == {"easy": 35, "medium": 35, "hard": 35, "expert": 35, "master": 50}
    for seat, action in game.actions:
        for word in spelled_in(action):
            number += 1
            level = lexicon.level_of(word)
            assert level is not None
            assert word in printed or level <= knows[game.levels[seat]], (action, level)
            assert word not in blocklist()
    assert number > 20


def test_medium_parks_no_letters_and_only_master_attacks() -> None:
    levels, seed = GAMES[3]
    game = played(levels, seed)
    printed = {word for card in BOX.manifests for words in card.sets for word in words}
    for seat, action in game.actions:
        level = game.levels[seat]
        if level in ("medium", "hard", "expert"):
            assert not isinstance(action, Add | Steal | Trade), action
        if level == "medium" and isinstance(action, Form | Rebuild):
            assert printed.issuperset(spelled_in(action)), action


@pytest.mark.parametrize("per_cent", [0, 40, 100])
def test_a_level_overlooks_the_same_words_for_a_whole_turn(per_cent: int) -> None:
    view = Driver(hands={ANN: "DATEOVQXZ"}, manifests={ANN: "T14"}).view(ANN)
    words = [word for card in BOX.manifests for words in card.sets for word in words]
    found = [is_overlooked(per_cent, view, word) for word in words]
    again = [
        is_overlooked(per_cent, replace(view, hand=(), phase="settle"), word) for word in words
    ]
    later = [is_overlooked(per_cent, replace(view, number=view.number + 1), word) for word in words]
    assert found == again
    assert (found != later) == (per_cent == 40)
    assert abs(sum(found) - len(words) * per_cent / 100) <= len(words) / 8


def test_words_that_lie_on_the_table_are_not_overlooked() -> None:
    blind = replace(MEDIUM, overlooks=100)
    driver = Driver(hands={ANN: "DXQZJVK"}, manifests={ANN: "T14"}, words={ANN: ["EAST"]})
    known = SeatKnowledge(shipped_lexicon(), driver.view(ANN), heard(driver.past, ANN))
    words = dictionary(shipped_lexicon(), known.view.box, 35)
    assert ["EAST"] == [it.spelling for it in WordSelector(words, known, blind).items]


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
def test_nobody_lays_the_same_words_twice_in_a_turn(levels: tuple[str, ...], seed: int) -> None:
    laid: Counter[tuple[str, ...]] = Counter()
    turns = 0
    for event in played(levels, seed).events:
        if isinstance(event, TurnStarted):
            laid, turns = Counter(), turns + 1
        elif isinstance(event, WordsRebuilt):
            laid[tuple(sorted(word.spelling for word in event.laid))] += 1
            assert laid.total() <= 4
            assert all(number == 1 for words, number in laid.items() if words)
    assert turns > 15


def test_the_same_view_history_and_chance_give_the_same_action() -> None:
    driver = Driver(hands={ANN: "DATEOVQXZ"}, manifests={ANN: "T14"})
    view, seen = driver.view(ANN), heard(driver.past, ANN)
    for level in LEVELS:
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
    for level in LEVELS:
        choose_action(whole_game(), level, view, [], b"1")


def test_players_end_games_with_any_letters_and_words() -> None:
    """Few vowels, and a list of three words of which one is familiar."""
    letters = tuple(
        replace(c, number=2 if c.letter in "AEIOU" else c.number + 1) for c in BOX.letters
    )
    game = build_game(
        replace(BOX, letters=letters), Lexicon([("CWM", 80), ("EAST", 10), ("SEAT", 70)])
    )
    for level in LEVELS:
        view = None
        dice = chance(1)
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


# -- easy -------------------------------------------------------------------------------


def test_a_beginner_draws_from_the_pile_and_lays_the_longest_word_first() -> None:
    driver = Driver(phase="draw", hands={ANN: "DATESXQ"}, manifests={ANN: "T14"})
    assert {Draw("pile", 2)} == choices(driver, level="easy")
    driver = Driver(hands={ANN: "DATESEAXQ"}, manifests={ANN: "T14"})
    assert [Form("DATES")] == turn(driver, level="easy")[:1]


def test_a_beginner_lets_words_grow_and_takes_up_what_is_spoilt() -> None:
    driver = Driver(hands={ANN: "TDXQZJV"}, manifests={ANN: "T14"}, words={ANN: ["EAST", "BOAT"]})
    (grow,), numbers = choices(driver, level="easy"), [word.number for word in driver.state.words]
    assert Rebuild((numbers[0],), ("TASTED",)) == grow
    driver.when(ANN, grow)
    assert {Rebuild((numbers[1],), ())} == choices(driver, level="easy")


def test_a_beginner_ends_the_round_with_a_few_words() -> None:
    for words, ends in ((["DATES"], Pass()), (["DATES", "OVER", "SEA"], EndRound())):
        driver = Driver(
            phase="close", hands={ANN: "XQZJVK*"}, manifests={ANN: "T14"},
            indicators={ANN: "B2"}, words={ANN: words},
        )  # fmt: skip
        assert {ends} == choices(driver, level="easy")


def test_a_beginner_discards_and_gives_what_fits_nothing() -> None:
    driver = Driver(phase="settle", hands={ANN: "DATESEAXQ"}, manifests={ANN: "T14"})
    assert {Discard(("Q", "X"))} >= {
        Discard(tuple(sorted(action.letters))) for action in choices(driver, level="easy")
    }
    driver = Driver(hands={ANN: "DATEOVQ", BOB: "SATZED*"}, manifests={BOB: "T14"})
    driver.when(ANN, Trade((Offer(BOB, "Q"),)))
    assert {Answer("Z")} == choices(driver, BOB, level="easy")


# -- how strong they are -------------------------------------------------------------------


def test_master_beats_easy() -> None:
    score = league(whole_game(), {"target": "100"}, 3, range(1, 9), "master", "easy")
    assert score.interval[0] > 0.45, (score.shares, score.interval)  # chance: 1 / 3


@pytest.mark.prove
def test_master_beats_two_easy_ones_in_a_hundred_games() -> None:
    score = league(whole_game(), {}, 3, range(1_001, 1_101), "master", "easy")
    low, high = score.interval
    print(f"n {score.games} 95 % {low:.3f} - {high:.3f} p99 {score.time_ms(0.99)} ms")
    assert low > 0.45
    assert score.time_ms(0.99) <= 40.0


@pytest.mark.parametrize(
    ("levels", "seeds", "why"),
    [
        (("easy",) * 2, 2, "end"),
        (("master",) * 2, 2, "end"),
        (("easy",) * 6, 1, "pile"),
        (("master",) * 6, 1, "pile"),
    ],
)
def test_rounds_of_two_end_by_the_card_and_those_of_six_by_the_pile(
    levels: tuple[str, ...], seeds: int, why: str
) -> None:
    """[W App. A]"""
    ends: Counter[str] = Counter()
    for seed in range(100, 100 + seeds):
        events = played(levels, seed).events
        ends.update(event.why for event in events if isinstance(event, RoundEnding))
    assert ends[why] > 0.55 * ends.total(), ends
