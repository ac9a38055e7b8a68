"""Names in what people say.

Rule 1: a mention is a whole word that equals a name, in any case of letters.
Rule 2: the words of the line are looked up, not the people: a long list of people costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

MENTIONS_MAX = 10  # names in one line that are marked

_WORD = re.compile(r"[\w-]+")


def mentioned(text: str, ids_by_name: Mapping[str, str]) -> list[str]:
    """Ids of the people whose names are words of *text*, in its order.

    Args:
        ids_by_name: By the name in lower case.
    """
    words = dict.fromkeys(word.strip("_-").lower() for word in _WORD.findall(text))
    return [ids_by_name[word] for word in words if word in ids_by_name][:MENTIONS_MAX]


def split_at(text: str, name: str) -> list[tuple[str, bool]]:
    """*text* in parts, and which of them are *name* as a whole word."""
    parts: list[tuple[str, bool]] = []
    done = 0
    for found in _WORD.finditer(text):
        word = found[0]
        if word.strip("_-").lower() != name.lower():
            continue
        at = found.start() + len(word) - len(word.lstrip("_-"))
        parts += [(text[done:at], False), (text[at : at + len(name)], True)]
        done = at + len(name)
    return [part for part in (*parts, (text[done:], False)) if part[0]]
