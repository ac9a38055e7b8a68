"""What the house says of itself: for `mudserver status`, for a scraper, for a probe.

Rule 1: numbers, and words of ours: no name of a person, no address of one, no card [E10].
Rule 2: looking changes nothing and waits for nothing.
"""

from __future__ import annotations

from collections import Counter as Count
from dataclasses import dataclass, field
from typing import Any

from mudserver import __version__, tally
from mudserver.clock import Clock
from mudserver.config import Config, split_address
from mudserver.doors import NAMES, Doors, Sockets
from mudserver.house.house import House
from mudserver.office import process
from mudserver.office.exposition import TEXT, Answer, Exposition
from mudserver.office.metrics import CONTENT_TYPE, Figure, Labels, LoopDelay, by, one, written
from mudserver.office.pulse import Pulse
from mudserver.session.reception import Reception
from mudserver.settings import check_loopback


@dataclass
class Overview:
    settings: Config
    clock: Clock
    house: House
    reception: Reception
    doors: Doors
    journal: Any  # Journal, or a ledger of the same shape
    pulse: Pulse
    delay: LoopDelay = field(init=False)
    exposition: Exposition = field(init=False)

    def __post_init__(self) -> None:
        self.delay = LoopDelay(self.clock)
        answers: dict[bytes, Answer] = {b"/metrics": self.metrics, b"/healthz": self.health}
        self.exposition = Exposition(self.clock, answers)
        self._since_ms = self.clock.now_ms()
        for game in self.house.catalogue:  # a series that begins at 0 shows its first step
            tally.PLAYS.add(game, 0)
            tally.COMPUTER_PLAYS.add(game, 0)

    async def open(self, inherited: Sockets) -> None:
        """Begin to look; listen, if the configuration or a socket handed over says where.

        StartError: that cannot be had, or is not this machine's own.
        """
        self.delay.start()
        for sock in inherited.get("metrics", ()):
            host, port = sock.getsockname()[:2]
            if not self.settings.metrics.anywhere:
                check_loopback(host)
            await self.exposition.open(host, port, sock)
        if (address := self.settings.metrics.address) and not self.exposition.address:
            await self.exposition.open(*split_address(address))

    def close(self) -> None:
        self.delay.stop()
        self.exposition.close()

    # -- for people ------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """What `mudserver status` shows; plain values."""
        people, gate = self._people(), self.doors.gate
        tables: dict[str, dict[str, int]] = {}
        for (game, phase), number in self._tables().items():
            tables.setdefault(game, {})[phase] = number
        commits = sum(tally.COMMIT.counts)
        return {
            "name": self.settings.server.name,
            "version": __version__,
            "now_ms": self.clock.now_ms(),
            "since_ms": self._since_ms,
            "doors": self._addresses(),
            "people": people,
            "sessions": self._sessions(),
            "arriving": len(gate.waiting),
            "refused": {reason: n for reason, n in self._refused().items() if n},
            "tables": tables,
            "computers": {
                "plays": sum(tally.COMPUTER_PLAYS.values.values()),
                "failures": tally.COMPUTER_FAILURES.value,
                "processes_lost": tally.COMPUTER_LOSSES.value,
            },
            "journal": {
                "is_durable": self.pulse.is_durable,
                "records": tally.RECORDS.value,
                "waiting": self.journal.waiting(),
                "size_bytes": self.journal.size_bytes(),
                "commit_mean_s": tally.COMMIT.sum / commits if commits else 0.0,
                "failures": tally.JOURNAL_FAILURES.value,
            },
            "backup_s": tally.LAST_BACKUP.value,
            "memory_bytes": process.resident_bytes(),
            "files": process.open_files(),
            "files_max": process.open_files_max(),
            "loop_delay_p99_s": self.delay.p99_s(),
            "faults": tally.FAULTS.value,
        }

    def _addresses(self) -> dict[str, str]:
        named = {name: self.doors.address(name) for name in NAMES}
        named["metrics"] = self.exposition.address
        return {name: address for name, address in named.items() if address}

    # -- for programs ----------------------------------------------------------------------------

    def metrics(self) -> tuple[int, str, bytes]:
        return 200, CONTENT_TYPE, written(tally.ALL, self.figures())

    def health(self) -> tuple[int, str, bytes]:
        """Whether the house can play: its loop answers here, and its journal takes records."""
        if not self.pulse.is_alive:
            return 503, TEXT, b"the journal does not answer\n"
        if not self.pulse.is_durable:
            return 503, TEXT, b"the journal cannot be written\n"
        return 200, TEXT, b"well\n"

    def figures(self) -> list[Figure]:
        """What is looked up, not tally."""
        gate, people = self.doors.gate, self._people()
        tables: dict[Labels, float] = {
            (("game", game), ("state", state)): float(n)
            for (game, state), n in self._tables().items()
        }
        born_s = (self.clock.now_ms() - self._since_ms) / 1000
        let_in, wrong = gate.counters.accepted, gate.counters.failures
        return [
            by("version", "mudserver_info", "Which server this is.", {__version__: 1}),
            one("mudserver_uptime_seconds", "Since the doors opened.", born_s),
            by("door", "mudserver_sessions", "Visits, known or not.", self._sessions()),
            by("kind", "mudserver_people", "People who are in.", people),
            one("mudserver_connections", "Connections of any state.", gate.connections),
            one("mudserver_connections_waiting", "Those before a login.", len(gate.waiting)),
            one("mudserver_connections_total", "Connections let in.", let_in),
            by("reason", "mudserver_gate_refusals_total", "Connections refused or cut at the door.",
               self._at_the_gate()),
            one("mudserver_login_failures_total", "Wrong answers to a login.", wrong),
            Figure("mudserver_tables", "Tables that are open.", tables),
            one("mudserver_journal_waiting", "Records the writer has not taken up.",
                self.journal.waiting()),
            one("mudserver_journal_bytes", "What the journal holds.", self.journal.size_bytes()),
            one("mudserver_journal_durable", "1: the last heartbeat was saved.",
                self.pulse.is_durable),
            one("process_resident_memory_bytes", "Memory held.", process.resident_bytes()),
            one("process_open_fds", "Open files and sockets.", process.open_files()),
            one("process_max_fds", "How many there may be.", process.open_files_max()),
            one("process_cpu_seconds_total", "User and system time.", process.cpu_s()),
        ]  # fmt: skip

    # -- looking ---------------------------------------------------------------------------------

    def _people(self) -> dict[str, float]:
        known = [visit.person for visit in self.reception.visits if visit.person is not None]
        guests = sum(person.is_guest for person in known)
        return {"account": len(known) - guests, "guest": guests}

    def _sessions(self) -> dict[str, float]:
        found = Count(visit.door for visit in self.reception.visits)
        return {door: found[door] for door in ("ssh", "json", "telnet", "tls")}

    def _tables(self) -> dict[tuple[str, str], int]:
        found = Count((row.variant, row.phase) for row in self.house.hall.rows())
        games, phases = self.house.catalogue, ("waiting", "playing", "over")
        return {(game, phase): found[game, phase] for game in games for phase in phases}

    def _at_the_gate(self) -> dict[str, float]:
        counters = self.doors.gate.counters
        return {
            "rate": counters.refused_rate,
            "full": counters.refused_full,
            "failures": counters.refused_failures,
            "evicted": counters.evicted,
        }

    def _refused(self) -> dict[str, float]:
        at_the_gate = {f"gate {why}": n for why, n in self._at_the_gate().items()}
        return {**at_the_gate, **tally.REFUSALS.values}
