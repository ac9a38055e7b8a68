"""Advice of every shipped game: at most ten, short, each for a decision that the game has."""

from __future__ import annotations

from typing import Any

import pytest

from variants.catalogue import CATALOGUE
from variants.kit.tips import TIPS_MAX

WORDS_MAX = 20  # of a sentence


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_game_has_a_few_short_tips_for_decisions_that_it_has(name: str) -> None:
    game: Any = CATALOGUE[name]
    assert 0 < len(game.tips) <= TIPS_MAX
    assert len({tip.text for tip in game.tips}) == len(game.tips)
    for tip in game.tips:
        assert tip.clock_name in ("", *game.default_clocks_s), tip
        assert tip.text.endswith("."), tip
        sentences = tip.text.replace("?", ".").replace(": ", ". ").split(". ")
        assert max(len(sentence.split()) for sentence in sentences) <= WORDS_MAX, tip
