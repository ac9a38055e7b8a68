"""Simulated people who are programs: they read objects and write objects, and live as people do.

Rule 1: as in `people.py`: a program knows what stands in the objects of its own line, and the moods
        of a person are its moods.
Rule 2: whatever the server writes is whole objects with a type, also on a line that lags or breaks;
        what is none fails the run.
Rule 3: of protocol 2 each event of a game is read once and in its order, whoever serves.
Rule 4: of protocol 2 each line has one `done`, in the order of lines.  What is done without a code
        has been done: what was said has been read by then, and a play is on the disk for ever.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from typing import NamedTuple

from mudserver.tables.texts import RESUMED, RESUMED_WITHOUT_GAME
from mudserver.transport.link import AuthenticatedUser, JsonProtocol, Terminal
from tests.simulation.people import Entrance, SimPerson
from tests.simulation.server import FakeLink, proven_by_key

PAUSE_ENDS = (RESUMED, RESUMED_WITHOUT_GAME)
RUBBISH = (
    b"xyzzy\n", b'{"line": 5}\n', b'{"line": "who", "more": 1}\n', b'{"line": "a\\nb"}\n', b"[]\n",
    b"[" * 2_000 + b"\n", b'{"line": "' + b"x" * 9_000 + b'"}\n', b"\xff\xfe\n", b"\n\r\n",
)  # fmt: skip


class Owed(NamedTuple):
    """A line that is not done, and where it was typed."""

    id: str
    line: str
    table: int | None
    seat: int | None


class SimProgram(SimPerson):
    """A program, by a key of its own or as a guest."""

    json_protocol: JsonProtocol = 1
    is_behind_door = False

    def __init__(self, name: str, number: int, seed: int) -> None:
        super().__init__(name, number, seed)
        self._read, self._rest = 0, b""  # writes of this line, and half an object
        self._table: int | None = None
        self._moves: list[str] = []  # of the newest view, until one is typed
        self._is_prompted = False  # the next line is an answer, and no command
        self._number: int | None = None  # of the event read last, at this place
        self.events = 0  # that followed another one
        self._ids = 0  # of lines, in a whole life
        self._owed: deque[Owed] = deque()
        self._heard = ""  # what was said, by anybody
        self._seat: int | None = None  # of the newest view
        self.done: Counter[tuple[int, int]] = Counter()  # plays, by table and seat

    # -- eyes ------------------------------------------------------------------------------------

    def _look(self) -> None:
        received = self.link.received if self.link is not None else []
        for _, data in received[self._read :]:
            *rows, self._rest = (self._rest + data).split(b"\n")
            assert self.is_behind_door or not self._rest, data  # a door cuts what is long
            for row in rows:
                match json.loads(row):
                    case {"type": "place", "table": table}:
                        if table != self._table:
                            self._number = None
                        self._table, self._moves = table, []
                    case {"type": "event", "number": number, "is_past": False}:
                        self._note_event(number)
                    case {"type": "view", "moves": moves, "seat": seat}:
                        self._moves, self._seat = moves, seat
                    case {"type": "notice", "text": text} if text in PAUSE_ENDS:
                        self._number = None  # the view alone has what was saved after all
                    case {"type": "done", "id": id, "code": code}:
                        self._note_done(id, code)
                    case {"type": "said", "text": text}:
                        self._heard += text
                    case {"type": "prompt"}:
                        self._is_prompted = True
                    case heard:
                        assert heard["type"], heard
        self._read = len(received)

    def _note_event(self, number: int) -> None:
        last, self._number = self._number, number
        if last is not None and number != 1:  # 1: another game
            assert number == last + 1, (self.name, last, number)
            self.events += 1

    def _note_done(self, id: str, code: str | None) -> None:
        owed = self._owed.popleft() if self._owed else None
        assert owed is not None and owed.id == id, (self.name, owed, id)
        if code is not None:
            return
        if (word := owed.line.rpartition("say ")[2]) in self.said:
            assert word in self._heard, (self.name, owed)
        if owed.line in self.plays and owed.table is not None and owed.seat is not None:
            self.done[owed.table, owed.seat] += 1

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
        typed = {"line": line}
        if self.json_protocol == 2:
            typed["id"] = f"{self._ids}"
            self._ids += 1
            self._owed.append(Owed(typed["id"], line, self._table, self._seat))
        data = json.dumps(typed).encode() + b"\n"
        cut = rng.randrange(len(data)) if rng.random() < 0.1 else 0
        if cut:
            link.handler.on_data(data[:cut])
        link.handler.on_data(data[cut:])

    async def _come_in(self, entrance: Entrance) -> None:
        proven = AuthenticatedUser("guest", "guest")
        if not self.is_guest:
            status, _ = await entrance.authenticator.name_status(self.name, self.peer)
            is_known = status == "known"
            proven = proven_by_key(self.name, is_known=is_known)
        self.link = FakeLink(Terminal("json"), "ssh", self.peer, True, self.json_protocol)
        self.links.append(self.link)
        self._read, self._table, self._moves, self._is_prompted = 0, None, [], False
        self._number, self._rest, self._seat, self._heard = None, b"", None, ""
        self._owed.clear()
        entrance.connect(self.link, proven)

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
