"""Where a typed line goes: to the house or to the game at the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import mudserver.commands.interpreter  # noqa: F401  (declares the verbs)
from mudserver.commands.declare import VERBS
from variants.catalogue import CATALOGUE
from variants.contract import Variant
from variants.kit.chance import SeededChance

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Finn", "Gus", "Hal")


def first_words(variant: Variant[Any, Any, Any, Any]) -> set[str]:
    """Of everything that `moves` lists in some random games."""
    words: set[str] = set()
    options = {option.name: option.default for option in variant.options}
    for number in range(6):
        random, chance = Random(number), SeededChance(bytes([number]) * 32)
        state: Any = None
        events = variant.deal(variant.seats[0] + number % 3, options, chance)
        for _ in range(60):
            for event in events:
                state = variant.evolve(state, event)
            window = variant.asked(variant.observe(state, None))
            if window is None:
                break
            seat = window.seats[0]
            view = variant.observe(state, seat)
            actions = variant.legal_actions(view)
            words |= {variant.phrase(action, view, NAMES).split()[0] for action in actions}
            events = variant.decide(state, seat, random.choice(actions), chance)
    return words


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda v: v.name)
def test_a_play_whose_first_word_is_also_a_house_verb_reaches_the_game(
    variant: Variant[Any, Any, Any, Any],
) -> None:
    words = first_words(variant)
    assert len(words) > 1
    lost = {word for word in words if word in VERBS and word not in variant.verbs}
    assert set() == lost, "moves lists what the house would take for itself"
