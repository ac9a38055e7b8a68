"""One connection of a door: what its game server hears of it, and what it is shown.

Rule 1: input is numbered from 0.  What has not begun is kept, and sent again to the next game
        server; but nothing that was typed while a password was asked for.  What is kept no more is
        overwritten.
Rule 2: what a session leaves is kept as it is and handed to the next game server, with what the
        connection has proven.
Rule 3: a connection that is redirected is opened at the other game server, which is told what it is
        to do there, and what was typed, when it has taken the session up; only then does the first
        one lose it.  Until then that one can have it back: after WALK_S, or if the other refuses.
Rule 4: packages that wait are passed on with the output that shows the same, and a capsule that
        waits is kept then, with the notice that suits that output.  If the game server dies
        between them, they are dropped: the next one tells what they told.  So are the parts of
        output whose last part did not come.
Rule 5: that nobody logged in in time is said to each game server: the first may hand over first.
Rule 6: a connection that is closed, by its game server or by the door, belongs to no game server
        any more, however long its client takes to read the rest: no other one resumes it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, Protocol

from mudserver.clock import Clock, TimerHandle
from mudserver.config.schema import WallConfig
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from mudserver.wall import texts
from mudserver.wall.bodies import (
    Admitted,
    Carry,
    Gmcp,
    Keep,
    Late,
    Lost,
    Modules,
    Open,
    Redirect,
    Refuse,
    Resize,
    Tried,
    Try,
    decode_body,
    encode_body,
)
from mudserver.wall.door_stats import RestartHistory
from mudserver.wall.frames import (
    ACKNOWLEDGE,
    DATA_MAX,
    MORE,
    SETTLED,
    Frame,
    FrameError,
    Kind,
    decode_progress,
    encode_data,
    encode_number,
)

WALK_S = 3.0  # rule 3
PACKAGES_BYTES_MAX = 1_048_576  # of packages that wait for their output
GATHERED_BYTES_MAX = 1_048_576  # of output whose last part has not come; more is shown at once

log = logging.getLogger("wall")

# How the same person comes in again.
AGAIN = {"registered": "password", "recovered": "password", "newkey": "key"}


class ConnectionOwner(Protocol):
    """What a connection needs of its door."""

    config: WallConfig
    clock: Clock
    restarts: RestartHistory

    def owe(self, connection: DoorConnection) -> None: ...
    def discard(self, connection: DoorConnection) -> None: ...
    def may_keep(self, count: int) -> bool:
        """Whether a capsule may take *count* bytes more than the one before; they are counted."""

    def place(self, connections: Sequence[DoorConnection]) -> None:
        """Find a game server for connections that none has."""


class GameServer(Protocol):
    """What a connection needs of the game server that has it."""

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None: ...
    def take(self, connection: DoorConnection) -> None: ...
    def discard(self, connection: DoorConnection) -> None: ...
    def hurry(self, connection: DoorConnection) -> None:
        """Somebody types there, and perhaps it is not open yet."""


class Walk:
    """On the way to another game server.

    Attributes:
        home: The one before; None: it is gone, and so is the session there.
        shown: Terminal and modules of which the other one knows.
    """

    __slots__ = ("home", "shown", "timer", "to")

    def __init__(self, to: Redirect, home: GameServer | None) -> None:
        self.to, self.home = to, home
        self.shown: tuple[object, object] = (None, None)
        self.timer: TimerHandle | None = None


class DoorConnection:
    """`transport.link.LinkHandler`: a session somewhere else."""

    copies_input = True

    __slots__ = (
        *("_begun", "_capsule", "_client", "_done", "_has_waited", "_is_held", "_is_secret"),
        *("_is_wall_full", "_link", "_nonce", "_offset", "_packages", "_proven", "_reported"),
        *("_packages_bytes", "retained"),
        *(
            "_gathered",
            "_late",
            "_retained_at",
            "_waiting_keep",
            "_seen",
            "_tasks",
            "visit",
            "_wait_text",
            "_had_session",
            "_is_over",
            "_unreported",
            "_walk",
            "is_admitted",
            "is_opened",
        ),
        *("home", "number"),
    )

    def __init__(
        self,
        client: ConnectionOwner,
        number: int,
        link: Link,
        proven: AuthenticatedUser | None,
        visit: str,
        nonce: bytes,
    ) -> None:
        self._client, self.number, self._link, self._proven = client, number, link, proven
        self._late = ""  # why the connection ends: nobody logged in before the deadline [rule 5]
        self.visit, self._nonce = visit, nonce
        self.home: GameServer | None = None  # that has it, or had it until it went
        self._walk: Walk | None = None  # rule 3
        self.is_opened = self.is_admitted = False  # a game server has it; somebody is logged in
        self._had_session = False  # of a game server, which has said something about it
        self._is_over = False  # rule 6
        self._is_secret = self._is_held = self._is_wall_full = self._has_waited = False
        self._capsule, self._wait_text, self._seen = b"", b"", 0
        self._waiting_keep: Keep | None = None  # for its output [rule 4]
        self._offset = 0  # behind the last byte typed
        self.retained, self._retained_at = bytearray(), 0  # what was typed and is not begun
        self._begun = self._done = 0
        self._reported = self._unreported = 0  # bytes of output since OPEN: acknowledged; the rest
        self._packages: list[tuple[Gmcp, int]] | None = None  # with their bytes [rule 4]
        self._packages_bytes = 0
        self._gathered = b""  # parts of output [rule 4]
        self._tasks: set[asyncio.Task[None]] = set()

    # -- the wall --------------------------------------------------------------------------------

    def open(self, walk: Literal["", "comes", "failed"] = "", table: int = 0) -> None:
        """Hand the connection to its game server.  Args: as of `Open`."""
        link, proven = self._link, self._proven
        if not self.retained:
            self._retained_at = self._offset
        self._offset = self._retained_at + len(self.retained)
        if self._is_secret:
            self._is_secret = False
            link.set_echo(True)
        self._reported = self._unreported = 0
        opened = Open(
            protocol=link.protocol,
            peer=link.peer[:64],
            terminal=link.terminal,
            visit=self.visit,
            nonce=self._nonce,
            wants_json=link.wants_json,
            json_protocol=link.json_protocol,
            proven=proven,
            capsule=self._capsule,
            seen=self._seen,
            retained_at=self._retained_at,
            begun=self._begun,
            done=self._done,
            queued_bytes=link.backlog(),
            has_waited=self._has_waited,
            modules=link.modules,
            is_again=self._had_session,
            retained=len(self.retained),
            wants_export=link.wants_export,
            wanted_game=link.wanted_game,
            walk=walk,
            table=table,
        )
        self._has_waited = False
        log.debug("connection handed on session=%s begun=%d done=%d typed=%d", self.visit,
                  self._begun, self._done, self._offset)  # fmt: skip
        self._add(Kind.OPEN, encode_body(opened))
        if walk != "comes":
            self.is_opened = True
            self._send_retained()

    def _add(self, kind: Kind, body: bytes = b"") -> None:
        if self.home is not None:
            self.home.add(kind, self.number, body)

    def _send_retained(self) -> None:
        for at in range(0, len(self.retained), DATA_MAX):
            part = bytes(self.retained[at : at + DATA_MAX])
            self._add(Kind.DATA, encode_data(self._retained_at + at, part))
        if self._late and not self.is_admitted:
            self._tell(Kind.LATE, encode_body(Late(self._late)))

    def wall_lost(self, wall: GameServer) -> None:
        """A game server is gone, perhaps that of this connection."""
        if (walk := self._walk) is not None and walk.home is wall:
            walk.home = None
        if self.home is not wall:
            return
        if self._walk is not None:
            self._walk_back()
            return
        self._end_session()
        if self._link.wants_export or self._link.wanted_game:  # half a document is of no use
            self._close()

    def _end_session(self) -> None:
        """The game server has it no more."""
        self.is_opened = False
        self._is_wall_full = False
        self._packages = None
        self._packages_bytes, self._waiting_keep, self._gathered = 0, None, b""
        for task in self._tasks:
            task.cancel()
        if self._proven is not None and self.is_admitted:
            method = AGAIN.get(self._proven.method, self._proven.method)
            name = self._proven.name.partition("+")[0] if method != "code" else self._proven.name
            self._proven = replace(self._proven, name=name, method=method)  # type: ignore[arg-type]
        self._hold()

    # -- to another game server ------------------------------------------------------------------

    def walk(self, wall: GameServer | None, to: Redirect) -> None:
        """Go on at *wall*; None: it is not there."""
        if self._packages:
            self._pass_packages_on()
        if self._waiting_keep is not None:  # what it waited for came before
            self._keep(self._waiting_keep)
        self._end_session()
        walk = self._walk = Walk(to, self.home)
        if wall is None:
            self._walk_back()
            return
        walk.timer = self._client.clock.call_later(WALK_S, self._walk_back)
        walk.shown = self._link.terminal, self._link.modules
        wall.take(self)
        self.open("comes", to.table)

    def _arrive(self) -> None:
        """The other game server has taken the session up."""
        walk = self._end_walk()
        if walk.home is not None:
            walk.home.add(Kind.LOST, self.number, encode_body(Lost("moved")))
        self.is_opened = True
        terminal, modules = walk.shown
        if self._link.terminal != terminal:
            self.on_resize(self._link.terminal)
        if self._link.modules != modules:
            self.on_gmcp("", None)
        self._add(Kind.CARRY, encode_body(Carry(walk.to.errand, walk.to.hops)))
        self._send_retained()

    def _walk_back(self) -> None:
        """The other game server does not answer, refuses, or is gone."""
        walk = self._end_walk()
        if self.home is not walk.home and self.home is not None:
            self._add(Kind.LOST, encode_body(Lost("moved")))
            self.home.discard(self)
        if walk.home is None:
            self._client.place([self])  # the capsule says where it was
            return
        walk.home.take(self)
        self.open("failed", walk.to.table if walk.to.errand else 0)

    def _end_walk(self) -> Walk:
        walk, self._walk = self._walk, None
        assert walk is not None
        if walk.timer is not None:
            walk.timer.cancel()
        return walk

    def say_wait(self) -> None:
        """Nobody has answered for a while; say so once."""
        if not self._has_waited and self._wait_text:
            self._has_waited = True
            self._link.send(self._wait_text)

    def say_back(self) -> None:
        """The same game server answers again: have the row drawn that the notice took."""
        if self._has_waited:
            self._has_waited = False
            self._tell(Kind.RESIZE, encode_body(Resize(self._link.terminal)))

    def wait_no_longer(self) -> None:
        """It is long ago that somebody came while there was no game server."""
        if not (self.is_opened or self._had_session):
            self.end(texts.RESTARTING)

    def end(self, sentence: str) -> None:
        """The door ends the connection, unless it is closed already."""
        if not self._is_over:
            self._say(sentence)
            self._close()

    def _close(self) -> None:
        """Send the rest of the output, then close."""
        self._leave()
        if self._is_held:  # or the end of a client that closes first would not be noticed
            self._is_held = False
            self._link.hold_input(False)
        self._link.close()

    def _say(self, sentence: str) -> None:
        if self._link.wants_json:
            self._link.send(json.dumps({"type": "notice", "text": sentence}).encode() + b"\n")
        else:
            self._link.send(b"\r\n" + sentence.encode("ascii") + b"\r\n")

    # -- the link's side -------------------------------------------------------------------------

    def on_data(self, data: bytes) -> None:
        if self._is_over:
            return
        if not self._is_secret:
            if not self.retained or self._retained_at + len(self.retained) != self._offset:
                self._forget(len(self.retained))
                self._retained_at = self._offset
            self.retained += data
        elif not self.is_opened:
            return  # rule 1
        at, self._offset = self._offset, self._offset + len(data)
        if self.is_opened:
            for start in range(0, len(data), DATA_MAX):
                part = data[start : start + DATA_MAX]
                self._add(Kind.DATA, encode_data(at + start, part))
        elif self.home is not None:
            self.home.hurry(self)
        self._hold()

    def on_resize(self, terminal: Terminal) -> None:
        self._tell(Kind.RESIZE, encode_body(Resize(terminal)))

    def on_gmcp(self, package: str, data: object) -> None:
        """Sessions read only which modules are asked for."""
        self._tell(Kind.MODULES, encode_body(Modules(self._link.modules)))

    def on_login_timeout(self, message: str) -> None:
        self._late = message
        if self.is_opened:
            self._tell(Kind.LATE, encode_body(Late(message)))
        else:
            self.end(texts.RESTARTING)

    def on_disconnect(self) -> None:
        self._leave()

    def _leave(self) -> None:
        """No game server has the connection any more [rule 6]."""
        if self._is_over:
            return
        self._is_over = True
        why = self._link.lost_why
        lost = encode_body(Lost(why if why in ("stall", "bytes") else "closed"))
        if self._walk is not None:
            walk = self._end_walk()
            if walk.home is not None:
                walk.home.add(Kind.LOST, self.number, lost)
            self.is_opened = walk.home is not self.home
        self._tell(Kind.LOST, lost)
        self.is_opened = False
        for task in self._tasks:
            task.cancel()
        self._client.may_keep(-len(self._capsule))
        self._capsule = b""
        self._forget(len(self.retained))
        self._client.discard(self)

    def _tell(self, kind: Kind, body: bytes) -> None:
        if self.is_opened:
            self._add(kind, body)

    def hold_back(self, is_full: bool) -> None:
        """The wall takes no more for now, or again."""
        self._is_wall_full = is_full
        self._hold()

    def _hold(self) -> None:
        is_much = len(self.retained) >= self._client.config.retained_bytes
        is_held = is_much or self._is_wall_full
        if is_held is not self._is_held:
            self._is_held = is_held
            self._link.hold_input(is_held)

    # -- frames of this connection ---------------------------------------------------------------

    def show(self, data: bytes, seen: int, flags: int) -> None:
        """Output: written whole, with what it shows, when its last part has come."""
        if self._walk is not None:
            return
        if self._gathered:
            data, self._gathered = self._gathered + data, b""
        if flags & MORE and len(data) <= GATHERED_BYTES_MAX:
            self._gathered = data
            return
        self._had_session = True
        if self._packages is not None:
            self._pass_packages_on()
        if (kept := self._waiting_keep) is not None and not flags & MORE:
            self._keep(kept)
        if data:
            self._link.send(data)
        if seen:
            self._seen = seen
        if flags & SETTLED:
            self._done = self._begun
        self._unreported += len(data)
        if flags & ACKNOWLEDGE or self._unreported >= self._client.config.ack_bytes:
            self._acknowledge_or_owe()

    def _pass_packages_on(self) -> None:
        packages, self._packages, self._packages_bytes = self._packages, None, 0
        for package, count in packages or ():
            self._link.send_gmcp(package.package, package.text)
            self._unreported += count
        if self._unreported >= self._client.config.ack_bytes:
            self._acknowledge_or_owe()

    def _acknowledge_or_owe(self) -> None:
        if not self.acknowledge():
            self._client.owe(self)

    def acknowledge(self) -> bool:
        """Say how much was taken; whether all of it was."""
        backlog = self._link.backlog()
        taken = self._unreported - min(backlog, self._reported + self._unreported)
        if taken > 0 and (not backlog or taken >= self._client.config.ack_bytes):
            self._reported += taken
            self._unreported -= taken
            self._tell(Kind.TAKEN, encode_number(self._reported))
        return not backlog

    def on_frame(self, frame: Frame) -> None:
        """FrameError: the body does not decode, or cannot be true."""
        link = self._link
        if self._walk is not None:  # rule 3
            if frame.kind is Kind.ACCEPTED:
                self._arrive()
            elif frame.kind is Kind.CLOSE:
                self._walk_back()
            return
        if frame.kind is not Kind.ACCEPTED:  # which a game server says before a session begins
            self._had_session = True
        match frame.kind:
            case Kind.PROGRESS:
                self._note_progress(*decode_progress(frame))
            case Kind.GMCP:
                package = decode_body(Gmcp, frame)
                self._packages = self._packages or []
                self._packages.append((package, len(frame.body)))
                self._packages_bytes += len(frame.body)
                if not package.waits or self._packages_bytes > PACKAGES_BYTES_MAX:
                    self._pass_packages_on()
            case Kind.PROMPT_END:
                link.end_prompt()
            case Kind.SECRET:
                self._is_secret = frame.body == b"\1"
                link.set_echo(not self._is_secret)
            case Kind.NAMED:
                link.extend_login_deadline()
            case Kind.ADMITTED:
                self.is_admitted = True
                self._client.restarts.note_in(self.number)
                admitted = decode_body(Admitted, frame)
                link.mark_logged_in(admitted.name, is_regular=admitted.is_regular)
            case Kind.REFUSE:
                text = decode_body(Refuse, frame).text
                self._leave()
                link.refuse(text)
            case Kind.KEEP:
                kept = decode_body(Keep, frame)
                if kept.waits:
                    self._waiting_keep = kept
                else:
                    self._keep(kept)
            case Kind.TRY:
                task = asyncio.ensure_future(self._try(decode_body(Try, frame)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case Kind.CLOSE:
                self._close()

    def _keep(self, kept: Keep) -> None:
        self._waiting_keep, self._wait_text = None, kept.wait_text
        if self._client.may_keep(len(kept.capsule) - len(self._capsule)):
            self._capsule = kept.capsule

    def _note_progress(self, begun: int, done: int) -> None:
        if begun > self._offset:
            raise FrameError(f"PROGRESS {begun} of {self._offset}")
        self._begun, self._done = begun, done
        count = begun - self._retained_at
        if count > 0:
            self._forget(count)
            self._retained_at = begun
        self._hold()

    def _forget(self, count: int) -> None:
        """Wipe the first *count* retained bytes: a password may have been typed ahead [rule 1]."""
        was, self.retained = self.retained, self.retained[count:]
        was[:] = bytes(len(was))

    async def _try(self, asked: Try) -> None:
        link = self._link
        may = link.count_failure if asked.has_failed else link.may_try
        answer = Tried(asked.request, await may(asked.name))
        self._tell(Kind.TRIED, encode_body(answer))
