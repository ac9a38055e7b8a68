"""The games that tests run over, found by their folders.

Rule 1: a game of the catalogue has its tests in `tests/variants/GAME/`; a toy game is a folder of
        `tests/toys/` with `game.py`.  Nothing else lists them.
Rule 2: what the shared tests cannot guess of a game is `PROFILE` in `conformance.py` of that
        folder.  It is imported when it is first needed, since it needs the shared tests itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from variants.catalogue import CATALOGUE
from variants.contract import Variant

AnyVariant = Variant[Any, Any, Any, Any]
Mutation = Callable[[AnyVariant], AnyVariant]
Options = Mapping[str, str]
TESTS = Path(__file__).parent
TOYS = tuple(sorted(path.parent.name for path in (TESTS / "toys").glob("*/conformance.py")))


def as_written(text: str) -> str:
    """`rewrite` of a game that says everything in the same words in all styles."""
    return text


@dataclass(frozen=True, kw_only=True)
class Profile:
    """What only the author of a game knows."""

    knowledge: Any  # what a seat may know: a module, as `tests.conformance.knowledge.Knowledge`
    mutants: tuple[Mutation, ...]  # holes in its secrets
    rule_mutants: tuple[Mutation, ...] = ()  # holes in `deal` and `decide`
    on_demand: tuple[Mutation, ...] = ()  # holes in what somebody has to ask for
    rigged: tuple[
        Any, ...
    ] = ()  # deals that bring a rare secret about: `conformance.rigged.Rigged`
    rewrite: Callable[[str], str] = as_written
    """Turns the words that styles have of their own for one fact into one of them; also drops
    wording that is no fact."""
    golden_scenarios: int = 0  # how many its rules name
    brief: Options = field(default_factory=dict)
    """Of a long game: options that make it short, where more of it would prove nothing more."""
    one_round: Options = field(
        default_factory=dict
    )  # of a game that goes on for rounds: options for one
    shortest: Options = field(
        default_factory=dict
    )  # options under which a whole server plays it in a test
    slow: Options = field(default_factory=dict)  # options under which a deal takes long
    is_sealed: bool = False  # whether several answer in secret
    bench_seats: int = 4


@cache
def games() -> Mapping[str, AnyVariant]:
    """All by name: those of the catalogue, then the toys."""
    toys = {name: import_module(f"tests.toys.{name}.game").VARIANT for name in TOYS}
    return {**CATALOGUE, **toys}


def folder_of(name: str) -> Path:
    """Where the tests of a game stand."""
    return TESTS / ("toys" if name in TOYS else "variants") / name


def profile_of(name: str) -> Profile:
    """What its author declares.

    Raises:
        AssertionError: Nobody has declared anything: silence proves nothing.
    """
    path = folder_of(name) / "conformance.py"
    assert path.exists(), f"{name}: what its seats may know is declared nowhere, in {path}"
    profile: Profile = _module(path).PROFILE
    return profile


def typed_of(name: str) -> ModuleType:
    """`typed.py` of a game: its `TYPIST`, and the `POSITIONS` in which lines are typed."""
    (path,) = folder_of(name).rglob("typed.py")
    return _module(path)


def _module(path: Path) -> ModuleType:
    return import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))
