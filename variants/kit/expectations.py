"""Does what came fit what was expected?  The patterns of scenario files.

Rule 1: in an expected text "..." stands for any characters, or none.
Rule 2: in an expected list a lone "..." stands for any entries, or none; all others fit in order.
Rule 3: an expected table names the fields that matter.  If its keys are numbers, they pick
        entries of a list (by seat, say).
Rule 4: a number fits a list of that length; a text fits a list of letters that it is made of, and
        a table of that "kind", a card also by its "id", or by its "name" with its "number" behind,
        if it has one, and a word by its "spelling".  All else fits what is equal to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from variants.kit.json_values import JsonValue

WILDCARD = "..."


def find_mismatch(expected: JsonValue, came: JsonValue, where: str = "") -> str | None:
    """None if *came* fits; else the first place that does not, in up to three lines."""
    if isinstance(expected, dict) and isinstance(came, dict | list):
        for key, wanted in expected.items():
            place = f"{where}.{key}" if where else str(key)
            try:
                found = came[key]
            except (KeyError, IndexError, TypeError):
                known = ", ".join(came) if isinstance(came, dict) else f"{len(came)} entries"
                return f"{place}: there is no such field, only {known}"
            if trouble := find_mismatch(wanted, found, place):
                return trouble
        return None
    if _fits(expected, came):
        return None
    return f"{where}:\n    expected {_shown(expected)}\n    came     {_shown(came)}"


def text_matches(expected: str, came: str, *, is_part: bool = False) -> bool:
    """Rule 1; with *is_part* the pattern may stand anywhere in the text."""
    pattern = ".*".join(re.escape(piece) for piece in expected.split(WILDCARD))
    find = re.search if is_part else re.fullmatch
    return find(pattern, came, re.DOTALL) is not None


def _fits(expected: JsonValue, came: JsonValue) -> bool:
    if isinstance(expected, str) and isinstance(came, dict):
        return any(_fits(expected, called) for called in _names_of(came))
    if isinstance(expected, str) and isinstance(came, str):
        return text_matches(expected, came)
    if isinstance(expected, dict):
        return isinstance(came, dict | list) and find_mismatch(expected, came) is None
    if isinstance(came, list):
        if isinstance(expected, list):
            return _list_fits(expected, came)
        if isinstance(expected, str):
            return _are_letters(came) and text_matches(expected, "".join(came))
        return type(expected) is int and expected == len(came)
    return type(expected) is type(came) and bool(expected == came)


def _names_of(table: Mapping[str, JsonValue]) -> list[JsonValue]:
    """What a text may call *table*: its kind, a card also by its id or name, a word as spelled."""
    name = table.get("name")
    if name and table.get("number"):
        name = f"{name} {table['number']}"
    names = [table.get("kind"), table.get("id"), name, table.get("spelling")]
    return [name for name in names if isinstance(name, str)]


def _are_letters(came: Sequence[JsonValue]) -> bool:
    return all(isinstance(entry, str) and len(entry) == 1 for entry in came)


def _list_fits(expected: Sequence[JsonValue], came: Sequence[JsonValue]) -> bool:
    if not expected:
        return not came
    first, rest = expected[0], expected[1:]
    if first == WILDCARD:
        return any(_list_fits(rest, came[n:]) for n in range(len(came) + 1))
    return bool(came) and _fits(first, came[0]) and _list_fits(rest, came[1:])


def _shown(value: JsonValue) -> str:
    """A list of several with its entries one under the other, anything else in a line."""
    if isinstance(value, list) and len(value) > 1:
        entries = [v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in value]
        return "\n             ".join(f"{entry:.160}" for entry in entries)
    return f"{json.dumps(value, ensure_ascii=False):.600}"
