"""How files depend on each other: no import circle, no private name of another file, a facade.

Every import counts: those under `TYPE_CHECKING` and inside functions, too.
`test_a_breach_is_found` plants one breach of each kind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.test_walls import nodes, tree_of

ROOT = Path(__file__).parents[1]
NAMED_TUPLE_API = {"_replace", "_asdict", "_fields", "_make"}
FOREIGN = {
    "mudserver.bots.worker": {"_exit"},  # of `os`
    "mudserver.transport.library_patches": {
        # of asyncssh and telnetlib3
        *("_log_packet", "_extra", "_loop", "_update_recv_pktlen", "_cipher"),
    },
}
LIVE = {"mudserver.tables.table", "mudserver.tables.game", "mudserver.tables.runner"}
BEFORE_THE_FACADE = ("mudserver.session", "mudserver.commands", "mudserver.service")

Sources = Mapping[str, ast.AST]


@cache
def sources() -> dict[str, ast.AST]:
    """All product files, by module name."""
    paths = [path for top in ("mudserver", "variants") for path in (ROOT / top).rglob("*.py")]
    named = {".".join(p.relative_to(ROOT).with_suffix("").parts): p for p in paths}
    return {name.removesuffix(".__init__"): tree_of(path) for name, path in named.items()}


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names: of modules, and of what is imported from them."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_of(modules: Sources) -> dict[str, set[str]]:
    """By module, the modules among *modules* that it imports."""

    def found(name: str) -> str:
        return name if name in modules else name.rpartition(".")[0]

    return {
        name: ({found(each) for each in imported(tree)} & set(modules)) - {name}
        for name, tree in modules.items()
    }


def circle(modules: Sources) -> list[str]:
    """One circle of imports; empty: there is none."""
    try:
        TopologicalSorter(imports_of(modules)).prepare()
    except CycleError as exc:
        return list(exc.args[1])
    return []


def own_names(tree: ast.AST) -> set[str]:
    """Names that a file defines: functions, classes, attributes that it sets.

    A declaration alone (`_name: T`) defines nothing: another file would have to set it.
    """
    names: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            names.add(node.target.id)
        elif isinstance(node, ast.Attribute) and is_set(node) and is_own(node.value):
            names.add(node.attr)
    return names


def declared_names(tree: ast.AST) -> set[str]:
    """Names that classes declare without a value."""
    return {
        node.target.id
        for each in nodes(tree)
        if isinstance(each, ast.ClassDef)
        for node in each.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not node.value
    }


def is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


def is_set(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLE_API


def private_reaches(modules: Sources) -> list[str]:
    reaches = []
    for name, tree in modules.items():
        allowed = own_names(tree) | FOREIGN.get(name, set())
        for node in nodes(tree):
            is_of_other = isinstance(node, ast.Attribute) and not is_own(node.value)
            if is_of_other and is_private(node.attr) and node.attr not in allowed:
                reaches.append(f"{name}:{node.lineno} {ast.unparse(node)}")
        taken = [each for each in imported(tree) if is_private(each.rpartition(".")[2])]
        reaches += [f"{name}: {each}" for each in taken]
        unset = sorted(filter(is_private, declared_names(tree) - own_names(tree)))
        reaches += [f"{name}: {each} is declared here and set elsewhere" for each in unset]
    return reaches


def live_imports(modules: Sources) -> list[str]:
    return [
        f"{name}: {sorted(found & LIVE)}"
        for name, found in imports_of(modules).items()
        if name.startswith(BEFORE_THE_FACADE) and found & LIVE
    ]


def test_no_files_import_each_other_in_a_circle():
    assert [] == circle(sources())


def test_no_file_reaches_for_a_private_name_of_another():
    assert [] == private_reaches(sources())


def test_sessions_commands_and_the_facade_see_no_live_table_or_game():
    assert [] == live_imports(sources())


def test_the_facade_shows_only_values_and_questions():
    (facade,) = (
        node
        for node in ast.walk(sources()["mudserver.service.game_service"])
        if isinstance(node, ast.ClassDef) and node.name == "GameService"
    )
    shown = {
        node.attr
        for node in ast.walk(facade)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    parts = {"admission", "game_questions", "hints", "lessons", "moderation", "reports", "reviews"}
    parts |= {"channels", "deletion", "export", "going_on", "guest_seats", "host_pages", "mail"}
    parts |= {
        "inviting",
        "names",
        "new_guests",
        "news",
        "notices",
        "notify",
        "programs",
        "relations",
        "replays",
        "exports",
        "results",
        "seeking",
        "sanctions",
        "talk",
        "later_moves",
        "own_games",
        "walks",
        "tells",
        "table_lists",
        "tourneys",
        "watching",
        "directory",
        "substitutes",
    }
    assert {"catalogue", *parts} == {name for name in shown if not is_private(name)}


def test_a_breach_is_found():
    typed = "if TYPE_CHECKING:\n    from mudserver.service.b import B"
    local = "def f():\n    from mudserver.service import a"
    two = {"mudserver.service.a": ast.parse(typed), "mudserver.service.b": ast.parse(local)}
    assert {"mudserver.service.a", "mudserver.service.b"} == set(circle(two))
    reaching = {"mudserver.a": ast.parse("from mudserver.b import _name\nother.thing._hidden")}
    assert ["mudserver.a:2 other.thing._hidden", "mudserver.a: mudserver.b._name"] == (
        private_reaches(reaching)
    )
    protocol = "class Like(Protocol):\n    _row: int\ndef f(like):\n    return like._row"
    assert [
        "mudserver.a:4 like._row",
        "mudserver.a: _row is declared here and set elsewhere",
    ] == private_reaches({"mudserver.a": ast.parse(protocol)})
    new = {"mudserver.service.new": ast.parse("from mudserver.tables.table import Table")}
    assert ["mudserver.service.new: ['mudserver.tables.table']"] == live_imports(sources() | new)
