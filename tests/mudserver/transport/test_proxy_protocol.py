"""The PROXY protocol: who may announce others, and what is then believed."""

import asyncio
import ipaddress
import socket

import asyncssh
import pytest
from msgspec.structs import replace

from mudserver.transport.proxy_protocol import (
    SIGNATURE,
    V1_BYTES_MAX,
    V2_BYTES_MAX,
    InvalidHeader,
    TrustedProxies,
    parse_header,
)
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import Client

HERE = ["127.0.0.0/8"]
V1 = b"PROXY TCP4 203.0.113.7 198.51.100.1 56324 23\r\n"


def v2(source: str, command: int = 0x21, more: bytes = b"") -> bytes:
    address = ipaddress.ip_address(source)
    family = 0x11 if address.version == 4 else 0x21
    body = address.packed * 2 + b"\x12\x34\x00\x17" + more
    return SIGNATURE + bytes([command, family]) + len(body).to_bytes(2, "big") + body


GOOD = {
    V1: ("203.0.113.7", 56324),
    b"PROXY TCP6 2001:db8::7 2001:db8::1 1 2\r\n": ("2001:db8::7", 1),
    b"PROXY UNKNOWN\r\n": None,
    b"PROXY UNKNOWN ffff:f::ffff ffff:f::ffff 65535 65535\r\n": None,
    v2("203.0.113.9"): ("203.0.113.9", 0x1234),
    v2("2001:db8::9"): ("2001:db8::9", 0x1234),
    v2("203.0.113.9", more=b"\x20\x00\x05abcde"): ("203.0.113.9", 0x1234),
    v2("203.0.113.9", command=0x20): None,
    SIGNATURE + b"\x20\x00\x00\x00": None,
    SIGNATURE + b"\x21\x31\x00\x04path": None,
}
BAD = (
    b"guest\r\n", b"\x16\x03\x01", b"SSH-2.0-x\r\n", b"PROXY \r\n", b"PROXY TCP4 x y 1 2\r\n",
    b"PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n", b"PROXY TCP4 ::1 ::2 1 2\r\n",
    b"PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 99999\r\n",
    b"PROXY TCP4 1.2.3.4 5.6.7.8 1 -2\r\n", b"PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n",
    b"PROXY TCP6 fe80::1%eth0 ::2 1 2\r\n", b"PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n",
    b"proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n", b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2" + b" " * 100,
    b"PROXY TCP4 " + b"\xff" * 20 + b" 5.6.7.8 1 2\r\n",
    SIGNATURE + b"\x11\x11\x00\x0c" + b"\0" * 12, SIGNATURE + b"\x22\x11\x00\x0c" + b"\0" * 12,
    SIGNATURE + b"\x21\x11\x00\x04" + b"\0" * 4, SIGNATURE + b"\x21\x21\x00\x0c" + b"\0" * 12,
    SIGNATURE + b"\x21\x11\xff\xff", b"\r\n\r\nguest",
)  # fmt: skip


@pytest.mark.parametrize("said", GOOD)
def test_a_header_announces_an_address_and_ends_where_it_ends(said):
    assert (len(said), GOOD[said]) == parse_header(said)
    assert (len(said), GOOD[said]) == parse_header(said + b"PROXY guest\r\n")


@pytest.mark.parametrize("said", GOOD)
def test_a_header_may_come_in_pieces(said):
    for cut in range(len(said)):
        assert parse_header(said[:cut]) is None, cut


@pytest.mark.parametrize("said", BAD)
def test_what_is_no_header_never_becomes_one(said):
    with pytest.raises(InvalidHeader):
        parse_header(said)


@pytest.mark.parametrize("begun", [b"PROXY TCP4 ", SIGNATURE + b"\x21\x11\x03\xf0"])
def test_a_header_without_end_is_refused_within_its_bound(begun):
    bound = max(V1_BYTES_MAX, V2_BYTES_MAX)
    with pytest.raises(InvalidHeader):
        for length in range(len(begun), bound + 1):
            found = parse_header(begun.ljust(length, b"1"))
            assert found is None or length == bound  # version 2 says its length
        raise InvalidHeader


def test_networks_are_addresses_or_cidrs():
    trusted = TrustedProxies(("10.0.0.0/8", "192.0.2.1", "2001:db8::/32"))
    for peer in ("10.9.8.7", "192.0.2.1", "2001:db8::1", "::ffff:10.1.1.1", "2001:db8::1%eth0"):
        assert peer in trusted, peer
    for peer in ("11.0.0.1", "192.0.2.2", "2001:db9::1", "", "local", "::ffff:11.1.1.1"):
        assert peer not in trusted, peer


async def client_of(server, listener=None) -> Client:
    client = Client(*await server.raw(listener))
    client.number = len(server.handlers)
    return client


@pytest.mark.parametrize("said", [V1, v2("203.0.113.7"), v2("203.0.113.7", more=b"x" * 500)])
async def test_telnet_behind_a_proxy_comes_from_where_it_was_announced(server, said):
    await server.open(proxy_from=HERE)
    client = await client_of(server)
    for at in range(len(said)):
        client.send(said[at : at + 1])
        await asyncio.sleep(0)
    client.send(b"guest\r\n")
    handler = await client.settles(server)
    await until(lambda: handler.received == b"guest\r\n")
    assert "203.0.113.7" == handler.link.peer
    assert ["203.0.113.7"] == server.budgets.sources


async def test_what_comes_with_the_header_is_not_lost(server):
    await server.open(proxy_from=HERE)
    client = await client_of(server)
    client.send(V1 + b"guest\r\n")
    handler = await client.settles(server)
    await until(lambda: handler.received == b"guest\r\n")


async def test_a_proxy_that_speaks_for_itself_is_what_it_is(server):
    await server.open(proxy_from=HERE)
    client = await client_of(server)
    client.send(b"PROXY UNKNOWN\r\n")
    handler = await client.settles(server)
    assert "127.0.0.1" == handler.link.peer


async def test_from_others_a_header_is_what_somebody_typed(server):
    await server.open(proxy_from=["10.0.0.0/8"])
    client = await client_of(server)
    client.send(V1)
    handler = await client.settles(server)
    await until(lambda: handler.received == V1)
    assert "127.0.0.1" == handler.link.peer


async def test_without_a_proxy_configured_nobody_is_believed(open_server):
    client = await client_of(open_server)
    client.send(V1)
    handler = await client.settles(open_server)
    await until(lambda: handler.received == V1)
    assert "127.0.0.1" == handler.link.peer


async def test_who_is_believed_can_change_while_the_listener_is_open(server):
    await server.open()
    for networks, peer in ((HERE, "203.0.113.7"), ([], "127.0.0.1")):
        server.gate.reconfigure(replace(server.gate.limits, proxy_from=tuple(networks)))
        client = await client_of(server)
        client.send(V1)
        handler = await client.settles(server)
        assert peer == handler.link.peer


@pytest.mark.parametrize("said", [b"", b"PROXY TCP4 ", b"guest\r\n", SIGNATURE])
async def test_a_proxy_that_sends_no_header_is_cut_soon(server, said):
    await server.open(proxy_from=HERE, proxy_header_s=0.2)
    client = await client_of(server)
    client.send(said)
    assert await client.is_cut(1.0)
    assert ([], 0) == (server.handlers, server.gate.connections)


async def test_limits_count_the_announced_address(server):
    await server.open(proxy_from=HERE, new_per_source_burst=1, new_per_source_per_s=0.001)
    for _ in range(4):  # four times as many, since nobody waits
        client = await client_of(server)
        client.send(V1)
        await client.reads(b"Welcome.")
    over = await client_of(server)
    over.send(V1)
    await over.reads(b"Too many connections from your address.")
    assert await over.is_cut()
    other = await client_of(server)
    other.send(b"PROXY TCP4 203.0.113.8 198.51.100.1 1 23\r\n")
    await other.reads(b"Welcome.")


async def test_headers_that_do_not_come_are_bounded_in_number(server):
    await server.open(proxy_from=HERE, waiting_max=3, proxy_header_s=30)
    clients = [await client_of(server) for _ in range(5)]
    for client in clients[:2]:
        assert await client.is_cut(1.0)
    for client in clients[2:]:
        client.send(V1)
        await client.reads(b"Welcome.")


async def test_ssh_behind_a_proxy_comes_from_where_it_was_announced(server):
    await server.open(proxy_from=HERE)
    sock = socket.create_connection(("127.0.0.1", server.port(server.ssh)))
    sock.sendall(v2("2001:db8:1:2::7"))
    client = await server.ssh_as("guest", sock=sock)
    await client.create_session(asyncssh.SSHClientSession, term_type="xterm")
    await until(lambda: server.handlers)
    assert "2001:db8:1:2::7" == server.handlers[0].link.peer
    assert ["2001:db8:1:2::/64"] == server.budgets.sources
    client.abort()
    await until(lambda: server.handlers[0].was_lost)


async def test_ssh_that_sends_no_header_is_cut(server):
    await server.open(proxy_from=HERE)
    client = await client_of(server, server.ssh)
    client.send(b"SSH-2.0-x\r\n")
    assert await client.is_cut(1.0)
    assert 0 == server.gate.connections


async def test_a_listener_that_closes_waits_for_no_header(server):
    await server.open(proxy_from=HERE, proxy_header_s=30)
    client = await client_of(server)
    await asyncio.sleep(0.05)
    server.telnet.close()
    assert await client.is_cut(1.0)
