"""What is typed in the word game, by Ann in several positions."""

from __future__ import annotations

from dataclasses import replace

from tests.variants.driver import ANN, BOB, CY
from tests.variants.typed import Position, Typist
from tests.variants.words.driver import words_game
from tests.variants.words.views import SeatView, view, word

NAMES = ("Ann", "Bob", "Cleo", "Dee", "Eve", "Fay")
RICH = view(
    hand=tuple("DTGOBKES*"),
    words=(
        word(1, ANN, "EAST"), word(2, BOB, "THUMB"), word(3, BOB, "EAST"), word(4, CY, "OAT"),
        word(5, CY, "", locked=4), word(6, ANN, "FOAMS"), word(7, ANN, "NOTE"),
        word(8, ANN, "OVER", locked=4), word(9, CY, "DATED"),
    ),
)  # fmt: skip
"""Ann to play; EAST lies twice, in front of her and of Bob."""
REMOVAL = view(
    phase="removal", turn=BOB, removers=(ANN, BOB), missing=2,
    words=(word(1, ANN, "BEAST"), word(2, ANN, "FOAMS"), word(3, BOB, "EAST"),
           word(4, ANN, "OAT")),
)  # fmt: skip
DRAW = replace(RICH, phase="draw")
OVER = replace(RICH, phase="settle", seats=(SeatView(9, 0),) * 3)
UNDER = replace(RICH, phase="settle", seats=(SeatView(4, 0),) * 3, hand=tuple("DTG*"))
TRADE = replace(RICH, phase="trade", turn=BOB, partners=(ANN, CY), missing=2)
CLOSE = replace(RICH, phase="close")
TYPIST = Typist(words_game, RICH, NAMES)
typed, offered, refused, meant = TYPIST.typed, TYPIST.offered, TYPIST.refused, TYPIST.meant
asked_back, not_understood = TYPIST.asked_back, TYPIST.not_understood
POSITIONS = {
    "": Position(RICH),
    "of one": Position(
        replace(RICH, words=(word(1, ANN, "EAST"),), seats=RICH.seats[:2]),
        elsewhere=("take from hand", "lock hand", "take a card from the deck"),
    ),
    "draw": Position(DRAW, elsewhere=("draw from my hand",)),
    "close": Position(CLOSE, by_letter="n"),
    "trade": Position(replace(TRADE, hand=tuple("ABC")), by_letter="abc"),
    "removal": Position(REMOVAL, by_letter="n"),
}
