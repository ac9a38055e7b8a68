"""The composition root: the one file that knows every room.

Rule 1: rooms are made from the bottom up, restored from the journal, and only then do the doors
        open; they close in the opposite order.
Rule 2: everything that the machine provides (time, chance, disk, processes) comes in here, so
        that the simulation can put its own in the same places.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mudserver import config, doors, games
from mudserver.bots.pool import BotPool
from mudserver.clock import Clock
from mudserver.errors import JournalFailed, StartError
from mudserver.house.ceiling import Ceiling
from mudserver.house.hashing import Hasher, ThreadHasher
from mudserver.house.house import House
from mudserver.house.registrar import Registrar
from mudserver.house.tokens import Tokens
from mudserver.journal import Journal
from mudserver.lobby.parlour import Parlour
from mudserver.office import process
from mudserver.office.backups import Backups
from mudserver.office.control import Control
from mudserver.office.pulse import Pulse
from mudserver.office.retention import Retention
from mudserver.overview import Overview
from mudserver.people import zones
from mudserver.people.book import GuestBook
from mudserver.post import Post
from mudserver.session.doorman import HouseDoorman
from mudserver.session.listing import listing
from mudserver.session.reception import Reception
from mudserver.settings import changes, check, taken, told
from mudserver.tables.draft import MakeChance
from mudserver.tables.hall import Hall
from mudserver.transport import hostkeys, mssp
from mudserver.ui.ticker import Ticker
from variants.catalogue import Catalogue, build
from variants.kit.chance import SeededChance

log = logging.getLogger("house")

NO_SOCKETS: doors.Sockets = MappingProxyType({})
RESTORE_S = 0.25  # of setting up tables before the doors open; the rest follows
READ_AHEAD_S = 5.0  # from the start
SECRET_STREAM = "house/1"  # one record: what guests' codes are made with


@dataclass
class Machine:
    """What the world provides.  The simulation replaces it piece by piece."""

    clock: Clock
    journal: Any  # Journal, or a ledger of the same shape
    hasher: Hasher
    bots: Any  # BotPool, or players of the same shape
    rng: random.Random = field(default_factory=random.SystemRandom)
    seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    make_chance: MakeChance = SeededChance
    catalogue: Catalogue = field(default_factory=build)
    memory: Callable[[], int] = lambda: 0  # bytes that the process holds


class App:
    """The whole house.  `start` opens it with doors, `compose` without."""

    def __init__(self, settings: config.Config, machine: Machine, fingerprint: str = "") -> None:
        self.settings, self.machine = settings, machine
        clock, journal = machine.clock, machine.journal
        self.post = Post()
        self.registrar = Registrar(
            settings, clock, journal, machine.hasher, GuestBook(), machine.rng,
            Ceiling(machine.memory, settings.people.memory_mib_max),
        )  # fmt: skip
        self.hall = Hall(
            journal,
            self.post,
            clock,
            machine.bots,
            settings.tables,
            catalogue=machine.catalogue,
            rng=machine.rng,
            make_seed=machine.seed,
            make_chance=machine.make_chance,
            news=lambda text: self.house.news(text),
            moved=lambda person, table: self.house.moved(person, table),
        )
        self.parlour = Parlour(settings.chat, self.registrar.known_name)
        self.tokens = Tokens(b"")
        self.house = House(
            settings,
            clock,
            self.post,
            self.registrar,
            self.parlour,
            self.hall,
            self.tokens,
            machine.catalogue,
            fingerprint,
            machine.seed,
        )
        self.reception = Reception(
            self.house, settings, clock, Ticker(clock, settings.line.tick_ms)
        )
        self.doorman = HouseDoorman(self.registrar)
        self.control = Control()
        self.backups = Backups(settings, clock, machine.journal.copy)
        self.doors = doors.Doors(
            settings, clock, self.reception.answer, self.doorman, self._listing
        )
        self.started_ms = clock.now_ms()
        self.pulse = Pulse(journal.beat, settings.journal.heartbeat_s, clock)  # [H9]
        self.overview = Overview(
            settings, clock, self.house, self.reception, self.doors, journal, self.pulse
        )
        self.control.register("status", self.overview.status)
        self.retention = Retention(
            clock, journal.prune, settings.journal.keep_days, journal.last_alive_ms
        )
        self._chores: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Restore everything from the journal; nobody is in yet."""
        journal = self.machine.journal
        stored = journal.read(SECRET_STREAM)
        if not stored:
            secret = self.machine.seed()
            await journal.append(SECRET_STREAM, 1, secret)
        self.tokens.secret = bytes(stored[0].body) if stored else secret
        self.registrar.restore()
        self.hall.restore(RESTORE_S)
        self._chores = [
            asyncio.create_task(self.pulse.run(), name="heartbeat"),
            asyncio.create_task(self.retention.run(), name="retention"),
        ]

    def status(self) -> str:
        """One line for the service manager."""
        people, tables = len(self.parlour.names()), self.hall.open_count()
        trouble = "" if self.pulse.is_durable else "; the journal cannot be written"
        return f"people={people} tables={tables}{trouble}"

    def take(self, said: config.Config) -> None:
        """Other settings for a house that is open: what it can take it takes, and the log says
        of each one what it was; what has to wait for a start is named.

        Raises:
            StartError: They do not go together with what is open, or the certificate is wrong.
                Nothing was taken.
        """
        now = taken(self.settings, said)
        check(now)
        self.doors.take(now)  # the only one that can refuse
        self.machine.journal.take(now.journal)
        self.backups.take(now.backup)
        self.retention.take(now.journal.keep_days)
        self.registrar.take(now)
        self.hall.take(now.tables)
        self.parlour.take(now.chat, self.machine.clock.monotonic())
        self.house.take(now)
        self.reception.take(now)
        if self.tls_address:
            log.info("certificate read again file=%s", now.server.tls_cert)
        was, self.settings = self.settings, now
        self.overview.settings = now
        for line in told(changes(was, said)):
            log.info("%s", line)

    # -- the real machine ------------------------------------------------------------------------

    @classmethod
    async def start(cls, settings: config.Config, inherited: doors.Sockets = NO_SOCKETS) -> App:
        """The house on this machine, doors open.  StartError or ConfigError says why not.

        Args:
            inherited: Sockets that already listen, by the name of their door.
        """
        clock = Clock(asyncio.get_running_loop())
        playing = games.opened(settings.games)
        directory = Path(settings.server.data)
        journal = Journal.open(directory, clock.now_ms, settings.journal)
        bots = BotPool(settings.bots, playing.catalogue, playing.files, log=log.warning)
        app: App | None = None
        try:
            await bots.start(waits=False)
            is_new = not journal.streams("")
            is_forgetful = is_new and (directory / hostkeys.FILE_NAME).exists()
            keys = hostkeys.load_or_make(directory, may_make=is_new)
            hasher = ThreadHasher(settings.people)
            held = process.resident_bytes
            machine = Machine(
                clock, journal, hasher, bots, memory=held, catalogue=playing.catalogue
            )
            app = cls(settings, machine, keys.fingerprint)
            await app.open()
            await app._open_office(directory)
            await app.doors.open(keys, inherited)
            await app.overview.open(inherited)
            ahead = asyncio.create_task(_read_ahead(playing.catalogue), name="reading ahead")
            app._chores.append(ahead)
            if is_forgetful:
                log.warning("journal is new and the host key is not: all who came before are "
                            "unknown; if that is wrong, stop and restore a backup")  # fmt: skip
            for note in games.notes(playing.catalogue):  # a start that fails says only why
                log.info("%s", note)
        except BaseException as exc:
            if app is not None:
                await app.stop("")
            else:
                await bots.close()
                await journal.close()
            if isinstance(exc, JournalFailed):
                raise StartError(f"{directory} cannot be written: {exc}") from None
            raise
        return app

    async def _open_office(self, directory: Path) -> None:
        """What operators may ask for.  People can play without it."""
        self.control.register("copy", self.backups.copy)
        self.control.register("backed_up", self.backups.made)
        self.backups.start()
        try:
            await self.control.open(directory)
        except OSError as exc:
            log.error("control socket not open dir=%s err=%s", directory, exc.strerror)

    def _listing(self) -> mssp.Status:
        return listing(
            self.house,
            self.settings.server.name,
            self.started_ms,
            telnet=self.telnet_address,
            ssh=self.ssh_address,
            tls=self.tls_address,
        )

    @property
    def ssh_address(self) -> str:
        return self.doors.address(doors.SSH)

    @property
    def telnet_address(self) -> str:
        return self.doors.address(doors.TELNET)

    @property
    def tls_address(self) -> str:
        """Empty if there is no such door."""
        return self.doors.address(doors.TELNETS)

    async def stop(self, farewell: str) -> None:
        """Tell people, end their lines, finish what is being written, let go of the machine."""
        async with contextlib.AsyncExitStack() as last:  # from below; a bug in one spares the rest
            last.push_async_callback(self.machine.journal.close)
            last.callback(self.machine.hasher.close)
            last.push_async_callback(self.machine.bots.close)
            last.push_async_callback(self._still)
            last.push_async_callback(self.hall.close)
            last.push_async_callback(self.control.close)
            last.push_async_callback(self.backups.close)
            last.callback(self.overview.close)
            self.doors.close()
            self.reception.close(farewell)
            await self.doors.wait_closed()

    async def _still(self) -> None:
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)


async def _read_ahead(catalogue: Catalogue) -> None:
    """What games and clocks are asked for now and then: people come back first."""
    await asyncio.sleep(READ_AHEAD_S)
    for game in catalogue.values():
        await asyncio.to_thread(game.prepare)
    await asyncio.to_thread(zones.names)
