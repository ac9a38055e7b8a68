"""Walls: what a module must not do, and what the files of a game must not import.

Rule 1: what import-linter cannot see (clocks, files, escapes) is an AST walk over the sources;
        `test_a_wall_notices_what_it_forbids` plants one breach of each kind.
Rule 2: what import-linter guards stands in pyproject.toml, by pattern.  Here a forbidden import is
        planted in every file of every game, and in a file that does not exist yet.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.protected import ProtectedContract

from variants.catalogue import CATALOGUE

ROOT = Path(__file__).parents[1]
LINES_MAX = 700
ESC = chr(27)

Law = Callable[[ast.AST], bool]


def sources() -> Iterator[Path]:
    for room in ("mudserver", "variants"):
        yield from sorted((ROOT / room).rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a file, walked through once."""
    return tuple(ast.walk(tree))


def dotted(node: ast.AST) -> str:
    """`time.monotonic` of an attribute or a name; "" of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def writes_escape(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant):
        return False
    value = node.value
    return (isinstance(value, str) and ESC in value) or (
        isinstance(value, bytes) and ESC.encode() in value
    )


def reads_clock(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name in ("time", "datetime") for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.module in ("time", "datetime")


def opens_file(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func)
    file_methods = ("read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "unlink")
    return name in ("open", "io.open", "os.open") or name.rpartition(".")[2] in file_methods


def imports_by_name(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] == "importlib" for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "importlib"
    return isinstance(node, ast.Call) and dotted(node.func) in ("__import__", "exec", "eval")


def uses_the_shipped_games(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(alias.name in ("CATALOGUE", "*") for alias in node.names)
    return isinstance(node, ast.Attribute) and node.attr == "CATALOGUE"


LAWS: dict[str, tuple[Law, tuple[str, ...], str]] = {
    "only the painter writes an escape": (
        writes_escape,
        ("mudserver/ui/ansi.py",),
        f"x = {(ESC + '[0m')!r}",
    ),
    "only the clock reads a clock": (reads_clock, ("mudserver/clock.py",), "import time"),
    "only the journal and the named few open files": (
        opens_file,
        (
            "mudserver/data_directory.py",
            *("mudserver/journal/sqlite/journal.py", "mudserver/journal/sqlite/database.py"),
            *("mudserver/atomic_file.py", "mudserver/journal/sqlite/store.py"),
            "mudserver/journal/sqlite/wal_check.py",
            *("mudserver/journal/sqlite/migrations.py", "mudserver/journal/sqlite/inspector.py"),
            *("mudserver/ops/backup_archive.py", "mudserver/ops/backups.py"),
            "mudserver/ops/temp_files.py",
            *("mudserver/cli/data.py", "mudserver/cli/move.py"),
            *("mudserver/transport/ssh/host_keys.py", "mudserver/cli/process.py"),
            *("mudserver/transport/known_networks.py", "mudserver/tables/temporary_database.py"),
            *("mudserver/plain_file.py", "mudserver/ops/control_socket.py"),
            *("mudserver/ops/process_stats.py", "mudserver/version.py"),
            *("mudserver/wall/game.py", "mudserver/wall/door_process.py"),
            "mudserver/wall/certificates.py",
            *("mudserver/standby/soft_state.py", "mudserver/standby/waiting.py"),
            *("variants/verify.py", "variants/scenario.py", "variants/words/manifests/__main__.py"),
        ),
        "open('x')",
    ),
    "the server plays the games it was built with": (
        uses_the_shipped_games,
        ("variants/verify.py", "variants/scenario_file.py"),
        "from variants.catalogue import CATALOGUE",
    ),
    "nothing is imported by name": (imports_by_name, (), "import importlib"),
}


@pytest.mark.parametrize("law", LAWS)
def test_the_wall_stands(law):
    breaks, allowed, _ = LAWS[law]
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]
        for path in sources()
        if str(path.relative_to(ROOT)) not in allowed
        for node in nodes(tree_of(path))
        if breaks(node)
    ]
    assert [] == found


@pytest.mark.parametrize("law", LAWS)
def test_a_wall_notices_what_it_forbids(law):
    breaks, _, breach = LAWS[law]
    assert any(breaks(node) for node in ast.walk(ast.parse(breach)))


def test_every_file_is_a_small_room():
    files = (*sources(), *(ROOT / "tests").rglob("*.py"))
    long = {str(p.relative_to(ROOT)): n for p in files if (n := _lines(p)) > LINES_MAX}
    assert {} == long


def test_every_module_says_its_law():
    mute = [
        str(path.relative_to(ROOT)) for path in sources() if not ast.get_docstring(tree_of(path))
    ]
    assert [] == mute


def _lines(path: Path) -> int:
    return path.read_text("utf-8").count("\n")


# -- imports of games ------------------------------------------------------------------------------

configure()
OPTIONS = read_user_options(str(ROOT / "pyproject.toml"))
CONTRACTS = {contract["name"]: contract for contract in OPTIONS.contracts_options}
KINDS = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "protected": ProtectedContract,
}
SECRECY = "only rules/ and game.py of a game import its state and rules"
WHOLE = "only the catalogue imports game.py of a game"
APART = "games do not import each other, nor the modules built on all of them"
NAMELESS = "the server imports no single game"


def game_files(game: str) -> list[str]:
    """The modules of a game, but for those that may know its state."""
    folder = ROOT / "variants" / game
    modules = [path.relative_to(ROOT).with_suffix("") for path in folder.rglob("*.py")]
    knowing = ("game", "state", "rules")
    return sorted(
        ".".join(module.parts).removesuffix(".__init__")
        for module in modules
        if module.parts[2] not in knowing
    )


BLIND = {game: [*game_files(game), f"variants.{game}.not_yet_written"] for game in CATALOGUE}
"""By game: the files that must not know its state, and one that nobody has thought of."""


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    graph = grimp.build_graph(
        "mudserver", "variants", include_external_packages=True, cache_dir=None
    )
    for files in BLIND.values():
        graph.add_module(files[-1])
    return graph


def checked(contract: str, imports: grimp.ImportGraph, *planted: tuple[str, str]) -> Any:
    """What a contract finds when *planted* imports (importer, imported) are there too."""
    graph = deepcopy(imports)
    for importer, imported in planted:
        graph.add_import(importer=importer, imported=imported, line_number=1, line_contents="")
    options = CONTRACTS[contract]
    return KINDS[options["type"]](contract, OPTIONS.session_options, options).check(
        graph, verbose=False
    )


@pytest.mark.parametrize("contract", [SECRECY, WHOLE, APART, NAMELESS])
def test_contracts_on_games_are_kept_and_name_no_game(contract, imports):
    assert checked(contract, imports).kept
    assert not [game for game in CATALOGUE if game in str(CONTRACTS[contract])]


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_file_of_a_game_that_imports_its_state_or_rules_is_found(game, imports):
    for secret in ("state", "rules", "rules.decide", "rules.observe"):
        planted = [(file, f"variants.{game}.{secret}") for file in BLIND[game]]
        found = checked(SECRECY, imports, *planted).metadata["illegal_imports"]
        links = [(link["importer"], link["imported"]) for at in found for link in at.illegal_links]
        assert sorted(planted) == sorted(links)


def test_files_of_language_view_and_bots_are_among_those_that_are_guarded():
    for game, files in BLIND.items():
        home = f"variants.{game}"
        assert f"{home}.view" in files
        for package in ("language", "bots"):
            assert any(file.startswith(f"{home}.{package}.") for file in files)


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_file_of_a_game_that_imports_the_whole_game_is_found(game, imports):
    """The way round: the whole game imports the rules, and they the state."""
    planted = [(file, f"variants.{game}.game") for file in BLIND[game]]
    found = checked(WHOLE, imports, *planted).metadata["illegal_imports"]
    links = [(link["importer"], link["imported"]) for at in found for link in at.illegal_links]
    assert sorted(planted) == sorted(links)


@pytest.mark.parametrize("target", ["catalogue", "verify", "{other}.view"])
@pytest.mark.parametrize("game", CATALOGUE)
def test_a_game_that_knows_another_or_the_catalogue_is_found(game, target, imports):
    other = next(name for name in CATALOGUE if name != game)
    for file in (f"variants.{game}.view", BLIND[game][-1]):
        assert not checked(APART, imports, (file, f"variants.{target}".format(other=other))).kept


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_server_that_names_a_game_is_found(game, imports):
    files = [f"variants.{game}.{file}" for file in ("game", "not_yet_written", "view")]
    planted = [("mudserver.service.moves", file) for file in files]
    found = checked(NAMELESS, imports, *planted).metadata["invalid_chains"]
    assert files == sorted(chains["upstream_module"] for chains in found)
