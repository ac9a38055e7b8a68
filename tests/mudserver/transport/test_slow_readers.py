"""Who does not read loses the line, by bytes and by time, and nobody else feels it."""

import asyncio

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
    assert not visitor.link._caller._connection._transport.is_reading()
    client._transport.resume_reading()
    await until(lambda: visitor.link._caller._connection._transport.is_reading())
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
