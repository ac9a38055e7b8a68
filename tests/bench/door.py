"""A whole door, listening, for `tests.bench.split`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mudserver.config import schema
from mudserver.wall.door_process import DoorProcess
from tests.bench.child import Gauge, obey
from tests.bench.server import settings


class Door(Gauge):
    async def listen(self, directory: str) -> dict[str, int]:
        """Behind it is the game server with the data in *directory*."""
        self._door = await DoorProcess.start(settings(Path(directory)), {}, "1")
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
