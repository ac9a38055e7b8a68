"""Positions of the word game: a round in the middle, three seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pkgutil import get_data
from typing import Any

from tests.variants import driver
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.words.data.box import END_OF_ROUND, HAND_SIZE, parse_box, read_scenario_manifests
from variants.words.game import WordGame, build_game
from variants.words.lexicon.dictionary import dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.state import State

SEA_WORDS, FOAM_WORDS = "T14", "T12"
"""Manifests of the scenarios: SEA EAST DATES TASTED and OVER; FOAM FOAMS and HAD."""


TEXT = (get_data("variants.words", "data/box.json") or b"").decode()
BOX = parse_box(TEXT)


@cache
def shipped_lexicon() -> Lexicon:
    """That of the catalogue: read once a process, as is all that is made of it and kept."""
    (lexicon,) = CATALOGUE["words"].check.args
    return lexicon


@cache
def words_game() -> WordGame:
    return build_game(BOX, shipped_lexicon(), read_scenario_manifests(TEXT))


class Driver(driver.Driver):
    def __init__(self, seats: int = 3, **position: Any) -> None:
        super().__init__(words_game(), seats, **position)

    def hand(self, seat: Seat) -> str:
        """In order of arrival."""
        return "".join(self.state.players[seat].hand)

    def words(self, seat: Seat) -> list[str]:
        """In front of a seat, by number: `3 EAST`, `4 locked OVER`."""
        return [
            f"{word.number} {'locked ' if word.is_locked else ''}{word.spelling}"
            for word in self.state.words
            if word.owner == seat
        ]

    def discards(self) -> str:
        """Top first."""
        return "".join(reversed(self.state.discards))

    def asked(self) -> tuple[str, tuple[Seat, ...]]:
        """What is asked, and whom."""
        window = self.game.open_window(self.view())
        return self.state.phase, window.seats if window else ()


def assert_in_order(state: State, before: State | None) -> None:
    """What holds after every decision.  [G-19]"""
    game = words_game()
    placed = Counter(card for zone in game.zones(state).values() for card in zone)
    assert Counter(game.components({})) == placed
    words = dictionary(shipped_lexicon(), state.box, state.settings.level)
    assert all(words.is_word(word.spelling) for word in state.words)
    assert all(player.hand.count(END_OF_ROUND) <= 1 for player in state.players)
    if state.phase == "draw" and state.drawn == 0 and not state.tapped:
        ran_dry = not state.pile and not state.discards
        assert ran_dry or all(len(player.hand) == HAND_SIZE for player in state.players)
    if before is not None and before.round == state.round:
        assert {word for word in before.words if word.is_locked} <= set(state.words)


class Game(driver.Game):
    def __init__(self, seats: int, seed: int, **options: str) -> None:
        super().__init__(words_game(), seats, seed, **options)

    def next_to_act(self, views: Sequence[Any]) -> Any:
        return self.player.choice(views)
