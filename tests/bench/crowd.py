"""Many clients in one process: they come, type half a line, listen, type in a closed loop.

Rule 1: a telnet client negotiates as a real one does, so that the server edits its line; an SSH
        client asks for a terminal and is let in by its key.
Rule 2: every client reads all the time; a server that is slow to be read would measure its reader.
Rule 3: typing is a closed loop: the next key follows the answer to the one before.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import asyncssh
from telnetlib3.telopt import (
    BINARY,
    DO,
    DONT,
    ECHO,
    IAC,
    IS,
    NAWS,
    NEW_ENVIRON,
    SB,
    SE,
    SGA,
    TTYPE,
    VALUE,
    VAR,
    WILL,
    WONT,
)  # fmt: skip

from mudserver.ops.file_limit import raise_limit
from tests.bench.child import SENT, obey
from tests.prompts import LOBBY

WALK_PAUSE_S = 0.1
AT_ONCE = 16  # arrivals in the making
CIPHER = "aes128-gcm@openssh.com"  # what current OpenSSH and the server agree on
PROMPT = LOBBY.encode()
PLACE = b'"type":"place"'
HALF = b"half a li"
LINE, ANSWER = b"whoami\r", b"You are "
KEYS = b"abcdefghijklmnopqrstuvwxyzabcde\x15"  # a line of typing, then it is thrown away


_AT_TABLE = re.compile(rb"table (\d+)> ")
_SENT = re.compile(re.escape(SENT).replace(r"\{:\.4f\}", "([0-9.]+)").encode())


class Client:
    """One client's reading, whatever it reads from."""

    def __init__(self) -> None:
        self.lines = 0
        self.heard = b""  # since it waits for something
        self._marker = b""
        self._found: asyncio.Future[None] | None = None
        self.answers = 0
        self.delays: list[float] | None = None  # s that lines were on their way; None: not noted

    def press(self, keys: bytes) -> None:
        raise NotImplementedError

    def hear(self, data: bytes) -> None:
        self.lines += data.count(b"\n")
        self.answers += 1
        if self.delays is not None:
            now = time.monotonic()
            self.delays += [now - float(found[1]) for found in _SENT.finditer(data)]
        if self._found is not None:
            self.heard += data
            if self._marker in self.heard:
                found, self._found = self._found, None
                if not found.done():  # else who waited for it was stopped meanwhile
                    found.set_result(None)

    async def until(self, marker: bytes) -> None:
        self._marker, self.heard = marker, b""
        self._found = asyncio.get_running_loop().create_future()
        await asyncio.wait_for(self._found, 30)

    async def echo(self, key: bytes) -> None:
        """Press a key, and wait for the next output."""
        self._marker, self.heard = b"", b""
        self._found = asyncio.get_running_loop().create_future()
        self.press(key)
        await self._found

    async def say_and_wait(self, keys: bytes, marker: bytes) -> None:
        waiting = asyncio.ensure_future(self.until(marker))
        await asyncio.sleep(0)
        self.press(keys)
        await waiting


class SocketClient(Client, asyncio.Protocol):
    """A client of the bare server."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.hear(data)

    def press(self, keys: bytes) -> None:
        self.transport.write(keys)

    def leave(self) -> None:
        self.transport.close()

    async def come(self) -> None:
        await self.say_and_wait(b"hello", b"hello")


_COMMAND = re.compile(
    rb"\xff(?:([\xfb-\xfe])(.)|\xfa(.)(.*?)\xff\xf0|[\xef-\xf9])",  # the last: of one byte, as GA
    re.DOTALL,
)
_WANTED = {TTYPE, NAWS, NEW_ENVIRON, BINARY}  # DO these: we will
_ACCEPTED = {ECHO, SGA, BINARY}  # WILL these: please do


class TelnetEar(SocketClient):
    """A terminal as inetutils' telnet shows one: xterm, 80 by 24."""

    _rest = b""

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        text, at = [], 0
        for found in _COMMAND.finditer(data):
            text.append(data[at : found.start()])
            at = found.end()
            self._answer(*found.groups())
        rest = data[at:]
        cut = rest.find(IAC)
        typed, self._rest = (rest, b"") if cut < 0 else (rest[:cut], rest[cut:])
        if shown := b"".join([*text, typed]):
            self.hear(shown)

    def _answer(
        self, verb: bytes | None, option: bytes | None, asked: bytes | None, body: bytes | None
    ) -> None:
        send = self.transport.write
        if verb == DO:
            send(IAC + (WILL if option in _WANTED else WONT) + option)
            if option == NAWS:
                send(IAC + SB + NAWS + b"\0\x50\0\x18" + IAC + SE)
        elif verb == WILL:
            send(IAC + (DO if option in _ACCEPTED else DONT) + option)
        elif asked == TTYPE:
            send(IAC + SB + TTYPE + IS + b"XTERM-256COLOR" + IAC + SE)
        elif asked == NEW_ENVIRON:
            send(IAC + SB + NEW_ENVIRON + IS + VAR + b"LANG" + VALUE + b"C.UTF-8" + IAC + SE)

    async def come(self) -> None:
        await self.until(b"Name: ")
        await self.say_and_wait(b"guest\r", PROMPT)


class SshClient(Client, asyncssh.SSHClientSession):
    connection: asyncssh.SSHClientConnection

    def connection_made(self, chan: asyncssh.SSHClientChannel) -> None:
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.hear(data)

    def press(self, keys: bytes) -> None:
        self._channel.write(keys)

    def leave(self) -> None:
        self.connection.abort()


class Crowd:
    def __init__(self) -> None:
        self._clients: list[SocketClient | SshClient] = []
        self._keys: list[tuple[str, asyncssh.SSHKey]] = []
        self._next_key = 0

    def make_keys(self, count: int) -> list[tuple[str, str]]:
        """Names and public keys for so many people who come by SSH."""
        self._keys = [
            (f"bench{n}", asyncssh.generate_private_key("ssh-ed25519")) for n in range(count)
        ]
        return [(name, key.export_public_key().decode().strip()) for name, key in self._keys]

    async def come_for(self, seconds: float, kind: str, port: int, count: int) -> int:
        """So many come, or as many as come in that time; how many."""
        end_s, before = time.monotonic() + seconds, len(self._clients)
        while (left := count + before - len(self._clients)) and time.monotonic() < end_s:
            await self.come(kind, port, min(left, 10 * AT_ONCE))
        return len(self._clients) - before

    async def come(self, kind: str, port: int, count: int) -> None:
        """So many more come, each until the prompt stands."""
        arrive = {
            "bare": self._bare, "telnet": self._telnet, "ssh": self._ssh, "bare_ssh": self._ssh,
            "json": self._program,
        }[kind]  # fmt: skip
        self._clients += await self._each(arrive, port, count)

    async def connect(self, kind: str, port: int, count: int) -> None:
        """So many more connect and, where there is something to prove, prove who they are."""
        arrive = self._connected if kind == "ssh" else self._accepted
        self._silent = await self._each(arrive, port, count)

    async def _each(self, arrive, port: int, count: int) -> list:
        at_once = asyncio.Semaphore(AT_ONCE)

        async def one():
            async with at_once:
                return await arrive(port)

        return await asyncio.gather(*(one() for _ in range(count)))

    async def _accepted(self, port: int) -> asyncio.Transport:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(asyncio.Protocol, "127.0.0.1", port)
        return transport

    async def _bare(self, port: int, make: type[SocketClient] = SocketClient) -> SocketClient:
        loop = asyncio.get_running_loop()
        _, client = await loop.create_connection(make, "127.0.0.1", port)
        await client.come()
        return client

    async def _telnet(self, port: int) -> SocketClient:
        return await self._bare(port, TelnetEar)

    async def _connected(self, port: int) -> asyncssh.SSHClientConnection:
        name, key = self._keys[self._next_key]
        self._next_key += 1
        return await asyncssh.connect(
            "127.0.0.1", port, username=name, client_keys=[key], known_hosts=None, config=None,
            agent_path=None, encryption_algs=[CIPHER],
        )  # fmt: skip

    async def _ssh(self, port: int) -> SshClient:
        return await self._session(port, PROMPT, term_type="xterm-256color", term_size=(80, 24))

    async def _program(self, port: int) -> SshClient:
        return await self._session(port, PLACE, command="json")

    async def _session(self, port: int, welcome: bytes, **how: Any) -> SshClient:
        connection = await self._connected(port)
        client = SshClient()
        client.connection = connection
        waiting = asyncio.ensure_future(client.until(welcome))
        await asyncio.sleep(0)
        await connection.create_session(lambda: client, encoding=None, **how)
        await waiting
        return client

    async def type_half(self) -> None:
        """Everybody has begun a line, and sees it."""
        await asyncio.gather(*(client.say_and_wait(HALF, HALF) for client in self._clients))

    def press(self, number: int) -> None:
        """Everybody presses one key, as the so-many-th of an endless line."""
        for client in self._clients:
            client.answers = 0
            client.press(KEYS[number % len(KEYS) :][:1])

    def type(self, keys: str) -> None:
        """Everybody types the same, in one packet each."""
        for client in self._clients:
            client.press(keys.encode())

    async def type_history(self, lines: int, first: int = 0) -> None:
        """Everybody from the *first* on types so many different lines, each after the answer."""
        for number in range(lines):
            line, answer = b"finger x%d\r" % number, b'called "x%d" is' % number
            await asyncio.gather(
                *(client.say_and_wait(line, answer) for client in self._clients[first:])
            )

    async def echoes_us(self, keys: int, pause_s: float) -> list[float]:
        """How long each of so many keys took to its echo; one after the other, by all in turn."""
        spent, count = [], len(self._clients)
        async with asyncio.timeout(60 + keys * pause_s):
            for number in range(keys):
                await asyncio.sleep(pause_s)
                key = KEYS[number // count % len(KEYS) :][:1]
                begun_s = time.perf_counter()
                await self._clients[number % count].echo(key)
                spent.append(1e6 * (time.perf_counter() - begun_s))
        return spent

    async def see(self) -> int:
        """Wait until everybody has an answer to that key; how many answered twice."""
        while not all(client.answers for client in self._clients):  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        return sum(client.answers - 1 for client in self._clients)

    async def hear(self, lines: int) -> int:
        """Wait until everybody has heard so many lines in all; how many are too many."""
        while (heard := sum(client.lines for client in self._clients)) < lines:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        return heard - lines

    def begin_typing(self, count: int, pause_s: float) -> None:
        """So many, from all over the crowd, type all the time: each the next line some time after
        its answer."""
        self._typists = typists = self._clients[:: max(1, len(self._clients) // count)][:count]
        self._waits_ms = [list[float]() for _ in typists]
        self._typing = [
            asyncio.create_task(self._type_on(client, waits, pause_s, Random(number)))
            for number, (client, waits) in enumerate(zip(typists, self._waits_ms, strict=True))
        ]

    async def _type_on(
        self, client: Client, waits_ms: list[float], pause_s: float, rng: Random
    ) -> None:
        while True:
            await asyncio.sleep(rng.uniform(0, 2 * pause_s))
            begun_s = time.monotonic()
            await client.say_and_wait(LINE, ANSWER)
            waits_ms.append(1_000 * (time.monotonic() - begun_s))

    async def ask_others(self) -> None:
        """Everybody who does not type all the time types a line, too, and reads the answer."""
        typists = set(self._typists)
        others = [client for client in self._clients if client not in typists]
        await asyncio.gather(*(client.say_and_wait(LINE, ANSWER) for client in others))

    def forget_waits(self) -> None:
        for waits_ms in self._waits_ms:
            waits_ms.clear()

    async def longest_waits_ms(self) -> list[float]:
        """Of each who types, the longest time to an answer; those that are owed now count, too."""
        counts = [len(waits_ms) for waits_ms in self._waits_ms]
        while any(  # noqa: ASYNC110
            len(waits_ms) <= count for waits_ms, count in zip(self._waits_ms, counts, strict=True)
        ):
            await asyncio.sleep(0.02)
        return [max(waits_ms) for waits_ms in self._waits_ms]

    async def end_typing(self) -> None:
        for task in self._typing:
            task.cancel()
        for ended in await asyncio.gather(*self._typing, return_exceptions=True):
            assert isinstance(ended, asyncio.CancelledError), ended

    async def open_table(self, at: int) -> int:
        """The *at*-th of the crowd opens a table; its number."""
        client = self._clients[at]
        await client.say_and_wait(b"open words\r", b"> ")
        while (found := _AT_TABLE.search(client.heard)) is None:
            await client.until(b"> ")
        return int(found[1])

    async def watches_ms(self, at: int, tables: Sequence[int], times: int) -> list[list[float]]:
        """How long it takes the *at*-th of the crowd to get to each of the tables, in turn.

        From the line that wants to watch it to the prompt there.
        """
        client, spent = self._clients[at], [list[float]() for _ in tables]
        for _ in range(times):
            for table, each in zip(tables, spent, strict=True):
                begun_s = time.monotonic()
                await client.say_and_wait(b"watch %d\r" % table, b"table %d> " % table)
                each.append(1_000 * (time.monotonic() - begun_s))
                await client.say_and_wait(b"unwatch\r", PROMPT)
                await asyncio.sleep(WALK_PAUSE_S)
        return spent

    def note_delays(self) -> None:
        for client in self._clients:
            client.delays = []

    async def delays_ms(self, count: int) -> list[float]:
        """Wait until so many lines have arrived in all; how long each took, shortest first."""
        while (  # noqa: ASYNC110
            len(found := [s for client in self._clients for s in client.delays or ()]) < count
        ):
            await asyncio.sleep(0.02)
        return sorted(round(1_000 * delay_s, 1) for delay_s in found)

    def forget(self) -> None:
        for client in self._clients:
            client.lines = 0

    def leave(self) -> None:
        for client in self._clients:
            client.leave()


if __name__ == "__main__":
    raise_limit()
    asyncio.run(obey(Crowd()))
