"""What doors have told of themselves: for `mudserver status` and for metrics.

Rule 1: a figure of a door has the label `server_door`, the name of the door.
Rule 2: every door counts the restarts of the game server for itself; together they have had as many
        as the one that has seen most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from mudserver.metrics import SECONDS_BUCKETS
from mudserver.ops.prometheus import HistogramFamily, Labels, MetricFamily
from mudserver.wall.bodies import GAME_PROTOCOLS, Handshake, Restart, Stats, common_protocol

SAME_RESTART_MS = 30_000  # between what two doors call the time of one restart


class Door(Protocol):
    """A door as the game server sees it."""

    handshake: Handshake | None
    stats: Stats | None
    lag_s: float


class ShakenDoor:
    """One that has shaken hands; its figures are 0 until it has told them."""

    def __init__(self, handshake: Handshake, door: Door) -> None:
        self.handshake, self.lag_s = handshake, door.lag_s
        self.stats = door.stats or Stats(0.0)


def shaken(doors: Sequence[Door]) -> list[ShakenDoor]:
    return [ShakenDoor(door.handshake, door) for door in doors if door.handshake is not None]


def door_rows(doors: Sequence[Door]) -> list[dict[str, Any]]:
    """A plain value for each door."""
    return [
        {
            "name": door.handshake.name,
            "version": door.handshake.version,
            "protocol": common_protocol(GAME_PROTOCOLS, door.handshake.protocols),
            "lag_s": door.lag_s,
            **stats_row(door.stats),
        }
        for door in shaken(doors)
    ]


def stats_row(stats: Stats) -> dict[str, Any]:
    """What a door has counted, as plain values."""
    return {
        "people": stats.people,
        "connections": stats.connections,
        "connections_pre_login": stats.pre_login,
        "up_s": round(stats.up_s),
        "draining_s": stats.draining_s,
        "refusals": {why: number for why, number in stats.refused.items() if number},
        "login_failures": stats.login_failures,
        "loop_delay_p99_s": stats.loop_delay_s,
        "memory_bytes": stats.memory_bytes,
        "sessions_lost": stats.lost,
    }


def restarts_of(doors: Sequence[Door]) -> dict[str, Any]:
    """How often the game server restarted, and how the last restart went."""
    told = [door.stats for door in shaken(doors)]
    return {
        **{
            kind: max((stats.restarts.get(kind, 0) for stats in told), default=0)
            for kind in ("planned", "crash")
        },
        "last": last_restart([stats.last_restart for stats in told]),
    }


def last_restart(told: Sequence[Restart | None]) -> dict[str, Any] | None:
    """The newest one, of all doors together."""
    found = [restart for restart in told if restart is not None]
    if not found:
        return None
    newest = max(found, key=lambda restart: restart.at_ms)
    same = [each for each in found if each.at_ms + SAME_RESTART_MS > newest.at_ms]
    return {
        "kind": newest.kind,
        "at_ms": newest.at_ms,
        "sessions": sum(each.sessions for each in same),
        "went_on": sum(each.went_on for each in same),
        "gap_s": round(max(each.gap_s for each in same), 3),
    }


def door_families(
    doors: Sequence[Door], lost: Mapping[str, int]
) -> list[MetricFamily | HistogramFamily]:
    """Args: lost: people whose door has died, by its name."""
    there = {door.handshake.name: door for door in shaken(doors)}

    def one(name: str, help: str, of: Callable[[ShakenDoor], float]) -> MetricFamily:
        return MetricFamily(name, help, {_of(name_): of(door) for name_, door in there.items()})

    def each(
        name: str, help: str, label: str, of: Callable[[Stats], Mapping[str, int]]
    ) -> MetricFamily:
        values: dict[Labels, float] = {
            (*_of(door), (label, word)): number
            for door, found in there.items()
            for word, number in of(found.stats).items()
        }
        return MetricFamily(name, help, values)

    gaps: dict[Labels, tuple[Sequence[int], float]] = {
        _of(name): (door.stats.gaps, door.stats.gaps_s) for name, door in there.items()
    }
    ended = {
        _of(name): lost.get(name, 0) + (there[name].stats.lost if name in there else 0)
        for name in {*lost, *there}
    }
    return [
        one("mudserver_door_connections", "Open connections of a door.",
            lambda door: door.stats.connections),
        one("mudserver_door_connections_pre_login", "Those that have not logged in.",
            lambda door: door.stats.pre_login),
        one("mudserver_door_connections_accepted_total", "Connections that a door accepted.",
            lambda door: door.stats.accepted),
        each("mudserver_door_refused_total", "Connections that a door refused or evicted.",
            "why", lambda stats: stats.refused),
        one("mudserver_door_login_failures_total", "Failed login attempts at a door.",
            lambda door: door.stats.login_failures),
        one("mudserver_door_loop_delay_seconds",
            "How late a door's event loop runs a timer: p99 of the last minute.",
            lambda door: door.stats.loop_delay_s),
        one("mudserver_door_memory_bytes", "Resident memory of a door.",
            lambda door: door.stats.memory_bytes),
        one("mudserver_wall_lag_seconds", "How long a door took to answer the last PING.",
            lambda door: door.lag_s),
        each("mudserver_restarts_total", "Restarts of the game server, as a door saw them.",
            "kind", lambda stats: stats.restarts),
        HistogramFamily("mudserver_restart_gap_seconds",
            "From the end of a game server to the next one, as a door saw it.",
            SECONDS_BUCKETS, gaps),
        MetricFamily("mudserver_sessions_lost_total",
            "People whose connection ended because a door died, or no game server came.",
            dict(sorted(ended.items()))),
    ]  # fmt: skip


def _of(door: str) -> Labels:
    return (("server_door", door),)
