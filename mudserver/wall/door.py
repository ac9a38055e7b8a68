"""The door's side of the wall: hands the connections of this process to game servers.

Rule 1: a door knows no name, no room and no word.  It numbers what is typed, keeps what has not
        begun, and passes on whole frames only.
Rule 2: when a wall breaks, connections stay.  They are opened again at the next game server, with
        what was not begun; after `wall.hold_s` without any they end with a sentence.
Rule 3: while a password is typed nothing typed is kept.
Rule 4: input over `wall.retained_bytes`, and all input while the wall does not take more, is left
        with its senders.
Rule 5: with several game servers a new connection gets the one that has fewest of this door.  The
        connections of one that is gone wait MOVE_S for it, then any other one has them.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import Callable, Sequence
from functools import partial

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import WallConfig
from mudserver.logs import log_exception
from mudserver.source_budgets import source_of
from mudserver.transport.gate import FailedLogin
from mudserver.transport.link import AuthenticatedUser, Link
from mudserver.transport.telnet import mssp
from mudserver.wall import texts
from mudserver.wall.bodies import (
    NAME_CHARS_MAX,
    Answer,
    Failed,
    Handshake,
    Redirect,
    encode_body,
)
from mudserver.wall.door_connection import DoorConnection
from mudserver.wall.door_stats import RestartHistory
from mudserver.wall.frames import Kind
from mudserver.wall.game_wall import GameWall
from mudserver.wall.questions import Questions
from mudserver.wall.tls import GameAddress
from mudserver.wall.town_listing import town_listing

OWED_S = 0.02  # between two looks at output that is to be acknowledged
NONCE_BYTES = 8
NEW_WAIT_S = 20.0  # of a new connection, for a game server
MOVE_S = 3.0  # rule 5
RUN_ID_BYTES = 3  # by chance: two doors may start in the same second

log = logging.getLogger("wall")


class DoorClient:
    """Holds the connections of a door.  `open_connection` is the `HandlerFactory` of its listeners.

    Args:
        handshake: Says who we are.
        addresses: Of the game servers.
        token: So many random bytes, of which nonces and the ids of sessions are made.
    """

    def __init__(
        self,
        config: WallConfig,
        clock: Clock,
        handshake: Callable[[], Handshake],
        addresses: Sequence[GameAddress],
        token: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.config, self.clock = config, clock
        self._handshake = handshake
        self.walls = [GameWall(self, address) for address in addresses]
        self.authenticator = Questions(self, config.ask_s)
        self.connections: dict[int, DoorConnection] = {}
        self._refused = dict[GameAddress, str]()  # boot of who spoke no protocol of ours last
        self._token = token
        self._run_id = f"{int.from_bytes(token(RUN_ID_BYTES)):x}"
        self._numbers = itertools.count(1)
        self._owing: set[DoorConnection] = set()  # output to acknowledge
        self._owed_timer: TimerHandle | None = None
        self._gap_timers: list[TimerHandle] = []  # while there is no game server
        self.restarts = RestartHistory(clock)
        self.log_addresses = False
        self.on_made: Callable[[], None] = lambda: None  # a game server has shaken hands
        self._kept_bytes, self._full_at = 0, float("-inf")
        self._is_closed = False
        self._made = asyncio.Event()

    # -- the walls -------------------------------------------------------------------------------

    async def start(self) -> None:
        """Return when a game server has answered."""
        for wall in self.walls:
            wall.start()
        await self._made.wait()

    def handshake(self) -> Handshake:
        return self._handshake()

    def note_refused(self, game: Handshake, address: GameAddress, label: str) -> None:
        """A game server speaks no protocol of ours: one line, however often it is met."""
        if game.boot != self._refused.get(address):
            self._refused[address] = game.boot
            log.warning("wall refused %s speaks=%s-%s door=%s-%s: restart the door", label,
                        *game.protocols, *self._handshake().protocols)  # fmt: skip

    def wall_made(self, wall: GameWall) -> None:
        """Open its connections there, and those that no game server has."""
        self._stop_gap_timers()
        if (gap_s := self.restarts.end()) is not None and wall.stream is not None:
            log.info("wall back %s gap_ms=%.0f connections=%d", wall.stream.label, gap_s * 1000,
                     len(self.connections))  # fmt: skip
        self._made.set()
        self.on_made()
        self.authenticator.ask_again()
        wall.open_all([each for each in self.connections.values() if each.home in (None, wall)])

    def wall_lost(self, wall: GameWall) -> None:
        """The game server is gone; connections wait for it, or another one [rules 2 and 5]."""
        self._owing -= set(wall.connections.values())
        for connection in list(self.connections.values()):
            connection.wall_lost(wall)
        self.authenticator.wall_lost(wall)
        if not self.is_open:
            people = (n for n, each in self.connections.items() if each.is_admitted)
            self.restarts.begin("planned" if wall.is_ended else "crash", people)
        if self._is_closed:
            return
        if len(self.walls) > 1:
            if wall.has_moved and self.is_open:
                self._move_on(wall)
            else:
                wall.call_later(MOVE_S, partial(self._move_on, wall))
        if not self.is_open:
            self._stop_gap_timers()
            self._gap_timers = [
                self.clock.call_later(self.config.notice_s, self._say_wait),
                self.clock.call_later(self.config.hold_s, self._give_up),
            ]

    def _say_wait(self) -> None:
        for connection in list(self.connections.values()):
            connection.say_wait()

    def _stop_gap_timers(self) -> None:
        for timer in self._gap_timers:
            timer.cancel()
        self._gap_timers.clear()

    def _move_on(self, wall: GameWall) -> None:
        """It does not come again soon: any other game server has its connections."""
        left = [each for each in wall.connections.values() if not each.is_opened]
        for connection in left:
            wall.discard(connection)
        self.place(left)

    def place(self, connections: Sequence[DoorConnection]) -> None:
        """Find a game server for connections that none has; those wait where there is none."""
        for connection in connections:
            if (wall := self._wall_for_one()) is not None:
                wall.open_all([connection])

    def _wall_for_one(self) -> GameWall | None:
        """The one with fewest connections, of those that stay; None: there is no game server."""
        there = [wall for wall in self.walls if wall.is_open]
        return min(there, key=lambda it: (it.is_leaving, len(it.connections)), default=None)

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
        self._stop_gap_timers()
        if self._owed_timer is not None:
            self._owed_timer.cancel()
        for wall in self.walls:
            wall.close()

    @property
    def is_open(self) -> bool:
        """Whether there is a game server."""
        return any(wall.is_open for wall in self.walls)

    def tell_all(self, kind: Kind, body: bytes) -> None:
        for wall in self.walls:
            wall.add(kind, 0, body)

    def ask(self, body: bytes) -> GameWall | None:
        """Ask one game server; None: there is none."""
        wall = self._wall_for_one()
        if wall is not None:
            wall.add(Kind.ASK, 0, body)
        return wall

    def note_answer(self, answer: Answer) -> None:
        self.authenticator.note_answer(answer)

    # -- what the listeners use ------------------------------------------------------------------

    def open_connection(self, link: Link, proven: AuthenticatedUser | None) -> DoorConnection:
        number = next(self._numbers)
        connection = DoorConnection(
            self, number, link, proven, f"{self._run_id}-{number}", self._token(NONCE_BYTES)
        )
        self.connections[number] = connection
        log.debug("connection open session=%s protocol=%s from=%s", connection.visit, link.protocol,
                  source_of(link.peer) if self.log_addresses else "-")  # fmt: skip
        if (wall := self._wall_for_one()) is not None:
            wall.take(connection)
            self.open(connection)
        else:
            self.clock.call_later(NEW_WAIT_S, connection.wait_no_longer)
        return connection

    def open(self, connection: DoorConnection) -> None:
        try:
            connection.open()
        except Exception as bug:  # it must not keep the others from being opened
            log_exception(log, "connection failed", bug, session=connection.visit)
            connection.end(texts.RESTARTING)

    def redirect(self, connection: DoorConnection, to: Redirect) -> None:
        others = (wall for wall in self.walls if wall.is_open and wall is not connection.home)
        connection.walk(next((wall for wall in others if wall.name == to.server), None), to)

    def status(self) -> mssp.Status:
        """What MSSP reports: what the game servers said last."""
        there = [wall for wall in self.walls if wall.is_open] or self.walls
        return town_listing([wall.listing for wall in there])

    def ban_text(self, source: str) -> str:
        """What somebody reads who comes from a banned network; "": it is not banned."""
        there = [wall for wall in self.walls if wall.is_open] or self.walls
        return next(filter(None, (wall.bans.text_for(source) for wall in there)), "")

    def note_failure(self, failed: FailedLogin, left: int, source: str) -> None:
        body = Failed(failed.name[:NAME_CHARS_MAX], failed.how, failed.protocol, left, source)
        if (wall := self._wall_for_one()) is not None:
            wall.add(Kind.FAILED, 0, encode_body(body))

    # -- what connections use --------------------------------------------------------------------

    def discard(self, connection: DoorConnection) -> None:
        if self.connections.pop(connection.number, None) is not None:
            log.debug("connection closed session=%s", connection.visit)
        if connection.home is not None:
            connection.home.discard(connection)
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
