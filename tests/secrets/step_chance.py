"""Chance for twins of a whole server: answers by the number of the step, not by the seed alone.

Rule 1: `position` counts steps (0 the deal, 1 the first decision), so that a twin and its world
        ask at the same places, also after a restart.
Rule 2: the seed that the table draws, commits to and tells is the same in world and twin; only
        the answers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeVar

from variants.kit.chance import Draw, ScriptedChance, SeededChance

T = TypeVar("T")


class StepChance:
    """The answers of one step."""

    def __init__(self, seed: bytes, step: int, script: Sequence[Sequence[Draw]]) -> None:
        self.position = step + 1
        own = SeededChance(sha256(seed + step.to_bytes(4, "big")).digest())
        self._answers = ScriptedChance(script[step]) if step < len(script) else own

    @property
    def draws(self) -> list[Draw]:
        return self._answers.draws

    def below(self, n: int) -> int:
        return self._answers.below(n)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        return self._answers.shuffled(items)


def step_chance(script: Sequence[Sequence[Draw]] = ()) -> Callable[[bytes, int], StepChance]:
    """What a world's `make_chance` is: *script* first, by step, then the seed."""
    return lambda seed, position: StepChance(seed, position, script)
