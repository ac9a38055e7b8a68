"""The whole server without a machine: fake lines, a disk in memory, players in the process.

What a person receives are the bytes that would have gone to the terminal, so that tests compare
exactly what a terminal would show.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.app import App
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import StartError
from mudserver.platform import Platform
from mudserver.protocols import ProtocolName
from mudserver.transport.link import (
    AuthenticatedUser,
    Authenticator,
    JsonProtocol,
    LinkHandler,
    LostReason,
    Terminal,
)
from tests.inline_bots import InlineBots
from tests.memory_journal import Disk, MemoryJournal, _Item
from tests.simulation.process import OWNED, PROCESS, Process
from variants.catalogue import Catalogue, build_catalogue
from variants.kit.chance import SeededChance

ANSI = Terminal("xterm-256color", 80, 24, is_ansi=True, is_character_mode=True, colours="256")
WALL_MS = 1_800_000_000_000  # when every simulation begins
FOR_DAYS = schema.JournalConfig(heartbeat_s=600.0)  # of virtual time, in which little happens


async def at_once(call: Callable[..., Any], *args: Any) -> Any:
    """In place of a thread."""
    return call(*args)


class FakeHasher:
    """Passwords without the cost; the order of events is that of the real one."""

    async def hash(self, password: str, source: str) -> str:
        await asyncio.sleep(0.02)
        return f"hash of {password}"

    async def verify(self, hashed: str | None, password: str, source: str) -> bool:
        await asyncio.sleep(0.02)
        return hashed == f"hash of {password}"

    def close(self) -> None: ...


class FakeLink:
    """A line whose other end is the test."""

    speaks_gmcp = False  # asks for all packages
    wants_export = False
    wanted_game = ""
    refused = ""  # what was said on the error stream
    visit = ""
    lost_why: LostReason | None = None
    holder = None

    def __init__(
        self, terminal: Terminal = ANSI, protocol: ProtocolName = "telnet",
        peer: str = "198.51.100.7", wants_json: bool = False,
        json_protocol: JsonProtocol = 1,
    ) -> None:  # fmt: skip
        self.peer, self.terminal, self.wants_json = peer, terminal, wants_json
        self.protocol: ProtocolName = "json" if wants_json else protocol
        self.json_protocol = json_protocol
        self.handler: LinkHandler | None = None
        self.received: list[tuple[float, bytes]] = []  # virtual seconds, bytes
        self.is_open, self.is_logged_in = True, False
        self.tries_left = 12  # of this source
        self.is_stalled = False  # the other end does not read
        self.queued = 0
        self._unread: list[bytes] = []

    def send(self, data: bytes, seen: int = 0) -> None:
        if not self.is_open:
            return
        if self.is_stalled:
            self.queued += len(data)
            self._unread.append(data)
            if self.queued > schema.DoorLimits().output_bytes_max:
                self.drop()
            return
        self.received.append((asyncio.get_running_loop().time(), data))

    def backlog(self) -> int:
        return self.queued

    @property
    def modules(self) -> tuple[tuple[str, int], ...] | None:
        if not self.speaks_gmcp:
            return None
        return ("char", 1), ("comm", 1), ("lockdown", self.json_protocol)

    def hold_input(self, is_held: bool) -> None:
        self.is_held = is_held

    def set_echo(self, is_on: bool) -> None: ...

    def end_prompt(self) -> None: ...

    def accepts_gmcp(self, package: str) -> bool:
        return self.speaks_gmcp and self.is_logged_in and self.is_open

    def send_gmcp(self, package: str, text: str) -> None:
        if self.accepts_gmcp(package):
            self.send(b"\xff\xfa\xc9" + f"{package} {text}".encode() + b"\xff\xf0")

    def extend_login_deadline(self) -> None: ...

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        self.is_logged_in = True

    async def may_try(self, name: str) -> bool:
        return self.tries_left > 0

    async def count_failure(self, name: str) -> bool:
        self.tries_left -= 1
        return self.tries_left > 0

    def refuse(self, text: str) -> None:
        self.refused = text
        self.close()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            asyncio.get_running_loop().call_soon(self._gone)

    def drop(self) -> None:
        """The line breaks: no goodbye from either side."""
        self.lost_why = "closed"
        self.close()

    def read_on(self) -> None:
        """The other end reads again, and gets what has waited."""
        self.is_stalled, self.queued = False, 0
        unread, self._unread = self._unread, []
        for data in unread:
            self.send(data)

    def _gone(self) -> None:
        if self.handler is not None:
            self.handler.on_disconnect()

    @property
    def heard(self) -> bytes:
        return b"".join(data for _, data in self.received)

    @property
    def text(self) -> str:
        """What was heard, without sequences, returns and packages."""
        return without_packages(self.heard)

    @property
    def packages(self) -> list[tuple[str, Any]]:
        """What came by GMCP."""
        sent = re.findall(rb"\xff\xfa\xc9(\S+) (.*?)\xff\xf0", self.heard, re.DOTALL)
        return [(name.decode(), json.loads(text)) for name, text in sent]

    def text_since(self, mark: int) -> str:
        """The same from the *mark*-th write on; `len(link.received)` is a mark."""
        return plain(b"".join(data for _, data in self.received[mark:]))


class LingeringLink(FakeLink):
    """A line whose client takes its time to close: the door's end is closed and waits for it."""

    is_closing = False

    def send(self, data: bytes, seen: int = 0) -> None:
        if not self.is_closing:
            super().send(data, seen)

    def close(self) -> None:
        self.is_closing = True

    def let_go(self) -> None:
        super().close()


def without_packages(heard: bytes) -> str:
    return plain(re.sub(rb"\xff\xfa.*?\xff\xf0", b"", heard, flags=re.DOTALL))


def plain(data: bytes) -> str:
    """Terminal output without sequences and returns."""
    return re.sub(
        r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]2;[ -~]*\x1b\\|\r", "", data.decode("utf-8", "replace")
    )


class DoomedJournal(MemoryJournal):
    """Its server can die at the worst moment: a record is durable and nobody has heard of it."""

    dies_after: int | None = None  # so many records from now
    died: asyncio.Event
    _held: list[_Item] | None = None  # what was appended since `hold`

    def doom(self, records: int) -> asyncio.Event:
        """Die with the *records*-th record from now; the event is set when it has happened."""
        self.dies_after, self.died = records, asyncio.Event()
        return self.died

    # -- another server, as of the journal in SQLite ---------------------------------------------

    async def hold(self) -> None:
        last = self._hand_in(())
        self._held = []
        await last

    async def prepare_to_let_go(self) -> None: ...

    async def let_go(self) -> None:
        self.disk.owner = None

    async def take_back(self) -> None:
        if self.disk.owner is not None:
            raise StartError("another server has the disk")
        self.disk.owner = self
        self.resume()

    def wait_for_resume(self) -> None:
        """As a standby does that has taken over, until it may write."""
        self._held = []

    async def give_up(self, fed: object) -> None:
        self.disk.owner = None

    def resume(self) -> None:
        held, self._held = self._held or [], None
        for item in held:
            self._enqueue(item)

    def _enqueue(self, item: _Item) -> None:
        if self._held is None:
            super()._enqueue(item)
        else:
            self._held.append(item)

    def _keep(self, item: _Item) -> None:
        super()._keep(item)
        if item.entries and self.dies_after is not None:
            self.dies_after -= 1
            if self.dies_after <= 0:
                self.disk.owner = None  # nothing more is written, nothing more completes
                item.future.cancel()
                self.died.set()


@dataclass
class World:
    """What outlives a server: the disk and the seeds."""

    seed: int
    disk: Disk
    settings: schema.Config
    make_chance: Callable[..., object] = SeededChance
    runs: int = 0
    catalogue: Catalogue = field(default_factory=build_catalogue)


def new_world(seed: int, **sections: object) -> World:
    settings = replace_sections(schema.Config(), **sections)
    return World(seed, Disk(), settings)


def replace_sections(settings: schema.Config, **sections: object) -> schema.Config:
    import msgspec

    return msgspec.structs.replace(settings, **sections)


class SimServer:
    """One run of the server over a world; `die` is SIGKILL, `stop` is SIGTERM."""

    def __init__(
        self, world: World, wall_ms: int | None = None, bots: object | None = None,
        memory: Callable[[], int] = lambda: 0,
        make_journal: Callable[[Callable[[], int]], Any] | None = None,
    ) -> None:  # fmt: skip
        """Args: make_journal: given the clock; None: a journal in memory that `die` ends."""
        self.world = world
        self.process = PROCESS.get() or Process()
        self.is_serving = self.is_dead = False
        loop = asyncio.get_running_loop()
        start_ms = WALL_MS + int(loop.time() * 1000) if wall_ms is None else wall_ms
        self.clock = Clock(loop, start_ms)
        rng = random.Random(f"{world.seed}/{world.runs}")
        world.runs += 1
        self.journal = (make_journal or self._in_memory)(self.clock.now_ms)
        machine = Platform(
            self.clock, self.journal, FakeHasher(), bots or InlineBots(catalogue=world.catalogue),
            rng, lambda: rng.getrandbits(256).to_bytes(32, "big"),
            world.make_chance,  # type: ignore[arg-type]
            world.catalogue, memory, at_once,
        )  # fmt: skip
        self.app = App(world.settings, machine)

    def _in_memory(self, now_ms: Callable[[], int]) -> DoomedJournal:
        return DoomedJournal(now_ms, self.world.disk, self.world.settings.journal, delay_s=0.001)

    async def open(self) -> SimServer:
        await self.app.restore()
        await self.serve()
        return self

    async def serve(self) -> None:
        self.app.run_in_background()
        self.is_serving = True

    def resumed_count(self) -> int:
        return self.app.resumed_count()

    async def die(self) -> None:
        """Every task of the server ends where it stands; nothing is written any more."""
        disk = self.journal.disk
        if disk.owner is self.journal:
            disk.owner = None
        self.is_dead = True
        await self.process.kill()
        self.app.session_manager._idle_timer.cancel()  # one that comes again and again
        me = asyncio.current_task()
        mine = [
            t for t in asyncio.all_tasks()
            if t is not me and t not in OWNED and not t.get_name().startswith("sim")
        ]  # fmt: skip
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)

    async def stop(self) -> None:
        await self.app.stop("Goodbye.")

    @property
    def authenticator(self) -> Authenticator:
        return self.app.authenticator

    def connect(self, link: FakeLink, proven: AuthenticatedUser | None = None) -> FakeLink:
        if proven is not None and not proven.at_ms:  # authentication has just completed
            proven = replace(proven, at_ms=self.clock.now_ms())
        link.handler = self.app.session_manager.open_session(link, proven)
        return link

    def person(
        self, name: str, terminal: Terminal = ANSI, *, is_program: bool = False,
        speaks_gmcp: bool = False, json_protocol: JsonProtocol = 1,
        connect: Callable[[FakeLink, AuthenticatedUser], object] | None = None,
    ) -> Seatholder:  # fmt: skip
        """Somebody who comes in by a key over SSH; the name is claimed on the first visit.

        Args:
            connect: Hands the line to a door; None: there is none.
        """
        proven = proven_by_key(
            name, is_known=self.app.account_service.name_status(name)[0] == "known"
        )
        link = FakeLink(
            replace(terminal), "ssh", f"198.51.100.{len(name)}", is_program, json_protocol
        )
        link.speaks_gmcp = speaks_gmcp
        (connect or self.connect)(link, proven)
        return Seatholder(name, link)

    def guest(
        self, terminal: Terminal = ANSI, *, is_program: bool = False,
        json_protocol: JsonProtocol = 1,
    ) -> Seatholder:  # fmt: skip
        link = FakeLink(terminal, "ssh", wants_json=is_program, json_protocol=json_protocol)
        return Seatholder("guest", self.connect(link, AuthenticatedUser("guest", "guest")))


@dataclass
class Seatholder:
    """A person at a fake line, or a program."""

    name: str
    link: FakeLink

    def type(self, line: str) -> None:
        self.press(line.encode() + b"\r")

    def press(self, keys: bytes) -> None:
        if self.link.wants_json:  # has no keys, only whole lines
            *lines, _ = keys.decode().split("\r")
            keys = b"".join([json.dumps({"line": line}).encode() + b"\n" for line in lines])
        self.write(keys)

    def write(self, data: bytes) -> None:
        if self.link.is_open and self.link.handler is not None:
            self.link.handler.on_data(data)

    @property
    def objects(self) -> list[dict[str, Any]]:
        """What a program has read."""
        return [json.loads(row) for row in self.link.heard.splitlines()]

    @property
    def text(self) -> str:
        return self.link.text

    def forget(self) -> None:
        self.link.received.clear()

    @property
    def is_asked(self) -> bool:
        return self.text.rstrip(" ").endswith("your turn>")

    async def moves(self) -> list[str]:
        """What `moves` lists now."""
        self.forget()
        self.type("moves")
        await asyncio.sleep(0.1)
        return re.findall(r"(?m)^- (.+?)\s*$", self.text)


def proven_by_key(name: str, *, is_known: bool) -> AuthenticatedUser:
    """As the SSH listener says it of somebody with a key of that name's own."""
    key = _key_of(name)
    return AuthenticatedUser(name, "key" if is_known else "newkey", key, parse_public_key(key)[1])


def _key_of(name: str) -> str:
    """A well-formed ed25519 public key that belongs to nobody."""
    import base64
    import hashlib

    raw = hashlib.sha256(name.encode()).digest()
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + raw
    return "ssh-ed25519 " + base64.b64encode(blob).decode()
