"""Positions of elimination: four seats, the pack of 54."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.variants import driver
from variants.elimination.game import ELIMINATION

NAMES = driver.NAMES[:4]

DECK_54: Mapping[str, str] = {"deck": "54", "twos_as_aces": "off"}
DECK_50: Mapping[str, str] = {"deck": "50", "twos_as_aces": "off"}
TWOS: Mapping[str, str] = {"deck": "50", "twos_as_aces": "on"}


class Driver(driver.Driver):
    def __init__(
        self, seats: int = 4, options: Mapping[str, str] = DECK_54, **position: Any
    ) -> None:
        super().__init__(ELIMINATION, seats, options, **position)
