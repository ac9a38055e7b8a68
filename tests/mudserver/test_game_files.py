"""The games are built at the start, from the files that the configuration names."""

from __future__ import annotations

import os
from dataclasses import replace
from gzip import decompress as gunzip
from pathlib import Path
from pkgutil import get_data
from typing import Any

import msgspec
import pytest

from mudserver import game_files
from mudserver.__main__ import main
from mudserver.config import load, schema
from mudserver.errors import ConfigError
from variants import catalogue
from variants.catalogue import (
    CATALOGUE,
    SHIPPED_FILES,
    InvalidDataFile,
    LazyCatalogue,
    build_catalogue,
)
from variants.contract import IllegalAction, Seat, Variant
from variants.kit.chance import SeededChance
from variants.words.actions import Form


def named(home: Path, data: bytes) -> Path:
    """A configuration that names a file of its own directory with *data*."""
    (home / "mine.json").write_bytes(data)
    (home / "server.toml").write_text('[games]\nstockpile_decks = "mine.json"\n')
    return home / "server.toml"


def test_every_file_of_a_game_is_a_key_of_the_configuration():
    keys = msgspec.structs.asdict(schema.GamesConfig())
    assert {key.replace(".", "_") for key in SHIPPED_FILES} == set(keys)
    assert set(keys.values()) == {""}


def test_without_own_files_the_games_are_the_shipped_ones():
    found = game_files.load_games(schema.GamesConfig())
    assert {} == found.files
    assert [(v.name, v.data_fingerprint) for v in CATALOGUE.values()] == [
        (v.name, v.data_fingerprint) for v in found.catalogue.values()
    ]


def test_a_file_is_looked_for_where_the_configuration_lies(tmp_path, monkeypatch, capsys):
    shipped = get_data(*SHIPPED_FILES["stockpile.decks"])
    loaded = load.load_file(named(tmp_path, shipped))
    monkeypatch.chdir("/")
    assert {"stockpile.decks": shipped} == game_files.load_games(loaded.games).files
    assert 0 == main(["check-config", str(tmp_path / "server.toml")])
    absolute = tmp_path / "absolute.toml"
    absolute.write_text(f'[games]\nstockpile_decks = "{tmp_path}/mine.json"\n')
    assert loaded.games == load.load_file(absolute).games


def test_what_is_built_from_a_file_does_not_change_with_the_file(tmp_path):
    shipped = get_data(*SHIPPED_FILES["stockpile.decks"])
    found = game_files.load_games(load.load_file(named(tmp_path, shipped)).games)
    named(tmp_path, b"[]")
    assert {"stockpile.decks": shipped} == found.files


def test_the_mark_that_some_editors_put_before_a_text_is_no_part_of_it():
    shipped = get_data(*SHIPPED_FILES["stockpile.decks"])
    marked = build_catalogue({"stockpile.decks": b"\xef\xbb\xbf" + shipped})
    assert CATALOGUE["stockpile"].data_fingerprint == marked["stockpile"].data_fingerprint


def test_a_wrong_file_is_one_line_with_key_file_and_reason(tmp_path, capsys):
    for data, reason in ((b"\xff", "it is no UTF-8 text"), (b'{"cake": 1}', "The deck supplies")):
        assert 2 == main(["check-config", str(named(tmp_path, data))])
        said = capsys.readouterr().err
        assert said.startswith(f"mudserver: games.stockpile_decks: {tmp_path}/mine.json: {reason}")
        assert 1 == said.count("\n")


@pytest.mark.parametrize("name", ["absent.json", "", "\0"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(ConfigError, match=r"^games\.stockpile_decks: .*: cannot be read: "):
        game_files.load_games(schema.GamesConfig(stockpile_decks=str(tmp_path / name)))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_bytes(b"x" * 1_001), "it is longer than 1,000 bytes"),
        (lambda path: path.symlink_to("/dev/zero"), "it is no plain file"),
        (os.mkfifo, "it is no plain file"),
    ],
)
def test_a_file_without_end_is_refused_at_once(tmp_path, monkeypatch, make, reason):
    monkeypatch.setattr(game_files, "BYTES_MAX", 1_000)
    make(tmp_path / "decks.json")
    with pytest.raises(ConfigError, match=f"cannot be read: {reason}"):
        game_files.load_games(schema.GamesConfig(stockpile_decks=str(tmp_path / "decks.json")))


def test_a_file_that_no_game_has_is_refused():
    with pytest.raises(
        InvalidDataFile, match=r"^chess\.board: no game has such a file; there is stock"
    ):
        build_catalogue({"chess.board": b"{}"})


def test_a_game_of_shipped_files_is_built_once_and_only_when_it_is_asked_for(monkeypatch):
    built: list[str] = []

    def counted(name: str) -> Any:
        make = catalogue.BUILDERS[name]
        return lambda files: (built.append(name), make(files))[1]

    monkeypatch.setattr(catalogue, "BUILDERS", {name: counted(name) for name in CATALOGUE})
    shelf = LazyCatalogue()
    assert list(CATALOGUE) == list(shelf) and len(CATALOGUE) == len(shelf)
    assert "stockpile" in shelf and "chess" not in shelf and shelf.get("chess") is None
    assert [] == built
    assert shelf["stockpile"] is shelf["stockpile"]
    assert ["stockpile"] == built


def test_only_a_game_with_files_of_the_hosts_own_is_built_for_that_host():
    shipped, own = (
        build_catalogue(),
        build_catalogue({"stockpile.decks": get_data(*SHIPPED_FILES["stockpile.decks"])}),
    )
    assert all(shipped[name] is CATALOGUE[name] for name in CATALOGUE)
    differ = [name for name in CATALOGUE if own[name] is not CATALOGUE[name]]
    assert ["stockpile"] == differ


def noted(*notes: str) -> Variant[Any, Any, Any, Any]:
    return replace(CATALOGUE["elimination"], notes=notes)


def test_what_a_host_should_know_of_files_is_said_in_a_few_lines():
    many = noted(*(f"{n}." for n in range(1_234)))
    said = game_files.game_notes({"elimination": many, "other": noted("One.")})
    assert said[0] == "elimination: 0." and len(said) == game_files.NOTES_MAX + 2
    assert said[-2:] == ["elimination: and 1,224 more like these.", "elimination: One."]


def test_who_checks_a_configuration_reads_what_is_said_of_its_files(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(
        game_files, "build_catalogue", lambda files: {"elimination": noted("7 words.")}
    )
    (tmp_path / "server.toml").write_text("")
    assert 0 == main(["check-config", str(tmp_path / "server.toml")])
    good = f"{tmp_path}/server.toml: ok"
    assert ["elimination: 7 words.", good] == capsys.readouterr().out.splitlines()


def test_a_shipped_file_that_makes_no_game_beside_the_hosts_own_is_named_too(monkeypatch, tmp_path):
    def spoiled(files: Any) -> Any:
        raise InvalidDataFile("words.list", "No word is left.")

    monkeypatch.setattr(game_files, "build_catalogue", spoiled)
    with pytest.raises(
        ConfigError, match=r"^games\.words_list: the shipped file, with yours: No w"
    ):
        game_files.load_games(load.load_file(named(tmp_path, b"")).games)


# -- the files of the word game ------------------------------------------------------------------


def common(*without: str) -> str:
    """The commonest words of the shipped list: enough for a game."""
    rows = gunzip(get_data(*SHIPPED_FILES["words.list"])).decode().splitlines()
    words = [row.removesuffix("\t10") for row in rows if row.endswith("\t10")]
    return "\n".join(word for word in words if word not in without) + "\n"


def with_words(home: Path, **files: str) -> schema.GamesConfig:
    """A configuration with files for the word game, by key."""
    rows = ["[games]\n"]
    for key, text in files.items():
        (home / f"{key}.txt").write_text(text)
        rows.append(f'words_{key} = "{key}.txt"\n')
    (home / "server.toml").write_text("".join(rows))
    return load.load_file(home / "server.toml").games


def is_word(games_: game_files.LoadedGames, word: str) -> bool:
    words = games_.catalogue["words"]
    options = {option.name: option.default for option in words.options} | {"level": "60"}
    state = None
    for event in words.arrange(
        2, options, {"phase": "main", "hands": {0: word + "*"}}, SeededChance(b"")
    ):
        state = words.evolve(state, event)
    try:
        words.check(words.observe(state, Seat(0)), Form(word))
    except IllegalAction:
        return False
    return True


def test_a_host_brings_another_list_of_words_and_adds_and_removes_some(tmp_path):
    own = with_words(tmp_path, list=common("foal"), extra="xyz\n", removed="god\n")
    found = game_files.load_games(own)
    assert [True, False, True] == [is_word(found, word) for word in ("DOG", "GOD", "XYZ")]
    shipped = game_files.load_games(schema.GamesConfig())
    assert [True, True, False] == [is_word(shipped, word) for word in ("DOG", "GOD", "XYZ")]
    assert found.catalogue["words"].data_fingerprint != shipped.catalogue["words"].data_fingerprint
    assert {"words.list", "words.extra", "words.removed"} == set(found.files)


def test_a_host_denies_words_for_fresh_manifests(tmp_path):
    """They stay words; a record says that they were denied."""
    found = game_files.load_games(with_words(tmp_path, denied="dog\nqwx\n"))
    assert is_word(found, "DOG")
    assert found.catalogue["words"].data_fingerprint != CATALOGUE["words"].data_fingerprint
    (said,) = game_files.game_notes(found.catalogue)
    assert said == "words: 248,118 words. Not denied: 'QWX', for it is not in the list."


def test_how_many_words_there_are_and_how_many_lines_were_skipped_is_said(tmp_path):
    shipped = game_files.game_notes(game_files.load_games(schema.GamesConfig()).catalogue)
    assert ["words: 248,118 words."] == shipped
    listed = common()
    own = game_files.load_games(
        with_words(tmp_path, list=f"{listed}x\nno-word\n", removed="tigger\n")
    )
    said = game_files.game_notes(own.catalogue)
    count = f"{listed.count(chr(10)):,} words; 2 skipped"
    assert said[0].startswith(f"words: {count} (1 shorter than 3 letters and 1 with")
    assert said[0].endswith("Not removed: 'TIGGER', for it is not in the list.")
    assert "words: 186 printed words are not in the word list: LOUD of M01, " in said[1]
    assert said[1].endswith(" and 182 more. What is printed is valid.")
    assert said[2].startswith("words: No lesson with these files: ")
    assert 3 == len(said), "one sentence, however many words there are"


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("list", "", "The file is empty."),
        ("list", "12\n", "No word is left"),
        ("list", "cat\ndog\ntea\n", "The letters of the box spell 3 of the words"),
        ("list", "a\x00b", "Line 1 holds a control character"),
        ("extra", "\x01", "Line 1 holds a control character"),
        ("box", "{}", "letters is missing"),
        ("box", "[]", "The file is no object"),
    ],
)
def test_a_wrong_file_of_words_is_refused_by_key_file_and_reason(tmp_path, key, text, reason):
    with pytest.raises(ConfigError) as refused:
        game_files.load_games(with_words(tmp_path, **{key: text}))
    assert str(refused.value).startswith(f"games.words_{key}: {tmp_path}/{key}.txt: {reason}")


def test_who_takes_all_words_out_of_the_shipped_list_is_told_which_list_is_empty(tmp_path):
    packed = get_data(*SHIPPED_FILES["words.list"])
    every = "\n".join(row.partition("\t")[0] for row in gunzip(packed).decode().splitlines())
    with pytest.raises(
        ConfigError, match=r"^games\.words_list: the shipped file, with yours: No w"
    ):
        game_files.load_games(with_words(tmp_path, removed=every))
