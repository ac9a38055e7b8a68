"""Opens the wall of a game server: its socket, and where other machines come."""

from __future__ import annotations

from mudserver.clock import Clock
from mudserver.config.schema import Config, split_address
from mudserver.wall.certificates import check_own
from mudserver.wall.game import WallServer
from mudserver.wall.settings import socket_path
from mudserver.wall.tls import context_of


async def open_wall(server: WallServer, config: Config, name: str, clock: Clock) -> None:
    """Listen for doors.

    Args:
        name: Of this game server.

    Raises:
        StartError: A socket, an address or a file cannot be used.
    """
    await server.open(socket_path(config))
    wall = config.wall
    if wall.tls:
        check_own(wall.cert, f"game:{name}", clock.now_ms())
        await server.open_tls(context_of(wall, is_server=True), *split_address(wall.tls))
