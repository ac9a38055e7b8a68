"""Every game the server can play, by name, built from the data files that games have.

Rule 1: a file is handed in as bytes under its key; whatever is missing is the shipped one.  So
        the host's own files and the shipped ones are read in one place, and only here.
Rule 2: no variant changes once it is built, whatever becomes of the files, so that one game of
        shipped files serves everybody in a process.
Rule 3: `CATALOGUE`, of shipped files, is for tests and for tools on the command line, and builds
        a game when it is first asked for: who replays a game of cards reads no list of words.
        The server builds its own with `build_catalogue`, all at once, so that a bad file is
        refused at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pkgutil import get_data
from types import MappingProxyType
from typing import Any, TypeVar

from variants.contract import InvalidData, Variant
from variants.elimination.game import ELIMINATION
from variants.lesson import fault
from variants.lesson_file import parse_lesson
from variants.stockpile import game as stockpile
from variants.stockpile.data.decks import parse_decks
from variants.words import game as words
from variants.words.data.box import Box, Manifest, parse_box, read_scenario_manifests
from variants.words.lexicon.dictionary import box_warnings
from variants.words.lexicon.word_list import parse_word_lines, parse_word_list
from variants.words.manifests import utility_command

T = TypeVar("T")
AnyVariant = Variant[Any, Any, Any, Any]
Catalogue = Mapping[str, AnyVariant]
DataFiles = Mapping[str, bytes]

SHIPPED_FILES: Mapping[str, tuple[str, str] | None] = {
    "stockpile.decks": ("variants.stockpile", "data/decks.json"),
    "words.list": ("variants.words", "data/words.tsv.gz"),
    "words.extra": None,
    "words.removed": None,
    "words.denied": None,
    "words.box": ("variants.words", "data/box.json"),
}
"""Data files by key, GAME.WHAT: the package and the name of the shipped one; None: an empty one."""
NO_FILES: DataFiles = MappingProxyType({})


class InvalidDataFile(InvalidData):
    """The file *key* makes no game, and why."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key, self.reason = key, reason


def _elimination(files: DataFiles) -> AnyVariant:
    return ELIMINATION


def _stockpile(files: DataFiles) -> AnyVariant:
    return stockpile.build_game(
        _parse_file("stockpile.decks", files, lambda data: parse_decks(_text(data)))
    )


def _words(files: DataFiles) -> AnyVariant:
    box, cards = _parse_file("words.box", files, lambda data: _box(_text(data)))
    extra = _parse_file("words.extra", files, parse_word_lines)
    removed = _parse_file("words.removed", files, parse_word_lines)
    denied = _parse_file("words.denied", files, parse_word_lines)
    lexicon, skipped = _parse_file(
        "words.list", files, lambda data: parse_word_list(data, extra, removed, box, denied)
    )
    return replace(
        words.build_game(box, lexicon, cards),
        notes=(skipped.describe(), *box_warnings(box, lexicon)),
        prepare=partial(utility_command.prepare, lexicon, box),
        utility_commands=utility_command.utility_commands(lexicon, box),
    )


def _box(text: str) -> tuple[Box, tuple[Manifest, ...]]:
    return parse_box(text), read_scenario_manifests(text)


BUILDERS: Mapping[str, Callable[[DataFiles], AnyVariant]] = {
    "elimination": _elimination,
    "stockpile": _stockpile,
    "words": _words,
}
"""What builds each game.  A further game is one more entry here, and its files above."""


class LazyCatalogue(Mapping[str, AnyVariant]):
    """The games of the shipped files, each built when it is first taken."""

    def __init__(self) -> None:
        self._built: dict[str, AnyVariant] = {}

    def __getitem__(self, name: str) -> AnyVariant:
        if name not in self._built:
            self._built[name] = _build(name, NO_FILES)
        return self._built[name]

    def __contains__(self, name: object) -> bool:
        return name in BUILDERS

    def __iter__(self) -> Iterator[str]:
        return iter(BUILDERS)

    def __len__(self) -> int:
        return len(BUILDERS)


CATALOGUE = LazyCatalogue()


def build_catalogue(files: DataFiles = NO_FILES) -> Catalogue:
    """All games, those with data of the given *files*.

    Raises:
        InvalidDataFile: A key that no game knows, or a file that makes no game.
    """
    for key in files:
        if key not in SHIPPED_FILES:
            raise InvalidDataFile(
                key, f"no game has such a file; there is {', '.join(SHIPPED_FILES)}"
            )
    own = {key.partition(".")[0] for key in files}
    return {name: _build(name, files) if name in own else CATALOGUE[name] for name in BUILDERS}


def _build(name: str, files: DataFiles) -> AnyVariant:
    """One game, with the lesson that stands in its folder, if these files allow it."""
    game = BUILDERS[name](files)
    try:
        data = get_data(f"variants.{name}", "lesson.toml")
    except FileNotFoundError:
        return game
    try:
        text = _text(data or b"")
        lesson = parse_lesson(text)
    except InvalidData as bad:
        raise InvalidDataFile(f"{name}.lesson", str(bad)) from None
    if files and (why := fault(game, lesson)):  # with the shipped ones a test plays it
        return replace(game, notes=(*game.notes, f"No lesson with these files: {why}"))
    return replace(game, lesson=text)


def _parse_file(key: str, files: DataFiles, make: Callable[[bytes], T]) -> T:
    """What *make* makes of one file."""
    shipped = SHIPPED_FILES[key]
    data = files[key] if key in files else b"" if shipped is None else get_data(*shipped)
    assert data is not None, f"{key} is not shipped"
    try:
        return make(data)
    except UnicodeDecodeError:
        raise InvalidDataFile(key, "it is no UTF-8 text") from None
    except InvalidData as bad:
        raise InvalidDataFile(key, str(bad)) from None


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig")  # an editor of Windows puts a mark before the text
