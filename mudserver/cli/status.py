"""`mudserver status`: the state of the running server."""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mudserver.cli.all_servers import show_all
from mudserver.cli.config import add_options, config_sources
from mudserver.cli.door import add_door_option
from mudserver.clock import format_minute
from mudserver.config import load
from mudserver.ops.control_socket import ServerNotRunning, send_request
from variants.kit.text import duration, quantity

ANSWER_S = 10.0
LOOK_S = 0.5  # between two looks at a standby


def add(commands: Any) -> None:
    status = commands.add_parser(
        "status",
        help="show the state of the running server",
        description="Show the state of the running server.  Exit status 1 if none runs.",
    )
    add_door_option(status)
    status.add_argument("--json", action="store_true", help="print one JSON object")
    status.add_argument(
        "--all", action="store_true",
        help="show all servers that share the journal in PostgreSQL, also those that are gone",
    )  # fmt: skip
    status.add_argument(
        "--standby-ready", action="store_true",
        help="print only whether a standby could take over now; exit status 1 if not",
    )  # fmt: skip
    status.add_argument(
        "--wait", type=float, default=0.0, metavar="SECONDS",
        help="with --standby-ready: wait so long for it",
    )  # fmt: skip
    add_options(status)
    status.set_defaults(run=_status)


def _status(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    if options.standby_ready:
        return _wait_for_standby(directory, options.wait)
    if options.all:
        return show_all(directory, is_json=options.json)
    found = send_request(directory, "status", ANSWER_S, door=options.door or "")
    if options.json:
        print(json.dumps(found))
        return 0
    rows = list(door_rows_of(found) if options.door else rows_of(found))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")
    return 0


def _wait_for_standby(directory: Path, wait_s: float) -> int:
    left = int(wait_s / LOOK_S)  # looks
    while True:
        standby = _standby_of(directory, may_be_missing=bool(left))
        is_ready = standby["state"] == "ready"
        if is_ready or not left:
            print(f"standby {_standby(**standby)}" if "why" in standby else "standby none")
            return 0 if is_ready else 1
        left -= 1
        threading.Event().wait(LOOK_S)


def _standby_of(directory: Path, *, may_be_missing: bool) -> dict[str, Any]:
    """Args: may_be_missing: The server: it may just be starting."""
    try:
        found: dict[str, Any] = send_request(directory, "status", ANSWER_S)["standby"]
    except ServerNotRunning:
        if not may_be_missing:
            raise
        return {"state": "none"}
    return found


def rows_of(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The rows as label and value, in the order in which an operator asks."""
    yield found["name"], f"mudserver {found['version']}"
    started_ms, now_ms = found["started_ms"], found["now_ms"]
    yield (
        "up since",
        f"{format_minute(started_ms)} UTC, for {_span((now_ms - started_ms) // 60_000)}",
    )
    listeners = found["listeners"].items()
    yield "listeners", ", ".join(f"{name} {address}" for name, address in listeners)
    for door in found["doors"]:
        yield f"door {door['name']}", _door(door)
    if found["is_behind_doors"] and not found["doors"]:
        yield "doors", "none is connected"
    if found["doors"]:
        yield "restarts", _restarts(**found["restarts"])
    if found["standby"]["state"] != "none":
        yield "standby", _standby(**found["standby"])
    users = found["users"]
    sessions = ", ".join(f"{n} by {protocol}" for protocol, n in found["sessions"].items() if n)
    total = users["account"] + users["guest"]
    yield "users", f"{total}, {quantity(users['guest'], 'guest')} among them"
    yield "sessions", sessions or "none"
    yield "pre-login", quantity(found["connections_pre_login"], "connection")
    yield "tables", _tables(found["tables"])
    yield "computer players", _computer_players(**found["computer_players"])
    yield "journal", _journal(**found["journal"])
    at_ms = int(1000 * found["last_backup_s"])
    yield "last backup", f"{format_minute(at_ms)} UTC" if at_ms else "none since the start"
    yield "memory", f"{found['memory_bytes'] / 1_048_576:.1f} MiB"
    yield "open files", f"{found['open_files']} of {found['open_files_max']}"
    yield "event loop delay", f"{1000 * found['loop_delay_p99_s']:.1f} ms (p99 of the last minute)"
    yield "refused", ", ".join(f"{n} {why}" for why, n in found["refusals"].items()) or "none"
    errors = found["internal_errors"]
    yield "internal errors", f"{errors}; each has a log line and a reference" if errors else "none"
    for server in found["servers"]:
        yield server["name"], _server(**server)


def _server(name: str, state: str, people: int, tables: int, lease_s: float, lag_s: float) -> str:
    """One of the servers that share the journal, this one too."""
    here = f"{quantity(people, 'person', 'people')}  {quantity(tables, 'table')}"
    return f"{state}  {here}  lease {lease_s:.1f} s  follows {lag_s:.2f} s behind"


def door_rows_of(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The rows of one door, as it says itself."""
    yield f"door {found['name']}", f"mudserver {found['version']}, for {_span(found['up_s'] // 60)}"
    listeners = found["listeners"].items()
    yield "listeners", ", ".join(f"{name} {address}" for name, address in listeners) or "closed"
    games = found.get("games", ())  # a door of an earlier release names none
    for game in games if len(games) > 1 else [found["game"]]:
        yield "game server", _game_server(game, found["gap_s"])
    if (left_s := found["draining_s"]) is not None:
        yield "draining", f"{duration(left_s)} left"
    people, waiting = found["people"], found["connections_pre_login"]
    total = quantity(found["connections"], "connection")
    yield "people", f"{people}; {total}, {waiting} before login"
    yield "restarts", _restarts(**found["restarts"])
    yield "memory", f"{found['memory_bytes'] / 1_048_576:.1f} MiB"
    yield "event loop delay", f"{1000 * found['loop_delay_p99_s']:.1f} ms (p99 of the last minute)"
    yield "refused", ", ".join(f"{n} {why}" for why, n in found["refusals"].items()) or "none"


def _game_server(game: dict[str, Any] | None, gap_s: float | None) -> str:
    if game is None:
        return "none yet" if gap_s is None else f"none for {duration(gap_s)}; connections wait"
    row = f"version {game['version']}, protocol {game['protocol']}, process {game['pid']}"
    if (count := game.get("connections")) is None:
        return row
    return f"{game['name']}, {quantity(count, 'connection')}, {row}"


def _door(door: dict[str, Any]) -> str:
    people = quantity(door["people"], "person", "people")
    if (left_s := door["draining_s"]) is not None:
        return f"draining, {people}, {duration(left_s)} left"
    waiting, up = door["connections_pre_login"], _span(door["up_s"] // 60)
    return f"{people}, {waiting} before login, protocol {door['protocol']}, for {up}"


def _restarts(planned: int, crash: int, last: dict[str, Any] | None) -> str:
    if last is None:
        return "none since the doors started"
    when = f"{last['kind']} {format_minute(last['at_ms'])} UTC"
    sessions = f"{last['went_on']} of {quantity(last['sessions'], 'session')}"
    gap = f"gap {last['gap_s']:.2f} s"
    return f"last {when}: {sessions}, {gap}; planned {planned}, crashes {crash}"


def _standby(state: str, why: str, behind_s: float, version: str, **_: object) -> str:
    reason = f": {why}" if why else ""
    return f"{state}{reason}, {behind_s:.1f} s behind, version {version}"


def _tables(games: dict[str, dict[str, int]]) -> str:
    summaries = [
        f"{game} {', '.join(f'{n} {phase}' for phase, n in phases.items() if n)}"
        for game, phases in games.items()
        if any(phases.values())
    ]
    return "; ".join(summaries) or "none"


def _computer_players(plays: int, failures: int, processes_lost: int) -> str:
    lost = quantity(processes_lost, "process", "processes")
    return f"{quantity(plays, 'play')}, {quantity(failures, 'failure')}, {lost} lost"


def _journal(
    is_writable: bool,
    records: int,
    queued: int,
    size_bytes: int,
    level: float,
    commit_mean_s: float,
    failures: int,
) -> str:
    state = "ok" if is_writable else "NOT WRITABLE"
    pace = f"{1000 * commit_mean_s:.1f} ms a commit, {quantity(failures, 'failure')}"
    size = f"{size_bytes / 1_048_576:.1f} MiB, {level:.0%} of its limit"
    return f"{state}; {size}; {quantity(records, 'record')}, {queued} queued, {pace}"


def _span(minutes: int) -> str:
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{quantity(days, 'day')} and {quantity(hours, 'hour')}"
    return f"{hours} h {minutes % 60} min" if hours else quantity(minutes, "minute")
