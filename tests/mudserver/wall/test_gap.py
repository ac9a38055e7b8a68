"""What changes while there is no game server is known to the next one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from telnetlib3.telopt import DO, DONT, GMCP, IAC

from mudserver.config.schema import CAPSULE_BYTES_MAX
from mudserver.transport.link import AuthenticatedUser
from mudserver.wall.bodies import KEY_CHARS_MAX
from tests.mudserver.transport.server import FakeHandler, until
from tests.mudserver.transport.telnet_client import Client, sb
from tests.mudserver.wall.house import WalledServer


@pytest.fixture
async def walled(tmp_path: Path):
    server = WalledServer(tmp_path)
    yield await server.open(telnet_wait_s=0.01)
    await server.close()


async def gap(server: WalledServer) -> None:
    server.kill_game()
    await until(lambda: not server.door.is_open)


async def next_server(server: WalledServer, sessions: int) -> list[FakeHandler]:
    """The sessions of the next game server, which are so many and no more."""
    known = len(server.handlers)
    await server.open_game()
    await until(lambda: known + sessions <= len(server.handlers))
    await asyncio.sleep(0.05)
    found = server.handlers[known:]
    assert sessions == len(found)
    return found


async def test_the_terminal_has_its_size_of_now(walled):
    client = await walled.ssh_as("guest")
    process = await client.create_process(term_type="xterm", term_size=(100, 40))
    first = await walled.handler()
    await gap(walled)
    process.change_terminal_size(90, 30)
    link = walled.door.connections[1]._link
    await until(lambda: (90, 30) == (link.terminal.cols, link.terminal.rows))
    (second,) = await next_server(walled, 1)
    assert (100, 40) == (first.link.terminal.cols, first.link.terminal.rows)
    assert (90, 30) == (second.at_start.cols, second.at_start.rows)
    assert [] == second.sizes  # it was never otherwise there


async def test_a_connection_that_is_lost_is_not_opened(walled):
    stays = Client(*await walled.raw())
    kept = await walled.handler()
    gone = Client(*await walled.raw())
    await walled.handler(1)
    await gap(walled)
    gone.writer.close()
    await until(lambda: 1 == len(walled.door.connections))
    (again,) = await next_server(walled, 1)
    assert kept.link.visit == again.link.visit
    assert walled.door.is_open  # nobody was told of a connection that is not there
    stays.writer.close()


async def test_the_modules_are_those_asked_for_last(walled):
    clients = [Client(*await walled.raw())]
    first = await walled.handler()
    clients.append(Client(*await walled.raw()))
    other = await walled.handler(1)
    clients[0].send(IAC, DO, GMCP, sb(GMCP, b'Core.Supports.Set ["Char 1", "Lockdown 1"]'))
    await until(lambda: first.link.speaks_gmcp)
    assert not other.link.speaks_gmcp
    await gap(walled)
    clients[0].send(sb(GMCP, b'Core.Supports.Set ["Lockdown 2"]'))
    clients[1].send(IAC, DO, GMCP, sb(GMCP, b'Core.Supports.Set ["Char 1"]'))
    doors = [walled.door.connections[number]._link for number in (1, 2)]
    await until(lambda: (("lockdown", 2),) == doors[0].modules and doors[1].modules)
    again = {it.link.visit: it.link for it in await next_server(walled, 2)}
    links = [again[it.link.visit] for it in (first, other)]
    assert [(("lockdown", 2),), (("char", 1),)] == [link.modules for link in links]
    assert 2 == links[0].json_protocol
    await gap(walled)
    clients[1].send(IAC, DONT, GMCP)
    await until(lambda: not doors[1].modules)
    again = {it.link.visit: it.link for it in await next_server(walled, 2)}
    assert not again[other.link.visit].speaks_gmcp
    for client in clients:
        client.writer.close()


async def test_the_largest_capsule_goes_on_beside_the_longest_key(walled):
    client = Client(*await walled.raw())
    first = await walled.handler()
    connection = walled.door.connections[1]
    connection._proven = AuthenticatedUser("ann", "key", "k" * KEY_CHARS_MAX, "SHA256:x")
    capsule = b"x" * CAPSULE_BYTES_MAX
    first.link.keep(capsule, b"w" * 256)
    await until(lambda: connection._capsule)
    await gap(walled)
    (second,) = await next_server(walled, 1)
    assert capsule == second.link.capsule
    client.writer.close()
