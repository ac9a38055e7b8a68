"""What is typed in the stockpile game, by Ann in a rich position."""

from __future__ import annotations

from dataclasses import replace

from tests.variants.driver import ANN, BOB, CY
from tests.variants.stockpile.driver import STOCKPILE, Driver
from tests.variants.typed import Position, Typist
from variants.stockpile.actions import Draw

NAMES = ("Ann", "Bob", "Cy", "Dee")
HAND = ["Loot Food", "Nice Try!", "Stock Up 2", "Trading Station", "Location Switch", "Swap Shop",
        "Self-Isolation", "Nosey Neighbour"]  # fmt: skip
RICH = Driver(
    hands={ANN: HAND, BOB: ["Reflection"]},
    stockpiles={ANN: ["T1", "F2", "P2"], BOB: ["F3", "F4", "T1", "T1"], CY: ["T2", "P3", "F3"]},
    locations={BOB: "outdoor"},
)
TYPIST = Typist(lambda: STOCKPILE, RICH, NAMES)
typed, offered, refused = TYPIST.typed, TYPIST.offered, TYPIST.refused
asked_back, not_understood = TYPIST.asked_back, TYPIST.not_understood


def attacked(line: str, *hand: str) -> Driver:
    driver = Driver(
        hands={
            ANN: [
                "Loot Food",
                "Trading Station",
                "Location Switch",
                "Nosey Neighbour",
                "Nice Try!",
            ],
            BOB: hand or ("Reflection", "Nice Try!"),
        },
        stockpiles={ANN: ["F1", "T1"], BOB: ["F3", "T2"], CY: ["F2", "F4", "P3"]},
        locations={BOB: "outdoor", CY: "outdoor"},
    )
    driver.when(ANN, typed(line, driver))
    return driver


def robbed() -> Driver:
    driver = Driver(stockpiles={ANN: ["F1", "F3", "T1"]}, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    assert ("give up", ANN) == driver.asked()
    return driver


POSITIONS = {
    "": Position(RICH, elsewhere=("draw from the discard pile",)),
    "final": Position(replace(RICH.view(ANN), supplies=0)),
    "reaction": Position(attacked("loot bob"), BOB, by_letter="n", is_response=True),
    "give up": Position(robbed()),
}
