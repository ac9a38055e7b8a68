"""The whole server and people at terminals, to whom things happen at fixed virtual times.

Rule 1: an act has its time; the server has none but that.  So what differs between two runs of
        the same acts comes from what the cards were.
Rule 2: everything that leaves the server is kept with its time: the bytes at each terminal, and
        the operator's log.  In every other pair of worlds the terminals are at a door in another
        process; then also what that is told of a connection: its capsules, how far its input is
        taken, and all else that is no output.
Rule 3: acts fall on odd half milliseconds, so that no rounding of a time can differ.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import msgspec

from mudserver import metrics
from mudserver.config import schema
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables.game import Game
from mudserver.transport.link import AuthenticatedUser, Terminal
from mudserver.wall.bodies import Keep, decode_body
from mudserver.wall.capsule import SIGNATURE_BYTES
from mudserver.wall.frames import Frame, Kind
from tests.conformance.settings import AnyVariant
from tests.inline_bots import InlineBots
from tests.live import live_table
from tests.mudserver.service.test_moderation import CONSOLE
from tests.simulation.handing_over import HandingOver
from tests.simulation.server import FakeLink, Seatholder, SimServer, World, new_world
from tests.simulation.split import SimDoor

LOG = "the operator"
"""Who reads the log: everything in it may be known to everybody.  [SEC-7]"""

TERMINALS = (
    Terminal("xterm-256color", 80, 24, is_ansi=True, is_character_mode=True, colours="256"),
    Terminal("vt100", 40, 24, is_ansi=True, is_character_mode=True, charset="ascii"),
    Terminal("dumb", 80, 24),
    Terminal("linux", 60, 24, is_ansi=True, is_character_mode=True, is_screen_reader=True),
    Terminal("tmux-256color", 80, 20, is_ansi=True, is_character_mode=True, colours="256",
             wants_full_screen=True),
    Terminal("json"),
)  # fmt: skip
"""Colours and symbols; 40 columns in letters; whole lines without ANSI; read aloud; the full
screen; a program."""
PANES, PROGRAM = TERMINALS[-2:]
LINES = tuple(terminal for terminal in TERMINALS if terminal is not PANES)

UNSAID = (Kind.SEND, Kind.MANY, Kind.PING)
"""What is told to a door and not compared: output is read at the terminals; a sign of life."""
TO_DOOR = b"\0"  # before what no terminal is sent
KEPT = TO_DOOR + b"KEEP "  # before a capsule
DONE = TO_DOOR + b"PROGRESS "  # of an own line
WALL_S = 0.001  # from one process to the other

Received = dict[str, list[tuple[float, bytes]]]
"""By name: (virtual seconds, bytes)."""


@dataclass(frozen=True)
class Member:
    """Somebody in the server."""

    name: str
    terminal: Terminal
    seat: int | None = None  # None: a watcher, or somebody in the lobby

    @property
    def presses_keys(self) -> bool:
        return self.terminal.is_character_mode


@dataclass(frozen=True)
class Act:
    """Something that happens from outside, at a virtual second."""

    at_s: float
    who: str
    does: Literal["keys", "play", "try", "drop", "come", "restart", "hand over", "serve"]
    keys: bytes = b""
    line: str = ""  # a play that is refused
    step: int = 0  # the step that a play makes; for "try", the step that was last


class ScriptedServer:
    """One run of the server.  Use inside `tests.simulation.virtual.run`."""

    def __init__(
        self, cast: Sequence[Member], world: World, bots: InlineBots | None = None
    ) -> None:
        """*bots*: who decides for the computer players, if not they themselves."""
        self.cast = {member.name: member for member in cast}
        self.received: Received = {name: [] for name in (*self.cast, LOG)}
        metrics.RESUMED.values["capsule"] = 0  # the first of a process have a line in the log
        self._world, self._bots = world, bots
        self._at: dict[str, Seatholder] = {}
        self._door: SimDoor | None = None
        self._who: dict[int, str] = {}  # by connection of the door

    async def open(self) -> None:
        self.server = await SimServer(self._world, bots=self._bots).open()
        if has_door(self._world.seed):
            self._door = self._door or SimDoor(self._world, WALL_S, self._note_frame)
            self._door.connect(self.server)

    @property
    def game(self) -> Game | None:
        table = live_table(self.server.app.table_manager, 1)
        return None if table is None else table.game

    async def until(self, at_s: float) -> None:
        loop = asyncio.get_running_loop()
        awake = loop.create_future()
        loop.call_at(at_s, awake.set_result, None)
        await awake

    async def do(self, act: Act, line_of: Callable[[int], str]) -> None:
        """*line_of*: what is typed for the play that makes a step."""
        match act.does:
            case "keys":
                self._at[act.who].press(act.keys)
            case "play":
                if self.cast[act.who].presses_keys:
                    self._at[act.who].press(act.keys)
                self._at[act.who].type(line_of(act.step))
            case "try":
                self._at[act.who].type(act.line)
            case "drop":
                self._at[act.who].link.drop()
            case "come":
                self._come(self.cast[act.who])
            case "restart":
                await self._restart()
            case "hand over":
                await self._hand_over()
            case "serve":  # becomes one of the staff
                moderation = self.server.app.moderation
                await moderation.set_role(CONSOLE, act.who, "operator", "for the evening")

    def _come(self, member: Member) -> None:
        """A new visit; an older one is taken over.  [SEC-5]"""
        is_program = member.terminal is PROGRAM
        person = self.server.person(
            member.name, member.terminal, is_program=is_program,
            # MUD clients have whole lines, and packages.
            speaks_gmcp=not (member.presses_keys or is_program),
            json_protocol=2,  # of which protocol 1 is a part
            connect=None if self._door is None else partial(self._come_to_door, member.name),
        )  # fmt: skip
        kept = self.received[member.name]
        kept.extend(person.link.received)
        person.link.received = kept
        self._at[member.name] = person

    def _come_to_door(self, name: str, link: FakeLink, proven: AuthenticatedUser) -> None:
        assert self._door is not None
        self._who[self._door.come(link, proven)] = name

    def _note_frame(self, frame: Frame, is_to_door: bool) -> None:
        if is_to_door and frame.kind not in UNSAID:
            name = self._who.get(frame.connection, LOG)  # what is said to the door itself: anybody
            at_s = asyncio.get_running_loop().time()
            self.received[name].append(
                (at_s, TO_DOOR + frame.kind.name.encode() + b" " + told_by(frame))
            )

    async def _restart(self) -> None:
        """The server dies where it stands, and another starts on the same disk."""
        if self._door is None:
            for person in self._at.values():
                person.link.is_open, person.link.handler = False, None
        else:
            self._door.wall.break_off(game_is_dead=True)
        await self.server.die()
        await self.open()

    async def _hand_over(self) -> None:
        """Another server takes over by plan."""
        assert self._door is not None
        server = await HandingOver(
            self.server, self._door, lambda: SimServer(self._world, bots=self._bots)
        ).run()
        assert server is not None and server is not self.server
        self.server = server

    @contextmanager
    def listening_to_the_log(self) -> Iterator[None]:
        root, kept, loop = logging.getLogger(), self.received[LOG], asyncio.get_running_loop()

        class Operator(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                text = f"{record.name} {record.levelname} {record.getMessage()}"
                kept.append((loop.time(), text.encode()))

        operator, level = Operator(logging.INFO), root.level
        root.addHandler(operator)
        root.setLevel(logging.INFO)
        try:
            yield
        finally:
            root.removeHandler(operator)
            root.setLevel(level)


@dataclass
class JournalContent:
    """What the journal of a run says about its one game."""

    variant: AnyVariant
    seed: bytes = b""
    options: Mapping[str, str] = field(default_factory=dict)
    plays: list[tuple[int, f.Dealt | f.Played]] = field(default_factory=list)  # (at_ms, fact)
    kinds: set[type[f.Fact]] = field(default_factory=set)


def journal_content(world: World, variant: AnyVariant) -> JournalContent:
    found = JournalContent(variant)
    for stored in world.disk.records.get("table/1", ()):
        record = codec.decode(stored.sequence, stored.body, variant)
        for fact in record.facts:
            found.kinds.add(type(fact))
            match fact:
                case f.Opened(options=options):
                    found.options = options.game
                case f.Started(seed=seed):
                    found.seed = seed
                case f.Dealt() | f.Played():
                    found.plays.append((record.at_ms, fact))
    return found


def told_by(frame: Frame) -> bytes:
    """What *frame* tells; of a capsule without the signature, and no more than millionths."""
    if frame.kind is not Kind.KEEP:
        return frame.body
    kept = decode_body(Keep, frame)
    fields = msgspec.msgpack.decode(kept.capsule[:-SIGNATURE_BYTES])
    rounded = [_rounded(each) if isinstance(each, float) else each for each in fields]
    return kept.wait_text + msgspec.msgpack.encode(rounded)


def _rounded(value: float) -> float:
    """20.0 and 20 are packed as other bytes."""
    value = round(value, 6)
    return int(value) if value.is_integer() else value


def has_door(number: int) -> bool:
    """Whether the terminals are at a door; else the server holds them itself."""
    return number % 4 >= 2


def world_for(number: int, make_chance: Callable[..., Any]) -> World:
    """A fresh disk; the server's own randomness follows from *number*.

    In every other world output is hardly gathered, so that a leak of a millisecond shows.
    """
    tick_ms = 20 if number % 2 else 1
    world = new_world(
        number,
        session=schema.SessionLimits(tick_ms=tick_ms),
        wall=schema.WallConfig(keep_every_s=5),
    )
    world.make_chance = make_chance
    return world
