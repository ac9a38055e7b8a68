"""Which names people can have.

Rule 1: 3 to 16 of the letters a-z, digits, _ and -: first a letter, last a letter or digit, no two
        of _ and - in a row.  Case is kept but makes no difference.
Rule 2: names that look alike are the same name: they have the same skeleton.
Rule 3: nobody has a name of the server: a reserved word, the name of a computer player or of a
        game, or one that looks like staff.  They are compared by their strict forms, so that
        neither digits for letters nor a number at the end make another name.
Rule 4: a control character in a name is refused, not dropped: what is left would be another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from mudserver.accounts import texts
from mudserver.errors import UserError
from mudserver.sanitize import sanitize

NAME_CHARS_MIN, NAME_CHARS_MAX = 3, 16

COMPUTER_NAMES: Mapping[str, tuple[str, ...]] = {
    "easy": ("Milo", "Wanda", "Pip", "Dora", "Felix", "Minna", "Toby"),
    "medium": ("Juno", "Otis", "Nell", "Basil", "Greta", "Jasper", "Lotte"),
    "hard": ("Vera", "Hugo", "Cleo", "Edgar", "Sybil", "Magnus", "Freya"),
    "expert": ("Thea", "Ivor", "Rufus", "Selma", "Otto", "Petra", "Viktor"),
    "master": ("Ada", "Bruno", "Celia", "Emil", "Ilse", "Leopold", "Nadia"),
}
"""Of computer players, by level, the weakest first; they are taken in this order."""
_ALL_COMPUTER_NAMES = frozenset(name.lower() for names in COMPUTER_NAMES.values() for name in names)
_STAFF_WORDS = """
    admin administrator helper mod moderator official op operator owner staff support sysop
"""
_RESERVED_WORDS = """
    all anonymous anybody anyone bank bots bye chat commands computer connect dealer deleted
    everybody everyone exit former god guest help home host house info json lobby localhost lockdown
    login logout me myself name new nobody none null player quit register root seat server someone
    ssh stock sys system table telnet test undefined unknown user watcher watchers who you yourself
"""
STAFF_WORDS = frozenset(_STAFF_WORDS.split())
RESERVED = STAFF_WORDS | {*_RESERVED_WORDS.split()} | _ALL_COMPUTER_NAMES
GUEST_PREFIX = "guest"
RESERVED_PREFIXES = ("admin", "bot", GUEST_PREFIX, "moderator", "operator", "sysop")

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SEPARATORS = re.compile("[_-]")
# Characters that look alike in the fonts of terminals.  Digits stay different from each other, so
# that ann1 and ann2 are two names.
_ALIKE = str.maketrans("01i5289", "ollszbg")
# Digits that are read as letters; one at the end of a name is a number.
_READ_AS = str.maketrans("012345789i", "olzeastbgl")
_ALIKE_PAIRS = (("rn", "m"), ("vv", "w"))


def guest_name(number: int) -> str:
    return f"{GUEST_PREFIX}{number}"


def guest_number(name: str) -> int | None:
    """The number in a guest's name, in any case; None: it is no guest's."""
    found = re.fullmatch(GUEST_PREFIX + "([1-9][0-9]{0,10})", name.lower())
    return None if found is None else int(found[1])


def normalise(name: str) -> str:
    """A name as typed, over any protocol: compatibility letters made plain, spaces removed."""
    return sanitize(_CONTROLS.sub("\ufffd", name), "name", 64)


def fold_case(name: str) -> str:
    """Equal for names that differ in case only."""
    return normalise(name).lower()


def skeleton(name: str) -> str:
    """Equal for names that look alike.  After https://www.unicode.org/reports/tr39/ section 4."""
    return _without_pairs(_SEPARATORS.sub("", fold_case(name)).translate(_ALIKE))


def strict_forms(name: str) -> set[str]:
    """How a name is read: digits as letters, and those at its end as letters or as a number.

    Two names that share one are read alike: `Adm1n_2` and `admin`, `al1` and `all`.
    """
    whole = fold_case(name)
    return {_read(whole), _read(whole.rstrip("0123456789"))}


def _read(folded: str) -> str:
    return _without_pairs(_SEPARATORS.sub("", folded).translate(_READ_AS))


def _without_pairs(name: str) -> str:
    for pair, single in _ALIKE_PAIRS:
        name = name.replace(pair, single)
    return name


def claim_key(name: str) -> str:
    """What an account claims of its name: a hash, so that an erased name stands nowhere."""
    return sha256(skeleton(name).encode()).hexdigest()


class NameRules:
    """Args:
    reserved: Names that nobody can have on this server, besides RESERVED.
    denied: What no name may contain.
    """

    def __init__(self, reserved: Iterable[str] = (), denied: Iterable[str] = ()) -> None:
        self._reserved = {_read(word.lower()) for word in (*RESERVED, *reserved)}
        self._denied = {_read(word.lower()) for word in denied}

    def check(self, name: str) -> None:
        """UserError: nobody can have this name, which is normalised, and why."""
        _check_form(name)
        forms = strict_forms(name)
        if (
            not self._reserved.isdisjoint(forms)
            or any(form.startswith(_RESERVED_PREFIX_FORMS) for form in forms)
            or any(not _STAFF_FORMS.isdisjoint(strict_forms(part)) for part in _parts(name))
        ):
            raise UserError(texts.NAME_RESERVED.format(name))
        if any(not self._denied.isdisjoint(_pieces(form)) for form in forms):
            raise UserError(texts.NAME_DENIED.format(name))

    def is_denied(self, word: str) -> bool:
        """Whether a word that is no name contains what no name may contain."""
        pieces = (piece for form in strict_forms(word) for piece in _pieces(form))
        return not self._denied.isdisjoint(pieces)


_STAFF_FORMS = frozenset(map(_read, STAFF_WORDS))
_RESERVED_PREFIX_FORMS = tuple(map(_read, RESERVED_PREFIXES))


def _check_form(name: str) -> None:
    if not NAME_CHARS_MIN <= len(name) <= NAME_CHARS_MAX:
        raise UserError(texts.NAME_LENGTH.format(NAME_CHARS_MIN, NAME_CHARS_MAX), "usage")
    if not re.fullmatch("[A-Za-z0-9_-]+", name):
        raise UserError(texts.NAME_CHARACTERS, "usage")
    if not name[0].isalpha():
        raise UserError(texts.NAME_START, "usage")
    if not name[-1].isalnum():
        raise UserError(texts.NAME_END, "usage")
    if re.search("[_-]{2}", name):
        raise UserError(texts.NAME_SEPARATORS, "usage")


def _parts(name: str) -> list[str]:
    """What stands between _ and -, and between these and digits."""
    return [*re.split("[_-]", name), *re.split("[_0-9-]", name)]


def _pieces(form: str) -> Iterator[str]:
    """Everything that *form* contains; a name has at most 16 characters."""
    ends = range(1, len(form) + 1)
    return (form[start:end] for end in ends for start in range(end))
