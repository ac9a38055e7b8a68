"""A whole door, listening, for `tests.bench.split` and `tests.bench.servers`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from mudserver.config import schema
from mudserver.wall.door_process import DoorProcess
from tests.bench.child import Gauge, obey
from tests.bench.server import settings


class Door(Gauge):
    async def listen(self, directory: str, sockets: Sequence[str] = ()) -> dict[str, int]:
        """Behind it is the game server with the data in *directory*, or those with the sockets."""
        config = settings(Path(directory))
        config = replace(config, wall=replace(config.wall, games=tuple(sockets)))
        self._door = await DoorProcess.start(config, {}, "1")
        listening = self._door.listeners.addresses()
        return {kind: schema.split_address(listening[kind])[1] for kind in ("ssh", "telnet")}

    async def stop(self) -> None:
        await self._door.stop()


async def main() -> None:
    door = Door()
    await obey(door)
    await door.stop()


if __name__ == "__main__":
    asyncio.run(main())
