"""Finds the card that somebody asks about by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from variants.contract import ParseError
from variants.kit.text import shortened
from variants.kit.typos import nearest

T = TypeVar("T")

QUOTED_MAX = 40  # characters of a name that is said back


def find_card(typed: Sequence[str], known: Mapping[str, T]) -> T:
    """The card that *typed* names or uniquely abbreviates.

    Args:
        known: Cards by name, in small letters without punctuation at the end.

    Raises:
        ParseError: None or several; a mistyped one is offered.
    """
    name = " ".join(typed).casefold().rstrip("!?.")
    if not name:
        raise ParseError("Which card? Type for example: card {}", next(iter(known)))
    if name in known:
        return known[name]
    begun = {known[each]: each for each in known if each.startswith(name)}
    if len(begun) == 1:
        return next(iter(begun))
    said = shortened(name, QUOTED_MAX)
    near = list(begun.values()) or nearest(name, known)
    if not near:
        raise ParseError('There is no card "{}". Type cards for the list.', said)
    if len({known[each] for each in near}) > 1:
        raise ParseError('There is no card "{}". Did you mean {}?', said, " or ".join(near[:3]))
    wrong = ParseError(
        'There is no card "{}". Did you mean "card {}"? Type y to run it.', said, near[0]
    )
    wrong.suggestion = f"card {near[0]}"
    raise wrong
