"""Every game the house can play, by name, built from the data files that games have.

Rule 1: a file is handed in as bytes under its key; whatever is missing is the shipped one.  So
        the host's own files and the shipped ones are read in one place, and only here.
Rule 2: no variant changes once it is built, whatever becomes of the files, so that one game of
        shipped files serves everybody in a process.
Rule 3: `CATALOGUE`, of shipped files, is for tests and for tools on the command line, and builds
        a game when it is first asked for: who replays a game of cards reads no list of words.
        The house builds its own with `build`, all at once, so that a bad file is refused at the
        start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pkgutil import get_data
from types import MappingProxyType
from typing import Any, TypeVar

from variants.contract import BadData, Variant
from variants.elimination import ELIMINATION
from variants.stockpile import game as stockpile
from variants.stockpile.decks import read_decks
from variants.words import errands
from variants.words import game as words
from variants.words.box import Box, Manifest
from variants.words.boxfile import read_box, scenario_cards, warnings
from variants.words.wordlist import read_lines, read_list

T = TypeVar("T")
AnyVariant = Variant[Any, Any, Any, Any]
Catalogue = Mapping[str, AnyVariant]
Files = Mapping[str, bytes]

FILES: Mapping[str, tuple[str, str] | None] = {
    "stockpile.decks": ("variants.stockpile", "decks.json"),
    "words.list": ("variants.words", "data/words.tsv.gz"),
    "words.extra": None,
    "words.removed": None,
    "words.denied": None,
    "words.box": ("variants.words", "data/box.json"),
}
"""Data files by key, GAME.WHAT: the package and the name of the shipped one; None: an empty one."""
NONE: Files = MappingProxyType({})


class BadFile(BadData):
    """The file *key* makes no game, and why."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key, self.reason = key, reason


def _elimination(files: Files) -> AnyVariant:
    return ELIMINATION


def _stockpile(files: Files) -> AnyVariant:
    return stockpile.build(_made("stockpile.decks", files, lambda data: read_decks(_text(data))))


def _words(files: Files) -> AnyVariant:
    box, cards = _made("words.box", files, lambda data: _box(_text(data)))
    extra = _made("words.extra", files, read_lines)
    removed = _made("words.removed", files, read_lines)
    denied = _made("words.denied", files, read_lines)
    lexicon, skipped = _made(
        "words.list", files, lambda data: read_list(data, extra, removed, box, denied)
    )
    return replace(
        words.build(box, lexicon, cards),
        notes=(skipped.said(), *warnings(box, lexicon)),
        prepare=partial(errands.prepare, lexicon, box),
        errands=errands.errands(lexicon, box),
    )


def _box(text: str) -> tuple[Box, tuple[Manifest, ...]]:
    return read_box(text), scenario_cards(text)


GAMES: Mapping[str, Callable[[Files], AnyVariant]] = {
    "elimination": _elimination,
    "stockpile": _stockpile,
    "words": _words,
}
"""What builds each game.  A further game is one more entry here, and its files above."""


class Shelf(Mapping[str, AnyVariant]):
    """The games of the shipped files, each built when it is first taken."""

    def __init__(self) -> None:
        self._built: dict[str, AnyVariant] = {}

    def __getitem__(self, name: str) -> AnyVariant:
        if name not in self._built:
            self._built[name] = GAMES[name](NONE)
        return self._built[name]

    def __contains__(self, name: object) -> bool:
        return name in GAMES

    def __iter__(self) -> Iterator[str]:
        return iter(GAMES)

    def __len__(self) -> int:
        return len(GAMES)


CATALOGUE = Shelf()


def build(files: Files = NONE) -> Catalogue:
    """All games, those with data of the given *files*.

    Raises:
        BadFile: A key that no game knows, or a file that makes no game.
    """
    for key in files:
        if key not in FILES:
            raise BadFile(key, f"no game has such a file; there is {', '.join(FILES)}")
    own = {key.partition(".")[0] for key in files}
    return {name: GAMES[name](files) if name in own else CATALOGUE[name] for name in GAMES}


def _made(key: str, files: Files, make: Callable[[bytes], T]) -> T:
    """What *make* makes of one file."""
    shipped = FILES[key]
    data = files[key] if key in files else b"" if shipped is None else get_data(*shipped)
    assert data is not None, f"{key} is not shipped"
    try:
        return make(data)
    except UnicodeDecodeError:
        raise BadFile(key, "it is no UTF-8 text") from None
    except BadData as bad:
        raise BadFile(key, str(bad)) from None


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig")  # an editor of Windows puts a mark before the text
