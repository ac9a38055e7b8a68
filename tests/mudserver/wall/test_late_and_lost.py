"""Who is late to log in is told so by whatever server there is, and why a connection was lost."""

import asyncio
from pathlib import Path

import pytest

from mudserver.transport.link import LinkHandler
from tests.mudserver.transport.server import TransportServer, until
from tests.mudserver.transport.telnet_client import Client
from tests.mudserver.wall.house import WalledServer

LATE = b"You took longer than 0.3 seconds to log in"


class WithReason:
    """A session that notes why its connection was lost."""

    def __init__(self, server: WalledServer) -> None:
        self.why: list[str | None] = []
        server.on_answer = self._watch

    def _watch(self, handler: LinkHandler) -> None:
        handler.on_disconnect = lambda: self.why.append(handler.link.lost_why)


@pytest.fixture
async def walled(tmp_path: Path):
    opened = []

    async def open_walled(**limits) -> WalledServer:
        server = WalledServer(tmp_path)
        opened.append(server)
        return await server.open(telnet_wait_s=0.01, **limits)

    yield open_walled
    for server in opened:
        await server.close()


# -- late ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_begun", [False, True], ids=["who has just come", "who had a session"])
async def test_who_is_late_while_a_server_hands_over_is_told_by_the_next(walled, has_begun):
    server = await walled(login_s=0.3)
    server.admits = False
    if not has_begun:
        server.game.hold()
    client = Client(*await server.raw())
    await until(lambda: 1 == len(server.door.connections))
    connection = server.door.connections[1]
    if has_begun:
        first = await server.handler()
        server.game.hold()
        server.game.fall_silent()
        first.link.send(b"never said")
    await until(lambda: connection._late)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await server.open_game()
    heard = await client.reads(LATE)
    assert 1 == heard.count(LATE)
    assert await client.is_cut()


async def test_who_logged_in_just_before_the_end_is_not_late_at_the_next_server(walled):
    server = await walled(login_s=30)
    server.admits = False
    client = Client(*await server.raw())
    first = await server.handler()
    first.on_login_timeout = lambda message: None  # admitted in the same moment
    server.door.connections[1].on_login_timeout("Too late.")
    first.link.mark_logged_in("ann", is_regular=True)
    await until(lambda: server.door.connections[1].is_admitted)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await server.open_game()
    second = await server.handler(1)
    second.link.send(b"Go on.")
    assert b"Too late." not in await client.reads(b"Go on.")


# -- lost ----------------------------------------------------------------------------------------


async def test_a_game_server_is_told_that_the_client_has_closed(walled):
    server = await walled()
    noted = WithReason(server)
    gone = Client(*await server.raw())
    await server.handler()
    gone.writer.close()
    await until(lambda: ["closed"] == noted.why)


@pytest.mark.parametrize("protocol", ["telnet", "ssh"])
async def test_a_game_server_is_told_that_too_much_was_left_unread(walled, protocol):
    server = await walled()
    noted = WithReason(server)
    if protocol == "telnet":
        deaf = server.deaf()
    else:
        client = await server.ssh_as("guest")
        process = await client.create_process(encoding=None, term_type="xterm")
    handler = await server.handler()
    if protocol == "ssh":
        process.channel.pause_reading()
    while not noted.why:
        handler.link.send(b"x" * 8_192)
        await asyncio.sleep(0)
    assert ["bytes"] == noted.why
    if protocol == "telnet":
        deaf.close()


async def test_a_game_server_is_told_that_nothing_was_read_for_too_long(walled):
    server = await walled(output_stall_s=0.1)
    noted = WithReason(server)
    deaf = server.deaf()
    handler = await server.handler()
    while handler.link.backlog() < 100_000 and not noted.why:
        handler.link.send(b"x" * 8_192)
        await asyncio.sleep(0)
    await until(lambda: noted.why)
    assert ["stall"] == noted.why
    deaf.close()


async def test_a_connection_whose_door_is_gone_is_lost_with_the_wall(walled):
    server = await walled()
    noted = WithReason(server)
    client = Client(*await server.raw())
    await server.handler()
    server.kill_game()
    await until(lambda: ["wall"] == noted.why)
    client.writer.close()


async def test_without_a_door_the_link_says_the_same():
    server = await TransportServer().open(telnet_wait_s=0.01)
    noted = WithReason(server)
    try:
        client = Client(*await server.raw())
        await until(lambda: server.handlers)
        client.writer.close()
        await until(lambda: ["closed"] == noted.why)
        ssh = await server.ssh_as("guest")
        await ssh.create_process(encoding=None, term_type="xterm")
        await until(lambda: 2 == len(server.handlers))
        ssh.abort()
        await until(lambda: ["closed", "closed"] == noted.why)
    finally:
        await server.close()
