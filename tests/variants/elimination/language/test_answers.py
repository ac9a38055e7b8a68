"""What can be asked at a table of elimination."""

from __future__ import annotations

from tests.variants.driver import ANN, BOB
from tests.variants.elimination.driver import ELIMINATION, NAMES, Driver
from variants.elimination.view import View
from variants.kit.text import Style, plain_text


def asked(line: str, view: View) -> list[str]:
    rows = ELIMINATION.answer(line, view, (), NAMES, Style(80, is_linear=True))
    return [plain_text(row) for row in rows]


def test_the_table_in_pieces():
    driver = Driver(
        hands={0: ["KH", "*1"], 1: ["4C"]},
        pairs={0: [["7C", "7D"]]},
        triplets={1: [["9C", "9D", "9H"]]},
        marks={0: {"KH": 2}},
        turns=dict.fromkeys(range(4), 1),
    )
    view = driver.view(ANN)
    assert [
        "Your hand: king of hearts, joker",
        "not yet: king of hearts (this turn)",
        "Your pairs: two 7s of clubs and diamonds",
    ] == asked("hand", view)
    assert ["Bob: 1 card, three 9s, 1 turn"] == asked("table bob", view)
    assert ["Your triplets: three 9s"] == asked("hand", driver.view(BOB))[-1:]
    assert ["The deck has 46 cards.", "Nothing lies Outside."] == asked("piles", view)
