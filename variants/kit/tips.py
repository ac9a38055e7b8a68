"""Advice for players, as a game's `tips.toml` holds it.

Rule 1: a game has at most ten, each for the decision that it fits, or for any.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pkgutil import get_data

TIPS_MAX = 10


@dataclass(frozen=True, slots=True)
class Tip:
    text: str  # one or two sentences
    clock_name: str = ""  # of the decision that it fits (`Variant.default_clocks_s`); "": any


def shipped_tips(package: str) -> tuple[Tip, ...]:
    """Those of `tips.toml` in the package of a game."""
    data = get_data(package, "tips.toml")
    assert data is not None, f"{package} has no tips.toml"
    rows = tomllib.loads(data.decode())["tip"]
    return tuple([Tip(row["text"], row["for"]) for row in rows])
