"""Walls that import-linter cannot see: who reads a clock, opens a file, writes an escape.

Each law is an AST walk over the sources; `test_a_wall_notices_what_it_forbids` plants one breach
of each kind, so that a wall that has stopped looking is found.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES_MAX = 700
ESC = chr(27)

Law = Callable[[ast.AST], bool]


def sources() -> Iterator[Path]:
    for room in ("mudserver", "variants"):
        yield from sorted((ROOT / room).rglob("*.py"))


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
    "only the ledger and its neighbours open files": (
        opens_file,
        (
            *("mudserver/journal/sqlite_journal.py", "mudserver/journal/database.py"),
            *("mudserver/atomic_file.py", "mudserver/journal/sqlite_store.py"),
            "mudserver/journal/wal_check.py",
            *("mudserver/journal/migrations.py", "mudserver/journal/inspector.py"),
            *("mudserver/ops/backup_archive.py", "mudserver/ops/backups.py"),
            "mudserver/ops/temp_files.py",
            "mudserver/cli/data.py",
            *(
                "mudserver/config/load.py",
                "mudserver/transport/ssh/host_keys.py",
                "mudserver/cli/serve.py",
            ),
            *("mudserver/game_files.py", "mudserver/ops/control_socket.py"),
            "mudserver/ops/process_stats.py",
            *("variants/verify.py", "variants/scenario.py", "variants/words/manifests/__main__.py"),
        ),
        "open('x')",
    ),
    "the house plays the games it was built with": (
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
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
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
        str(path.relative_to(ROOT))
        for path in sources()
        if not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert [] == mute


def _lines(path: Path) -> int:
    return path.read_text("utf-8").count("\n")
