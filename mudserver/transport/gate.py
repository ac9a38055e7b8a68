"""Admission of connections: how many, how often, from where.

Rule 1: a connection passes the gate before anything is spent on it, and holds a slot until it ends.
Rule 2: the connection that has waited longest without a login is evicted first: the oldest of the
        same source; if all slots are taken, the oldest of the network with most waiting.  So a
        flood of silent connections never keeps a person out, and a flood from ever new addresses
        of a few networks never evicts a person who types slowly.
Rule 3: a source is an IPv4 address or an IPv6 /64: one person can have many addresses of a /64.
        A network is an IPv4 /24 or an IPv6 /48: one tenant can have many sources of it.
Rule 4: connections are not logged one by one; the counters say how many there were.

The limits: docs/limits.md, after OpenSSH's MaxStartups, MaxAuthTries and PerSourcePenalties.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits
from mudserver.protocols import ProtocolName
from mudserver.rate_limit import TokenBucket

LoginMethod = Literal["password", "key", "code", "name"]  # "name": a second one on a connection
SWEEP_EVERY_CONNECTIONS = 1_024  # how often idle sources are forgotten


@dataclass(slots=True)
class GateCounters:
    """Connections since the start, by what became of them."""

    accepted: int = 0
    logged_in: int = 0
    evicted: int = 0
    refused_rate: int = 0
    refused_full: int = 0
    refused_failures: int = 0
    failures: int = 0


class FailedLogin(NamedTuple):
    """A password, key or name that opened nothing."""

    name: str  # as typed, so perhaps a password
    how: LoginMethod
    protocol: ProtocolName


OnFailure = Callable[[FailedLogin, int, str], None]
"""Called with a failed login, how many attempts the source has left, and the source."""


def source_of(peer: str) -> str:
    """The source that an address counts against: itself, or its /64."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return "local"  # a socket without an address
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


def network_of(source: str) -> str:
    """The /24 or /48 that contains a source."""
    if source == "local":
        return source
    address = ipaddress.ip_network(source)
    return str(address.supernet(new_prefix=24 if address.version == 4 else 48))


def _new_rate(limits: DoorLimits) -> tuple[float, float]:
    return limits.new_per_s, max(limits.new_per_s, 1.0)


def _new_from_source_rate(limits: DoorLimits) -> tuple[float, float]:
    return limits.new_per_source_per_s, limits.new_per_source_burst


def _failure_rate(limits: DoorLimits) -> tuple[float, float]:
    return 1 / limits.failure_forgiven_s, limits.failures_per_source_max


class _Source:
    __slots__ = ("arrivals", "connections", "failures", "name", "network", "waiting")

    def __init__(self, name: str, limits: DoorLimits, now_s: float) -> None:
        self.name, self.connections, self.network = name, 0, network_of(name)
        self.waiting: dict[ConnectionSlot, None] = {}  # oldest first
        self.arrivals, self.failures = (
            TokenBucket(*_new_from_source_rate(limits), now_s),
            TokenBucket(*_failure_rate(limits), now_s),
        )

    def is_idle(self, now_s: float) -> bool:
        return (
            not self.connections and self.arrivals.is_full(now_s) and self.failures.is_full(now_s)
        )


class ConnectionSlot:
    """The slot of one connection; `release` gives it back."""

    __slots__ = ("_abort", "_gate", "_source", "is_logged_in", "is_released")

    def __init__(self, gate: Gate, source: _Source, abort: Callable[[], None]) -> None:
        self._gate, self._source, self._abort = gate, source, abort
        self.is_logged_in = self.is_released = False

    @property
    def network(self) -> str:
        return self._source.network

    def mark_logged_in(self) -> None:
        """Logged in: no longer one of the waiting connections."""
        if not self.is_released and not self.is_logged_in:
            self.is_logged_in = True
            self._leave_waiting()
            self._gate.counters.logged_in += 1

    def count_failure(self, failed: FailedLogin) -> bool:
        """Count a failed login against the source; False: the source has no attempt left."""
        self._gate.counters.failures += 1
        now_s, failures = self._gate.clock.monotonic(), self._source.failures
        if failures.try_consume(now_s):  # else it is logged already that there is none left
            self._gate.on_failure(failed, failures.left(now_s), self._source.name)
        return failures.has(now_s)

    def release(self) -> None:
        """The connection has ended.  May be called twice."""
        if not self.is_released:
            self.is_released = True
            self._leave_waiting()
            self._source.connections -= 1
            self._gate.connections -= 1

    def _leave_waiting(self) -> None:
        self._source.waiting.pop(self, None)
        self._gate.waiting.pop(self, None)

    def evict(self) -> None:
        self._gate.counters.evicted += 1
        self.release()
        self._abort()


class Gate:
    def __init__(self, limits: DoorLimits, clock: Clock) -> None:
        self.limits, self.clock = limits, clock
        self.counters = GateCounters()
        self.connections = 0
        self.waiting: dict[ConnectionSlot, None] = {}  # oldest first
        self._arrivals = TokenBucket(*_new_rate(limits), clock.monotonic())
        self._sources: dict[str, _Source] = {}
        self._attempts = 0
        self.on_failure: OnFailure = lambda failed, left, source: None

    def reconfigure(self, limits: DoorLimits) -> None:
        """Apply new limits to future connections, and to the rates of known sources."""
        self.limits, now_s = limits, self.clock.monotonic()
        self._arrivals.set_rate(now_s, *_new_rate(limits))
        for source in self._sources.values():
            source.arrivals.set_rate(now_s, *_new_from_source_rate(limits))
            source.failures.set_rate(now_s, *_failure_rate(limits))

    def admit(self, peer: str, abort: Callable[[], None]) -> ConnectionSlot | None:
        """Admit a new connection, or refuse it (None: drop it silently).

        Args:
            peer: The remote address, without port.
            abort: Ends the connection at once; called if it must make room for a newer one.
        """
        now_s, limits, counters = self.clock.monotonic(), self.limits, self.counters
        self._attempts += 1
        if self._attempts % SWEEP_EVERY_CONNECTIONS == 0:
            self._forget_idle_sources(now_s)
        name = source_of(peer)
        source = self._sources.get(name)
        if source is None:
            source = self._sources[name] = _Source(name, limits, now_s)
        if not source.arrivals.try_consume(now_s) or not self._arrivals.try_consume(now_s):
            counters.refused_rate += 1
            return None
        if not source.failures.has(now_s):  # a new connection must have an attempt left
            counters.refused_failures += 1
            return None
        if source.connections >= limits.connections_per_source_max:
            counters.refused_full += 1
            return None
        if len(source.waiting) >= limits.waiting_per_source_max:
            next(iter(source.waiting)).evict()
        elif len(self.waiting) >= limits.waiting_max:
            self._oldest_of_busiest_network().evict()
        slot = ConnectionSlot(self, source, abort)
        source.waiting[slot] = self.waiting[slot] = None
        source.connections += 1
        self.connections += 1
        counters.accepted += 1
        return slot

    def _oldest_of_busiest_network(self) -> ConnectionSlot:
        counts = Counter(slot.network for slot in self.waiting)
        most = max(counts.values())
        return next(slot for slot in self.waiting if counts[slot.network] == most)

    def _forget_idle_sources(self, now_s: float) -> None:
        for name in [n for n, source in self._sources.items() if source.is_idle(now_s)]:
            del self._sources[name]
