"""All servers of a journal, as `mudserver status --all` shows them.

Rule 1: what decides (epoch, lease, tables) is read from the database; what a server tells of itself
        (people, clock, version) is missing of one that has told nothing.
"""

from __future__ import annotations

from typing import Any

from mudserver.cluster.clock_check import is_wrong
from mudserver.cluster.directory import Directory
from mudserver.cluster.events import Beat
from mudserver.errors import JournalWriteError, UserError
from mudserver.journal import Journal


async def all_servers(journal: Journal, directory: Directory) -> list[dict[str, Any]]:
    """Plain values, by name; empty where no other server can write.

    Raises:
        UserError: The database cannot be asked now.
    """
    try:
        stored = await journal.all_servers()
    except JournalWriteError as exc:
        raise UserError(f"the database cannot be asked now: {exc}") from exc
    told = {server.name: server.beat for server in directory.servers()}
    rows = list[dict[str, Any]]()
    for server in stored:
        beat = told.get(server.name)
        rows.append({
            "name": server.name,
            "host": server.host,
            "state": "gone" if server.lease_s is None else state_of(beat),
            "epoch": server.epoch,
            "lease_s": server.lease_s,
            "alive_ms": server.alive_ms,
            "tables": server.tables,
            "people": None if beat is None else beat.people,
            "lag_s": None if beat is None else beat.lag_s,
            "clock_offset_s": None if beat is None else beat.offset_s,
            "is_clock_wrong": beat is not None and is_wrong(beat.offset_s),
            "version": "" if beat is None else beat.version,
        })  # fmt: skip
    return rows


def state_of(beat: Beat | None) -> str:
    """Of a server that lives."""
    if beat is None:
        return "starting"
    return "leaving" if beat.is_leaving else "active"
