"""Who may stand before the door: how many, how often, from where.

Rule 1: every connection knocks before anything is spent on it, and holds a ticket until it is gone.
Rule 2: who waits longest without logging in goes first: the oldest of the same source; where the
        house is full, the oldest of the network that has most waiting.  A flood of silent
        connections thus never keeps a person out, nor one from ever new addresses of a few
        networks a person who types slowly.
Rule 3: a source is an IPv4 address or an IPv6 /64; that is what one person can have many of.
        A network is an IPv4 /24 or an IPv6 /48; that is what one tenant can have many of.
Rule 4: nothing is written to the log per connection; the counters tell how many.

The limits: docs/limits.md, after OpenSSH's MaxStartups, MaxAuthTries and PerSourcePenalties.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits as Limits
from mudserver.rate_limit import TokenBucket

SWEEP_EVERY_CONNECTIONS = 1_024  # so often sources that are at rest are forgotten


@dataclass(slots=True)
class GateCounters:
    """How often what happened since the start."""

    accepted: int = 0
    logged_in: int = 0
    evicted: int = 0
    refused_rate: int = 0
    refused_full: int = 0
    refused_failures: int = 0
    failures: int = 0


def source_of(peer: str) -> str:
    """The source that an address counts for: itself, or its /64."""
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
    """The /24 or /48 that a source lies in."""
    if source == "local":
        return source
    address = ipaddress.ip_network(source)
    return str(address.supernet(new_prefix=24 if address.version == 4 else 48))


def _new_in_all(limits: Limits) -> tuple[float, float]:
    return limits.new_per_s, max(limits.new_per_s, 1.0)


def _new(limits: Limits) -> tuple[float, float]:
    return limits.new_per_source_per_s, limits.new_per_source_burst


def _failures(limits: Limits) -> tuple[float, float]:
    return 1 / limits.failure_forgiven_s, limits.failures_per_source_max


class _Source:
    __slots__ = ("connections", "failures", "network", "new", "waiting")

    def __init__(self, name: str, limits: Limits, now_s: float) -> None:
        self.connections, self.network = 0, network_of(name)
        self.waiting: dict[ConnectionSlot, None] = {}  # oldest first
        self.new, self.failures = (
            TokenBucket(*_new(limits), now_s),
            TokenBucket(*_failures(limits), now_s),
        )

    def is_at_rest(self, now_s: float) -> bool:
        return not self.connections and self.new.is_full(now_s) and self.failures.is_full(now_s)


class ConnectionSlot:
    """One connection's place; given back with `leave()`."""

    __slots__ = ("_cut", "_gate", "_source", "is_logged_in", "is_released")

    def __init__(self, gate: Gate, source: _Source, cut: Callable[[], None]) -> None:
        self._gate, self._source, self._cut = gate, source, cut
        self.is_logged_in = self.is_released = False

    @property
    def network(self) -> str:
        return self._source.network

    def mark_logged_in(self) -> None:
        """Logged in: no longer one of those who wait."""
        if not self.is_released and not self.is_logged_in:
            self.is_logged_in = True
            self._stop_waiting()
            self._gate.counters.logged_in += 1

    def count_failure(self) -> bool:
        """Count a failed try against the source; False: the source has no try left."""
        self._gate.counters.failures += 1
        now_s = self._gate.clock.monotonic()
        self._source.failures.try_consume(now_s)
        return self._source.failures.has(now_s)

    def release(self) -> None:
        """The connection is gone.  May be called twice."""
        if not self.is_released:
            self.is_released = True
            self._stop_waiting()
            self._source.connections -= 1
            self._gate.connections -= 1

    def _stop_waiting(self) -> None:
        self._source.waiting.pop(self, None)
        self._gate.waiting.pop(self, None)

    def evict(self) -> None:
        self._gate.counters.evicted += 1
        self.release()
        self._cut()


class Gate:
    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits, self.clock = limits, clock
        self.counters = GateCounters()
        self.connections = 0
        self.waiting: dict[ConnectionSlot, None] = {}  # oldest first
        self._new = TokenBucket(*_new_in_all(limits), clock.monotonic())
        self._sources: dict[str, _Source] = {}
        self._knocks = 0

    def reconfigure(self, limits: Limits) -> None:
        """Other limits: for who knocks from now on, and for what a source may still try."""
        self.limits, now_s = limits, self.clock.monotonic()
        self._new.set_rate(now_s, *_new_in_all(limits))
        for source in self._sources.values():
            source.new.set_rate(now_s, *_new(limits))
            source.failures.set_rate(now_s, *_failures(limits))

    def admit(self, peer: str, cut: Callable[[], None]) -> ConnectionSlot | None:
        """Let a new connection in, or refuse it (None: drop it without a word).

        Args:
            peer: The address of the other end, without port.
            cut: Ends the connection at once; called if it must make room for a newer one.
        """
        now_s, limits, counters = self.clock.monotonic(), self.limits, self.counters
        self._knocks += 1
        if self._knocks % SWEEP_EVERY_CONNECTIONS == 0:
            self._forget_sources_at_rest(now_s)
        name = source_of(peer)
        source = self._sources.get(name)
        if source is None:
            source = self._sources[name] = _Source(name, limits, now_s)
        if not source.new.try_consume(now_s) or not self._new.try_consume(now_s):
            counters.refused_rate += 1
            return None
        if not source.failures.has(now_s):  # who comes in must have a try left
            counters.refused_failures += 1
            return None
        if source.connections >= limits.connections_per_source_max:
            counters.refused_full += 1
            return None
        if len(source.waiting) >= limits.waiting_per_source_max:
            next(iter(source.waiting)).evict()
        elif len(self.waiting) >= limits.waiting_max:
            self._oldest_of_most().evict()
        ticket = ConnectionSlot(self, source, cut)
        source.waiting[ticket] = self.waiting[ticket] = None
        source.connections += 1
        self.connections += 1
        counters.accepted += 1
        return ticket

    def _oldest_of_most(self) -> ConnectionSlot:
        crowds = Counter(ticket.network for ticket in self.waiting)
        most = max(crowds.values())
        return next(ticket for ticket in self.waiting if crowds[ticket.network] == most)

    def _forget_sources_at_rest(self, now_s: float) -> None:
        for name in [n for n, source in self._sources.items() if source.is_at_rest(now_s)]:
            del self._sources[name]
