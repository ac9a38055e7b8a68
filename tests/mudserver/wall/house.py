"""A door with real listeners, and a game server with fake sessions, over a real Unix socket."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.transport.gate import FailedLogin
from mudserver.wall.bodies import DOOR_PROTOCOLS, GAME_PROTOCOLS, Handshake
from mudserver.wall.door import DoorClient
from mudserver.wall.game import WallServer
from tests.mudserver.transport.server import TransportServer, until


class WalledServer(TransportServer):
    """A `TransportServer` whose handlers stand behind a wall."""

    def __init__(self, directory: Path, **wall: float) -> None:
        super().__init__()
        self.path = directory / "game.sock"
        self.wall_config = WallConfig(**wall)  # type: ignore[arg-type]
        self.failed: list[tuple[FailedLogin, int, str]] = []
        self.door_protocols, self.game_protocols = DOOR_PROTOCOLS, GAME_PROTOCOLS
        self.door_settings: dict[str, str] = {}
        self.door_name = "1"
        self.draining: list[tuple[list[str], float]] = []

    async def open_game(self) -> WallServer:
        self.game = WallServer(
            self.wall_config, Clock(asyncio.get_running_loop()), self.answer,
            self.authenticator,  # type: ignore[arg-type]
            handshake=lambda: Handshake(
                *self.game_protocols, "0.5.0", "game", "g1", 1, settings={"wall.hold_s": "120.0"}
            ),
            status=lambda: {"NAME": "Cards", "GAMES": ("a", "b")},
            on_failure=lambda *failed: self.failed.append(failed),
            on_door=lambda door: None,
            on_draining=lambda visits, seconds: self.draining.append((visits, seconds)),
        )  # fmt: skip
        await self.game.open(self.path)
        return self.game

    async def open(self, context=None, **limits):
        await self.open_game()
        await self.open_door()
        await super().open(context, **limits)
        self.gate.on_failure = self.door.note_failure
        return self

    async def open_door(self, *, waits: bool = True, address=None) -> None:
        self.door = DoorClient(
            self.wall_config, Clock(asyncio.get_running_loop()),
            lambda: Handshake(
                *self.door_protocols, "0.5.0", self.door_name, "d1", 2, settings=self.door_settings
            ),
            [address or self.path],
        )  # fmt: skip
        self.make_handler, self.asked = self.door.open_connection, self.door.authenticator
        started = asyncio.ensure_future(self.door.start())
        if waits:
            await started

    def kill_game(self) -> None:
        """As if the process of the game server had died."""
        game = self.game
        assert game._server is not None
        game._server.close()
        for door in list(game.doors):
            door.stream.close("killed")

    async def handler(self, number: int = 0):
        """The *number*-th session that has begun."""
        await until(lambda: len(self.handlers) > number)
        return self.handlers[number]

    async def close(self) -> None:
        if hasattr(self, "door"):
            self.door.end_all("")
        if hasattr(self, "ssh"):
            await super().close()
        if hasattr(self, "door"):
            self.door.close()
        if hasattr(self, "game"):
            self.game.close("end of the test")
        await asyncio.sleep(0)
