"""What computer players of the word game do in a position."""

from __future__ import annotations

from functools import cache

from mudserver.bots.worker import choose_action
from tests.variants.driver import ANN
from tests.variants.words.driver import BOX, Driver, shipped_lexicon, words_game
from variants.contract import Seat
from variants.words.actions import Action
from variants.words.events import Event
from variants.words.game import WordGame, build_game

SEEDS = range(5)


@cache
def whole_game() -> WordGame:
    return build_game(BOX, shipped_lexicon())


def heard(events: list[Event], seat: Seat) -> list[Event]:
    return [words_game().redact(event, seat) for event in events]


def choices(driver: Driver, seat: Seat = ANN, level: str = "master") -> set[Action]:
    """What the player of *level* does here, over some seeds."""
    view, seen = driver.view(seat), heard(driver.past, seat)
    return {choose_action(whole_game(), level, view, seen, bytes([seed])) for seed in SEEDS}


def turn(driver: Driver, seat: Seat = ANN, level: str = "master") -> list[Action]:
    """What the player does until its turn is over, answers of others left out."""
    done: list[Action] = []
    number = driver.state.number
    while driver.state.number == number and driver.state.phase not in ("", "trade", "removal"):
        view, seen = driver.view(seat), heard(driver.past, seat)
        done.append(choose_action(whole_game(), level, view, seen, b"1"))
        driver.when(seat, done[-1])
    return done
