"""Which names people can have.

Rule 1: 3 to 16 of the letters a-z, digits, _ and -, a letter first; case is kept but makes no
        difference.
Rule 2: names that look alike are the same name: they have the same skeleton.
Rule 3: some names are reserved: words of the server, and names of guests and computer players.
"""

from __future__ import annotations

import re

from mudserver.errors import UserError
from mudserver.sanitize import sanitize

NAME_CHARS_MIN, NAME_CHARS_MAX = 3, 16

_RESERVED_WORDS = """
    admin administrator all anonymous anybody anyone bank bye commands computer connect dealer
    everybody everyone exit god guest help home host house info json lobby localhost lockdown
    login logout me mod moderator myself name new nobody none null op operator owner player quit
    register root seat server ssh staff stock support sys system table telnet test undefined
    unknown user watcher watchers who you yourself
"""
RESERVED = frozenset(_RESERVED_WORDS.split())
RESERVED_PREFIXES = ("bot", "guest")

# Characters that look alike in the fonts of terminals.  Digits stay different from each other, so
# that ann1 and ann2 are two names.
_ALIKE = str.maketrans("01i5289-", "ollszbg_")
_ALIKE_PAIRS = (("rn", "m"), ("vv", "w"))


def normalise(name: str) -> str:
    """A name as typed, over any protocol: compatibility letters made plain, spaces removed."""
    return sanitize(name, "name", 64)


def fold_case(name: str) -> str:
    """Equal for names that differ in case only."""
    return normalise(name).lower()


def skeleton(name: str) -> str:
    """Equal for names that look alike.  After https://www.unicode.org/reports/tr39/ section 4."""
    bones = fold_case(name).translate(_ALIKE)
    for pair, single in _ALIKE_PAIRS:
        bones = bones.replace(pair, single)
    return re.sub("_+", "_", bones)


_RESERVED_SKELETONS = frozenset(map(skeleton, RESERVED))
_RESERVED_PREFIX_SKELETONS = tuple(map(skeleton, RESERVED_PREFIXES))


def check_name(name: str) -> None:
    """UserError: nobody can have this name, which is normalised, and why."""
    if len(name) < NAME_CHARS_MIN:
        raise UserError(f"A name has at least {NAME_CHARS_MIN} characters.")
    if len(name) > NAME_CHARS_MAX:
        raise UserError(f"A name has at most {NAME_CHARS_MAX} characters.")
    if not re.fullmatch("[A-Za-z0-9_-]+", name):
        raise UserError("A name is made of the letters a to z, digits, _ and -.")
    if not name[0].isalpha():
        raise UserError("A name begins with a letter.")
    bones = skeleton(name)
    if bones in _RESERVED_SKELETONS or bones.startswith(_RESERVED_PREFIX_SKELETONS):
        raise UserError(f"The name {name} is reserved. Choose another.")
