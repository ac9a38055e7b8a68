"""Words that a manifest made here does without, and those that no computer player lays.

Rule 1: people may play them: this is no part of what is valid.
Rule 2: the shipped lists block more than they need to, on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pkgutil import get_data

from variants.words.wordlist import read_lines

OFFENSIVE = ("data/deny.txt", "data/softdeny.txt")
ODD = ("data/variants.txt",)  # spellings that few people use: they are no offence, but no fun


@cache
def denied() -> frozenset[str]:
    """What nobody wants to read, in capitals: neither printed nor played."""
    return frozenset(_words(OFFENSIVE))


@cache
def unprinted() -> frozenset[str]:
    """What stands on no manifest that is made here, in capitals."""
    return denied() | frozenset(_words(ODD))


def _words(names: Iterable[str]) -> Iterable[str]:
    for name in names:
        data = get_data("variants.words", name)
        assert data, f"{name} is not shipped"
        yield from read_lines(data)
