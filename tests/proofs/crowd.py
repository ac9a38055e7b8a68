"""A crowd at bare telnet lines in one event loop: everybody plays what is offered, and remembers
what was said.

Rule 1: a player asks for packages (GMCP), so what is read are views and events, not rows.
Rule 2: a player knows how many plays were typed and turned away, and every event in its order;
        that is what is held against the disk.
Rule 3: lines are for people who come back: a player outlives all lines and all servers.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from tests.proofs.gmcp_line import ASKS, PASSWORD, TAIL, GmcpReader

ANSWERS = (("Name: ", "name"), ("assword: ", "password"), ("Again: ", "password"))


class Player(asyncio.Protocol):
    """One person of the crowd."""

    def __init__(self, name: str, seed: int, thought_s: float) -> None:
        self.name, self.rng, self.thought_s = name, Random(seed), thought_s
        self.home: int | None = None  # the table where one sits
        self.table: int | None = None
        self.seat: int | None = None
        self.is_playing = False
        self._line: asyncio.Transport | None = None
        self._hanging: asyncio.TimerHandle | None = None
        self._forget()

    def _forget(self) -> None:
        """A new line: nothing was said on it."""
        self.is_in, self.is_cut = asyncio.Event(), asyncio.Event()
        self.was_made = False  # the line
        self.heard: list[tuple[Any, str]] = []  # events and their marks, in order
        self.typed = self.begun = self.refused = 0  # plays; games; what was turned away
        self._moves: list[str] | None = []  # what to think about once everybody is here; None: now
        self._questions = dict(ANSWERS)  # each is answered once, also if the prompt comes again
        self._reader, self._text = GmcpReader(self._read, self._take), ""

    async def come(self, port: int) -> None:
        """A new line to the server; returns when the server has brought one to the own table.  It
        may let people in while it still sets tables up."""
        self._forget()
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", port)
        await self.is_in.wait()

    def play(self) -> None:
        """Everybody is here: who comes later would not hear what was played before."""
        moves, self._moves = self._moves, None
        if moves:
            self._think(moves)

    def type(self, line: str) -> None:
        if self._line is not None and not self._line.is_closing():
            self._line.write(line.encode() + b"\r\n")

    async def goes(self, line: str) -> int:
        """Type *line*, which brings one to a table; answers its number."""
        self.is_in.clear()
        self.type(line)
        await self.is_in.wait()
        assert self.table is not None, line
        self.home = self.table
        return self.table

    def begin(self) -> None:
        """Ask for a game."""
        self.begun += 1
        self.type("start")

    # -- the line --------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._line, self.was_made = transport, True
        transport.write(ASKS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._line = None
        if self._hanging is not None:
            self._hanging.cancel()
        self.is_cut.set()

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)

    def _read(self, text: str) -> None:
        if not self._questions:
            return
        self._text = (self._text + text)[-TAIL:]
        for question in self._questions:
            if self._text.endswith(question):
                answer = self._questions.pop(question)
                return self.type(self.name if answer == "name" else PASSWORD)

    # -- the server -------------------------------------------------------------------------------

    def _take(self, package: str, said: Any) -> None:
        match package:
            case "Lockdown.Place":
                self.table, self.seat = said["table"], said["seat"]
                self.is_playing = said["is_playing"]
                if self.home is None or self.home == self.table:
                    self.is_in.set()
            case "Lockdown.Event":
                self.heard.append((said["event"], said["mark"]))
            case "Lockdown.Refused":
                self.refused += 1
                self.type("look")  # the view says what may be played instead
            case "Lockdown.Over":
                self.is_playing = False
            case "Lockdown.View":
                self.seat, self.is_playing = said["seat"], said["asks"] != ""
                if said["moves"]:
                    self._think(said["moves"])

    def _think(self, moves: list[str]) -> None:
        """Play one of *moves* after a while, unless there is something newer by then."""
        if self._moves is not None:
            self._moves = moves
            return
        if self._hanging is not None:
            self._hanging.cancel()
        wait_s = self.rng.expovariate(1 / self.thought_s)
        move = self.rng.choice(moves)
        self._hanging = asyncio.get_running_loop().call_later(wait_s, self._play, move)

    def _play(self, move: str) -> None:
        self.typed += 1
        self.type(move)
