"""Time zones, by the names in the time zone data of the machine.

Rule 1: only a name of the closed list is used to open a file.
Rule 2: UTC always exists, even without time zone data.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

from mudserver.accounts import texts
from mudserver.errors import UserError
from variants.kit.text import join_words

UTC = "UTC"
_NO_PLACES = frozenset({"localtime", "Factory", "posixrules"})  # not a place
_CHARS_MAX = 40  # of a name that is searched for


@cache
def zone_names() -> tuple[str, ...]:
    """All names, sorted.  The first call reads the data: some 0.1 s."""
    return tuple(sorted({UTC, *available_timezones()} - _NO_PLACES))


@cache
def _known() -> dict[str, str]:
    """Names by what may be typed: any case, and the last part if it is unique (`berlin`)."""
    known = {name.casefold(): name for name in zone_names()}
    places: dict[str, list[str]] = {}
    for name in zone_names():
        places.setdefault(name.casefold().rpartition("/")[2], []).append(name)
    for place, those in places.items():
        if len(those) == 1:
            known.setdefault(place, those[0])
    return known


def check_zone(text: str) -> str:
    """The name as the data spells it.  UserError: there is none, and which are close."""
    wanted = "_".join(text.casefold().split())
    if (name := _known().get(wanted)) is not None:
        return name
    close = [_known()[near] for near in get_close_matches(wanted[:_CHARS_MAX], _known(), 3, 0.75)]
    hint = (
        f"Did you mean {join_words(list(dict.fromkeys(close)), 'or')}?"
        if close
        else texts.TIME_ZONE_EXAMPLES
    )
    raise UserError(texts.TIME_ZONE_UNKNOWN.format(text[:_CHARS_MAX], hint), "not_found")
