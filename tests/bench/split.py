"""What it costs that a door holds the connections: CPU for a line that is delivered, the time to an
echo, and what `quiet.py` measures.

Rule 1: one process and two are measured in turn in the same run, with the same crowd and lines.
Rule 2: one key is on its way at a time, with a pause before it, so that all processes sleep.
"""

from __future__ import annotations

import tempfile
from statistics import median

from tests.bench import quiet
from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.bench.visits import PAUSE_S

WARM, PEOPLE, ROUNDS = 20, 400, 40
KINDS = ("telnet", "ssh")
TOTAL_AT_MOST = 1.25  # of one process

TYPISTS, KEYS, PARTS, KEY_PAUSE_S = 20, 1_000, 10, 0.005
ECHO_AT_MOST = 4.0  # of one process, half of the keys


def line_us(kind: str, people: int = PEOPLE, rounds: int = ROUNDS) -> dict[str, float]:
    """Microseconds of CPU for a line delivered to one reader: of `one` process; `door`, `game`."""
    with Child("tests.bench.server") as server, Child("tests.bench.crowd") as crowd:
        port = server.ask("listen")[kind]
        one, _ = _delivered(server, server, crowd, kind, port, people, rounds)
    with tempfile.TemporaryDirectory() as folder, Child("tests.bench.server") as game:
        game.ask("listen_for_doors", folder)
        with Child("tests.bench.door") as door, Child("tests.bench.crowd") as crowd:
            port = door.ask("listen", folder)[kind]
            both, in_door = _delivered(game, door, crowd, kind, port, people, rounds)
    return {"one": one, "door": in_door, "game": both - in_door, "both": both}


def _delivered(
    game: Child, door: Child, crowd: Child, kind: str, port: int, people: int, rounds: int
) -> tuple[float, float]:
    """In all, and in the door; if that is the game server itself, in all is its own."""
    if kind == "ssh":
        game.ask("open_accounts", crowd.ask("make_keys", people + WARM))
    crowd.ask("come", kind, port, people + WARM)
    game.ask("settle")
    crowd.ask("type_half")
    crowd.ask("forget")
    count = (people + WARM) * rounds
    with crowd.frozen():
        before_s = door.ask("rested_s", PAUSE_S)
        game_s = game.ask("talk", rounds, 1, PAUSE_S)
        door_s = door.ask("rested_s", PAUSE_S) - before_s
    surplus = crowd.ask("hear", count)
    assert not surplus, f"{surplus} lines more than were said"
    crowd.ask("leave")
    in_all_s = game_s if door is game else game_s + door_s
    return in_all_s / count * 1e6, door_s / count * 1e6


def echoes_us(
    kind: str, people: int = TYPISTS, keys: int = KEYS, parts: int = PARTS
) -> dict[str, list[float]]:
    """From a key to its echo, shortest first: of `one` process, and of two (`split`), in turn."""
    found: dict[str, list[float]] = {"one": [], "split": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        Child("tests.bench.server") as server,
        Child("tests.bench.crowd") as at_server,
        Child("tests.bench.server") as game,
        Child("tests.bench.door") as door,
        Child("tests.bench.crowd") as at_door,
    ):
        game.ask("listen_for_doors", folder)
        ports = {"one": server.ask("listen")[kind], "split": door.ask("listen", folder)[kind]}
        sides = {"one": (server, at_server), "split": (game, at_door)}
        for name, (holder, crowd) in sides.items():
            if kind == "ssh":
                holder.ask("open_accounts", crowd.ask("make_keys", people))
            crowd.ask("come", kind, ports[name], people)
            holder.ask("settle")
        for _ in range(parts):
            for name, (_, crowd) in sides.items():
                found[name] += crowd.ask("echoes_us", keys // parts, KEY_PAUSE_S)
                crowd.ask("type", "\x15")
        for _, crowd in sides.values():
            crowd.ask("leave")
    return {name: sorted(each) for name, each in found.items()}


def rows(times: int) -> list[Row]:
    return [*_line_rows(times), *_echo_rows(times), *quiet.rows(times)]


def _echo_rows(times: int) -> list[Row]:
    found = []
    for kind in KINDS:
        echoes = [echoes_us(kind) for _ in range(times)]
        for share, of, target in (
            ("50 of 100", median, Target("<=", ECHO_AT_MOST, is_ratio=True)),
            ("99 of 100", _most, None),
        ):
            one = tuple(of(each["one"]) for each in echoes)
            both = tuple(of(each["split"]) for each in echoes)
            more = tuple(ours - theirs for ours, theirs in zip(both, one, strict=True))
            found += [
                Row(f"split, {kind}: us to an echo, {share} keys", both, one, target),
                Row("      more than in one process", more),
            ]
    return found


def _most(ordered: list[float]) -> float:
    return ordered[len(ordered) * 99 // 100]


def _line_rows(times: int) -> list[Row]:
    found = []
    for kind in KINDS:
        lines = [line_us(kind) for _ in range(times)]
        one = tuple(each["one"] for each in lines)
        found.append(Row(f"split, {kind}: us of CPU a line delivered, one process", one))
        for part, target in (
            ("both", Target("<=", TOTAL_AT_MOST, is_ratio=True)), ("door", None), ("game", None)
        ):  # fmt: skip
            name = {"both": "door and game server", "door": "of it the door",
                    "game": "of it the game server"}[part]  # fmt: skip
            found.append(Row(f"split, {kind}: us of CPU a line delivered, {name}",
                             tuple(each[part] for each in lines), one, target))  # fmt: skip
    return found
