"""Completes the arguments of commands, from public facts only.  [SEC-3]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mudserver.accounts.preferences import PREFERENCES, value_completions
from variants.catalogue import Catalogue

COMMON_OPTIONS = (
    *("pace=person", "pace=brisk", "pace=instant"),
    *("absence=computer", "absence=pause", "absence=forfeit", "clocks=off"),
)


def argument_completions(
    param: str,
    words_before: Sequence[str],
    online_names: Iterable[str],
    tables: Iterable[int],
    games: Catalogue,
    own_game: str = "",
) -> Iterable[str]:
    """The words that one parameter may be.

    Args:
        param: As declared, without brackets and dots: "NAME", "TABLE", "OPTION=VALUE".
        words_before: The words before it on the line, verb included.
        tables: The numbers of the open tables.
        own_game: The game at the person's table; "": at none.
    """
    match param:
        case "NAME":
            return online_names
        case "TABLE":
            return [str(number) for number in tables]
        case "GAME":
            return games
        case "LEVEL":
            return games[own_game].bots if own_game in games else ()
        case "PRESET":
            game = words_before[1] if len(words_before) > 1 else ""
            presets = [preset.name for preset in games[game].presets] if game in games else []
            return [*presets, *_options(game, games)]
        case "OPTION=VALUE":
            return _options(words_before[1] if len(words_before) > 1 else "", games)
        case "SETTING":
            return PREFERENCES
        case "VALUE":
            return value_completions(words_before[1] if len(words_before) > 1 else "")
        case words if "|" in words:
            return words.split("|")
    return ()


def _options(game: str, games: Catalogue) -> Iterable[str]:
    own: Mapping[str, Sequence[str]] = {}
    if game in games:
        own = {option.name: option.samples for option in games[game].options}
        own = {**own, "seats": [str(seats) for seats in games[game].seats]}
    return [f"{name}={value}" for name, values in own.items() for value in values] + [
        *COMMON_OPTIONS
    ]
