"""Levels of computer players: how they are typed and stored, and whose names are whose.

Rule 1: a name belongs to one level, and a computer player has a name of its level.
Rule 2: what old records hold is read for ever: a number, of which 1 was the weakest level and 2 the
        one that stands in for people.  [DUR-7]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mudserver.accounts.names import COMPUTER_NAMES
from mudserver.errors import UserError
from variants.catalogue import AnyVariant

DEFAULT_LEVEL = "medium"
NAMES_MAX = 1_000  # of one level at one table

_LEVEL_BY_NAME: Mapping[str, str] = {
    name.casefold(): level for level, names in COMPUTER_NAMES.items() for name in names
}


def parse_level(variant: AnyVariant, typed: str) -> tuple[str, str]:
    """(level, name) of `hard`, `3`, `juno` or an empty line; the name is "" unless it was typed.

    Raises:
        UserError: The game has no such level.
    """
    own, word = list(variant.bots), typed.casefold()
    if not own:
        raise UserError(f"{variant.name} has no computer players.", "usage")
    if not word:
        return (DEFAULT_LEVEL if DEFAULT_LEVEL in own else variant.stand_in or own[0]), ""
    name = word.title() if word in _LEVEL_BY_NAME else ""
    level = _LEVEL_BY_NAME.get(word) or _numbered_level(own, word) or word
    if level in own:
        return level, name
    listed = ", ".join(own)
    if level in COMPUTER_NAMES:
        raise UserError(f"{variant.name} has no {level}. Its computer players: {listed}.", "usage")
    example = own[min(2, len(own) - 1)]
    raise UserError(f"Levels of {variant.name}: {listed}. For example: bot {example}", "usage")


def _numbered_level(own: list[str], word: str) -> str:
    """`3` is the third level of the game, or else of all there are; "": it is no number of one."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) == 1 else 0
    levels = own if number <= len(own) else list(COMPUTER_NAMES)
    return levels[number - 1] if 0 < number <= len(levels) else ""


def stored_level(variant: AnyVariant, player: str, number: int) -> str:
    """The level that a record names, or numbers if it is an old one."""
    if player:
        return player
    return next(iter(variant.bots), "") if number == 1 else variant.stand_in


def free_computer_name(used_names: Iterable[str], level: str) -> str:
    """A name of this level that is not among *used_names*, in any case of letters."""
    used = {name.casefold() for name in used_names}
    names = COMPUTER_NAMES.get(level) or COMPUTER_NAMES[DEFAULT_LEVEL]
    numbered = (f"{names[0]}{n}" for n in range(2, NAMES_MAX))
    return next(name for name in (*names, *numbered) if name.casefold() not in used)
