"""What is typed in elimination, by Ann in a rich position."""

from __future__ import annotations

from tests.variants.driver import ANN, BOB, CY
from tests.variants.elimination.driver import NAMES, Driver
from tests.variants.typed import Position, Typist
from variants.elimination.game import ELIMINATION

RICH = Driver(
    hands={ANN: ["7H", "10S", "AS", "AH", "joker", "2S"], BOB: ["K", "3"], CY: ["5"]},
    marks={ANN: {"2S": 3}},
    triplets={BOB: [["Q"] * 3]},
)
HANDS = {ANN: ["7S", "8H", "joker"], BOB: ["8S"]}
TYPIST = Typist(lambda: ELIMINATION, RICH, NAMES)
typed = TYPIST.typed
POSITIONS = {
    "": Position(
        Driver(seats=2, hands=HANDS),
        elsewhere=(
            "take a card",
            "take the card",
            "take a card from the table",
            "rob the hand",
            "take from hand",
            "force deck",
            "clear hand",
            "clear the deck",
            "draw from my hand",
        ),
    ),
    "next": Position(Driver(asks="next"), by_letter="bcd", asks_name=True),
}
