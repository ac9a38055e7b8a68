"""New connections, from accept to the protocol that serves them.

Rule 1: for trusted proxies the client's address is read first (`proxy_protocol.py`).  Connections
        whose header has not come have not passed the gate: over `waiting_max` the oldest ends.
Rule 2: then the gate admits the connection, or it reads one sentence that says why not; on a TLS
        listener nothing can be said.  So that the sentence arrives, what the client has sent is
        read and thrown away until it hangs up, LEAVING_S at most, and of LEAVING_MAX clients.
Rule 3: while it waits for its turn nothing is read: what the client sent stays in the kernel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits
from mudserver.source_budgets import OverBudget, source_of
from mudserver.transport.gate import ConnectionSlot, Gate
from mudserver.transport.library_patches import set_peername
from mudserver.transport.proxy_protocol import (
    V2_BYTES_MAX,
    InvalidHeader,
    TrustedProxies,
    parse_header,
)
from mudserver.transport.read_size import set_read_size

LEAVING_S = 1.0
LEAVING_MAX = 100
EncodeRefusal = Callable[[str], bytes]
MakeProtocol = Callable[[ConnectionSlot], asyncio.Protocol]
"""Called at the turn of a connection, with its slot."""


class Arrivals:
    """The connections of one listener that are not served yet."""

    def __init__(
        self,
        make_protocol: MakeProtocol,
        gate: Gate,
        clock: Clock,
        encode_refusal: EncodeRefusal | None,
        *,
        tells_bans: bool = False,
    ) -> None:
        self.make_protocol, self.gate, self.clock = make_protocol, gate, clock
        self.encode_refusal, self.tells_bans = encode_refusal, tells_bans
        self.leaving = 0  # connections that were refused and have not hung up
        self._trusted = TrustedProxies(())
        self._open: dict[Arrival, None] = {}  # oldest first
        self._without_header: dict[Arrival, None] = {}  # likewise

    @property
    def limits(self) -> DoorLimits:
        return self.gate.limits

    @property
    def trusted(self) -> TrustedProxies:
        networks = self.limits.proxy_from
        if self._trusted.networks != networks:
            self._trusted = TrustedProxies(networks)
        return self._trusted

    def protocol(self) -> Arrival:
        """asyncio asks for one for each connection that it accepts."""
        return Arrival(self)

    def add(self, arrival: Arrival) -> None:
        self._open[arrival] = None

    def expect_header(self, arrival: Arrival) -> None:
        if len(self._without_header) >= self.limits.waiting_max:
            next(iter(self._without_header)).abort()
        self._without_header[arrival] = None

    def header_read(self, arrival: Arrival) -> None:
        self._without_header.pop(arrival, None)

    def discard(self, arrival: Arrival) -> None:
        self._open.pop(arrival, None)
        self._without_header.pop(arrival, None)

    def abort_all(self) -> None:
        for arrival in list(self._open):
            arrival.abort()


class Arrival(asyncio.Protocol):
    """One connection until it is handed over to the protocol that serves it."""

    def __init__(self, arrivals: Arrivals) -> None:
        self._arrivals = arrivals
        self._data = b""
        self._deadline: TimerHandle | None = None  # runs until the header has come
        self._slot: ConnectionSlot | None = None
        self._is_leaving = self._is_handed_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, arrivals = transport, self._arrivals
        arrivals.add(self)
        if self._peer() not in arrivals.trusted:
            self._admit()
            return
        set_read_size(transport, V2_BYTES_MAX)
        arrivals.expect_header(self)
        self._deadline = arrivals.clock.call_later(arrivals.limits.proxy_header_s, self.abort)

    def _peer(self) -> str:
        return str((self._transport.get_extra_info("peername") or ("",))[0])

    def data_received(self, data: bytes) -> None:
        if self._is_leaving:
            return
        self._data += data
        if self._deadline is None:
            return  # read before the pause took effect; at most one read
        try:
            found = parse_header(self._data)
        except InvalidHeader:
            self.abort()
            return
        if found is None:
            return  # bounded: `parse_header` refuses what is too long
        count, address = found
        if address is not None:
            set_peername(self._transport, address)
        self._data = self._data[count:]
        self._stop_deadline()
        self._arrivals.header_read(self)
        self._admit()

    def _admit(self) -> None:
        self._transport.pause_reading()
        gate = self._arrivals.gate
        if self._arrivals.tells_bans and (ban := gate.ban(source_of(self._peer()))):
            self._refuse(ban)
            return
        try:
            slot = gate.admit(self._peer(), self._hand_over)
        except OverBudget as exc:
            self._refuse(str(exc))
            return
        if not self._is_handed_over:
            self._slot, slot.end_connection = slot, self._refuse

    def _refuse(self, sentence: str) -> None:
        """End the connection; the client reads why."""
        arrivals = self._arrivals
        if arrivals.encode_refusal is None:
            self.abort()
            return
        self._transport.write(arrivals.encode_refusal(sentence))
        if arrivals.leaving >= LEAVING_MAX:
            self._transport.close()
            return
        try:
            self._transport.write_eof()
        except OSError:  # hung up: the sentence has met a reset, which nobody reads in a pause
            self.abort()
            return
        self._is_leaving = True
        arrivals.leaving += 1
        self._data = b""
        self._transport.resume_reading()
        self._deadline = arrivals.clock.call_later(LEAVING_S, self.abort)

    def _hand_over(self, slot: ConnectionSlot) -> None:
        """Its turn has come."""
        self._is_handed_over = True
        self._arrivals.discard(self)
        inner = self._arrivals.make_protocol(slot)
        self._transport.set_protocol(inner)
        self._transport.resume_reading()
        inner.connection_made(self._transport)
        if self._data and not self._transport.is_closing():
            inner.data_received(self._data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        self._arrivals.discard(self)
        if self._is_leaving:
            self._arrivals.leaving -= 1
        if self._slot is not None:
            self._slot.release()

    def abort(self) -> None:
        self._stop_deadline()
        self._arrivals.discard(self)
        self._transport.abort()

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
