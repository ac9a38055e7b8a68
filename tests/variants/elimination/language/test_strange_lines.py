"""What is offered for a line that holds no word of the game."""

from __future__ import annotations

import pytest

from variants.contract import Refusal, Seat
from variants.elimination.game import ELIMINATION
from variants.kit.chance import SeededChance

NAMES = ("Ann", "guest1")


def offered(line: str, seed: int) -> str:
    """What is said of the line to who is asked first."""
    chance = SeededChance(seed.to_bytes(32, "big"))
    options = {option.name: option.default for option in ELIMINATION.options}
    state = None
    for event in ELIMINATION.deal(2, options, chance):
        state = ELIMINATION.evolve(state, event)
    window = ELIMINATION.open_window(ELIMINATION.observe(state, None))
    assert state is not None and window is not None
    view = ELIMINATION.observe(state, Seat(window.seats[0]))
    with pytest.raises(Refusal) as refused:
        ELIMINATION.parse(line, view, NAMES)
    return refused.value.format(NAMES)


def test_numbers_behind_a_word_that_is_no_command_suggest_no_move():
    said = {offered(f"xyzzy {one} {two}", 3) for one in (1, 2) for two in range(2, 11)}
    assert not [text for text in said if "Did you mean" in text]


def test_numbers_behind_a_word_that_is_nearly_a_command_do():
    said = {offered(f"giev {one} {two}", 3) for one in (1, 2) for two in range(2, 11)}
    assert [text for text in said if "Did you mean" in text or "give" in text]
