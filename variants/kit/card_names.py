"""Finds the card that somebody asks about by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from variants.contract import AmbiguousInput, ParseError
from variants.kit.text import join_words, shortened
from variants.kit.typos import nearest

T = TypeVar("T")

QUOTED_MAX = 40  # characters of a name that is said back
OFFERED_MAX = 4  # names that may have been meant


def find_card(typed: Sequence[str], known: Mapping[str, T]) -> T:
    """The card that *typed* names or uniquely abbreviates, by its beginning or one of its words.

    Args:
        known: Cards by name, in small letters without punctuation at the end.

    Raises:
        ParseError: None; a mistyped one is offered.
        AmbiguousInput: Several.
    """
    name = " ".join(typed).casefold().rstrip("!?.")
    if not name:
        raise ParseError("Which card? Type for example: card {}", next(iter(known)))
    if name in known:
        return known[name]
    bare = name.replace("-", " ")
    words = {each: f" {each.replace('-', ' ')}" for each in known}
    begun = [each for each, said in words.items() if said.startswith(f" {bare}")]
    begun = begun or [each for each, said in words.items() if f" {bare} " in f"{said} "]
    near: dict[T, str] = {}
    for each in begun or nearest(name, known):
        near.setdefault(known[each], each)  # a card by the first of its names
    if begun and len(near) == 1:
        return next(iter(near))
    said = shortened(name, QUOTED_MAX)
    if not near:
        raise ParseError('There is no card "{}". Type cards for the list.', said)
    names = list(near.values())
    if len(names) > 1:
        raise AmbiguousInput(
            "Which card? Type {}.", join_words([f"card {n}" for n in names[:OFFERED_MAX]], "or")
        )
    wrong = ParseError(
        'There is no card "{}". Did you mean "card {}"? Type y to run it.', said, names[0]
    )
    wrong.suggestion = f"card {names[0]}"
    raise wrong
