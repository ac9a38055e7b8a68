"""What every proof is repeated over: all games, with numbers of seats and sets of options.

Rule 1: a new game is in every proof as soon as it is found (`tests/games.py`).
Rule 2: of a game with many options each set meets some number of seats, so that the proofs end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from tests.games import AnyVariant, games, profile_of
from variants.contract import Refusal

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal")
"""What seats are called in every proof.  No two begin alike, so abbreviations stay unique."""


@dataclass(frozen=True)
class Setting:
    """A variant with a number of seats and one set of options: what a proof is repeated over."""

    variant: AnyVariant
    seats: int
    options: Mapping[str, str]

    @property
    def label(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.variant.name}-{self.seats}-{chosen or 'plain'}"

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.seats]


COMBINATIONS_MAX = 12  # of option values; of more, each value is tried beside the defaults
SETTINGS_MAX = 24  # of one variant; of more, each set of options meets some number of seats


def usual(variant: AnyVariant) -> dict[str, str]:
    """The defaults, but of a short game."""
    defaults = {option.name: option.default for option in variant.options}
    return defaults | dict(profile_of(variant.name).brief)


def option_sets(variant: AnyVariant) -> list[dict[str, str]]:
    """Combinations of option values that the variant accepts: all, in the order of its options.

    Of numbers, and where there are many combinations, a sample: the usual ones first.
    """
    names = [option.name for option in variant.options]
    brief, most_usual = profile_of(variant.name).brief, usual(variant)
    samples = [
        (brief[option.name],) if option.name in brief else option.samples
        for option in variant.options
    ]
    combinations = [dict(zip(names, values, strict=True)) for values in product(*samples)]
    if len(combinations) > COMBINATIONS_MAX:
        combinations = [most_usual] + [
            most_usual | {name: value}
            for name, values in zip(names, samples, strict=True)
            for value in values
            if value != most_usual[name]
        ]
    accepted = []
    for chosen in combinations:
        try:
            variant.check_options(chosen)
        except Refusal:
            continue
        accepted.append(chosen)
    return accepted


def settings(*, seats: Sequence[int] | None = None) -> list[Setting]:
    """Games x seats x option sets; *seats* keeps only those numbers of seats."""
    return [
        setting
        for variant in games().values()
        for setting in settings_of(variant)
        if seats is None or setting.seats in seats
    ]


def quick_settings(*, seats: Sequence[int] | None = None) -> list[Setting]:
    """Without those that deal slowly, since twins have to deal again and again."""
    return [
        setting
        for setting in settings(seats=seats)
        if not profile_of(setting.variant.name).slow.items() & setting.options.items()
    ]


def settings_of(variant: AnyVariant) -> list[Setting]:
    """All settings of one variant; where they are many, a sample: each number of seats and each
    set of options occurs."""
    numbers, sets = list(variant.seats), option_sets(variant)
    pairs = [
        (number, options)
        for number in numbers
        for options in sets
        if fits(variant, number, options)
    ]
    if len(pairs) > SETTINGS_MAX:
        is_long = bool(profile_of(variant.name).brief)
        most = max(len(numbers), len(sets)) if is_long else SETTINGS_MAX
        pairs = [(numbers[i % len(numbers)], sets[i % len(sets)]) for i in range(most)]
        pairs = [(number, options) for number, options in pairs if fits(variant, number, options)]
    return [Setting(variant, number, options) for number, options in pairs]


def fits(variant: AnyVariant, seats: int, options: Mapping[str, str]) -> bool:
    """Whether these options make a game for so many seats."""
    try:
        variant.check_seats(seats, options)
    except Refusal:
        return False
    return True


def label(setting: Setting) -> str:
    """For `pytest.mark.parametrize(..., ids=label)`."""
    return setting.label
