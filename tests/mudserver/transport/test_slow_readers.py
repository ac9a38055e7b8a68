"""Who does not read loses the line, by bytes and by time, and nobody else feels it."""

import asyncio

import asyncssh
import pytest

from tests.mudserver.transport.house import until

PIECE = b"x" * 8_192


async def deaf_telnet(house):
    sock = house.deaf()
    await until(lambda: house.visitors)
    return sock, house.visitors[-1]


async def deaf_ssh(house):
    client = await house.ssh_as("guest")
    await client.create_process(encoding=None, window=2**31 - 1)
    client._transport.pause_reading()
    return client, house.visitors[-1]


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh])
async def test_too_many_unread_bytes_cut_the_line(house, deaf):
    await house.open(telnet_wait_s=0.01)
    client, visitor = await deaf(house)
    most = 0
    for _ in range(4_000):
        visitor.link.send(PIECE)
        most = max(most, visitor.link.backlog())
        if visitor.was_lost:
            break
        await asyncio.sleep(0)
    await until(lambda: visitor.was_lost)
    assert most <= house.config.door.output_bytes_max + 2 * len(PIECE)
    assert 0 == house.gate.connections
    client.close()


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh])
async def test_no_progress_cuts_the_line(house, deaf):
    await house.open(telnet_wait_s=0.01, output_stall_s=0.2)
    client, visitor = await deaf(house)
    while visitor.link.backlog() < 20_000:
        visitor.link.send(PIECE)
        await asyncio.sleep(0)
    await until(lambda: visitor.was_lost, timeout_s=2)
    client.close()


async def test_a_closed_window_is_a_stall_too(house):
    await house.open(output_stall_s=0.2)
    client = await house.ssh_as("guest")
    process = await client.create_process(encoding=None, window=2_048)
    process.channel.pause_reading()
    visitor = house.visitors[-1]
    visitor.link.send(PIECE)
    assert visitor.link.backlog() > 0
    await until(lambda: visitor.was_lost, timeout_s=2)


@pytest.mark.parametrize("deaf", [deaf_telnet, deaf_ssh])
async def test_a_close_that_is_not_read_ends_in_a_cut(house, deaf):
    await house.open(telnet_wait_s=0.01, close_s=0.2)
    client, visitor = await deaf(house)
    while visitor.link.backlog() < 20_000:
        visitor.link.send(PIECE)
        await asyncio.sleep(0)
    visitor.link.close()
    await until(lambda: visitor.was_lost, timeout_s=2)
    assert 0 == house.gate.connections
    client.close()


async def test_requests_whose_replies_are_not_read_stop_the_reading(house):
    await house.open()
    client, visitor = await deaf_ssh(house)
    while visitor.link.backlog() < 2 * house.config.door.output_lag_bytes:
        visitor.link.send(PIECE)
        await asyncio.sleep(0)
    assert not visitor.link._owner.parts.connection._transport.is_reading()
    client._transport.resume_reading()
    await until(lambda: visitor.link._owner.parts.connection._transport.is_reading())
    assert not visitor.was_lost
    client.abort()


async def test_one_deaf_reader_costs_the_others_nothing(house):
    await house.open(telnet_wait_s=0.01)
    sock, deaf = await deaf_telnet(house)
    reader, writer = await house.raw()
    await until(lambda: len(house.visitors) == 2)
    while not deaf.was_lost:
        for visitor in house.visitors:
            visitor.link.send(PIECE)
        await reader.read(65_536)
    house.visitors[1].link.send(b"still here\r\n")
    received = b""
    while b"still here\r\n" not in received:
        received = received[-20:] + await asyncio.wait_for(reader.read(65_536), 2)
    writer.close()
    sock.close()


# -- the last words: a screen that is left, and a goodbye ------------------------------------------

LAST = b"\x1b[?1049lGoodbye, ann.\r\n"


class Ear(asyncssh.SSHClientSession[bytes]):
    """Keeps what it hears; its window is what it takes at once."""

    def __init__(self) -> None:
        self.heard, self.is_over = b"", False

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.heard += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_over = True


async def narrow_ssh(house):
    client = await house.ssh_as("guest")
    channel, ear = await client.create_session(Ear, encoding=None, window=2_048)
    channel.pause_reading()
    return channel, ear, house.visitors[-1]


def told_more_than_it_takes(visitor) -> int:
    """Full of unread output the visit ends; answers how many bytes came before its last words."""
    told = 0
    while visitor.link.backlog() < 20_000:
        visitor.link.send(PIECE)
        told += len(PIECE)
    visitor.link.send(LAST)
    visitor.link.close()
    return told


async def test_a_full_window_keeps_no_last_words_from_who_reads_again(house):
    await house.open()
    channel, ear, visitor = await narrow_ssh(house)
    told = told_more_than_it_takes(visitor)
    await asyncio.sleep(0)
    assert not ear.heard.endswith(LAST)
    channel.resume_reading()
    await until(lambda: ear.is_over)
    assert len(b"Welcome.\r\n") + told + len(LAST) == len(ear.heard)
    assert ear.heard.endswith(LAST)
    assert 0 == channel.get_exit_status()
    await until(lambda: visitor.was_lost)


async def test_who_reads_telnet_slowly_hears_the_last_words(house):
    await house.open(telnet_wait_s=0.01)
    sock, visitor = await deaf_telnet(house)
    told = told_more_than_it_takes(visitor)
    heard, loop = b"", asyncio.get_running_loop()
    while data := await asyncio.wait_for(loop.sock_recv(sock, 2_000), 2):
        heard += data
    assert heard.endswith(LAST)
    assert told == heard.count(b"x")
    await until(lambda: visitor.was_lost)
    sock.close()


async def test_a_window_that_never_opens_ends_in_a_cut(house):
    await house.open(close_s=0.2)
    _, ear, visitor = await narrow_ssh(house)
    told_more_than_it_takes(visitor)
    await until(lambda: visitor.was_lost, timeout_s=2)
    assert LAST not in ear.heard
    assert 0 == house.gate.connections
