"""Several servers on one PostgreSQL, each a process with a data directory of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.certificate import certificate
from tests.e2e.client import Server
from tests.e2e.conftest import QUICK


class Servers:
    """Args: settings: more of them, as lines."""

    def __init__(self, directory: Path, address: str, settings: str = "") -> None:
        self._directory, self._address = directory, address
        self._settings = settings
        self._all: dict[str, Server] = {}

    def start(self, name: str) -> Server:
        """All have the host key of the first one, as `docs/hosting-many.md` says."""
        place = self._directory / name
        place.mkdir()
        certificate(place)
        (place / "tests.toml").write_text(QUICK + self._settings)
        options = ("--set", f"journal.postgres={self._address}", "--set", f"journal.server={name}")
        server = Server(place / "data", "--config", str(place / "tests.toml"), *options)
        for first in self._all.values():
            server.data.mkdir(mode=0o700)
            shutil.copy2(next(first.data.glob("*host*key*")), server.data)
            break
        self._all[name] = server
        return server.start()

    def stop(self) -> None:
        for server in self._all.values():
            server.stop()
            said = server.log_text()
            assert not any(each in said for each in ("bug", "table failed", "following failed"))
