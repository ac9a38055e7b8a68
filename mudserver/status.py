"""The status of the server: for `mudserver status`, for Prometheus, for a health probe.

Rule 1: only numbers and fixed words: no person's name or address, no card.
Rule 2: reading the status changes nothing and waits for nothing.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.cluster.all_servers import state_of
from mudserver.cluster.directory import Server
from mudserver.cluster.events import Beat
from mudserver.config.consistency import check_loopback
from mudserver.config.schema import Config, split_address
from mudserver.journal import Journal
from mudserver.ops import process_stats
from mudserver.ops.heartbeat import Heartbeat
from mudserver.ops.metrics_http import TEXT_PLAIN, Handler, MetricsHttpServer
from mudserver.ops.prometheus import (
    CONTENT_TYPE,
    HistogramFamily,
    Labels,
    LoopDelayMonitor,
    MetricFamily,
    labelled,
    render,
    single_value,
)
from mudserver.protocols import PROTOCOLS
from mudserver.service.game_service import GameService
from mudserver.session.manager import SessionManager
from mudserver.transport.listener_manager import InheritedSockets, ListenerManager
from mudserver.version import version
from mudserver.wall.door_figures import door_families, door_rows, restarts_of, shaken
from mudserver.wall.game import WallServer


def _server_row(server: Server) -> dict[str, Any]:
    """Args: server: One of those that share the journal."""
    beat = server.beat or Beat(0, 0, 0.0)
    return {
        "name": server.name,
        "state": state_of(server.beat),
        "people": beat.people,
        "tables": beat.tables,
        "lease_s": round(server.lease_s, 1),
        "lag_s": round(beat.lag_s, 3),
    }


@dataclass
class ServerStatus:
    config: Config
    clock: Clock
    service: GameService
    session_manager: SessionManager
    listeners: ListenerManager
    journal: Journal
    heartbeat: Heartbeat
    wall: WallServer
    standby: Callable[[], dict[str, Any]] = lambda: {"state": "none"}
    loop_delay: LoopDelayMonitor = field(init=False)
    metrics_server: MetricsHttpServer = field(init=False)

    def __post_init__(self) -> None:
        self.loop_delay = LoopDelayMonitor(self.clock)
        answers: dict[bytes, Handler] = {b"/metrics": self.metrics, b"/healthz": self.health}
        self.metrics_server = MetricsHttpServer(self.clock, answers)
        self._started_ms = self.clock.now_ms()
        for game in self.service.catalogue:  # a counter that begins at 0 shows its first step
            metrics.PLAYS.increment(game, 0)
            metrics.COMPUTER_PLAYS.increment(game, 0)

    async def open(self, inherited: InheritedSockets) -> None:
        """Start measuring; listen for metrics if the configuration or a socket says where.

        Raises:
            StartError: The address is not available, or not a loopback address.
        """
        self.loop_delay.start()
        for sock in inherited.get("metrics", ()):
            host, port = sock.getsockname()[:2]
            if not self.config.metrics.allow_remote:
                check_loopback(host)
            await self.metrics_server.open(host, port, sock)
        if (address := self.config.metrics.address) and not self.metrics_server.address:
            await self.metrics_server.open(*split_address(address))

    def close(self) -> None:
        self.loop_delay.stop()
        self.metrics_server.close()

    # -- for operators ---------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """The answer to `mudserver status`, as plain values."""
        people, gate = self._people(), self.listeners.gate
        tables: dict[str, dict[str, int]] = {}
        for (game, phase), number in self._tables().items():
            tables.setdefault(game, {})[phase] = number
        commits = sum(metrics.COMMIT_SECONDS.counts)
        return {
            "name": self.config.server.name,
            "version": version(),
            "now_ms": self.clock.now_ms(),
            "started_ms": self._started_ms,
            "listeners": self._addresses(),
            "is_behind_doors": self.wall.path is not None,
            "doors": door_rows(self.wall.doors),
            "restarts": restarts_of(self.wall.doors),
            "standby": self.standby(),
            "servers": [_server_row(server) for server in self.service.directory.servers()],
            "users": people,
            "sessions": self._sessions(),
            "connections_pre_login": len(gate.waiting),
            "refusals": {reason: n for reason, n in self._refusals().items() if n},
            "tables": tables,
            "computer_players": {
                "plays": sum(metrics.COMPUTER_PLAYS.values.values()),
                "failures": metrics.COMPUTER_FAILURES.value,
                "processes_lost": metrics.COMPUTER_PROCESSES_LOST.value,
            },
            "newcomers": self.service.newcomers(),
            "journal": {
                "is_writable": self.heartbeat.is_writable,
                "records": metrics.JOURNAL_RECORDS.value,
                "queued": self.journal.queue_length(),
                "size_bytes": self.journal.size_bytes(),
                "level": round(self.journal.level(), 4),
                "commit_mean_s": metrics.COMMIT_SECONDS.sum / commits if commits else 0.0,
                "failures": metrics.JOURNAL_FAILURES.value,
            },
            "last_backup_s": metrics.LAST_BACKUP.value,
            "memory_bytes": process_stats.resident_bytes(),
            "open_files": process_stats.open_files(),
            "open_files_max": process_stats.open_files_max(),
            "loop_delay_p99_s": self.loop_delay.p99_s(),
            "internal_errors": metrics.INTERNAL_ERRORS.value,
        }

    def _addresses(self) -> dict[str, str]:
        addresses = self.listeners.addresses() or self.wall.door_addresses()
        if self.metrics_server.address:
            addresses["metrics"] = self.metrics_server.address
        return addresses

    # -- for programs ----------------------------------------------------------------------------

    def metrics(self) -> tuple[int, str, bytes]:
        return 200, CONTENT_TYPE, render(metrics.REGISTRY, self.gauges())

    def health(self) -> tuple[int, str, bytes]:
        """Whether the server works: the event loop answers, and the journal takes records."""
        if not self.heartbeat.is_alive:
            return 503, TEXT_PLAIN, b"the journal does not answer\n"
        if not self.heartbeat.is_writable:
            return 503, TEXT_PLAIN, b"the journal cannot be written\n"
        return 200, TEXT_PLAIN, b"ok\n"

    def gauges(self) -> list[MetricFamily | HistogramFamily]:
        """Values read on demand; the counters are in `metrics`."""
        gate, people = self.listeners.gate, self._people()
        tables: dict[Labels, float] = {
            (("game", game), ("state", state)): float(n)
            for (game, state), n in self._tables().items()
        }
        born_s = (self.clock.now_ms() - self._started_ms) / 1000
        accepted, wrong = gate.counters.accepted, gate.counters.failures
        return [
            labelled("version", "mudserver_info", "The version of the server.", {version(): 1}),
            single_value("mudserver_uptime_seconds", "Seconds since the start.", born_s),
            labelled("protocol", "mudserver_sessions", "Open sessions, logged in or not.",
                self._sessions()),
            labelled("kind", "mudserver_users", "Users online.", people),
            single_value("mudserver_connections", "Open connections.", gate.connections),
            single_value("mudserver_connections_pre_login",
                "Connections that have not logged in.", len(gate.waiting)),
            single_value("mudserver_connections_accepted_total", "Connections accepted.", accepted),
            labelled("reason", "mudserver_connections_refused_total",
                "Connections refused or evicted by the gate.", gate.counters.refusals()),
            single_value("mudserver_login_failures_total", "Failed login attempts.", wrong),
            MetricFamily("mudserver_tables", "Open tables.", tables),
            single_value("mudserver_wall_doors", "Doors that hold connections of this server.",
                len(shaken(self.wall.doors))),
            *door_families(self.wall.doors, self.wall.sessions_lost),
            single_value("mudserver_standby_ready", "1: a standby waits that could take over now.",
                self.standby()["state"] == "ready"),
            single_value("mudserver_standby_lag_seconds", "How far the standby is behind.",
                self.standby().get("behind_s", 0.0)),
            *self._server_gauges(),
            single_value("mudserver_reports_open", "Reports that nobody has decided.",
                self.service.reports.open_count()),
            labelled("kind", "mudserver_sanctions", "Mutes and bans in force.",
                self.service.sanctions.count_in_force()),
            single_value("mudserver_journal_queue_length", "Records waiting for the writer.",
                self.journal.queue_length()),
            single_value("mudserver_journal_size_bytes", "Size of the journal.",
                self.journal.size_bytes()),
            single_value("mudserver_journal_level", "Part of journal.size_mib_max in use.",
                self.journal.level()),
            single_value("mudserver_journal_writable", "1: the last heartbeat was written.",
                self.heartbeat.is_writable),
            single_value("process_resident_memory_bytes", "Resident memory.",
                process_stats.resident_bytes()),
            single_value("process_open_fds", "Open files and sockets.",
                process_stats.open_files()),
            single_value("process_max_fds", "Limit of open files and sockets.",
                process_stats.open_files_max()),
            single_value("process_cpu_seconds_total", "User and system CPU time.",
                process_stats.cpu_s()),
        ]  # fmt: skip

    def _server_gauges(self) -> list[MetricFamily]:
        """Of the servers that share the journal; 0: no other can."""
        directory = self.service.directory
        servers = directory.servers()
        lease_s = next((it.lease_s for it in servers if it.name == directory.own), 0.0)
        return [
            single_value("mudserver_servers", "Live servers that share the journal.", len(servers)),
            single_value("mudserver_lease_seconds",
                "Seconds until this server counts as gone, if nothing is heard of it.", lease_s),
        ]  # fmt: skip

    # -- reading ---------------------------------------------------------------------------------

    def _people(self) -> dict[str, float]:
        sessions = self.session_manager.sessions
        people = [session.person for session in sessions if session.person is not None]
        guests = sum(person.is_guest for person in people)
        return {"account": len(people) - guests, "guest": guests}

    def _sessions(self) -> dict[str, float]:
        found = Count(session.protocol for session in self.session_manager.sessions)
        return {protocol: found[protocol] for protocol in PROTOCOLS}

    def _tables(self) -> dict[tuple[str, str], int]:
        found = Count((row.variant, row.phase) for row in self.service.list_tables())
        games, phases = self.service.catalogue, ("waiting", "playing", "over")
        return {(game, phase): found[game, phase] for game in games for phase in phases}

    def _refusals(self) -> dict[str, float]:
        refused = self.listeners.gate.counters.refusals()
        at_the_gate = {f"connection {why}": n for why, n in refused.items()}
        return {**at_the_gate, **metrics.REFUSALS.values}
