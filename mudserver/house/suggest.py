"""What may stand in place of a parameter, for completion: public facts only.  [L3]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mudserver.people.settings import SETTINGS
from variants.catalogue import CATALOGUE

COMMON_OPTIONS = (
    *("pace=person", "pace=brisk", "pace=instant", "seats="),
    *("absence=computer", "absence=pause", "absence=forfeit", "clocks=off"),
)


def suggestions(
    param: str, given: Sequence[str], names: Iterable[str], tables: Iterable[int]
) -> Iterable[str]:
    """Words for one parameter.

    Args:
        param: As declared, without brackets and dots: "NAME", "TABLE", "OPTION=VALUE".
        given: The words before it on the line, verb included.
        names: Who is here.
        tables: The numbers of the open tables.
    """
    match param:
        case "NAME":
            return names
        case "TABLE":
            return [str(number) for number in tables]
        case "GAME":
            return CATALOGUE
        case "LEVEL":
            return sorted({str(level) for v in CATALOGUE.values() for level in v.bots})
        case "OPTION=VALUE":
            return _options(given[1] if len(given) > 1 else "")
        case "SETTING":
            return SETTINGS
        case "VALUE":
            return _values(given[1] if len(given) > 1 else "")
    return ()


def _options(variant: str) -> Iterable[str]:
    own: Mapping[str, Sequence[str]] = {}
    if variant in CATALOGUE:
        own = {option.name: option.choices for option in CATALOGUE[variant].options}
    return [f"{name}={value}" for name, values in own.items() for value in values] + [
        *COMMON_OPTIONS
    ]


def _values(key: str) -> Iterable[str]:
    setting = SETTINGS.get(key)
    return setting.choices if setting is not None else ()
