"""Words that are never printed on a manifest made here nor played by a computer player.

Rule 1: people may play them: this is no part of what is valid.
Rule 2: the shipped lists block more than they need to, on purpose.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data

from variants.words.wordlist import read_lines

SHIPPED = ("data/deny.txt", "data/softdeny.txt")


@cache
def denied() -> frozenset[str]:
    """All words of the shipped lists, in capitals."""
    found: set[str] = set()
    for name in SHIPPED:
        data = get_data("variants.words", name)
        assert data, f"{name} is not shipped"
        found.update(read_lines(data))
    return frozenset(found)
