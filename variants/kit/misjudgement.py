"""Players that judge well and choose badly: a draw is added to what each action is worth.

Rule 1: the draws come from the decision's own chance, four for each action in the order given, so
        the same question with the same seed has the same answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from variants.contract import Chance

A = TypeVar("A")

PARTS = 4  # uniform draws that are added up: nearly a normal distribution
PART_MAX = 1_000  # of one of them


def misjudged_best(worths: Sequence[tuple[float, A]], spread: float, chance: Chance) -> A:
    """The action that seems worth most; of equals the first.

    Args:
        worths: (worth, action), at least one.
        spread: Standard deviation of what is added to each worth, in its unit.
    """
    seeming = [worth + spread * _deviation(chance) for worth, _ in worths]
    return worths[seeming.index(max(seeming))][1]


def _deviation(chance: Chance) -> float:
    """A draw with mean 0 and standard deviation 1."""
    drawn = sum(chance.below(PART_MAX + 1) for _ in range(PARTS))
    return math.sqrt(12 / PARTS) * (drawn - PARTS * PART_MAX / 2) / PART_MAX
