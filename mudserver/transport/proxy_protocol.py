"""The PROXY protocol, versions 1 and 2: a proxy announces the address of its client.

Rule 1: a header is read only from the addresses in `door.proxy_from`.  They must send it first and
        whole, within `proxy_header_s`; anything else ends the connection.  From other addresses
        the same bytes are ordinary input.
Rule 2: limits count the announced address; a proxy that speaks for itself (LOCAL, UNKNOWN) counts
        under its own.
Rule 3: connections without a header have not passed the gate, so they are bounded here: over
        `waiting_max` the oldest is aborted.

Source: https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Sequence

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import DoorLimits
from mudserver.transport.gate import Gate
from mudserver.transport.library_patches import set_peername, set_read_size

V1_BYTES_MAX = 107  # by the standard, CR LF included
V2_BYTES_MAX = 1_024  # including everything that a proxy may add after the addresses
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
V2_HEADER_BYTES = 16  # signature, command, family, length
LOCAL, PROXY = 0x20, 0x21
FAMILIES = {0x11: 4, 0x21: 16}  # TCP over IPv4 and IPv6: bytes per address

Address = tuple[str, int]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class InvalidHeader(Exception):
    """These bytes cannot become a header."""


def parse_header(data: bytes) -> tuple[int, Address | None] | None:
    """The length of the header at the start of *data*, and the address that it announces, if any.

    Returns:
        None while the header is incomplete.

    Raises:
        InvalidHeader: These bytes cannot become a header.
    """
    if data[: len(SIGNATURE)] == SIGNATURE[: len(data)]:
        return _parse_v2(data)
    if data[:6] == b"PROXY "[: len(data)]:
        return _parse_v1(data)
    raise InvalidHeader


def _parse_v1(data: bytes) -> tuple[int, Address | None] | None:
    end = data.find(b"\r\n", 0, V1_BYTES_MAX)
    if end < 0:
        if len(data) >= V1_BYTES_MAX:
            raise InvalidHeader
        return None
    words = data[:end].decode("ascii", "replace").split(" ")
    match words:
        case ["PROXY", "UNKNOWN", *_]:
            return end + 2, None
        case ["PROXY", "TCP4" | "TCP6" as family, source, target, *ports] if len(ports) == 2:
            version = int(family[3])
            _checked_address(target, version)
            port, _ = map(_port, ports)
            return end + 2, (_checked_address(source, version), port)
    raise InvalidHeader


def _checked_address(address: str, version: int) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        raise InvalidHeader from None
    if found.version != version or "%" in address:
        raise InvalidHeader
    return str(found)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65_535):
        raise InvalidHeader
    return int(text)


def _parse_v2(data: bytes) -> tuple[int, Address | None] | None:
    if len(data) < V2_HEADER_BYTES:
        return None
    command, family = data[12], data[13]
    end = V2_HEADER_BYTES + int.from_bytes(data[14:16], "big")
    if command not in (LOCAL, PROXY) or end > V2_BYTES_MAX:
        raise InvalidHeader
    if len(data) < end:
        return None
    size = FAMILIES.get(family)
    if command == LOCAL or size is None:
        return end, None
    if end < V2_HEADER_BYTES + 2 * size + 4:
        raise InvalidHeader
    at = V2_HEADER_BYTES + 2 * size
    source = ipaddress.ip_address(data[V2_HEADER_BYTES : V2_HEADER_BYTES + size])
    return end, (str(source), int.from_bytes(data[at : at + 2], "big"))


class TrustedProxies:
    """The networks whose headers are trusted."""

    def __init__(self, networks: Sequence[str]) -> None:
        self.networks = networks
        self._networks = [ipaddress.ip_network(each) for each in networks]

    def __contains__(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer.partition("%")[0])
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks)


class PendingHeaders:
    """The connections of one listener that have not sent their header, oldest first."""

    def __init__(self, gate: Gate, clock: Clock) -> None:
        self._gate, self.clock = gate, clock
        self._trusted: TrustedProxies | None = None
        self._readers: dict[ProxyHeaderReader, None] = {}

    @property
    def limits(self) -> DoorLimits:
        return self._gate.limits

    @property
    def trusted(self) -> TrustedProxies:
        networks = self.limits.proxy_from
        if self._trusted is None or self._trusted.networks != networks:
            self._trusted = TrustedProxies(networks)
        return self._trusted

    def add(self, connection: ProxyHeaderReader) -> None:
        if len(self._readers) >= self.limits.waiting_max:
            next(iter(self._readers)).abort()
        self._readers[connection] = None

    def discard(self, connection: ProxyHeaderReader) -> None:
        self._readers.pop(connection, None)

    def abort_all(self) -> None:
        for connection in list(self._readers):
            connection.abort()


class ProxyHeaderReader(asyncio.Protocol):
    """Reads the header, then hands the connection over to the protocol of *make_protocol*."""

    def __init__(
        self, make_protocol: Callable[[], asyncio.Protocol], pending: PendingHeaders
    ) -> None:
        self._make_protocol, self._pending = make_protocol, pending
        self._data = b""
        self._deadline: TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = str((transport.get_extra_info("peername") or ("",))[0])
        if peer not in self._pending.trusted:
            self._hand_over()
            return
        set_read_size(transport, V2_BYTES_MAX)
        self._pending.add(self)
        limits, clock = self._pending.limits, self._pending.clock
        self._deadline = clock.call_later(limits.proxy_header_s, self.abort)

    def data_received(self, data: bytes) -> None:
        self._data += data
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
        rest, self._data = self._data[count:], b""
        inner = self._hand_over()
        if rest and not self._transport.is_closing():
            inner.data_received(rest)

    def _hand_over(self) -> asyncio.Protocol:
        self._done()
        inner = self._make_protocol()
        self._transport.set_protocol(inner)
        inner.connection_made(self._transport)
        return inner

    def connection_lost(self, exc: Exception | None) -> None:
        self._done()

    def abort(self) -> None:
        self._done()
        self._transport.abort()

    def _done(self) -> None:
        self._pending.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
