"""Who does not read loses the line, by bytes and by time, and nobody else feels it."""

import asyncio

import asyncssh
import pytest
from asyncssh.constants import MSG_CHANNEL_FAILURE, MSG_KEX_FIRST, MSG_KEX_LAST
from asyncssh.packet import UInt32

from tests.mudserver.transport.server import until

PIECE = b"x" * 8_192


async def deaf_telnet(server):
    sock = server.deaf()
    await until(lambda: server.handlers)
    return sock, server.handlers[-1]


async def deaf_ssh(server):
    client = await server.ssh_as("guest")
    await client.create_process(encoding=None, window=2**31 - 1)
    client._transport.pause_reading()
    return client, server.handlers[-1]


def hold_new_keys(client):
    """Let a client begin to change keys.  Returns: what goes on with it."""
    send, held = client.send_packet, []

    def send_or_hold(kind, *args, handler=None):
        if MSG_KEX_FIRST <= kind <= MSG_KEX_LAST:
            held.append((kind, *args))
        else:
            send(kind, *args, handler=handler)

    def go_on():
        client.send_packet = send
        for packet in held:
            send(*packet)

    client.send_packet = send_or_hold
    client._send_kexinit()
    client._kexinit_sent = True
    return go_on


async def ssh_without_new_keys(server):
    client = await server.ssh_as("guest")
    await client.create_process(encoding=None, window=2**31 - 1)
    handler = server.handlers[-1]
    hold_new_keys(client)
    await until(lambda: not handler.link._owner.parts.connection._kex_complete)
    return client, handler


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh, ssh_without_new_keys])
async def test_too_many_unread_bytes_cut_the_line(server, deaf):
    await server.open(telnet_wait_s=0.01)
    client, handler = await deaf(server)
    most = 0
    for _ in range(4_000):
        handler.link.send(PIECE)
        most = max(most, handler.link.backlog())
        if handler.was_lost:
            break
        await asyncio.sleep(0)
    await until(lambda: handler.was_lost)
    assert most <= server.config.door.output_bytes_max + 2 * len(PIECE)
    assert 0 == server.gate.connections
    client.close()


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh, ssh_without_new_keys])
async def test_no_progress_cuts_the_line(server, deaf):
    await server.open(telnet_wait_s=0.01, output_stall_s=0.2)
    client, handler = await deaf(server)
    while handler.link.backlog() < 20_000:
        handler.link.send(PIECE)
        await asyncio.sleep(0)
    await until(lambda: handler.was_lost, timeout_s=2)
    client.close()


async def test_a_closed_window_is_a_stall_too(server):
    await server.open(output_stall_s=0.2)
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None, window=2_048)
    process.channel.pause_reading()
    handler = server.handlers[-1]
    handler.link.send(PIECE)
    assert handler.link.backlog() > 0
    await until(lambda: handler.was_lost, timeout_s=2)


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh])
async def test_a_close_that_is_not_read_ends_in_a_cut(server, deaf):
    await server.open(telnet_wait_s=0.01, close_s=0.2)
    client, handler = await deaf(server)
    while handler.link.backlog() < 20_000:
        handler.link.send(PIECE)
        await asyncio.sleep(0)
    handler.link.close()
    await until(lambda: handler.was_lost, timeout_s=2)
    assert 0 == server.gate.connections
    client.close()


async def test_answers_that_wait_for_new_keys_are_bounded_too(server):
    await server.open()
    client, handler = await ssh_without_new_keys(server)
    connection = handler.link._owner.parts.connection
    most = 0
    for _ in range(5_000):
        connection.send_packet(MSG_CHANNEL_FAILURE, UInt32(0))
        most = max(most, len(connection._deferred_packets))
        if connection._transport is None:
            break
    await until(lambda: handler.was_lost)
    assert most < 1_500
    client.abort()


async def test_what_waited_for_new_keys_is_sent_with_them(server):
    await server.open(output_stall_s=0.2)
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None)
    handler = server.handlers[-1]
    go_on = hold_new_keys(client)
    await until(lambda: not handler.link._owner.parts.connection._kex_complete)
    handler.link.send(PIECE)
    assert len(PIECE) < handler.link.backlog() < len(PIECE) + 300
    go_on()
    heard = await process.stdout.readexactly(len(b"Welcome.\r\n") + len(PIECE))
    assert heard.endswith(PIECE)
    assert 0 == handler.link.backlog()
    await asyncio.sleep(0.3)
    assert not handler.was_lost
    client.abort()


async def test_requests_whose_replies_are_not_read_stop_the_reading(server):
    await server.open()
    client, handler = await deaf_ssh(server)
    while handler.link.backlog() < 2 * server.config.door.output_lag_bytes:
        handler.link.send(PIECE)
        await asyncio.sleep(0)
    assert not handler.link._owner.parts.connection._transport.is_reading()
    client._transport.resume_reading()
    await until(lambda: handler.link._owner.parts.connection._transport.is_reading())
    assert not handler.was_lost
    client.abort()


async def test_one_deaf_reader_costs_the_others_nothing(server):
    await server.open(telnet_wait_s=0.01)
    sock, deaf = await deaf_telnet(server)
    reader, writer = await server.raw()
    await until(lambda: len(server.handlers) == 2)
    while not deaf.was_lost:
        for handler in server.handlers:
            handler.link.send(PIECE)
        await reader.read(65_536)
    server.handlers[1].link.send(b"still here\r\n")
    received = b""
    while b"still here\r\n" not in received:
        received = received[-20:] + await asyncio.wait_for(reader.read(65_536), 2)
    writer.close()
    sock.close()


# -- the last words: a screen that is left, and a goodbye ------------------------------------------

LAST = b"\x1b[?1049lGoodbye, ann.\r\n"


class NarrowReader(asyncssh.SSHClientSession[bytes]):
    """Keeps what it hears; its window is what it takes at once."""

    def __init__(self) -> None:
        self.heard, self.is_over = b"", False

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.heard += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over = True


async def narrow_ssh(server):
    client = await server.ssh_as("guest")
    channel, reader = await client.create_session(NarrowReader, encoding=None, window=2_048)
    channel.pause_reading()
    return channel, reader, server.handlers[-1]


def told_more_than_it_takes(handler) -> int:
    """Full of unread output the visit ends; answers how many bytes came before its last words."""
    told = 0
    while handler.link.backlog() < 20_000:
        handler.link.send(PIECE)
        told += len(PIECE)
    handler.link.send(LAST)
    handler.link.close()
    return told


async def test_a_full_window_keeps_no_last_words_from_who_reads_again(server):
    await server.open()
    channel, reader, handler = await narrow_ssh(server)
    told = told_more_than_it_takes(handler)
    await asyncio.sleep(0)
    assert not reader.heard.endswith(LAST)
    channel.resume_reading()
    await until(lambda: reader.is_over)
    assert len(b"Welcome.\r\n") + told + len(LAST) == len(reader.heard)
    assert reader.heard.endswith(LAST)
    assert 0 == channel.get_exit_status()
    await until(lambda: handler.was_lost)


async def test_who_reads_telnet_slowly_hears_the_last_words(server):
    await server.open(telnet_wait_s=0.01)
    sock, handler = await deaf_telnet(server)
    told = told_more_than_it_takes(handler)
    heard, loop = b"", asyncio.get_running_loop()
    while data := await asyncio.wait_for(loop.sock_recv(sock, 2_000), 2):
        heard += data
    assert heard.endswith(LAST)
    assert told == heard.count(b"x")
    await until(lambda: handler.was_lost)
    sock.close()


async def test_a_window_that_never_opens_ends_in_a_cut(server):
    await server.open(close_s=0.2)
    _, reader, handler = await narrow_ssh(server)
    told_more_than_it_takes(handler)
    await until(lambda: handler.was_lost, timeout_s=2)
    assert LAST not in reader.heard
    assert 0 == server.gate.connections
