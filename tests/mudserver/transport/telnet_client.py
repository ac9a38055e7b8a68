"""A telnet client made of bytes, for tests of the listener."""

from __future__ import annotations

import asyncio

from telnetlib3.telopt import (
    DO,
    ECHO,
    IAC,
    IS,
    NAWS,
    SB,
    SE,
    SEND,
    SGA,
    TTYPE,
    WILL,
)

from tests.mudserver.transport.server import until

MTTS_MUDLET = b"MTTS 2349"  # true colour, 256, UTF-8, ANSI and others


def sb(option: bytes, *body: bytes) -> bytes:
    return IAC + SB + option + b"".join(body) + IAC + SE


class Client:
    """A telnet client made of bytes: it answers as it is told to."""

    def __init__(self, reader, writer) -> None:
        self.reader, self.writer, self.received = reader, writer, b""
        self.number = 0  # of handlers that were made before

    def send(self, *parts: bytes) -> None:
        self.writer.write(b"".join(parts))

    async def reads(self, wanted: bytes, timeout_s: float = 2.0) -> bytes:
        """Read until *wanted* has come; all that was received so far."""
        while wanted not in self.received:
            data = await asyncio.wait_for(self.reader.read(65_536), timeout_s)
            assert data, (wanted, self.received[-200:])
            self.received += data
        return self.received

    async def is_cut(self, timeout_s: float = 2.0) -> bool:
        try:
            while await asyncio.wait_for(self.reader.read(65_536), timeout_s):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            return False
        return True

    async def settles(self, server):
        await until(lambda: len(server.handlers) > self.number)
        return server.handlers[self.number]


async def client_of(server) -> Client:
    client = Client(*await server.raw())
    client.number = len(server.handlers)
    await client.reads(IAC + DO + TTYPE)
    return client


async def terminal_of(server, names, *more, naws=b"\0\x78\0\x28"):
    """Come in as a client with these TTYPE names; client and handler."""
    client = await client_of(server)
    client.send(IAC, WILL, TTYPE)
    for name in names:
        await client.reads(sb(TTYPE, SEND))
        client.received = client.received.replace(sb(TTYPE, SEND), b"", 1)
        client.send(sb(TTYPE, IS, name))
    client.send(IAC, WILL, NAWS, sb(NAWS, naws), *more)
    return client, await client.settles(server)


XTERM = (b"XTERM-256COLOR", b"XTERM-256COLOR")
AGREES = (IAC, DO, ECHO, IAC, DO, SGA)
