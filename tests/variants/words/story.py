"""Given a position, when a seat acts, then these events: the word game in tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pkgutil import get_data
from random import Random
from typing import Any, TypeVar

from variants.contract import Chance, Seat
from variants.kit.chance import SeededChance
from variants.words.actions import Action
from variants.words.data.box import END_OF_ROUND, HAND_SIZE, parse_box, read_scenario_manifests
from variants.words.events import Event
from variants.words.game import WordGame, build_game
from variants.words.lexicon.dictionary import dictionary
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.word_list import parse_word_list
from variants.words.state import State
from variants.words.view import View

E = TypeVar("E")

ANN, BOB, CY, DEE = (Seat(seat) for seat in range(4))
SEA_WORDS, FOAM_WORDS = "T14", "T12"
"""Manifests of the scenarios: SEA EAST DATES TASTED and OVER; FOAM FOAMS and HAD."""


TEXT = (get_data("variants.words", "data/box.json") or b"").decode()
BOX = parse_box(TEXT)


@cache
def shipped_lexicon() -> Lexicon:
    """Read once a process: it takes a moment."""
    return parse_word_list(get_data("variants.words", "data/words.tsv.gz") or b"")[0]


@cache
def words_game() -> WordGame:
    return build_game(BOX, shipped_lexicon(), read_scenario_manifests(TEXT))


def chance(seed: int = 1) -> SeededChance:
    return SeededChance(seed.to_bytes(32, "big"))


class Story:
    """A round in the middle.  Zones of *position* as in `arrange`; Ann, Bob and Cy, Ann to play."""

    def __init__(self, seats: int = 3, **position: Any) -> None:
        options = position.pop("options", {})
        self.game = words_game()
        self.past: list[Event] = list(self.game.arrange(seats, options, position, chance()))

    @property
    def state(self) -> State:
        return folded(self.past)

    def view(self, seat: Seat | None = None) -> View:
        return self.game.observe(self.state, seat)

    def when(self, seat: Seat, *actions: Action, by: Chance | None = None) -> list[Event]:
        """What follows from the last of these; the story goes on from there."""
        events: list[Event] = []
        for action in actions:
            events = list(self.game.decide(self.state, seat, action, by or chance()))
            self.past += events
        return events

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


def folded(events: Sequence[Event]) -> State:
    state: State | None = None
    for event in events:
        state = words_game().evolve(state, event)
    assert state is not None
    return state


def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


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


class Game:
    """A whole game by seeded random play: a kind of play first, then one of that kind."""

    def __init__(self, seats: int, seed: int, **options: str) -> None:
        self.game = words_game()
        self.chance, self.player = chance(seed), Random(seed)
        self.events: list[Event] = list(self.game.deal(seats, options, self.chance))
        self.state = folded(self.events)
        self.last = self.events
        self.decisions = 0

    @property
    def is_over(self) -> bool:
        return bool(self.state.ended)

    def step(self) -> State:
        """One decision of one of those who owe one."""
        game, state = self.game, self.state
        window = game.open_window(game.observe(state, None))
        assert window is not None and game.may_act is not None
        views = [game.observe(state, seat) for seat in window.seats]
        view = self.player.choice([view for view in views if game.may_act(view)])
        actions = game.legal_actions(view)
        kind = self.player.choice(sorted({type(action).__name__ for action in actions}))
        action = self.player.choice([a for a in actions if type(a).__name__ == kind])
        assert view.seat is not None
        self.last = list(game.decide(state, view.seat, action, self.chance))
        for event in self.last:
            self.state = game.evolve(self.state, event)
        self.events += self.last
        self.decisions += 1
        return self.state
