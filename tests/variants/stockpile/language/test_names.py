"""Names of people in what is typed and offered, and phrases that are read as what they say."""

from __future__ import annotations

from random import Random

import pytest

from tests.slow_cases import slow_cases
from tests.variants.driver import ANN, BOB, CY, DEE, Game
from tests.variants.stockpile.driver import STOCKPILE, Driver
from tests.variants.stockpile.language.typed import NAMES, RICH, asked_back, offered, typed
from variants.stockpile.actions import (
    Discard,
    Draw,
    End,
    GiveUp,
    Isolate,
    NiceTry,
    Nosey,
    Pass,
    Stock,
    Swap,
    Switch,
)

# -- whatever people are called --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "names", "action"),
    [
        ("loot food 3", ("Ann", "Food", "Cy"), "loot food food 3"),
        ("loot food food 3", ("Ann", "Food", "Cy"), "loot food food 3"),
        ("switch pass", ("Ann", "Pass", "Cy"), "switch pass"),
        ("pass", ("Ann", "Pass", "Cy"), "pass"),
        ("switch 3", ("Ann", "3", "Cy"), "switch 3"),
        ("loot food 3 4", ("Ann", "3", "Cy"), "loot food 3 4"),
        ("loot 4 3", ("Ann", "3", "4"), "loot food 4 3"),
        ("trade for t1 for f4", ("Ann", "For", "Cy"), "trade for paper 1 for food 4"),
        ("loot paper 3", ("Ann", "Cy", "Paper"), "loot food paper 3"),
        ("switch food", ("Food", "Bob", "Cy"), "switch food"),
    ],
)
def test_the_name_of_a_player_wins_over_words(line, names, action):
    assert action == offered(line, names=names)


def test_a_letter_that_is_short_for_a_kind_and_begins_a_name_is_asked_back():
    driver = Driver(hands={ANN: ["Loot Any Supply"]}, stockpiles={BOB: ["T2"], CY: ["F2"]})
    asked = asked_back("loot t 2", driver, ("Ann", "Bob", "Tom"))
    assert "Type loot any tom food 2 or loot any bob paper 2." in asked


STRANGE = (
    "food", "paper", "for", "my", "seat", "1", "2", "3", "any", "pass", "play", "toilet", "Bob",
    "bob", "the", "from", "to", "prevention", "infection", "f3", "t1", "me", "lowest", "up", "no",
    "and", "station", "switch", "their", "own", "without", "draw", "loot", "Computer 1",
    "Computer 12", "bobby", "bo", "p", "f", "tp", "all", "supply", "one", "in", "a",
)  # fmt: skip


@pytest.mark.parametrize("seed", slow_cases(range(60), map(str, range(20, 60))))
def test_what_is_offered_can_be_typed_whatever_people_are_called(seed):
    """No two plays are written alike, and each is read as itself."""
    players, pick = 2 + seed % 3, Random(seed)
    game = Game(STOCKPILE, players, seed)
    while not game.is_over:
        names = tuple([pick.choice(STRANGE) for _ in range(players)])
        view = STOCKPILE.observe(game.state, game.state.asked)
        actions = STOCKPILE.legal_actions(view)
        lines = [STOCKPILE.phrase(action, view, names) for action in actions]
        assert len(set(lines)) == len(lines)
        for at in pick.sample(range(len(lines)), min(len(lines), 20)):
            assert actions[at] == STOCKPILE.parse(lines[at], view, names), (lines[at], names)
        game.step()


def test_every_kind_of_play_has_a_phrase_of_its_own():
    kinds = {Discard: "I21", NiceTry: "I21", Isolate: "I29", Stock: "O12", GiveUp: "S01"}
    lines = {STOCKPILE.phrase(kind(card), RICH.view(ANN), NAMES) for kind, card in kinds.items()}
    lines |= {STOCKPILE.phrase(kind(), RICH.view(ANN), NAMES) for kind in (Draw, End, Pass)}
    lines |= {
        STOCKPILE.phrase(action, RICH.view(ANN), NAMES)
        for action in (Switch("O33", BOB), Nosey("I31", BOB, "Food"), Swap("I34", "I21", False))
    }
    assert lines == {
        "discard nice try", "nice try", "isolate", "stock up 1", "give up food 1", "draw", "end",
        "pass", "switch bob", "nosey bob food", "swap nice try without drawing",
    }  # fmt: skip


@pytest.mark.parametrize("word", ["l", "m", "h", "w", "q", "look", "moves", "help", "who", "say"])
def test_no_verb_is_a_word_that_the_server_needs(word):
    assert word not in STOCKPILE.verbs


def test_four_players_are_named_as_they_sit():
    driver = Driver(4, hands={ANN: ["Location Switch"]})
    assert Switch(driver.held(ANN, "Location Switch"), DEE) == typed("switch d", driver)
    assert Switch(driver.held(ANN, "Location Switch"), CY) == typed("switch seat 3", driver)
