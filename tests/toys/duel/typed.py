"""What is typed in duel, by the first seat when the cards are dealt."""

from __future__ import annotations

from tests.conformance.play import folded
from tests.toys.duel.game import DUEL
from tests.variants.driver import ANN, NAMES, chance
from tests.variants.typed import Position, Typist

DEALT = DUEL.observe(folded(DUEL, DUEL.deal(2, {"rounds": "3"}, chance())), ANN)
TYPIST = Typist(lambda: DUEL, DEALT, NAMES)
POSITIONS = {"": Position(DEALT, elsewhere=("bid from the deck",))}
