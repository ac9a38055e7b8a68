"""`mudserver status --all`: the servers that share a journal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mudserver.clock import format_minute
from mudserver.ops.control_socket import send_request
from variants.kit.text import quantity

ANSWER_S = 10.0
ALONE = "this server shares its journal with no other"


def show_all(directory: Path, *, is_json: bool) -> int:
    """Print them.  StartError: the server in *directory* does not answer."""
    found = send_request(directory, "servers", ANSWER_S)
    if is_json:
        print(json.dumps(found))
        return 0
    for line in lines_of(found):
        print(line)
    return 0


def lines_of(servers: list[dict[str, Any]]) -> Iterator[str]:
    """One for each, and a warning for each clock that is wrong."""
    if not servers:
        yield ALONE
        return
    width = max(len(server["name"]) for server in servers)
    for server in servers:
        yield f"{server['name']:<{width}}  {_row(**server)}"
    for server in servers:
        if server["is_clock_wrong"]:
            yield (
                f"warning: the clock of {server['name']} differs by"
                f" {server['clock_offset_s']:+.1f} s from the database's: set it by NTP"
            )


def _row(
    host: str,
    state: str,
    epoch: int,
    lease_s: float | None,
    alive_ms: int | None,
    tables: int,
    people: int | None,
    lag_s: float | None,
    clock_offset_s: float | None,
    version: str,
    **_: object,
) -> str:
    where = f"on {host}, epoch {epoch}, {quantity(tables, 'table')}"
    if lease_s is None:
        heard = "never heard of" if alive_ms is None else f"since {format_minute(alive_ms)} UTC"
        return f"{state} {heard}, {where}"
    told = [where, f"lease {lease_s:.1f} s"]
    if people is not None:
        told.insert(1, quantity(people, "person", "people"))
    if lag_s is not None:
        told.append(f"follows {lag_s:.2f} s behind")
    if clock_offset_s is not None:
        told.append(f"clock {clock_offset_s:+.3f} s")
    if version:
        told.append(f"version {version}")
    return f"{state}, {', '.join(told)}"
