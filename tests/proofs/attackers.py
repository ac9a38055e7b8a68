"""Three hundred addresses of five /24 networks attack by turns in every way; its own process.

    python -m tests.proofs.attackers PORT SSH_PORT SEED

Rule 1: an attacker is one address.  It changes its way by chance every half minute or so, and acts
        one to three times a second.
Rule 2: what it is told is read and thrown away: only prompts are looked for.
Rule 3: it holds at most LINES_MAX lines.  A line that was refused or cut is opened again; that
        is an action.
Rule 4: SIGTERM ends the attack; then one line of JSON says how many actions of each way there were,
        and how much processor they took.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections import Counter
from random import Random

from tests.hostile.attack import negotiated

NETWORKS, ADDRESSES = 5, 60  # of each network
LINES_MAX = 10  # of one address, waiting
PAUSES_S = (1 / 3, 1.0)  # between two actions
WAY_S = (10.0, 45.0)  # before another way is taken
CONNECT_S = 5.0
TAIL = 300  # bytes in which a prompt is looked for
PASSWORD = b"a long password"
KEYS = b"g\t\t\x1b[A\x1b[B\x0c\x14\x0f\x1b[5~\x1b[6~\x1bOP\x03" + "漢".encode()
SIZE = (200, 50)
GAMES = ("elimination", "stockpile", "words max_rounds=2 target=50")
AT_A_TABLE = (b"bot 3", b"bot 1", b"start", b"start", b"draw", b"pass", b"end round", b"moves")
SETTINGS = (b"set width 80", b"set width 100", b"set theme mono", b"set bell off", b"set bell on",
            b"set timestamps on", b"set timezone Europe/Berlin", b"manifest new")  # fmt: skip
WAYS = ("silent", "half", "tables", "settings", "screen", "talk", "logins")


class Line(asyncio.Protocol):
    """A line to the telnet port, with a name given when it is asked for; "": none."""

    def __init__(self, name: bytes = b"", *, is_terminal: bool = False) -> None:
        self.name, self.is_terminal = name, is_terminal
        self.is_in = self.is_lost = False
        self._tail = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True

    def data_received(self, data: bytes) -> None:
        if self.is_in or not self.name:
            return
        if self.is_terminal:
            self.write(negotiated(data, SIZE))
        self._tail = (self._tail + data)[-TAIL:]
        if b"lobby> " in self._tail:
            self.is_in = True
        elif b"Name: " in self._tail:
            self._answer(self.name)
        elif b"assword: " in self._tail or b"Again: " in self._tail:
            self._answer(PASSWORD)

    def _answer(self, text: bytes) -> None:
        self._tail = b""
        self.write(text + b"\r\n")

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self.is_lost:
            self._transport.write(data)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Attacker:
    def __init__(self, number: int, ports: tuple[int, int], seed: int, done: Counter[str]) -> None:
        self.address = f"127.66.{number // ADDRESSES}.{number % ADDRESSES + 1}"
        self.account = f"evil{number}x".encode()
        self.ports, self.rng, self.done = ports, Random(seed + number), done
        self.lines: list[Line] = []

    async def attack(self) -> None:
        while True:
            way = self.rng.choice(WAYS)
            end = time.monotonic() + self.rng.uniform(*WAY_S)
            while time.monotonic() < end:
                await asyncio.sleep(self.rng.uniform(*PAUSES_S))
                try:
                    await self.act(way)
                    self.done[way] += 1
                except (OSError, TimeoutError):
                    self.done["not connected"] += 1
            self.leave()

    def leave(self) -> None:
        for line in self.lines:
            line.close()
        self.lines = []

    async def act(self, way: str) -> None:
        match way:
            case "silent":
                await self.open(Line())
            case "half":
                line = await self.open(Line())
                line.write(self.rng.choice((b"e", b"SSH-2.0-x\r\n", self.account + b"\r\na lo")))
            case _:
                name = self.account if way in ("settings", "logins") else b"guest"
                await self.in_lobby_act(way, name)

    async def in_lobby_act(self, way: str, name: bytes) -> None:
        """One line opened, or something typed on it when it has come in."""
        line = self.lines[-1] if self.lines else None
        if line is None or line.is_lost:
            self.leave()
            line = await self.open(Line(name, is_terminal=way == "screen"), port=self.ports[0])
            return
        if not line.is_in:
            return
        match way:
            case "tables":
                is_opening = self.rng.random() < 0.1
                opening = f"open {self.rng.choice(GAMES)} pace=instant".encode()
                line.write((opening if is_opening else self.rng.choice(AT_A_TABLE)) + b"\r\n")
            case "logins":
                line.close()  # and again: a password costs the server a hash
            case "settings":
                line.write(self.rng.choice(SETTINGS) + b"\r\n")
            case "screen":
                line.write(b"screen on\r" if self.rng.random() < 0.1 else KEYS * 5)
            case "talk":
                line.write(b"say %d %s\r\n" % (self.rng.randrange(10**6), b"blah " * 60))

    async def open(self, line: Line, port: int | None = None) -> Line:
        while len(self.lines) >= LINES_MAX:
            self.lines.pop(0).close()
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_S):
            await loop.create_connection(
                lambda: line, "127.0.0.1", port or self.rng.choice(self.ports),
                local_addr=(self.address, 0),
            )  # fmt: skip
        self.lines = [each for each in self.lines if not each.is_lost] + [line]
        return line


async def main(telnet_port: int, ssh_port: int, seed: int) -> None:
    done: Counter[str] = Counter()
    ports = (telnet_port, ssh_port)
    attackers = [Attacker(n, ports, seed, done) for n in range(NETWORKS * ADDRESSES)]
    began, over = time.monotonic(), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    attacks = [asyncio.ensure_future(each.attack()) for each in attackers]
    await over.wait()
    for each in attacks:
        each.cancel()
    ends = await asyncio.gather(*attacks, return_exceptions=True)
    bugs = [repr(each) for each in ends if not isinstance(each, asyncio.CancelledError)]
    for attacker in attackers:
        attacker.leave()
    seconds = time.monotonic() - began
    figures = {"seconds": seconds, "cpu": time.process_time() / seconds, "bugs": bugs[:3]}
    print(json.dumps(figures | {"actions": done}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
