"""A host's data file, read as JSON with care: what is asked of every one, whichever the game.

Rule 1: what JSON or its reader lets pass is refused: two equal keys in one object, of which the
        last would win in silence, and texts and depths without end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from variants.contract import InvalidData

EXCERPT_CHARS_MAX = 40  # characters of the file in a sentence


def read_json_object(text: str, chars_max: int, contents: str, depth_hint: str) -> dict[str, Any]:
    """The object that the file is.

    Args:
        chars_max: Longer texts are not read.
        parts: What it holds, for a sentence: `the decks a, b and c`.
        depth: A sentence about the deepest part there may be.

    Raises:
        InvalidData: It is none, or is not JSON.
    """
    if len(text) > chars_max:
        raise InvalidData(f"The file is too long. At most {chars_max:,} characters are read.")
    try:
        raw = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise InvalidData(f"The file is nested too deep. {depth_hint}") from None
    except json.JSONDecodeError as error:
        raise InvalidData(
            f"The file is not JSON: {error.msg}, line {error.lineno}, column {error.colno}."
        ) from None
    except ValueError:
        raise InvalidData("The file holds a number that is far too long.") from None
    if not isinstance(raw, dict):
        raise InvalidData(f"The file is no object. It is one with {contents}.")
    return raw


def excerpt(value: Any) -> str:
    """What the file says, in a few characters that any terminal can show."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= EXCERPT_CHARS_MAX else text[: EXCERPT_CHARS_MAX - 4] + " ..."


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InvalidData(
                f"The key {excerpt(key)} stands twice in one object. Keep one of them."
            )
        found[key] = value
    return found
