"""The simulation of the searching player does what the rules do, with the same draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from tests.bench.stand_ins import any_kind
from tests.variants.elimination.bots.positions import PACKS
from variants.contract import Seat
from variants.elimination.actions import ACTION_TYPES, Take
from variants.elimination.bots.ranks import rank_numbers
from variants.elimination.bots.sampling import Layout
from variants.elimination.bots.search import act
from variants.elimination.bots.simulation import Simulation
from variants.elimination.events import Cleared, Eliminated, Event, HandsShuffled, Passed
from variants.elimination.game import ELIMINATION
from variants.elimination.state import State
from variants.kit.chance import SeededChance


class SameDraws:
    """Answers what the rules drew in one decision; cards by their ranks."""

    def __init__(self, taken: int, events: Sequence[Event], number: Mapping[str, int]) -> None:
        self._taken = taken
        self._orders: list[list[int]] = []
        for event in events:
            order: list[str] = []
            match event:
                case HandsShuffled(_, hands):
                    order = [card for hand in hands for card in hand or ()]
                case Eliminated(deck=deck):
                    order = [*reversed(deck or ())]  # the simulation has the top last
                case Cleared(hand=hand, deck=deck):
                    order = [*reversed((*(hand or ()), *(deck or ())))]
                case _:
                    continue
            self._orders.append([number[card] for card in order])

    def below(self, n: int) -> int:
        return self._taken

    def shuffled(self, items: Any) -> Any:
        order = self._orders.pop(0)
        assert sorted(items) == sorted(order)
        return tuple(order)


def simulation_of(state: State) -> Simulation:
    """The simulation at *state*."""
    players = state.players
    layout = Layout(
        tuple(player.hand for player in players),
        tuple(player.marks for player in players),
        tuple(player.pairs for player in players),
        state.deck,
    )
    return Simulation(ELIMINATION.observe(state, state.turn), layout, SeededChance(b"unused"))


def what_is_so(world: Simulation) -> tuple[object, ...]:
    """Everything in a simulation, with the marks that still hold a card back."""
    hands = [
        [(rank, free_at if free_at > turns else 0) for rank, free_at in hand]
        for hand, turns in zip(world.hands, world.turns, strict=True)
    ]
    public = world.turn, world.asks, world.idle, world.ended, world.live
    return hands, world.pairs, world.triplets, world.deck, world.turns, world.is_in, *public


STUCK = {
    "turn": 3,
    "turns": {0: 2, 3: 4},
    "hands": {3: ["7S"]},
    "triplets": {1: [["9S", "9H", "9D"]], 2: [["8S", "8H", "8D"]]},
    "deck": [],
}
"""Where the first card that is given leaves its receiver without a move.  [ER-41]"""


def play_side_by_side(
    seed: int, seats: int, options: Mapping[str, str], position: Mapping[str, Any] | None = None
) -> Counter[str]:
    """One random game by the rules and in the simulation; what happened, by kind."""
    chance, random, met = SeededChance(f"{seed}".encode()), Random(seed), Counter[str]()
    state: Any = None
    begun = (
        ELIMINATION.deal(seats, options, chance)
        if position is None
        else ELIMINATION.arrange(seats, options, position, chance)
    )
    for event in begun:
        state = ELIMINATION.evolve(state, event)
    number, world = rank_numbers(state.pack), simulation_of(state)
    while not state.ended:
        seat = Seat(state.turn)
        view = ELIMINATION.observe(state, seat)
        action = any_kind(ELIMINATION.legal_actions(view), SeededChance(random.randbytes(8)))
        events = ELIMINATION.decide(state, seat, action, chance)
        taken = 0
        if isinstance(action, Take):
            taken = state.players[action.victim].hand.index(events[0].card)
        for event in events:
            state = ELIMINATION.evolve(state, event)
        world.chance = SameDraws(taken, events, number)
        act(world, view, action)
        assert what_is_so(world) == what_is_so(simulation_of(state)), (seed, action)
        met.update([type(action).__name__, *(type(event).__name__ for event in events)])
        met["decisions"] += 1
    return met


UNTIL = ("last", "half", "first")  # [ER-51]


def played(decisions: int) -> Counter[str]:
    met, seed = Counter[str](), 0
    while met["decisions"] < decisions:
        options = PACKS[seed % 3] | {"until": UNTIL[seed // 3 % 3]}
        met += play_side_by_side(seed, 2 + seed % 7, options)
        seed += 1
    return met


def test_the_simulation_does_what_the_rules_do() -> None:
    met = played(400)
    assert not [kind.__name__ for kind in ACTION_TYPES if not met[kind.__name__]]


@pytest.mark.prove
def test_the_simulation_does_what_the_rules_do_in_twenty_thousand_decisions() -> None:
    met = played(20_000) + play_side_by_side(1, 4, PACKS[0], STUCK)
    print(dict(met))
    kinds = (*ACTION_TYPES, Eliminated, Passed)
    assert not [kind.__name__ for kind in kinds if not met[kind.__name__]]
