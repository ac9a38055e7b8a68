"""The server that everything is compared with: asyncio, a protocol, nothing else.

It echoes what it hears, answers a line, and can write one to everybody.  What it costs is what
this machine and its sockets cost.
"""

from __future__ import annotations

import asyncio
import time

from tests.bench.child import Gauge, obey

LINE = b"Bob: " + b"x" * 53 + b"\r\n"  # sixty bytes
ANSWER = LINE + LINE  # to a whole line that is typed, a second write; the server needs one


class Echo(asyncio.Protocol):
    __slots__ = ("_open", "_transport")

    is_one_write = False  # the echo of a line and its answer

    def __init__(self, everybody: set[asyncio.Transport]) -> None:
        self._open = everybody

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._open.add(transport)

    def data_received(self, data: bytes) -> None:
        if self.is_one_write and data.endswith(b"\n"):
            self._transport.write(data + ANSWER)
            return
        self._transport.write(data)
        if data.endswith(b"\n"):
            self._transport.write(ANSWER)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self._transport)


class Bare(Gauge):
    def __init__(self) -> None:
        self._open: set[asyncio.Transport] = set()

    async def listen(self) -> dict[str, int]:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: Echo(self._open), "127.0.0.1", 0, backlog=1024
        )
        return {"bare": self._server.sockets[0].getsockname()[1]}

    def answer_in_one_write(self) -> None:
        """From now on the echo of a line and its answer are one write."""
        Echo.is_one_write = True

    async def settle(self) -> None:
        """Nothing is left over from arrivals."""

    async def talk(self, rounds: int, lines: int, pause_s: float) -> float:
        """Write so many lines at once to everybody, again and again; the CPU seconds of it."""
        start_s = time.process_time()
        for _ in range(rounds):
            for transport in self._open:
                transport.write(LINE * lines)
            await asyncio.sleep(pause_s)
        return time.process_time() - start_s


if __name__ == "__main__":
    asyncio.run(obey(Bare()))
