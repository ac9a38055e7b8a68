"""The server on this machine: its clock, journal, host key and processes, and then `App`.

Rule 1: what fails is one sentence for the operator, and nothing stays open.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from functools import partial
from pathlib import Path
from types import MappingProxyType

from mudserver import game_files
from mudserver.app import App
from mudserver.bots.pool import BotPool
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import JournalWriteError, StartError
from mudserver.journal.fed_store import FedStore
from mudserver.journal.opening import open_journal
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.streams import SERVER_STREAMS
from mudserver.ops import process_stats
from mudserver.platform import Platform
from mudserver.service.password_hasher import ThreadPasswordHasher
from mudserver.service.preloading import Load, preload
from mudserver.session.screen_factory import load_full_screen
from mudserver.standby import garbage
from mudserver.standby.waiting import Operator, Standby
from mudserver.transport.listener_manager import InheritedSockets
from mudserver.transport.ssh import host_keys

log = logging.getLogger("mudserver")

NO_SOCKETS: InheritedSockets = MappingProxyType({})
NO_HOST_KEYS = host_keys.HostKeys((), "")  # the door has them
METRICS_TRIES, METRICS_RETRY_S = 40, 0.25


async def start(
    config: schema.Config,
    inherited: InheritedSockets = NO_SOCKETS,
    *,
    is_behind_doors: bool = False,
) -> App:
    """The server on this machine, listeners open.  StartError or ConfigError says why not.

    Args:
        inherited: Sockets that already listen, by the name of their listener.
        is_behind_doors: Doors hold the connections; the only listener is for doors.
    """
    clock = Clock(asyncio.get_running_loop())
    games = _load_games(config)
    directory = Path(config.server.data)
    journal = await open_journal(directory, clock.now_ms, config.journal)
    bots = BotPool(config.bots, games.catalogue, games.files, log=log.warning)
    app: App | None = None
    try:
        await bots.start(wait_until_ready=False)
        has_begun = await journal.streams(SERVER_STREAMS.prefix)  # of all streams there are many
        is_new = not (has_begun or await journal.streams(""))
        is_journal_lost = is_new and (directory / host_keys.FILE_NAME).exists()
        keys = NO_HOST_KEYS
        makes_key = is_new and not config.wall.door_user  # else the doors make it
        if makes_key or not is_behind_doors or (directory / host_keys.FILE_NAME).exists():
            keys = host_keys.load_or_create(directory, may_create=is_new)
        hasher, memory_bytes = ThreadPasswordHasher(config.people), process_stats.resident_bytes
        platform = Platform(
            clock, journal, hasher, bots, memory_bytes=memory_bytes, catalogue=games.catalogue
        )
        app = App(config, platform, keys.fingerprint or host_keys.door_key(directory))
        app.note_door_key = partial(host_keys.note_door_key, directory, keys.fingerprint)
        await app.restore()
        if is_behind_doors:
            garbage.put_off(clock)
            await app.serve()
        else:
            app.run_in_background()
            await app.open_ops(directory)
            app.listeners.gate.known_networks.load(directory, app.resume_codes.secret)
            await app.listeners.open(keys, inherited)
        await app.server_status.open(inherited)
        loading = preload(games.catalogue, _screens_to_load(config))
        app.background_tasks.append(asyncio.create_task(loading))
        if is_journal_lost and not is_behind_doors:  # a door may have made the key
            log.warning("journal is empty but a host key exists: no earlier accounts; "
                        "if this is unexpected, stop and restore a backup")  # fmt: skip
        for note in game_files.game_notes(games.catalogue):  # only once the start succeeded
            log.info("%s", note)
    except BaseException as exc:
        if app is not None:
            await app.stop("")
        else:
            await bots.close()
            await journal.close()
        if isinstance(exc, JournalWriteError):
            is_remote = bool(config.journal.postgres)
            what = "journal.postgres" if is_remote else f"{directory} cannot be written"
            raise StartError(f"{what}: {exc}") from None
        raise
    return app


async def wait(config: schema.Config, operator: Operator) -> App:
    """A standby; the server, once it is active.  StartError or ConfigError says why not."""
    clock = Clock(asyncio.get_running_loop())
    games = _load_games(config)
    directory = Path(config.server.data)
    keys = NO_HOST_KEYS
    if (directory / host_keys.FILE_NAME).exists():
        keys = host_keys.load_or_create(directory, may_create=False)
    bots = BotPool(config.bots, games.catalogue, games.files, log=log.warning)
    hasher = ThreadPasswordHasher(config.people)

    def make(fed: FedStore) -> App:
        journal = SqliteJournal(fed, None, clock.now_ms, config.journal)
        platform = Platform(
            *(clock, journal, hasher, bots),
            memory_bytes=process_stats.resident_bytes,
            catalogue=games.catalogue,
        )
        app = App(config, platform, keys.fingerprint or host_keys.door_key(directory))
        app.note_door_key = partial(host_keys.note_door_key, directory, keys.fingerprint)
        return app

    to_load = preload(games.catalogue, _screens_to_load(config), delay_s=0.0)
    loading = asyncio.create_task(to_load, name="preload")
    try:
        await bots.start(wait_until_ready=False, begins_now=True)
        app = await Standby(directory, clock, make, operator).run()
    except BaseException:
        loading.cancel()
        await bots.close()
        hasher.close()
        raise
    app.background_tasks += [
        loading,
        asyncio.create_task(_open_metrics(app), name="metrics"),
    ]
    return app


def _load_games(config: schema.Config) -> game_files.LoadedGames:
    """The games.  What is loaded by now stays: the garbage collector need not look at it again."""
    games = game_files.load_games(config.games)
    gc.freeze()
    return games


def _screens_to_load(config: schema.Config) -> dict[str, Load]:
    """Full screens, where there may be any: their modules take 4.5 MiB."""
    return {"full_screen": load_full_screen} if config.session.full_screens_max else {}


async def _open_metrics(app: App) -> None:
    """The server before may still have the address."""
    for _ in range(METRICS_TRIES):
        try:
            await app.server_status.open({})
            return
        except StartError as exc:
            last = exc
            await asyncio.sleep(METRICS_RETRY_S)
    log.error("no metrics error=%s", last)
