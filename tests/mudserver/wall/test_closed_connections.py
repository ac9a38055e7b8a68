"""A connection that was closed is no game server's any more, however long its client takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mudserver.wall.bodies import Redirect, encode_body
from mudserver.wall.frames import Kind
from tests.mudserver.transport.server import FakeHandler, until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer


@pytest.fixture
async def walled(tmp_path: Path):
    server = WalledServer(tmp_path)
    yield await server.open(telnet_wait_s=0.01)
    await server.close()


async def deaf_client(server: WalledServer, protocol: str) -> tuple[object, FakeHandler]:
    """Somebody who is logged in, and reads nothing."""
    if protocol == "telnet":
        client: object = server.deaf()
    else:
        client = await server.ssh_as("guest")
        process = await client.create_process(encoding=None, term_type="xterm")
        process.channel.pause_reading()
    handler = await server.handler()
    handler.link.keep(b"capsule", b"One moment.")
    door = server.door.connections[1]
    while not (door._capsule and door._link.backlog()):  # until the sockets take no more
        handler.link.send(b"x" * 8_192)
        await asyncio.sleep(0)
    return client, handler


async def comes_again(server: WalledServer) -> None:
    """The next game server has the people who wait, and somebody new."""
    known = len(server.handlers)
    await server.open_game()
    await until(lambda: server.door.is_open)
    client = Client(*await server.raw())
    await client.reads(b"Welcome.")
    await asyncio.sleep(0.05)
    assert known + 1 == len(server.handlers)
    client.writer.close()


@pytest.mark.parametrize("protocol", ["telnet", "ssh"])
async def test_who_was_told_goodbye_is_not_resumed_by_the_next_server(walled, protocol):
    client, handler = await deaf_client(walled, protocol)
    link = walled.door.connections[1]._link
    handler.link.close()
    await until(lambda: handler.was_lost)
    walled.kill_game()
    await until(lambda: not walled.door.is_open)
    assert 0 == walled.door.restarts.last.sessions  # that wait for the next one
    walled.door._say_wait()
    await comes_again(walled)
    assert link.backlog()  # it has been there all the time
    assert (b"", 1) == (handler.received, handler.was_lost)
    client.close()


async def test_who_was_told_that_no_server_comes_back_is_not_resumed(walled):
    client, _ = await deaf_client(walled, "telnet")
    walled.kill_game()
    await until(lambda: not walled.door.is_open)
    walled.door._give_up()
    await comes_again(walled)
    client.close()


async def test_who_was_told_goodbye_goes_to_no_other_server(walled):
    client, handler = await deaf_client(walled, "telnet")
    handler.link.close()
    to = Redirect("game", 12, b"sit 12", 1)
    walled.game.doors[0].stream.add(Kind.REDIRECT, 1, encode_body(to))
    await until(lambda: handler.was_lost)
    await asyncio.sleep(0.05)
    assert 1 == len(walled.handlers) and walled.door.is_open
    client.close()


async def test_what_is_typed_after_goodbye_is_dropped_and_not_left_with_its_sender(walled):
    """A client that is held could not be noticed to close."""
    client = await walled.ssh_as("guest")
    process = await client.create_process(encoding=None, term_type="xterm")
    handler = await walled.handler()
    connection = walled.door.connections[1]
    connection.hold_back(True)  # as if the wall took no more
    process.stdin.write(b"x" * 40_000)
    await until(lambda: connection._is_held)
    handler.link.close()
    await asyncio.wait_for(process.wait_closed(), 3)
    await until(lambda: not walled.gate.connections)
    assert b"" == connection.retained
