"""The bare server behind asyncssh: what the library takes of what our SSH costs.

It lets in any key, greets with the prompt that the crowd waits for, echoes what it hears, and
answers a line in the same write.
"""

from __future__ import annotations

import asyncio
import time

import asyncssh

from tests.bench.bare import ANSWER, LINE
from tests.bench.child import Gauge, obey
from tests.prompts import LOBBY


class Door(asyncssh.SSHServer):
    def __init__(self, everybody: set[asyncssh.SSHServerChannel]) -> None:
        self._open = everybody

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return True

    def session_requested(self) -> asyncssh.SSHServerSession:
        return Echo(self._open)


class Echo(asyncssh.SSHServerSession):
    def __init__(self, everybody: set[asyncssh.SSHServerChannel]) -> None:
        self._open = everybody

    def connection_made(self, chan: asyncssh.SSHServerChannel) -> None:
        self._channel = chan
        chan.set_encoding(None)

    def shell_requested(self) -> bool:
        return True

    def session_started(self) -> None:
        self._open.add(self._channel)
        self._channel.write(LOBBY.encode())

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._channel.write(data + ANSWER if data.endswith(b"\n") else data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self._channel)


class BareSsh(Gauge):
    def __init__(self) -> None:
        self._open: set[asyncssh.SSHServerChannel] = set()

    async def listen(self) -> dict[str, int]:
        self._server = await asyncssh.create_server(
            lambda: Door(self._open), "127.0.0.1", 0, backlog=1024, line_editor=False,
            server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
        )  # fmt: skip
        return {"ssh": self._server.sockets[0].getsockname()[1]}

    async def open_accounts(self, keys: list[list[str]]) -> None:
        """Any key is let in."""

    async def settle(self) -> None:
        """Nothing is left over from arrivals."""

    async def talk(self, rounds: int, lines: int, pause_s: float) -> float:
        """Write so many lines at once to everybody, again and again; the CPU seconds of it."""
        start_s = time.process_time()
        for _ in range(rounds):
            for channel in self._open:
                channel.write(LINE * lines)
            await asyncio.sleep(pause_s)
        return time.process_time() - start_s


if __name__ == "__main__":
    asyncio.run(obey(BareSsh()))
