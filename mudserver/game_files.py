"""The catalogue of games, built from the data files that the configuration names.

Rule 1: files are read once, at start, for all processes of the server: the computer players'
        processes are given `files`.  Changes in them apply at the next start.
Rule 2: a wrong file is a configuration error that names the key, the file and the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import msgspec

from mudserver.config import schema
from mudserver.errors import ConfigError, UserError
from mudserver.plain_file import read_plain_file
from variants.catalogue import AnyVariant, Catalogue, InvalidDataFile, build_catalogue

BYTES_MAX = 16 * 1024 * 1024  # of one file
NOTES_MAX = 10  # of one game


@dataclass(frozen=True)
class LoadedGames:
    files: Mapping[str, bytes]  # custom files, by key of `variants.catalogue.SHIPPED_FILES`
    catalogue: Catalogue


def load_games(config: schema.GamesConfig) -> LoadedGames:
    """Read the files and build the games.  ConfigError names key, file and reason of each fault."""
    paths = {key: path for key, path in msgspec.structs.asdict(config).items() if path}
    faults: list[str] = []
    files = _read_files(paths, faults)
    catalogue = _build(files, paths, faults)
    if catalogue is None or faults:
        raise ConfigError(*faults)
    return LoadedGames(files, catalogue)


def _read_files(paths: Mapping[str, str], faults: list[str]) -> dict[str, bytes]:
    files = {}
    for key, path in paths.items():
        try:
            files[_file_key(key)] = read_plain_file(path, BYTES_MAX)
        except OSError as exc:
            faults.append(f"games.{key}: {path}: cannot be read: {exc.strerror}")
    return files


def _build(
    files: Mapping[str, bytes], paths: Mapping[str, str], faults: list[str]
) -> Catalogue | None:
    """The games; a file that is wrong is a fault, and the others are looked at without it."""
    try:
        return build_catalogue(files)
    except InvalidDataFile as bad:
        # A shipped file may be the culprit too, if it does not fit the custom one.
        key = bad.key.replace(".", "_", 1)
        where = paths.get(key, "the shipped file, with yours")
        faults.append(f"games.{key}: {where}: {bad.reason}")
        if bad.key not in files:
            return None
        others = {name: data for name, data in files.items() if name != bad.key}
        return _build(others, paths, faults)


def find_variant(name: str, catalogue: Catalogue) -> AnyVariant:
    """The game called *name*, or the only one whose name begins so.  UserError: none."""
    wanted, known = name.lower(), list(catalogue)
    if wanted in catalogue:
        return catalogue[wanted]
    begun = [full for full in known if full.startswith(wanted)]
    if len(begun) == 1:
        return catalogue[begun[0]]
    close = get_close_matches(wanted, known, 1)
    hint = f"Did you mean {close[0]}?" if close else f"There are: {', '.join(known)}."
    raise UserError(f'There is no game called "{name}". {hint}', "not_found")


def game_notes(catalogue: Catalogue) -> list[str]:
    """Notes on custom files, for the log: at most NOTES_MAX per game."""
    lines = []
    for game in catalogue.values():
        lines += [f"{game.name}: {note}" for note in game.notes[:NOTES_MAX]]
        if left := len(game.notes[NOTES_MAX:]):
            lines.append(f"{game.name}: and {left:,} more like these.")
    return lines


def _file_key(key: str) -> str:
    """`stockpile_decks` in the configuration is the file `stockpile.decks`."""
    return key.replace("_", ".", 1)
