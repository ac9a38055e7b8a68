"""Several servers on one PostgreSQL, each a process with a data directory of its own."""

from __future__ import annotations

import json
import select
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar, Self

from tests.certificate import certificate
from tests.e2e.client import START_S, Client, Server
from tests.e2e.conftest import QUICK


class Door(Server):
    """`mudserver door`."""

    COMMAND = "door"


class Game(Server):
    """`mudserver game`: it has no listener of its own."""

    READY: ClassVar[str] = "ready game="

    def start(self) -> Self:
        self.process = self.begun("game", "--data", str(self.data), *self.extra)
        assert self.process.stdout is not None
        is_told = select.select([self.process.stdout], [], [], START_S)[0]
        ready = self.process.stdout.readline() if is_told else ""
        assert ready.startswith(self.READY), f"{ready!r}; see {self.log_text()}"
        return self


class Servers:
    """Args: settings: as lines, behind those of *quick*."""

    def __init__(
        self, directory: Path, address: str, settings: str = "", quick: str = QUICK
    ) -> None:
        self._directory, self._address = directory, address
        self._settings = quick + settings
        self._all: dict[str, Server] = {}

    def start(self, name: str) -> Server:
        """All have the host key of the first one, as `docs/hosting-many.md` says."""
        place = self._directory / name
        place.mkdir()
        certificate(place)
        (place / "tests.toml").write_text(self._settings)
        options = ("--set", f"journal.postgres={self._address}", "--set", f"journal.server={name}")
        server = Server(place / "data", "--config", str(place / "tests.toml"), *options)
        for first in self._all.values():
            server.data.mkdir(mode=0o700)
            shutil.copy2(next(first.data.glob("*host*key*")), server.data)
            break
        self._all[name] = server
        return server.start()

    def start_game(self, name: str) -> Game:
        """A server behind `open_door`."""
        place = self._directory / name
        place.mkdir()
        certificate(place)
        (place / "tests.toml").write_text(self._settings)
        options = {
            "journal.postgres": self._address,
            "journal.server": name,
            "wall.socket": str(place / "game.sock"),
        }
        given = [word for key, value in options.items() for word in ("--set", f"{key}={value}")]
        game = Game(place / "data", "--config", str(place / "tests.toml"), *given)
        self._all[name] = game
        return game.start()

    def open_door(self, *games: Game, name: str = "door") -> Door:
        place = self._directory / name
        place.mkdir()
        certificate(place)
        sockets = json.dumps([str(game.data.parent / "game.sock") for game in games])
        (place / "tests.toml").write_text(self._settings)
        options = ("--config", str(place / "tests.toml"), "--set", f"wall.games={sockets}")
        door = Door(place / "data", *options)
        self._all = {name: door, **self._all}  # it ends first
        door.start()
        return door

    def stop(self) -> None:
        """Without clients: a server waits for those that do not read as long as `door.close_s`."""
        for client in Client.running:
            client.hang_up()
        ends = [(server, _ended(server)) for server in self._all.values()]
        for server, is_ended in ends:
            said = server.log_text()
            assert is_ended, said[-1_000:]
            assert not any(each in said for each in ("bug", "table failed", "following failed"))


def _ended(server: Server) -> bool:
    """Whether SIGTERM has ended it, on a busy machine, too; else it is killed here."""
    try:
        server.stop(START_S)
    except subprocess.TimeoutExpired:
        server.kill()
        return False
    return True
