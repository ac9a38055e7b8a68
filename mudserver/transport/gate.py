"""Admission of connections: how many, how often, from where.

Rule 1: a connection passes the gate before anything is spent on it, and holds a slot until it ends.
        The shares of its source and network are those of `source_budgets.py`; who is over them
        reads a sentence.
Rule 2: nothing is dropped for the rate in all.  Beyond `door.new_per_s` connections wait, before
        any handshake, and networks take turns; every second turn is for networks from which
        somebody with an account of more than a day logged in lately.  So a flood from many
        addresses slows newcomers down, and hardly those who belong here.
Rule 3: a connection that has waited longest without a login makes room for a newer one: of the
        same source, of the same network, or, if all slots are taken, of the network with most
        waiting.  Whoever sent nothing goes before whoever sent something, and whoever gave a name
        goes last; all this before anybody of a network that is known (rule 2).  The same when the
        queue is full, or as many connections are open as there may be: people who are logged in
        stay.  Who has to go reads why, if anything can be read.
Rule 4: TLS handshakes that are not done are few, since each takes 0.1 MB or more.
Rule 5: whoever comes from a network that is banned hard reads why at once, and goes; over SSH the
        keys of the staff still open (`ssh/authentication.py`).
Rule 6: connections are not logged one by one; the counters say how many there were.

The limits: docs/limits.md, after OpenSSH's MaxStartups, MaxAuthTries and PerSourcePenalties.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import Config, DoorLimits
from mudserver.protocols import ProtocolName
from mudserver.rate_limit import TokenBucket
from mudserver.source_budgets import (
    Hold,
    Kind,
    Level,
    OverBudget,
    SourceBudgets,
    network_of,
    source_of,
)
from mudserver.transport.known_logins import KnownLogins
from mudserver.transport.known_networks import KnownNetworks
from mudserver.turns import Turns

LoginMethod = Literal["password", "key", "code", "name"]  # "name": a second one on a connection
QUEUED_PER_NETWORK_MAX = 20  # connections that wait for their turn
MADE_ROOM = (
    "Too many people are logging in, so this connection had to make room. "
    "Please try again in a minute."
)


@dataclass(slots=True)
class GateCounters:
    """Connections since the start, by what became of them."""

    accepted: int = 0
    logged_in: int = 0
    queued: int = 0
    evicted: int = 0
    refused_rate: int = 0
    refused_full: int = 0
    refused_failures: int = 0
    refused_banned: int = 0
    failures: int = 0

    def refusals(self) -> dict[str, int]:
        """Connections refused or evicted, by the word of the metric."""
        return {
            "rate": self.refused_rate,
            "full": self.refused_full,
            "failures": self.refused_failures,
            "banned": self.refused_banned,
            "evicted": self.evicted,
        }


class FailedLogin(NamedTuple):
    """A password, key or name that opened nothing."""

    name: str  # as typed, so perhaps a password
    how: LoginMethod
    protocol: ProtocolName


OnFailure = Callable[[FailedLogin, int, str], None]
"""Called with a failed login, how many attempts the source has left, and the source."""


class Progress(IntEnum):
    """How far a connection has come; who has come least makes room first [rule 3]."""

    SILENT = 0
    SPEAKING = 1
    NAMED = 2


class ConnectionSlot:
    """The slot of one connection; `release` gives it back."""

    __slots__ = (
        *("_begin", "_gate", "_hold", "end_connection", "is_logged_in", "is_known", "is_released"),
        *("network", "progress", "source"),
    )

    def __init__(
        self, gate: Gate, source: str, hold: Hold, begin: Callable[[ConnectionSlot], None]
    ) -> None:
        self._gate, self._hold, self._begin = gate, hold, begin
        self.source, self.network = source, network_of(source)
        self.is_known = self.network in gate.known_networks
        self.is_logged_in = self.is_released = False
        self.progress = Progress.SILENT
        self.end_connection: Callable[[str], None] = lambda sentence: None
        """Set by whoever serves the connection: says why it ends, and ends it."""

    def begin(self) -> None:
        """Its turn has come: from now on it counts as waiting for a login."""
        self._gate.make_room_for(self)
        self._begin(self)

    def ban(self) -> str:
        """As `Gate.ban`."""
        return self._gate.ban(self.source)

    def stood_still_s(self) -> float:
        """How long login deadlines have stood still, in all."""
        return self._gate.stood_still_s()

    def begin_handshake(self) -> None:
        """A TLS handshake may begin; another one makes room if there are very many [rule 4]."""
        self._gate.begin_handshake(self)

    def end_handshake(self) -> None:
        self._gate.handshakes.pop(self, None)

    def note_progress(self, progress: Progress) -> None:
        self.progress = max(self.progress, progress)

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        """Logged in: no longer one of the waiting connections.

        Args:
            name: Of the account; "" for a guest.
            is_regular: The account is older than a day.
        """
        if not self.is_released and not self.is_logged_in:
            self.is_logged_in = True
            self._gate.stop_waiting(self)
            self._gate.counters.logged_in += 1
            if name:
                for place in (self.source, self.network):
                    self._gate.known_logins.add(place, name)
            if is_regular:
                self._gate.known_networks.add(self.network)

    def may_try(self, name: str) -> bool:
        """Whether a password of *name* may be tried: the source and the network have tries left, or
        *name* logged in from there lately and has.  A key may always be tried.
        """
        places, known = self._failed_out(), self._gate.known_logins
        if all(known.has_try(place, name) for place in places):
            return True
        self._gate.counters.refused_failures += 1
        return False

    def count_failure(self, failed: FailedLogin) -> bool:
        """Count a failed login; False: its name has no try left."""
        gate, known = self._gate, self._gate.known_logins
        gate.counters.failures += 1
        for place in self._failed_out():
            known.count_failure(place, failed.name)
        left = gate.budgets.spend(Kind.FAILURES, self.source)
        if left is not None:  # else it is logged already that there is none left
            gate.on_failure(failed, left, self.source)
        return all(known.has_try(place, failed.name) for place in self._failed_out())

    def _failed_out(self) -> list[str]:
        """The source and the network, as far as they have no failed login left."""
        used_up = self._gate.budgets.used_up(Kind.FAILURES, self.source)
        return [self.source if level is Level.SOURCE else self.network for level in used_up]

    def release(self) -> None:
        """The connection has ended.  May be called twice."""
        if not self.is_released:
            self.is_released = True
            self._gate.stop_waiting(self)
            self._gate.handshakes.pop(self, None)
            self._gate.leave_queue(self)
            self._hold.release()

    def evict(self) -> None:
        self._gate.counters.evicted += 1
        self.release()
        self.end_connection(MADE_ROOM)


class Gate:
    def __init__(self, config: Config, clock: Clock, budgets: SourceBudgets) -> None:
        self.clock, self.budgets = clock, budgets
        self.limits: DoorLimits = config.door
        self.counters = GateCounters()
        self.known_networks = KnownNetworks(clock)
        self.known_logins = KnownLogins(clock)
        self.waiting: dict[ConnectionSlot, None] = {}  # oldest first
        self._waiting_of = (Counter[str](), Counter[str]())  # of each source, of each network
        self.handshakes: dict[ConnectionSlot, None] = {}  # of TLS, not done; oldest first
        self._rate = TokenBucket(*_new_rate(self.limits), clock.monotonic())
        self._known = Turns[ConnectionSlot](QUEUED_PER_NETWORK_MAX, self.limits.queue_max)
        self._others = Turns[ConnectionSlot](QUEUED_PER_NETWORK_MAX, self.limits.queue_max)
        self._is_turn_of_known = True  # rule 2: every second one
        self._timer: TimerHandle | None = None
        self.on_failure: OnFailure = lambda failed, left, source: None
        self.stood_still_s: Callable[[], float] = lambda: 0.0  # see `LoginDeadline`
        self.ban_of: Callable[[str], str] = lambda source: ""  # see `ban`
        budgets.is_roomy[Kind.ARRIVALS] = lambda: not self.queued
        budgets.make_room[Kind.CONNECTIONS] = self._evict_one

    @property
    def connections(self) -> int:
        """Open connections, those that wait for their turn included."""
        return self.budgets.held(Kind.CONNECTIONS)

    @property
    def queued(self) -> int:
        return len(self._known) + len(self._others)

    def reconfigure(self, limits: DoorLimits) -> None:
        """Apply new limits to future connections."""
        self.limits = limits
        self._rate.set_rate(self.clock.monotonic(), *_new_rate(limits))
        self._known.all_max = self._others.all_max = limits.queue_max

    def close(self) -> None:
        """Nobody waits for a turn any more."""
        if self._timer is not None:
            self._timer.cancel()
        self.known_networks.close()

    def admit(self, peer: str, begin: Callable[[ConnectionSlot], None]) -> ConnectionSlot:
        """Admit a new connection.

        Args:
            peer: The remote address, without port.
            begin: Called when its turn has come; before this returns, if nobody waits.

        Raises:
            OverBudget: It must close; the text says why.
        """
        source = source_of(peer)
        try:
            self.budgets.take(Kind.ARRIVALS, source)
            self._check_queue(network_of(source))
        except OverBudget:
            self.counters.refused_rate += 1
            raise
        try:
            hold = self.budgets.hold(Kind.CONNECTIONS, source)
        except OverBudget:
            self.counters.refused_full += 1
            raise
        slot = ConnectionSlot(self, source, hold, begin)
        if not self.queued and self._rate.try_consume(self.clock.monotonic()):
            self.counters.accepted += 1
            slot.begin()
        else:
            self._enqueue(slot)
        return slot

    def ban(self, source: str) -> str:
        """What somebody reads whose network is banned hard, in rows; "": it is not [rule 5]."""
        text = self.ban_of(source)
        self.counters.refused_banned += bool(text)
        return text

    # -- turns -------------------------------------------------------------------------------

    def _queue(self, network: str) -> Turns[ConnectionSlot]:
        return self._known if network in self.known_networks else self._others

    def _check_queue(self, network: str) -> None:
        """OverBudget: the network has no place in the queue; nobody makes room for it."""
        if not self._queue(network).has_share(network):
            raise OverBudget(Kind.ARRIVALS, Level.NETWORK)

    def _enqueue(self, slot: ConnectionSlot) -> None:
        if self.queued >= self.limits.queue_max:
            _to_evict([*self._known, *self._others]).evict()
        self._queue(slot.network).put(slot.network, slot)
        self.counters.queued += 1
        self._start_timer()

    def leave_queue(self, slot: ConnectionSlot) -> None:
        self._known.remove(slot.network, slot)
        self._others.remove(slot.network, slot)

    def _start_timer(self) -> None:
        if self._timer is None and self.queued:
            self._timer = self.clock.call_later(1 / self.limits.new_per_s, self._serve)

    def _serve(self) -> None:
        self._timer = None
        while self.queued and self._rate.try_consume(self.clock.monotonic()):
            first, second = self._known, self._others
            if not self._is_turn_of_known:
                first, second = second, first
            self._is_turn_of_known = not self._is_turn_of_known
            self.counters.accepted += 1
            (first if first else second).pop().begin()
        self._start_timer()

    def _evict_one(self) -> bool:
        """Of all connections that have not logged in one makes room [rule 3]."""
        group = [*self.waiting, *self._known, *self._others]
        if group:
            _to_evict(group).evict()
        return bool(group)

    # -- waiting for a login -----------------------------------------------------------------

    def make_room_for(self, slot: ConnectionSlot) -> None:
        """Count *slot* as waiting; if its share is used up, one that waits is evicted [rule 3]."""
        in_use = len(self.waiting)
        shares = self.budgets.shares(Kind.WAITING, slot.source, in_use)
        of_source, of_network = self._waiting_of
        counts = of_source[slot.source], of_network[slot.network], in_use
        if any(count >= share for count, share in zip(counts, shares, strict=True)):
            self._evict_for(slot, counts, shares)
        self.waiting[slot] = None
        of_source[slot.source] += 1
        of_network[slot.network] += 1

    def _evict_for(
        self, slot: ConnectionSlot, counts: Sequence[int], shares: Sequence[int]
    ) -> None:
        groups = (
            [each for each in self.waiting if each.source == slot.source],
            [each for each in self.waiting if each.network == slot.network],
            list(self.waiting),
        )
        full = [count >= share for count, share in zip(counts, shares, strict=True)]
        _to_evict(groups[full.index(True)]).evict()

    def stop_waiting(self, slot: ConnectionSlot) -> None:
        if slot in self.waiting:
            del self.waiting[slot]
            for counts, place in zip(self._waiting_of, (slot.source, slot.network), strict=True):
                counts[place] -= 1
                if not counts[place]:
                    del counts[place]

    def begin_handshake(self, slot: ConnectionSlot) -> None:
        if len(self.handshakes) >= self.limits.tls_handshakes_max:
            _to_evict(list(self.handshakes)).evict()
        self.handshakes[slot] = None


def _to_evict(group: list[ConnectionSlot]) -> ConnectionSlot:
    """Of connections, oldest first, the one that makes room."""
    least = min((slot.is_known, slot.progress) for slot in group)
    stuck = [slot for slot in group if (slot.is_known, slot.progress) == least]
    counts = Counter(slot.network for slot in stuck)
    most = max(counts.values())
    return next(slot for slot in stuck if counts[slot.network] == most)


def _new_rate(limits: DoorLimits) -> tuple[float, float]:
    return limits.new_per_s, max(limits.new_per_s, 1.0)
