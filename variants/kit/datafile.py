"""A host's data file, read as JSON with care: what is asked of every one, whichever the game.

Rule 1: what JSON or its reader lets pass is refused: two equal keys in one object, of which the
        last would win in silence, and texts and depths without end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from variants.contract import BadData

SHOWN_MAX = 40  # characters of the file in a sentence


def read_object(text: str, chars_max: int, parts: str, depth: str) -> dict[str, Any]:
    """The object that the file is.

    Args:
        chars_max: Longer texts are not read.
        parts: What it holds, for a sentence: `the decks a, b and c`.
        depth: A sentence about the deepest part there may be.

    Raises:
        BadData: It is none, or is not JSON.
    """
    if len(text) > chars_max:
        raise BadData(f"The file is too long. At most {chars_max:,} characters are read.")
    try:
        raw = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise BadData(f"The file is nested too deep. {depth}") from None
    except json.JSONDecodeError as error:
        raise BadData(
            f"The file is not JSON: {error.msg}, line {error.lineno}, column {error.colno}."
        ) from None
    except ValueError:
        raise BadData("The file holds a number that is far too long.") from None
    if not isinstance(raw, dict):
        raise BadData(f"The file is no object. It is one with {parts}.")
    return raw


def shown(value: Any) -> str:
    """What the file says, in a few characters that any terminal can show."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= SHOWN_MAX else text[: SHOWN_MAX - 4] + " ..."


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadData(f"The key {shown(key)} stands twice in one object. Keep one of them.")
        found[key] = value
    return found
