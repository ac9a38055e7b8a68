"""The door's side of the wall: hands the connections of this process to a game server.

Rule 1: a door knows no name, no room and no word.  It numbers what is typed, keeps what has not
        begun, and passes on whole frames only.
Rule 2: when the wall breaks, connections stay.  They are opened again at the next game server, with
        what was not begun; after `wall.hold_s` without one they end with a sentence.
Rule 3: while a password is typed nothing typed is kept.
Rule 4: input over `wall.retained_bytes`, and all input while the wall does not take more, is left
        with its senders.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections import deque
from collections.abc import Callable
from pathlib import Path

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import WallConfig
from mudserver.logs import log_exception
from mudserver.ops.control_socket import bindable_name
from mudserver.source_budgets import source_of
from mudserver.transport.gate import FailedLogin
from mudserver.transport.link import AuthenticatedUser, Link
from mudserver.transport.telnet import mssp
from mudserver.wall import texts
from mudserver.wall.bodies import (
    NAME_CHARS_MAX,
    Answer,
    Bans,
    Bye,
    Failed,
    Handshake,
    Listing,
    common_protocol,
    decode_body,
    encode_body,
)
from mudserver.wall.door_connection import DoorConnection
from mudserver.wall.door_stats import RestartHistory
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
from mudserver.wall.questions import Questions
from mudserver.wall.stream import WallStream
from mudserver.wall.told_bans import ToldBans

RETRY_S, RETRY_LATER_S = 0.05, 0.25  # between two tries to reach a game server
RETRY_SOON_COUNT = 100  # tries with the short pause
RETRY_REFUSED_S = 1.0  # where one is there, and does not hear this door
UNHEARD_COUNT = 5  # connections without an answer until that counts as refused
OPENED_PER_TURN = 32
OWED_S = 0.02  # between two looks at output that is to be acknowledged
NONCE_BYTES = 8
NEW_WAIT_S = 20.0  # of a new connection, for a game server
RUN_ID_BYTES = 3  # by chance: two doors may start in the same second

log = logging.getLogger("wall")


class DoorClient:
    """Holds the connections of a door.  `open_connection` is the `HandlerFactory` of its listeners.

    Args:
        handshake: Says who we are.
        path: The socket of the game server.
        token: So many random bytes, of which nonces and the ids of sessions are made.
    """

    def __init__(
        self,
        config: WallConfig,
        clock: Clock,
        handshake: Callable[[], Handshake],
        path: Path,
        token: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.config, self.clock = config, clock
        self._handshake, self._path = handshake, path
        self._successor: Path | None = None  # where to try first, once
        self.stream: WallStream | None = None  # after the handshake
        self.game: Handshake | None = None  # of the game server that is there, or was last
        self.authenticator = Questions(self, config.ask_s)
        self.connections: dict[int, DoorConnection] = {}
        self._refused_boot = ""  # of the last game server that spoke no protocol of ours
        self._token = token
        self._run_id = f"{int.from_bytes(token(RUN_ID_BYTES)):x}"
        self._numbers = itertools.count(1)
        self._to_open: deque[int] = deque()
        self._owing: set[DoorConnection] = set()  # output to acknowledge
        self._owed_timer: TimerHandle | None = None
        self._gap_timers: list[TimerHandle] = []
        self.restarts = RestartHistory(clock)
        self.log_addresses = False
        self._is_ended = False  # the game server has said that it ends
        self.on_made: Callable[[], None] = lambda: None  # a game server has shaken hands
        self._signs = LifeSigns(clock, config.notice_s, self._say_wait, self._say_back)
        self._listing: mssp.Status = {}
        self.bans = ToldBans(clock)
        self._kept_bytes, self._full_at = 0, float("-inf")
        self._is_paused = self._is_closed = False
        self._made = asyncio.Event()
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # -- the wall --------------------------------------------------------------------------------

    async def start(self) -> None:
        """Return when a game server has answered."""
        self._task = asyncio.create_task(self._stay_connected(), name="wall")
        await self._made.wait()

    async def _stay_connected(self) -> None:
        loop, tries, unheard = asyncio.get_running_loop(), 0, 0
        while not self._is_closed:
            self._lost.clear()
            peer = _GamePeer(self)
            path, self._successor = self._successor or self._path, None
            try:
                with bindable_name(path) as name:
                    await loop.create_unix_connection(peer.as_protocol, name)
                await self._lost.wait()
            except OSError as exc:
                if not tries:
                    log.info("no game server socket=%s error=%s", path, exc.strerror)
            tries = 0 if peer.is_agreed else tries + 1
            unheard = unheard + 1 if peer.is_made and not peer.is_agreed else 0
            if self._successor is not None:
                continue
            if peer.is_refused or unheard > UNHEARD_COUNT:
                await asyncio.sleep(RETRY_REFUSED_S)
            else:
                await asyncio.sleep(RETRY_S if tries < RETRY_SOON_COUNT else RETRY_LATER_S)

    def handshake(self) -> Handshake:
        return self._handshake()

    def note_refused(self, game: Handshake, label: str) -> None:
        """A game server speaks no protocol of ours: one line, however often it is met."""
        if game.boot != self._refused_boot:
            self._refused_boot = game.boot
            log.warning("wall refused %s speaks=%s-%s door=%s-%s: restart the door", label,
                        *game.protocols, *self._handshake().protocols)  # fmt: skip

    def wall_made(self, stream: WallStream) -> None:
        """A game server has shaken hands: open every connection there."""
        self.stream = stream
        for timer in self._gap_timers:
            timer.cancel()
        self._gap_timers.clear()
        if (gap_s := self.restarts.end()) is not None:
            log.info("wall back %s gap_ms=%.0f connections=%d", stream.label, gap_s * 1000,
                     len(self.connections))  # fmt: skip
        self._is_ended = False
        self.bans.forget()  # it tells its own next
        self._made.set()
        self._signs.start()
        self.on_made()
        self.authenticator.ask_again()
        self._to_open.extend(self.connections)
        self._open_some()

    def wall_lost(self) -> None:
        """The game server is gone; connections wait for the next one [rule 2]."""
        if self.stream is not None:
            log.info("wall lost %s connections=%d", self.stream.label, len(self.connections))
            self.stream = None
            people = (n for n, each in self.connections.items() if each.is_admitted)
            self.restarts.begin("planned" if self._is_ended else "crash", people)
            self._signs.stop()
            self._to_open.clear()
            self._owing.clear()
            self._is_paused = False
            for connection in self.connections.values():
                connection.wall_lost()
            self.authenticator.wall_lost()
            if not self._is_closed:
                config = self.config
                self._gap_timers = [
                    self.clock.call_later(config.notice_s, self._say_wait),
                    self.clock.call_later(config.hold_s, self._give_up),
                ]
        self._lost.set()

    def _note_end(self, bye: Bye) -> None:
        self._is_ended = True
        log.info("game server ends why=%s", bye.why)
        if bye.socket and "/" not in bye.socket:  # beside the one that is configured
            self._successor = self._path.with_name(bye.socket)

    def _say_wait(self) -> None:
        for connection in list(self.connections.values()):
            connection.say_wait()

    def _say_back(self) -> None:
        """The same game server answers again."""
        for connection in list(self.connections.values()):
            connection.say_back()

    def gaps_s(self) -> float:
        """Seconds without a game server, in all: login deadlines stand still in them."""
        return self.restarts.gaps_s + (self.restarts.gap_s or 0.0)

    def _give_up(self) -> None:
        log.warning("no game server for hold_s=%g connections=%d", self.config.hold_s,
                    len(self.connections))  # fmt: skip
        self.restarts.give_up()
        self.end_all(texts.NOT_BACK)

    def end_all(self, sentence: str) -> None:
        for connection in list(self.connections.values()):
            connection.end(sentence)

    def close(self) -> None:
        self._is_closed = True
        self._signs.stop()
        for timer in self._gap_timers:
            timer.cancel()
        if self._owed_timer is not None:
            self._owed_timer.cancel()
        if self._task is not None:
            self._task.cancel()
        if self.stream is not None:
            self.stream.finish()

    @property
    def is_open(self) -> bool:
        return self.stream is not None

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        if self.stream is not None:
            self.stream.add(kind, connection, body)

    def pause(self, is_paused: bool) -> None:
        """The wall takes less than is typed [rule 4]."""
        self._is_paused = is_paused
        for connection in self.connections.values():
            connection.hold_back(is_paused)
        if not is_paused:
            self._open_some()

    # -- what the listeners use ------------------------------------------------------------------

    def open_connection(self, link: Link, proven: AuthenticatedUser | None) -> DoorConnection:
        number = next(self._numbers)
        connection = DoorConnection(
            self, number, link, proven, f"{self._run_id}-{number}", self._token(NONCE_BYTES)
        )
        self.connections[number] = connection
        log.debug("connection open session=%s protocol=%s from=%s", connection.visit, link.protocol,
                  source_of(link.peer) if self.log_addresses else "-")  # fmt: skip
        if self.stream is not None:
            self._open(connection)
        else:
            self.clock.call_later(NEW_WAIT_S, connection.wait_no_longer)
        return connection

    def _open(self, connection: DoorConnection) -> None:
        try:
            connection.open()
        except Exception as bug:  # it must not keep the others from being opened
            log_exception(log, "connection failed", bug, session=connection.visit)
            connection.end(texts.RESTARTING)

    def status(self) -> mssp.Status:
        """What MSSP reports: what the game server said last."""
        return self._listing

    def note_failure(self, failed: FailedLogin, left: int, source: str) -> None:
        body = Failed(failed.name[:NAME_CHARS_MAX], failed.how, failed.protocol, left, source)
        self.add(Kind.FAILED, 0, encode_body(body))

    # -- what connections use --------------------------------------------------------------------

    def discard(self, connection: DoorConnection) -> None:
        if self.connections.pop(connection.number, None) is not None:
            log.debug("connection closed session=%s", connection.visit)
        self._owing.discard(connection)
        self.restarts.discard(connection.number)

    def may_keep(self, count: int) -> bool:
        if count > 0 and self._kept_bytes + count > self.config.held_mib_max * 1_048_576:
            if self.clock.monotonic() - self._full_at > 60:
                self._full_at = self.clock.monotonic()
                log.warning("capsules not kept held_mib_max=%d", self.config.held_mib_max)
            return False
        self._kept_bytes += count
        return True

    def owe(self, connection: DoorConnection) -> None:
        """Acknowledge the output of a connection when it has been taken."""
        self._owing.add(connection)
        if self._owed_timer is None:
            self._owed_timer = self.clock.call_later(OWED_S, self._look_at_owed)

    def _look_at_owed(self) -> None:
        self._owed_timer = None
        self._owing = {each for each in self._owing if not each.acknowledge()}
        if self._owing:
            self._owed_timer = self.clock.call_later(OWED_S, self._look_at_owed)

    def _open_some(self) -> None:
        """Open connections, a few a turn, as far as the wall takes them."""
        opened = 0
        while self._to_open and self.stream is not None and not self._is_paused:
            if opened == OPENED_PER_TURN:
                self.clock.call_soon(self._open_some)
                return
            connection = self.connections.get(self._to_open.popleft())
            if connection is not None and not connection.is_opened:
                self._open(connection)
                opened += 1

    # -- frames ----------------------------------------------------------------------------------

    def on_frame(self, frame: Frame) -> None:
        self._signs.note()
        match frame.kind:
            case Kind.SEND | Kind.MANY:
                output = decode_output(frame)
                for number in output.connections:
                    if (connection := self.connections.get(number)) is not None:
                        connection.show(output.data, output.seen, output.flags)
            case Kind.ANSWER:
                self.authenticator.note_answer(decode_body(Answer, frame))
            case Kind.PING:
                self.add(Kind.PONG, 0, encode_number(decode_number(frame)))
            case Kind.LISTING:
                self._listing = decode_body(Listing, frame).values
            case Kind.BANS:
                self.bans.note(decode_body(Bans, frame))
            case Kind.BYE:
                self._note_end(decode_body(Bye, frame))
            case Kind.HANDSHAKE:
                raise FrameError("a second handshake")
            case _:
                # The connection may have ended here while the game server still speaks to it.
                if (connection := self.connections.get(frame.connection)) is not None:
                    connection.on_frame(frame)


class _GamePeer:
    """One try to reach a game server; owns our end of the wall."""

    def __init__(self, door: DoorClient) -> None:
        self._door = door
        self.is_made = self.is_agreed = self.is_refused = False
        queue_bytes_max = door.config.queue_mib_max * 1_048_576
        self.stream = WallStream(self, FROM_GAME, door.clock, queue_bytes_max, "game=?")

    def as_protocol(self) -> WallStream:
        return self.stream

    def on_made(self) -> None:
        self.is_made = True
        self.stream.add(Kind.HANDSHAKE, 0, encode_body(self._door.handshake()))

    def on_lost(self) -> None:
        self._door.wall_lost()

    def on_pause(self, is_paused: bool) -> None:
        if self.is_agreed:
            self._door.pause(is_paused)

    def on_frame(self, frame: Frame) -> None:
        if self.is_agreed:
            self._door.on_frame(frame)
            return
        if frame.kind is not Kind.HANDSHAKE:
            raise FrameError(f"{frame.kind.name} before the handshake")
        theirs, ours = decode_body(Handshake, frame), self._door.handshake()
        self.stream.label = f"game={theirs.name}"
        protocol = common_protocol(ours.protocols, theirs.protocols)
        if protocol is None:
            self.is_refused = True
            self._door.note_refused(theirs, self.stream.label)
            self.stream.finish()
            return
        self.is_agreed, self._door.game = True, theirs
        log.info("wall open %s version=%s protocol=%d pid=%d", self.stream.label, theirs.version,
                 protocol, theirs.pid)  # fmt: skip
        self._door.wall_made(self.stream)
