"""An evening of people and programs of all kinds behind a door, in virtual time: who they are, what
they type, and what each of them has seen.

Rule 1: the same lines are typed at the same times in every evening of one seed, whatever happens to
        the game server: evenings differ in that alone, and one in which nothing does is their twin.
Rule 2: while one of them types a line, all others have half a line at the prompt.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from mudserver.tables.game import Game
from mudserver.transport.link import Terminal
from tests.live import live_table
from tests.proofs.gmcp_line import GmcpReader
from tests.simulation.server import ANSI, FakeLink, Seatholder
from tests.simulation.split import SplitHouse
from tests.terminal import Emulator, Row

FULL = replace(ANSI, name="tmux-256color", wants_full_screen=True)


class Kind(NamedTuple):
    """How somebody is connected."""

    terminal: Terminal
    protocol: int = 0  # of a program's objects
    speaks_gmcp: bool = False


CAST = {
    "ann": Kind(FULL),
    "bob": Kind(replace(FULL, cols=120, rows=40)),
    "cyd": Kind(ANSI),
    "hal": Kind(Terminal("json"), 2),
    "dee": Kind(
        Terminal("linux", 60, 24, is_ansi=True, is_character_mode=True, is_screen_reader=True)
    ),
    "eve": Kind(replace(ANSI, cols=40, rows=20)),
    "fay": Kind(Terminal("", 80, 24)),  # edits its own lines
    "gil": Kind(replace(ANSI, colours="off")),
    "ivy": Kind(Terminal("json"), 1),
    "joy": Kind(ANSI, speaks_gmcp=True),
    "kim": Kind(replace(FULL, rows=100)),  # whose log never scrolls
}
PLAYERS = ("ann", "cyd", "hal", "joy")
WATCHERS = ("bob", "dee", "gil", "ivy", "kim")
SIT_DOWN = (
    ("ann", "open elimination pace=instant clocks=off seats=4"),
    *((name, "sit 1") for name in PLAYERS[1:]),
    *((name, "watch 1") for name in WATCHERS),
    *((name, "ready") for name in PLAYERS),
)
ANSWERED = ("whoami", "tables", "title")  # commands with short answers
TALK = ("say", "say", "me", "tell", "tell")
DRAFT, UNDO = "say", b"\x03"
AGAIN = " again"  # in the id of a line


class Line(NamedTuple):
    """What is typed in one step."""

    kind: str  # "play", "talk" or "command"
    who: str = ""  # "": whoever is asked
    text: str = ""
    word: str = ""  # of talk


def lines_of(seed: int, count: int) -> list[Line]:
    rng, lines = Random(f"lines of {seed}"), list[Line]()
    for number in range(count):
        who, word = rng.choice(list(CAST)), f"w{number}z"
        match rng.choice(("play", "play", "talk", "talk", "command")):
            case "play":
                lines.append(Line("play"))
            case "talk":
                said = rng.choice(TALK)
                whom = f" {rng.choice(sorted(CAST.keys() - {who}))}" if said == "tell" else ""
                lines.append(Line("talk", who, f"{said}{whom} {word}", word))
            case _:
                lines.append(Line("command", who, rng.choice(ANSWERED)))
    return lines


@dataclass
class Sight:
    """What somebody has seen when everybody has been answered.

    Attributes:
        rows: Of a full screen the picture; else every row from the first one on to the prompt.
        since: Index of the row that was the prompt last time.
        objects: Of a program, and packages, since last time.
    """

    rows: list[Row]
    cursor: tuple[int, int]
    below: list[Row]
    since: int
    is_rewritten: bool
    bells: int
    title: str
    objects: list[Any]

    @property
    def added(self) -> list[Row]:
        return self.rows[self.since :]


class Participant:
    def __init__(self, house: SplitHouse, name: str, kind: Kind) -> None:
        self.name, self.kind, terminal = name, kind, kind.terminal
        self.is_program, self.is_full = bool(kind.protocol), terminal.wants_full_screen
        protocol: Any = kind.protocol or 1
        self.link = FakeLink(terminal, "ssh", f"198.51.100.{len(name)}", self.is_program, protocol)
        self.link.speaks_gmcp = kind.speaks_gmcp
        self.emulator = Emulator(terminal.cols, terminal.rows)
        self._reader = GmcpReader(lambda text: self.emulator.feed(text.encode()), self._note)
        self._objects: list[Any] = []
        self._half = b""
        self._rows: list[Row] = []
        self._bells = 0
        self.person: Seatholder = house.person(name, self.link)

    def begin(self, line: str, id: str) -> None:
        """Type the half of it.  Args: id: for programs that name their lines."""
        data = line.encode() + b"\r"
        if self.is_program:
            about = {"line": line} | ({"id": id} if self.kind.protocol == 2 else {})
            data = json.dumps(about).encode() + b"\n"
        cut = len(data) // 2 if self._sends_halves else 0
        self._half = data[cut:]
        if cut:
            self.person.write(data[:cut])

    def end(self) -> None:
        if not self._sends_halves:
            echo = self._half.replace(b"\r", b"\r\n")
            self.link.received.append((asyncio.get_running_loop().time(), echo))
        self.person.write(self._half)

    @property
    def _sends_halves(self) -> bool:
        """Else the client edits the line, and shows it."""
        return self.is_program or self.kind.terminal.is_character_mode

    def draft(self, rng: Random) -> None:
        left = b"\x1b[D" * rng.randrange(3) if self.kind.terminal.is_ansi else b""
        if self._sends_halves and not self.is_program:
            self.person.write(DRAFT.encode() + left)

    def undo(self) -> None:
        if self._sends_halves and not self.is_program:
            self.person.write(UNDO)

    def _note(self, package: str, content: Any) -> None:
        self._objects.append((package, content))

    def see(self) -> Sight:
        for _, data in self.link.received:
            if self.is_program:
                self._objects += [json.loads(row) for row in data.splitlines()]
            elif self.kind.speaks_gmcp:
                self._reader.feed(data)
            else:
                self.emulator.feed(data)
        self.person.forget()
        screen = self.emulator
        shown, cursor = screen.cells, screen.cursor
        rows = shown if self.is_full else [*screen.gone, *shown[: cursor[0] + 1]]
        was, self._rows = self._rows, rows
        since = max(0, len(was) - 1)
        objects, self._objects = self._objects, []
        bells, self._bells = screen.bells - self._bells, screen.bells
        return Sight(
            rows, cursor, [] if self.is_full else shown[cursor[0] + 1 :], since,
            not self.is_full and rows[:since] != was[:since], bells, screen.title, objects,
        )  # fmt: skip


class Step(NamedTuple):
    """Attributes:
    plays: In the game, so far.
    deaths: Of game servers; `is_planned`: one has handed over.
    is_again: The line was typed once more, since it was lost.
    """

    line: Line
    typist: str
    seen: dict[str, Sight]
    plays: int
    deaths: int = 0
    is_planned: bool = False
    is_again: bool = False


class Evening:
    """Args: house: Behind whose door they are; it is open."""

    HALF_S = 2.0  # for which a line is half typed
    DONE_S = 8.0  # from its end until all have been answered
    AGAIN_S = 2.0  # the same, of one that is typed once more

    def __init__(self, house: SplitHouse, seed: int) -> None:
        self.house, self.seed = house, seed
        self.people: dict[str, Participant] = {}

    async def begin(self) -> Step:
        self.people = {name: Participant(self.house, name, kind) for name, kind in CAST.items()}
        await asyncio.sleep(1)
        for number, (who, line) in enumerate(SIT_DOWN):
            self.people[who].begin(line, f"begin {number}")
            self.people[who].end()
            await asyncio.sleep(1)
        return Step(Line("command"), "", self._look(), self.plays)

    async def step(self, number: int, line: Line, plays: int | None = None) -> Step:
        """Args: plays: So many there have to be in the end; else the line was lost."""
        who, text = self._play(number) if line.kind == "play" else (line.who, line.text)
        line = line._replace(text=text)
        typist, rng = self.people[who], Random(f"drafts of {number} of {self.seed}")
        others = [each for each in self.people.values() if each is not typist]
        for each in others:
            each.draft(rng)
        typist.begin(text, f"{number}")
        await asyncio.sleep(self.HALF_S)
        typist.end()
        await asyncio.sleep(self.DONE_S)
        if is_lost := plays is not None and self.plays < plays:
            typist.begin(text, f"{number}{AGAIN}")
            typist.end()
        await asyncio.sleep(self.AGAIN_S)
        seen = self._look()
        for each in others:
            each.undo()
        await asyncio.sleep(0.5)
        return Step(line, who, seen, self.plays, is_again=is_lost)

    def _look(self) -> dict[str, Sight]:
        assert all(each.link.is_open for each in self.people.values())
        return {name: each.see() for name, each in self.people.items()}

    @property
    def _game(self) -> Game:
        table = live_table(self.house.server.app.table_manager, 1)
        assert table is not None and table.game is not None
        return table.game

    @property
    def plays(self) -> int:
        return len(self._game.plays)

    def _play(self, number: int) -> tuple[str, str]:
        """Who is asked, and what the seed has this person play."""
        app, window = self.house.server.app, self._game.window
        assert window is not None
        who = self._game.names[window.seats[0]]
        people = [session.person for session in app.session_manager.sessions]
        person = next(each for each in people if each is not None and each.name == who)
        moves = app.service.legal_moves(person)
        return who, Random(f"play {number} of {self.seed}").choice(list(moves))
