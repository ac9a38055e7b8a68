"""One game server as a door sees it: the wall to it, and the connections that it has.

Rule 1: the door tries to reach it for as long as the door runs.  What a game server says counts for
        those connections alone that it has.
Rule 2: a connection that has lost it stays with it for a while: it may come again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import WallConfig
from mudserver.transport.telnet import mssp
from mudserver.wall.bodies import (
    Answer,
    Bans,
    Bye,
    Handshake,
    Listing,
    Redirect,
    common_protocol,
    decode_body,
    encode_body,
)
from mudserver.wall.door_connection import DoorConnection
from mudserver.wall.frames import (
    FROM_GAME,
    Frame,
    FrameError,
    Kind,
    decode_number,
    decode_output,
    encode_number,
)
from mudserver.wall.life_signs import LifeSigns
from mudserver.wall.openings import Openings
from mudserver.wall.stream import WallStream
from mudserver.wall.tls import GameAddress, reach
from mudserver.wall.told_bans import ToldBans

RETRY_S, RETRY_LATER_S = 0.05, 0.25  # between two tries to reach a game server
RETRY_SOON_COUNT = 100  # tries with the short pause
RETRY_REFUSED_S = 1.0  # where one is there, and does not hear this door
UNHEARD_COUNT = 5  # connections without an answer until that counts as refused

log = logging.getLogger("wall")


class WallOwner(Protocol):
    """What a wall needs of its door."""

    config: WallConfig
    clock: Clock

    def handshake(self) -> Handshake: ...
    def wall_made(self, wall: GameWall) -> None:
        """The game server has shaken hands."""

    def wall_lost(self, wall: GameWall) -> None: ...
    def note_refused(self, game: Handshake, address: GameAddress, label: str) -> None: ...
    def note_answer(self, answer: Answer) -> None: ...
    def open(self, connection: DoorConnection) -> None:
        """Hand it to its game server."""

    def redirect(self, connection: DoorConnection, to: Redirect) -> None:
        """Its game server sends it to another one."""


class GameWall:
    """Args: address: Of the game server."""

    def __init__(self, door: WallOwner, address: GameAddress) -> None:
        self._door, self.address = door, address
        self._successor: Path | None = None  # where to try first, once
        self.stream: WallStream | None = None  # after the handshake
        self.game: Handshake | None = None  # of the game server that is there, or was last
        self.connections: dict[int, DoorConnection] = {}  # that it has, or had until it went
        self.bans = ToldBans(door.clock)
        self.listing: mssp.Status = {}
        self.is_ended = False  # it has said that it ends
        self.is_leaving = False  # it is about to end, and nobody new should go there
        self.has_moved = False  # it has ended, and its sessions go on at others
        self._openings = Openings(self._open)
        self._timers: list[TimerHandle] = []  # while it is gone
        self._signs = LifeSigns(door.clock, door.config.notice_s, self._say_wait, self._say_back)
        self._is_closed = False
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """Of the game server that is there, or was last."""
        return "" if self.game is None else self.game.name

    @property
    def is_open(self) -> bool:
        return self.stream is not None

    def start(self) -> None:
        self._task = asyncio.create_task(self._stay_connected(), name="wall")

    async def _stay_connected(self) -> None:
        tries, unheard, told = 0, 0, ""
        while not self._is_closed:
            self._lost.clear()
            peer = GamePeer(self, self._door)
            address, self._successor = self._successor or self.address, None
            why = ""
            try:
                end = await reach(address, peer.stream, self._door.clock)
                await self._lost.wait()
                why = "" if end is None else end.why
            except OSError as exc:
                why = exc.strerror or str(exc) or "no answer"
            if why and why != told:
                log.info("no game server socket=%s error=%s", address, why)
            tries, told = (0, "") if peer.is_agreed else (tries + 1, why or told)
            unheard = unheard + 1 if peer.is_made and not peer.is_agreed else 0
            if self._successor is not None:
                continue
            if peer.is_refused or unheard > UNHEARD_COUNT:
                await asyncio.sleep(RETRY_REFUSED_S)
            else:
                await asyncio.sleep(RETRY_S if tries < RETRY_SOON_COUNT else RETRY_LATER_S)

    def made(self, stream: WallStream) -> None:
        self.stream, self.is_ended, self.is_leaving, self.has_moved = stream, False, False, False
        self._stop_timers()
        self.bans.forget()  # it tells its own next
        self._signs.start()
        self._door.wall_made(self)

    def lost(self) -> None:
        if self.stream is not None:
            log.info("wall lost %s connections=%d", self.stream.label, len(self.connections))
            self.stream = None
            self._signs.stop()
            self._openings.stop()
            self._door.wall_lost(self)
        self._lost.set()

    def call_later(self, delay_s: float, call: Callable[[], None]) -> None:
        """Unless the game server is there again until then."""
        self._timers.append(self._door.clock.call_later(delay_s, call))

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def close(self) -> None:
        self._is_closed = True
        self._signs.stop()
        self._stop_timers()
        if self._task is not None:
            self._task.cancel()
        if self.stream is not None:
            self.stream.finish()

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        if self.stream is not None:
            self.stream.add(kind, connection, body)

    def _say_wait(self) -> None:
        for connection in list(self.connections.values()):
            connection.say_wait()

    def _say_back(self) -> None:
        """The same game server answers again."""
        for connection in list(self.connections.values()):
            connection.say_back()

    # -- connections -----------------------------------------------------------------------------

    def take(self, connection: DoorConnection) -> None:
        """From now on it is this game server's."""
        if connection.home is not None:
            connection.home.discard(connection)
        connection.home = self
        self.connections[connection.number] = connection
        connection.hold_back(self._openings.is_paused)

    def discard(self, connection: DoorConnection) -> None:
        self.connections.pop(connection.number, None)
        connection.home = None
        self._openings.note_answered(connection.number)

    def open_all(self, connections: Iterable[DoorConnection]) -> None:
        """Hand them to the game server, as far as it and the wall take them."""
        taken = list(connections)
        for connection in taken:
            self.take(connection)
        self._openings.add((each.number, each.retained) for each in taken)

    def _open(self, number: int) -> bool:
        connection = self.connections.get(number)
        if connection is None or connection.is_opened:
            return False
        self._door.open(connection)
        return connection.is_opened

    def hurry(self, connection: DoorConnection) -> None:
        """Somebody types there, and perhaps it is not open yet."""
        self._openings.hurry(connection.number)

    def pause(self, is_paused: bool) -> None:
        """The wall takes less than is typed, or all again."""
        self._openings.is_paused = is_paused
        for connection in self.connections.values():
            connection.hold_back(is_paused)
        self._openings.go_on()

    # -- frames ----------------------------------------------------------------------------------

    def on_frame(self, frame: Frame) -> None:
        self._signs.note()
        match frame.kind:
            case Kind.SEND | Kind.MANY:
                numbers, seen, flags, data = decode_output(frame)
                for number in numbers:
                    if (connection := self.connections.get(number)) is not None:
                        connection.show(data, seen, flags)
            case Kind.ANSWER:
                self._door.note_answer(decode_body(Answer, frame))
            case Kind.PING:
                self.add(Kind.PONG, 0, encode_number(decode_number(frame)))
            case Kind.LISTING:
                self.listing = decode_body(Listing, frame).values
            case Kind.BANS:
                self.bans.note(decode_body(Bans, frame))
            case Kind.LEAVING:
                self.is_leaving = True
            case Kind.BYE:
                self._note_end(decode_body(Bye, frame))
            case Kind.HANDSHAKE:
                raise FrameError("a second handshake")
            case Kind.REDIRECT:
                to = decode_body(Redirect, frame)
                if (connection := self.connections.get(frame.connection)) is not None:
                    self._door.redirect(connection, to)
            case _:
                # The connection may have ended here while the game server still speaks to it.
                if (connection := self.connections.get(frame.connection)) is not None:
                    connection.on_frame(frame)
                if frame.kind is Kind.ACCEPTED:
                    self._openings.note_answered(frame.connection)

    def _note_end(self, bye: Bye) -> None:
        self.is_ended, self.has_moved = True, bye.moves
        log.info("game server ends why=%s", bye.why)
        address = self.address
        if isinstance(address, Path) and bye.socket and "/" not in bye.socket:
            self._successor = address.with_name(bye.socket)  # beside the one that is configured


class GamePeer:
    """One try to reach a game server; owns our end of the wall."""

    def __init__(self, wall: GameWall, door: WallOwner) -> None:
        self._wall, self._door = wall, door
        self.is_made = self.is_agreed = self.is_refused = False
        queue_bytes_max = door.config.queue_mib_max * 1_048_576
        self.stream = WallStream(self, FROM_GAME, door.clock, queue_bytes_max, "game=?")

    def on_made(self) -> None:
        self.is_made = True
        self.stream.add(Kind.HANDSHAKE, 0, encode_body(self._door.handshake()))

    def on_lost(self) -> None:
        self._wall.lost()

    def on_pause(self, is_paused: bool) -> None:
        if self.is_agreed:
            self._wall.pause(is_paused)

    def on_frame(self, frame: Frame) -> None:
        if self.is_agreed:
            self._wall.on_frame(frame)
            return
        if frame.kind is not Kind.HANDSHAKE:
            raise FrameError(f"{frame.kind.name} before the handshake")
        theirs, ours = decode_body(Handshake, frame), self._door.handshake()
        self.stream.label = f"game={theirs.name[:24]}"
        self.is_refused = True
        self.stream.check_peer(f"game:{theirs.name}")
        protocol = common_protocol(ours.protocols, theirs.protocols)
        if protocol is None:
            self._door.note_refused(theirs, self._wall.address, self.stream.label)
            self.stream.finish()
            return
        self.is_refused = False
        self.is_agreed, self._wall.game = True, theirs
        log.info("wall open %s version=%s protocol=%d pid=%d", self.stream.label, theirs.version,
                 protocol, theirs.pid)  # fmt: skip
        self._wall.made(self.stream)
