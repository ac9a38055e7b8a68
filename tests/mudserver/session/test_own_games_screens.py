"""What stands on terminals of somebody with games by correspondence and an adjourned one, as text
files to look at: the lobby after a login, and what the lists of one's games say.

python -m tests.mudserver.session.test_own_games_screens     writes them anew
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.pictures.own_games import seen
from tests.simulation import virtual

FOLDER = Path(__file__).parent / "own_games_screens"
SCREEN, LISTS = ("screen on",), ("go", "lobby", "games")
SCENES: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "screen-80x24": (80, 24, SCREEN),
    "screen-40x24": (40, 24, SCREEN),
    "lines-80": (80, 100, LISTS),
    "lines-40": (40, 100, LISTS),
    "aloud": (80, 100, LISTS),
}


@cache
def screen(name: str) -> str:
    emulator = virtual.run(seen(*SCENES[name], is_aloud=name == "aloud"))
    return "\n".join([row.rstrip() for row in emulator.rows]).strip("\n") + "\n"


@pytest.mark.parametrize("name", SCENES)
def test_the_screens_are_those_of_the_files(name):
    assert (FOLDER / f"{name}.txt").read_text("utf-8") == screen(name)


@pytest.mark.parametrize("name", SCENES)
def test_no_row_is_wider_than_its_terminal(name):
    assert all(len(row) <= SCENES[name][0] for row in screen(name).splitlines())


def test_no_file_is_left_of_a_screen_that_there_is_no_more():
    assert set(SCENES) == {path.stem for path in FOLDER.glob("*.txt")}


if __name__ == "__main__":
    for file in SCENES:
        (FOLDER / f"{file}.txt").write_text(screen(file), "utf-8")
