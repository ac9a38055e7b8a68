"""How every seat plays in a playout: simply, at once, and with luck of its own.

Rule 1: the luck of a playout follows from its seed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from variants.elimination.bots.ranks import LOCKABLE, PAIR, SINGLE
from variants.elimination.bots.simulation import HeldCard, Simulation

T = TypeVar("T")

FORCES = (4, 5)  # how often a card is forced where another is free to be given
TRIPLET_WEIGHT = 3  # how much likelier a triplet makes a seat the one that is forced


class QuickChance:
    """A linear congruential generator: uniform enough for playouts, and nothing is logged.

    Source: D. E. Knuth, MMIX; the upper bits are used.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, n: int) -> int:
        self._state = self._state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 32) * n >> 32

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        mixed = list(items)
        for i in range(len(mixed) - 1, 0, -1):
            j = self.below(i + 1)
            mixed[i], mixed[j] = mixed[j], mixed[i]
        return tuple(mixed)


def play_turn(world: Simulation) -> None:
    """Decide for the seat that is asked."""
    below = world.chance.below
    if world.asks == "next":
        named = world.candidates()
        world.start_turn(named[below(len(named))])
        return
    seat = world.turn
    hand, turns, others = world.hands[seat], world.turns[seat], world.others(seat)
    free = [place for place, card in enumerate(hand) if card[1] <= turns]
    if kill := _kill(world, hand, free, others):
        world.give(*kill)
    elif world.triplets[seat] and any(world.clear_kinds(seat)):
        _clear(world, seat)
    elif world.deck and (not free or below(FORCES[1]) < FORCES[0]):
        world.force(_forced(world, others))
    elif free:
        harmless = [place for place in free if hand[place][0] not in (PAIR, SINGLE)] or free
        world.give(harmless[below(len(harmless))], others[below(len(others))])
    elif victims := [other for other in others if world.hands[other]]:
        if hand or len(victims) > 1:
            world.shuffle()
        else:
            world.take(victims[0])
    else:
        _clear(world, seat)  # whoever could do nothing would have passed


def _kill(
    world: Simulation, hand: list[HeldCard], free: list[int], others: list[int]
) -> tuple[int, int] | None:
    """(place, seat): a card that may be given and eliminates."""
    for place in free:
        rank = hand[place][0]
        if rank < LOCKABLE:
            for other in others:
                if world.triplets[other] >> rank & 1:
                    return place, other
    return None


def _clear(world: Simulation, seat: int) -> None:
    """With a single card rather than with two."""
    has_single, _ = world.clear_kinds(seat)
    world.clear(is_pair=not has_single)


def _forced(world: Simulation, others: list[int]) -> int:
    """Any seat, rather one with triplets."""
    weights = [1 + TRIPLET_WEIGHT * world.triplets[other].bit_count() for other in others]
    at = world.chance.below(sum(weights))
    for other, weight in zip(others, weights, strict=True):
        at -= weight
        if at < 0:
            return other
    raise AssertionError("below(total) is below the total")
