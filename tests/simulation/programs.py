"""Simulated people who are programs: they read objects and write objects, and live as people do.

Rule 1: as in `people.py`: a program knows what stands in the objects of its own line, and the moods
        of a person are its moods.
Rule 2: whatever the server writes is whole objects with a type, also on a line that lags or breaks;
        what is none fails the run.
"""

from __future__ import annotations

import json

from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation.people import SimPerson
from tests.simulation.server import FakeLink, SimServer, proven_by_key

RUBBISH = (
    b"xyzzy\n", b'{"line": 5}\n', b'{"line": "who", "more": 1}\n', b'{"line": "a\\nb"}\n', b"[]\n",
    b"[" * 2_000 + b"\n", b'{"line": "' + b"x" * 9_000 + b'"}\n', b"\xff\xfe\n", b"\n\r\n",
)  # fmt: skip


class SimProgram(SimPerson):
    """A program, by a key of its own or as a guest."""

    def __init__(self, name: str, number: int, seed: int) -> None:
        super().__init__(name, number, seed)
        self._read = 0  # writes of this line
        self._table: int | None = None
        self._moves: list[str] = []  # of the newest view, until one is typed
        self._is_prompted = False  # the next line is an answer, and no command

    # -- eyes ------------------------------------------------------------------------------------

    def _look(self) -> None:
        received = self.link.received if self.link is not None else []
        for _, data in received[self._read :]:
            assert data.endswith(b"\n"), data
            for row in data.splitlines():
                match json.loads(row):
                    case {"type": "place", "table": table}:
                        self._table, self._moves = table, []
                    case {"type": "view", "moves": moves}:
                        self._moves = moves
                    case {"type": "prompt"}:
                        self._is_prompted = True
                    case heard:
                        assert heard["type"], heard
        self._read = len(received)

    @property
    def _is_asked(self) -> bool:
        self._look()
        return bool(self._moves)

    # -- hands -----------------------------------------------------------------------------------

    def _type(self, line: str, *, is_neat: bool = False) -> None:
        link, rng = self.link, self.rng
        if link is None or not link.is_open or link.handler is None:
            return
        if not is_neat and rng.random() < 0.03:
            link.handler.on_data(rng.choice(RUBBISH))
        data = json.dumps({"line": line}).encode() + b"\n"
        cut = rng.randrange(len(data)) if rng.random() < 0.1 else 0
        if cut:
            link.handler.on_data(data[:cut])
        link.handler.on_data(data[cut:])

    async def _come_in(self, server: SimServer) -> None:
        proven = AuthenticatedUser("guest", "guest")
        if not self.is_guest:
            status, _ = await server.app.authenticator.name_status(self.name, self.peer)
            is_known = status == "known"
            proven = proven_by_key(self.name, is_known=is_known)
        self.link = FakeLink(Terminal("json"), "ssh", self.peer, wants_json=True)
        self.links.append(self.link)
        self._read, self._table, self._moves, self._is_prompted = 0, None, [], False
        server.connect(self.link, proven)

    async def _answer(self, asked: str) -> None:
        self._look()
        if self._is_prompted:
            self._is_prompted = False
            self._type("", is_neat=True)
        elif self._is_asked:
            await self._at_turn()
        elif self._table is None:
            self._in_the_lobby()
        else:
            self._at_a_table()

    async def _at_turn(self) -> None:
        rng = self.rng
        if self.is_leaving:
            self._type("leave now")
        elif rng.random() < 0.05:
            self._talk("/")
        else:
            play = rng.choice(self._moves)
            self.plays.append(play)
            self._moves = []
            self._type(play)
