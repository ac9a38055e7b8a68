"""The table options of this game, and the numbers that rules read from them.  [G-15]

Rule 1: an option that is not named has its default.
Rule 2: values come checked, each one of an option's choices.
"""

from __future__ import annotations

from collections.abc import Mapping

from variants.contract import Option
from variants.words.events import Settings

OFF = "off"
ROUNDS_MAX = 100
STANDARD, FRESH = "standard", "fresh"

OPTIONS = (
    Option(
        "target",
        "200",
        (),
        "points that win; 150 suits five players, 100 suits six",
        range(50, 501),
    ),  # [WR-55]
    Option(
        "level",
        "80",
        ("80", "70", "60"),
        "words that are accepted: 80 all, 70 as in most dictionaries, 60 those of family games",
    ),  # [WR-02]
    Option(
        "max_rounds",
        "25",
        (),
        "rounds at most; then the highest total wins",
        range(1, ROUNDS_MAX + 1),
    ),  # [WR-56]
    Option(
        "hints",
        "50",
        (OFF, "35", "50", "60", "80"),
        "how rare the words are that `words` shows: 35 common ones, 80 all; or off",
    ),
    Option(
        "manifests",
        STANDARD,
        (STANDARD, FRESH),
        "standard: the cards in the box; fresh: others, made for this game",
    ),  # [WR-10]
)


def settings(options: Mapping[str, str]) -> Settings:
    """The numbers of these options."""
    chosen = {option.name: option.default for option in OPTIONS} | dict(options)
    hints = chosen["hints"]
    return Settings(
        target=int(chosen["target"]),
        level=int(chosen["level"]),
        rounds=int(chosen["max_rounds"]),
        hints=0 if hints == OFF else int(hints),
    )
