"""The golden games come out as they were reviewed, and no game is without its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.games import TESTS
from tests.variants.playthrough import golden, golden_games

GAMES = list(golden_games())
IDS = [f"{path.parents[1].name}-{path.stem}" for path, *_ in GAMES]


@pytest.mark.parametrize(
    ("path", "game"), [(p, g) for p, *g in GAMES], ids=lambda x: getattr(x, "stem", "")
)
def test_a_golden_game_is_played_as_it_was_reviewed(path: Path, game: list[Any]) -> None:
    reviewed = path.read_text(encoding="utf-8").splitlines()
    assert reviewed == golden(*game).splitlines(), AGAIN


AGAIN = "If this is wanted: python -m tests.variants.playthrough --write, and read the diff."


def test_every_golden_game_belongs_to_a_game_of_today() -> None:
    assert sorted(path for path, *_ in GAMES) == sorted(TESTS.glob("*/*/playthroughs/*.txt"))
