"""The PROXY protocol, versions 1 and 2: a proxy announces the address of its client.

Rule 1: a header is read only from the addresses in `door.proxy_from`.  They must send it first and
        whole, within `proxy_header_s`; anything else ends the connection.  From other addresses
        the same bytes are ordinary input.
Rule 2: limits count the announced address; a proxy that speaks for itself (LOCAL, UNKNOWN) counts
        under its own.

Source: https://www.haproxy.org/download/2.9/doc/proxy-protocol.txt
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

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
