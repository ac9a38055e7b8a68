"""A game is added in one place: nothing that all games run through names one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conformance.settings import settings
from tests.games import TESTS, TOYS, folder_of, games, profile_of
from variants.catalogue import CATALOGUE

SHARED = sorted(
    [
        *({*(TESTS / "conformance").glob("*.py")} - {Path(__file__)}),
        *(TESTS / "games.py", TESTS / "programs.py", TESTS / "bench" / "league.py"),
        *(TESTS / "variants" / f"{name}.py" for name in ("playthrough", "rulings")),
        *(
            TESTS / "variants" / f"test_{name}.py"
            for name in ("playthroughs", "rulings_covered", "typing_laws")
        ),
        *(TESTS / "secrets" / f"{name}.py" for name in ("behaviour", "script", "test_silence")),
    ]
)
"""What runs over all games."""


def names_in(path: Path) -> set[str]:
    """The games that a file imports from, or whose name it says."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Import):
            found |= {part for alias in node.names for part in alias.name.split(".")}
        elif isinstance(node, ast.ImportFrom):
            found |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
    return found & games().keys()


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_what_all_games_run_through_names_no_game(path):
    assert set() == names_in(path)


def test_a_file_that_names_a_game_is_found():
    assert {"stockpile"} == names_in(TESTS / "variants" / "stockpile" / "driver.py")
    assert {"duel"} == names_in(TESTS / "toys" / "duel" / "conformance.py")


def test_a_toy_that_no_list_holds_runs_through_every_proof():
    assert ("duel",) == TOYS and "duel" not in CATALOGUE
    assert {*CATALOGUE, *TOYS} == {setting.variant.name for setting in settings()}
    files = {path.name for path in folder_of("duel").iterdir() if not path.name.startswith("_")}
    assert {"game.py", "conformance.py", "knowledge.py", "typed.py", "playthroughs"} == files


def test_a_game_of_which_nothing_is_declared_fails():
    with pytest.raises(AssertionError, match=r"chess: .* declared nowhere"):
        profile_of("chess")


@pytest.mark.parametrize("name", games())
def test_every_game_has_leaks_of_its_own_to_be_found(name):
    profile = profile_of(name)
    assert profile.mutants and profile.rule_mutants
