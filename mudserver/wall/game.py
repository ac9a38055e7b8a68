"""The game server's side of the wall: listens for doors, and makes links of their connections.

Rule 1: only processes of the server's own user, or of `wall.door_user`, are heard; the kernel says
        who they are.  A door of another machine shows a certificate (`tls.py`).
Rule 2: a door that speaks no protocol of ours is told which we speak, and closed.
Rule 3: when a wall breaks, its connections are lost to their sessions; the door keeps them.
Rule 4: what was typed is processed in small chunks, a few a turn among all connections of a door.
Rule 5: who comes from another game server is taken in when `may_come` says so; the door is told
        before anything else.  Who went to one, and comes back, is there in place of the first.
Rule 6: before another server takes over, nothing begins any more (`hold`), then nothing is said any
        more (`fall_silent`).  If it does not take over, all of it goes on (`release`).
Rule 7: who comes because another game server is gone waits until its tables are here, where they
        are just being restored (`is_taking_over`): the session would only take time from them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pwd
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.errors import StartError
from mudserver.logs import log_exception
from mudserver.ops.control_socket import bindable_name
from mudserver.transport.flow import InputTurns
from mudserver.transport.gate import FailedLogin
from mudserver.transport.link import Authenticator, HandlerFactory, Link
from mudserver.transport.telnet import mssp
from mudserver.wall.bodies import (
    BANS_MAX,
    BANS_PER_FRAME,
    Answer,
    Ask,
    Bans,
    Bye,
    Carry,
    Draining,
    Failed,
    Handshake,
    Late,
    Listing,
    Lost,
    Modules,
    NetworkBan,
    Open,
    Resize,
    Stats,
    Tried,
    common_protocol,
    decode_body,
    encode_body,
)
from mudserver.wall.frames import (
    FROM_DOOR,
    Frame,
    FrameError,
    Kind,
    decode_data,
    decode_number,
    encode_number,
)
from mudserver.wall.life_signs import SIGNS
from mudserver.wall.remote_connection import RemoteConnection
from mudserver.wall.settings import DOOR_NAME
from mudserver.wall.stream import WallStream
from mudserver.wall.tls import TlsListener

ASKS_MAX = 4_096  # questions of one door that are not answered
LISTING_S = 5.0
HANDSHAKE_S = 5.0  # from the connection of a door to its handshake
DOORS_MAX = 16
DEAD_S = 10.0  # a door that has not come again is dead
LOOK_S = 0.02  # between two looks whether tables are restored [rule 7]

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid; see unix(7)

log = logging.getLogger("wall")


class DoorPeer:
    """One door, as the game server sees it; owns its end of the wall."""

    def __init__(self, server: WallServer, number: int) -> None:
        self._server = server
        self.stream = WallStream(
            self, FROM_DOOR, server.clock, server.queue_bytes_max, f"door={number}"
        )
        self.connections: dict[int, RemoteConnection] = {}
        self.input_turns = InputTurns(server.clock)
        self.handshake: Handshake | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._listing: mssp.Status | None = None
        self._pings, self._pinged_at = 0, 0.0
        self.lag_s = 0.0  # of the last answer to PING
        self.stats: Stats | None = None  # None: not told yet

    # -- the stream's side -----------------------------------------------------------------------

    def on_made(self) -> None:
        if len(self._server.doors) >= DOORS_MAX:
            self.stream.close(f"more than {DOORS_MAX} doors")
            return
        if not (self.stream.is_encrypted or self._server.may_connect(self.stream.socket)):
            self.stream.close("the process is of another user; see wall.door_user")
            return
        self._server.add(self)
        self._server.clock.call_later(HANDSHAKE_S, self._check_handshake)

    def _check_handshake(self) -> None:
        if self.handshake is None and self.stream.is_open:
            self.stream.close(f"no handshake within {HANDSHAKE_S:.0f} s")

    def on_lost(self) -> None:
        self._server.discard(self)
        for task in self._tasks:
            task.cancel()
        connections, self.connections = self.connections, {}
        for connection in connections.values():
            connection.lose("wall")
        if self.handshake is not None:
            log.info("wall lost %s connections=%d", self.stream.label, len(connections))
            people = sum(connection.is_admitted for connection in connections.values())
            self._server.note_lost(self.handshake, people)

    def on_pause(self, is_paused: bool) -> None:
        """Connections see it in their backlogs."""

    def on_frame(self, frame: Frame) -> None:
        if self.handshake is None:
            self._shake_hands(frame)
            return
        if self._server.is_succeeded:
            return
        match frame.kind:
            case Kind.DATA:
                self._connection(frame).receive(*decode_data(frame))
            case Kind.TAKEN:
                self._connection(frame).note_taken(decode_number(frame))
            case Kind.OPEN:
                self._open(frame)
            case Kind.LOST:
                self._connection(frame).lose(decode_body(Lost, frame).why)
                del self.connections[frame.connection]
            case Kind.CARRY:
                carry = decode_body(Carry, frame)
                self._connection(frame).carry(carry.errand, carry.hops)
            case Kind.RESIZE:
                self._connection(frame).resize(decode_body(Resize, frame).terminal)
            case Kind.MODULES:
                self._connection(frame).set_modules(decode_body(Modules, frame).modules)
            case Kind.LATE:
                self._connection(frame).end_login(decode_body(Late, frame).sentence)
            case Kind.TRIED:
                self._connection(frame).note_tried(decode_body(Tried, frame))
            case Kind.ASK:
                self._answer(decode_body(Ask, frame))
            case Kind.FAILED:
                failed = decode_body(Failed, frame)
                login = FailedLogin(failed.name, failed.how, failed.protocol)
                self._server.on_failure(login, failed.left, failed.source)
            case Kind.PONG:
                if decode_number(frame) == self._pings:
                    self.lag_s = self._server.clock.monotonic() - self._pinged_at
            case Kind.STATS:
                self.stats = decode_body(Stats, frame)
            case Kind.DRAINING:
                visits = [connection.visit for connection in self.connections.values()]
                self._server.on_draining(visits, decode_body(Draining, frame).seconds)
            case _:
                raise FrameError(f"{frame.kind.name} out of place")

    def _connection(self, frame: Frame) -> RemoteConnection:
        """One that was closed here stays until the door says that it is lost."""
        found = self.connections.get(frame.connection)
        if found is None:
            raise FrameError(
                f"{frame.kind.name} of connection {frame.connection}, which is not open"
            )
        return found

    def _shake_hands(self, frame: Frame) -> None:
        if frame.kind is not Kind.HANDSHAKE:
            raise FrameError(f"{frame.kind.name} before the handshake")
        theirs, ours = decode_body(Handshake, frame), self._server.handshake()
        if not DOOR_NAME.fullmatch(theirs.name):
            raise FrameError("HANDSHAKE of a door without a usable name")
        self.stream.check_peer(f"door:{theirs.name}")
        self.stream.add(Kind.HANDSHAKE, 0, encode_body(ours))
        protocol = common_protocol(ours.protocols, theirs.protocols)
        if protocol is None:
            self._server.note_refused(theirs, self.stream.label)
            self.stream.finish()
            return
        self.handshake = theirs
        self.stream.label = f"door={theirs.name}"
        for key in sorted(ours.settings.keys() & theirs.settings.keys()):
            if ours.settings[key] != theirs.settings[key]:
                log.warning("settings differ %s key=%s", self.stream.label, key)
        log.info("wall open %s version=%s protocol=%d pid=%d", self.stream.label, theirs.version,
                 protocol, theirs.pid)  # fmt: skip
        self._server.note_shaken(theirs)
        self._server.on_door(theirs)
        self.tell_bans()
        self._say_hello_again()
        self._send_listing()

    def tell_bans(self) -> None:
        """The whole list each time: it is short, and seldom changes."""
        bans = self._server.bans()[:BANS_MAX]
        for first in range(0, max(1, len(bans)), BANS_PER_FRAME):
            part = tuple(bans[first : first + BANS_PER_FRAME])
            self.stream.add(Kind.BANS, 0, encode_body(Bans(part, is_first=first == 0)))

    def _say_hello_again(self) -> None:
        """Show that this process works."""
        if self.stream.is_open:
            self._pings, self._pinged_at = self._pings + 1, self._server.clock.monotonic()
            self.stream.add(Kind.PING, 0, encode_number(self._pings))
            ping_s = self._server.config.notice_s / SIGNS
            self._server.clock.call_later(ping_s, self._say_hello_again)

    def _send_listing(self) -> None:
        if self.stream.is_open:
            if (listing := self._server.status()) != self._listing:
                self._listing = listing
                values = {
                    name: value if isinstance(value, str) else tuple(value)
                    for name, value in listing.items()
                }
                self.stream.add(Kind.LISTING, 0, encode_body(Listing(values)))
            self._server.clock.call_later(LISTING_S, self._send_listing)

    # -- connections -----------------------------------------------------------------------------

    def _open(self, frame: Frame) -> None:
        number = frame.connection
        before = self.connections.get(number)
        if before is not None and not before.is_redirected:
            raise FrameError(f"OPEN of connection {number}, which is open")
        opened = decode_body(Open, frame)
        connection = RemoteConnection(
            *(self.stream, number, opened),
            *(self._server.config.ack_bytes, self.input_turns),
        )
        connection.may_redirect = self.handshake is not None and self.handshake.redirects
        self.connections[number] = connection
        if self._server.is_held:
            connection.hold()
        if opened.walk == "comes":
            self._begin(self._take_in(connection, opened))
            return
        if opened.is_again and self._server.is_taking_over():
            connection.hold()
            self._begin(self._take_later(connection, opened, before))
            return
        self._take(connection, opened)
        if before is not None:  # else the session in its place has ended it
            before.lose("moved")

    async def _take_in(self, connection: RemoteConnection, opened: Open) -> None:
        """[rule 5]"""
        try:
            may_come = await self._server.may_come(connection)
        except Exception as bug:
            log_exception(log, "connection failed", bug, session=connection.visit)
            may_come = False
        if self.connections.get(connection.number) is not connection:
            return
        if not may_come or self._server.is_held:
            connection.close()
            return
        self._take(connection, opened)

    async def _take_later(
        self, connection: RemoteConnection, opened: Open, before: RemoteConnection | None
    ) -> None:
        """[rule 7]"""
        is_early = True
        try:
            while is_early:
                await asyncio.sleep(LOOK_S)
                is_early = self._server.is_taking_over()
            if self.connections.get(connection.number) is connection:
                self._take(connection, opened)
                connection.release()
        finally:
            if before is not None:  # whatever has become of the one in its place
                before.lose("moved")

    def _take(self, connection: RemoteConnection, opened: Open) -> None:
        self.stream.add(Kind.ACCEPTED, connection.number)
        connection.start(self._server.open_session, opened.proven)

    def _begin(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- questions -------------------------------------------------------------------------------

    def _answer(self, ask: Ask) -> None:
        if len(self._tasks) >= ASKS_MAX:
            raise FrameError(f"more than {ASKS_MAX} questions at once")
        self._begin(self._find_answer(ask))

    async def _find_answer(self, ask: Ask) -> None:
        try:
            answer = await answer_of(self._server.authenticator, ask)
        except Exception as bug:
            log_exception(log, "question failed", bug, question=ask.question)
            return  # the door gives up after ask_s
        self.stream.add(Kind.ANSWER, 0, encode_body(answer))


async def nobody(link: Link) -> bool:
    return False


async def answer_of(authenticator: Authenticator, ask: Ask) -> Answer:
    """The answer of *authenticator* to a question of a door."""
    number, sentence = 0, None
    match ask.question:
        case "name_status":
            status, sentence = await authenticator.name_status(ask.name, ask.peer)
            return Answer(ask.request, status, sentence)
        case "has_key":
            number = await authenticator.has_key(ask.name, ask.fingerprint, ask.peer)
        case "new_key_obstacle":
            sentence = await authenticator.new_key_obstacle(ask.name, ask.key, ask.fingerprint)
        case "proven_key_obstacle":
            sentence = await authenticator.proven_key_obstacle(ask.fingerprint)
        case "check_password":
            number = await authenticator.check_password(ask.name, ask.password, ask.peer)
        case "other_keys":
            number = await authenticator.other_keys(ask.name)
        case "recover":
            sentence = await authenticator.recover(
                ask.name, ask.password, ask.peer, keeps_keys=ask.keeps_keys
            )
        case "register":
            sentence = await authenticator.register(
                ask.name, ask.password, ask.peer, is_again=ask.is_again
            )
    return Answer(ask.request, sentence=sentence, number=int(number))


class WallServer:
    """Listens for doors.

    Args:
        handshake: Says who we are, each time.
        status: What MSSP reports.
        on_failure: A login failed at a door: who, how many tries its source has left, the source.
        on_door: A door has shaken hands.
        on_draining: A door ends: its sessions by their ids, and in how many seconds.
    """

    def __init__(
        self,
        config: WallConfig,
        clock: Clock,
        open_session: HandlerFactory,
        authenticator: Authenticator,
        *,
        handshake: Callable[[], Handshake],
        status: mssp.StatusSource,
        on_failure: Callable[[FailedLogin, int, str], None],
        on_door: Callable[[Handshake], None],
        on_draining: Callable[[list[str], float], None],
    ) -> None:
        self.config, self.clock = config, clock
        self.open_session, self.authenticator = open_session, authenticator
        self.handshake, self.status = handshake, status
        self.bans: Callable[[], Sequence[NetworkBan]] = lambda: ()
        """Networks that are banned hard, the newest first."""
        self.may_come: Callable[[Link], Awaitable[bool]] = nobody
        """Whether who comes from another game server can be taken in."""
        self.is_taking_over: Callable[[], bool] = lambda: False
        """Whether tables of a server that is gone are being restored here, for a short time."""
        self.on_failure, self.on_door, self.on_draining = on_failure, on_door, on_draining
        self.queue_bytes_max = config.queue_mib_max * 1_048_576
        self.doors: list[DoorPeer] = []
        self.sessions_lost = Counter[str]()  # people whose door has died, by its name
        self._refused: tuple[str, ...] = ()  # doors that spoke no protocol of ours, by boot
        self._gone: dict[str, tuple[str, int]] = {}  # by boot: doors that may come again
        self.is_held = False  # rule 6
        self.is_succeeded = False  # another server has the connections
        self._door_count = 0
        self._server: asyncio.Server | None = None
        self.path: Path | None = None
        self.tls: TlsListener | None = None  # for doors of other machines
        self._no_tls = ("", "")  # whence somebody came last without the right certificate, and why

    async def open(self, path: Path) -> None:
        """Listen on the socket *path*; one that is there already is a leftover.  StartError."""
        self._uids = {os.getuid()} | user_ids(self.config.door_user)
        listening = listening_socket(path, 0o660 if self.config.door_user else 0o600)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(self._make_stream, sock=listening)
        self.path = path

    async def open_tls(self, context: ssl.SSLContext, host: str, port: int) -> None:
        """Listen for doors of other machines.  StartError."""
        self.tls = TlsListener(context, self.clock, self._make_stream, self._note_no_tls)
        await self.tls.open(host, port)

    def _note_no_tls(self, source: str, why: str) -> None:
        """A handshake failed: one line in the log, however often the same comes."""
        if (source, why) != self._no_tls:
            self._no_tls = source, why
            log.warning("wall refused from=%s error=%s", source, why)

    async def listen_again(self) -> None:
        """Another server has made the socket anew, and has died.  StartError: that fails."""
        if self._server is not None and self.path is not None:
            self._server.close()
            await self.open(self.path)

    def _make_stream(self) -> WallStream:
        self._door_count += 1
        return DoorPeer(self, self._door_count).stream

    def may_connect(self, door: Any) -> bool:
        """Whether a door's process on this machine may be heard [rule 1]."""
        raw = door.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        return _CREDENTIALS.unpack(raw)[1] in self._uids

    def add(self, door: DoorPeer) -> None:
        self.doors.append(door)

    def discard(self, door: DoorPeer) -> None:
        if door in self.doors:
            self.doors.remove(door)

    def tell_bans(self) -> None:
        """The list of networks that are banned has changed."""
        for door in self.doors:
            if door.handshake is not None:
                door.tell_bans()

    def note_refused(self, door: Handshake, label: str) -> None:
        """A door speaks no protocol of ours: one line in the log, however often it comes."""
        if door.boot not in self._refused:
            self._refused = (*self._refused[-DOORS_MAX:], door.boot)
            log.warning("wall refused %s name=%s speaks=%s-%s game=%s-%s", label, door.name,
                        *door.protocols, *self.handshake().protocols)  # fmt: skip

    def note_lost(self, door: Handshake, people: int) -> None:
        """A door is gone with connections of *people*: it comes again soon, or it has died."""
        if people:
            self._gone[door.boot] = door.name, people
            self.clock.call_later(DEAD_S, partial(self._count_lost, door.boot))

    def _count_lost(self, boot: str) -> None:
        if (gone := self._gone.pop(boot, None)) is not None:
            name, people = gone
            self.sessions_lost[name] += people

    def note_shaken(self, door: Handshake) -> None:
        self._gone.pop(door.boot, None)
        self.sessions_lost[door.name] += 0

    def door_protocols(self) -> tuple[tuple[str, int, int], ...]:
        """Of each door its name, and what it speaks from oldest to newest."""
        shaken = [door.handshake for door in self.doors if door.handshake is not None]
        return tuple((hand.name, *hand.protocols) for hand in shaken)

    def door_addresses(self) -> dict[str, str]:
        """Where the doors listen, by name of the listener."""
        shaken = [door.handshake for door in self.doors if door.handshake is not None]
        return {name: at for hand in shaken for name, at in hand.listeners.items()}

    # -- another server takes over -----------------------------------------------------------------

    def hold(self) -> None:
        self.is_held = True
        for connection in self._connections():
            connection.hold()

    def fall_silent(self) -> None:
        for door in self.doors:
            door.stream.hold()

    def release(self) -> None:
        if not self.is_held:  # the handover has failed before anything was held
            return
        self.is_held = False
        for door in self.doors:
            door.stream.release()
        for connection in self._connections():
            connection.release()

    def is_handled(self) -> bool:
        """Whether the sessions have done all lines that have begun."""
        return all(connection.is_handled for connection in self._connections())

    def _connections(self) -> list[RemoteConnection]:
        return [each for door in self.doors for each in door.connections.values()]

    def connections_by_visit(self) -> dict[str, RemoteConnection]:
        """Those whose sessions are here."""
        return {each.visit: each for each in self._connections() if not each.is_redirected}

    def tell_leaving(self) -> None:
        """Nobody new should come here."""
        for door in self.doors:
            if door.handshake is not None:
                door.stream.add(Kind.LEAVING)

    def close(self, why: str, *, is_succeeded: bool = False, moves: bool = False) -> None:
        """Tell the doors that this server ends; they keep their connections.

        Args:
            is_succeeded: Another server listens on the socket of this one.
            moves: Other game servers have its sessions; none is told anything here.
        """
        if self._server is not None:
            self._server.close()
        if self.tls is not None:
            self.tls.close()
        self.is_succeeded = is_succeeded or moves
        successor = self.path.name if is_succeeded and self.path is not None else ""
        for door in list(self.doors):
            if self.is_succeeded:
                door.connections.clear()  # their sessions are elsewhere
            door.stream.finish((Kind.BYE, encode_body(Bye(why, successor, moves=moves))))
        if self.path is not None and not is_succeeded:
            self.path.unlink(missing_ok=True)


def listening_socket(path: Path, mode: int) -> socket.socket:
    """A socket called *path* that only those whom *mode* names can open.  StartError."""
    listening = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        os.fchmod(listening.fileno(), mode)  # before the name exists that others could open
        with bindable_name(path) as name:
            listening.bind(name)
            os.chmod(name, mode)  # whatever the umask has taken away
    except OSError as exc:
        listening.close()
        raise StartError(f"cannot listen on {path}: {exc.strerror}") from None
    return listening


def user_ids(name: str) -> set[int]:
    """The id of a user; none for "".  StartError: there is no such user."""
    if not name:
        return set()
    try:
        return {pwd.getpwnam(name).pw_uid}
    except KeyError:
        raise StartError(f"wall.door_user: there is no user {name}") from None
