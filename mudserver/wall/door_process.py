"""The composition root of `mudserver door`: listeners and gate, and the wall behind them.

Rule 1: nothing here knows a person, a game or the journal (an import contract holds it to that).
Rule 2: the listeners open first; the door is ready when a game server has answered.
"""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Any

from mudserver.clock import Clock, wall_clock_ms
from mudserver.config import schema
from mudserver.config.load import describe_changes, diff_config, live_changes
from mudserver.errors import StartError
from mudserver.ops.control_socket import ControlSocket
from mudserver.source_budgets import DOOR_KINDS, SourceBudgets
from mudserver.transport import known_networks
from mudserver.transport.listener_manager import InheritedSockets, ListenerManager
from mudserver.transport.ssh import host_keys
from mudserver.version import version
from mudserver.wall.bodies import DOOR_PROTOCOLS, Handshake, common_protocol
from mudserver.wall.certificates import check_own
from mudserver.wall.door import DoorClient
from mudserver.wall.door_figures import last_restart, stats_row
from mudserver.wall.door_stats import DoorStats
from mudserver.wall.draining import Drain
from mudserver.wall.game_wall import GameWall
from mudserver.wall.settings import TLS_PREFIX, game_addresses, shared_settings

# Where one of them lies, clients know the host key already.
USED_FILES = ("journal.db", known_networks.FILE_NAME, host_keys.DOOR_FILE_NAME)

log = logging.getLogger("wall")


class DoorProcess:
    def __init__(self, config: schema.Config, clock: Clock, fingerprint: str, name: str) -> None:
        self.config, self.clock = config, clock
        self._fingerprint, self._name = fingerprint, name
        self._boot = f"{clock.now_ms():x}"
        self.budgets = SourceBudgets(config, clock, DOOR_KINDS)
        self.client = DoorClient(config.wall, clock, self._handshake, game_addresses(config))
        self.client.log_addresses = config.server.log_addresses
        self.listeners = ListenerManager(
            *(config, clock, self.client.open_connection, self.client.authenticator),
            *(self.client.status, self.budgets),
        )
        self.listeners.gate.on_failure = self.client.note_failure
        self.listeners.gate.stood_still_s = self.client.gaps_s
        self.listeners.gate.ban_of = self.client.ban_text
        self.stats = DoorStats(self.client, self.listeners.gate, clock)
        self.ended = asyncio.Event()  # by `mudserver drain`
        self.drain = Drain(self.client, self.listeners, clock, self.ended.set)
        self.stats.draining_s = self.drain.left_s
        self.control = ControlSocket()
        self.control.register("status", self.status)
        self.control.register("drain", self.drain.begin)

    @classmethod
    async def start(
        cls, config: schema.Config, inherited: InheritedSockets, name: str
    ) -> DoorProcess:
        """A door with open listeners and a game server behind them.  StartError says why not."""
        directory = Path(config.server.data)
        if any(it.startswith(TLS_PREFIX) for it in config.wall.games):
            check_own(config.wall.cert, f"door:{name}", wall_clock_ms())
        keys = _host_keys(directory)
        clock = Clock(asyncio.get_running_loop())
        door = cls(config, clock, keys.fingerprint, name)
        try:
            await door._open_control(directory)
            door.listeners.gate.known_networks.load(directory, keys.secret())
            await door.listeners.open(keys, inherited)
            door.stats.start()
            await door.client.start()
        except BaseException:
            await door.stop()
            raise
        return door

    async def _open_control(self, directory: Path) -> None:
        """Before a game server is there: an operator may ask why the door waits."""
        try:
            await self.control.open(directory, self._name)
        except OSError as exc:
            log.error("control socket unavailable dir=%s err=%s", directory, exc.strerror)

    def status(self) -> dict[str, Any]:
        """The answer to `mudserver status --door`, as plain values."""
        restarts = self.client.restarts
        games = [_game_row(wall) for wall in self.client.walls]
        return {
            "name": self._name,
            "version": version(),
            "now_ms": self.clock.now_ms(),
            "listeners": self.listeners.addresses(),
            "game": next(filter(None, games), None),
            "games": games,
            "gap_s": restarts.gap_s,
            **stats_row(self.stats.figures()),
            "restarts": {**restarts.counts, "last": last_restart([restarts.last])},
        }

    def _handshake(self) -> Handshake:
        return Handshake(
            *DOOR_PROTOCOLS,
            version=version(),
            name=self._name,
            boot=self._boot,
            pid=os.getpid(),
            fingerprint=self._fingerprint,
            settings=shared_settings(self.config),
            listeners=self.listeners.addresses(),
            redirects=len(self.client.walls) > 1,
        )

    def sd_status(self) -> str:
        """One line for the service manager."""
        behind = "" if self.client.is_open else "; no game server"
        draining = "" if self.drain.left_s() is None else "; draining"
        return f"connections={len(self.client.connections)}{behind}{draining}"

    def reconfigure(self, new_config: schema.Config) -> list[str]:
        """Apply what can change while running; a line for each change.  StartError: nothing did."""
        now = live_changes(self.config, new_config)
        self.listeners.reconfigure(now)
        self.budgets.reconfigure(now)
        self.client.log_addresses = now.server.log_addresses
        was, self.config = self.config, now
        lines = describe_changes(diff_config(was, new_config))
        for line in lines:
            log.info("%s", line)
        return lines

    async def stop(self) -> None:
        """Say farewell, and end all connections within `door.close_s`, and FAREWELL_S."""
        self.stats.stop()
        await self.control.close()
        self.listeners.close()
        await self.drain.say_farewell()
        await self.listeners.wait_closed()
        self.client.close()


def _game_row(wall: GameWall) -> dict[str, Any] | None:
    """A game server as plain values; None: it is not there."""
    if (game := wall.game) is None or not wall.is_open:
        return None
    return {
        "name": game.name,
        "version": game.version,
        "pid": game.pid,
        "protocol": common_protocol(DOOR_PROTOCOLS, game.protocols),
        "connections": len(wall.connections),
    }


def _host_keys(directory: Path) -> host_keys.HostKeys:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise StartError(f"{directory} cannot be used: {exc.strerror}") from None
    is_used = any((directory / name).exists() for name in USED_FILES)
    return host_keys.load_or_create(directory, may_create=not is_used)
