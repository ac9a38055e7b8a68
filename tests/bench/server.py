"""The whole server, listening, with the limits raised that a crowd from one address would meet.

Rule 1: nothing of the server is left out or replaced: it is `machine.start` with a configuration.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from mudserver import machine, metrics
from mudserver.accounts import time_zones
from mudserver.config import schema
from tests.bench.child import SENT, Gauge, obey
from tests.memory import give_back

MANY = 1_000_000
TEXT = "good evening to everybody who is in the lobby tonight"  # a row of sixty with its speaker


def settings(data: Path) -> schema.Config:
    return schema.Config(
        server=schema.ServerConfig(ssh="127.0.0.1:0", telnet="127.0.0.1:0", data=str(data)),
        door=schema.DoorLimits(
            waiting_max=MANY,
            new_per_s=MANY,
        ),
        chat=schema.ChatLimits(
            per_s=MANY,
            burst=MANY,
            guest_per_s=MANY,
            repeats_max=MANY,
            channel_per_s=MANY,
            deliveries_per_s=MANY,
        ),
        session=schema.SessionLimits(lines_per_s=MANY, lines_burst=MANY),
        people=schema.PeopleLimits(sessions_max=MANY, guests_max=MANY),
        sources=schema.SourceLimits(exempt=("127.0.0.0/8",), registrations_per_hour=MANY),
        tables=schema.TablesConfig(changed_per_person_s=0.0),
        wall=schema.WallConfig(notice_s=60),  # a process that is stopped is not missed
    )


class Server(Gauge):
    def __init__(self, data: Path) -> None:
        self._settings = settings(data)

    async def listen(self) -> dict[str, int]:
        await self._start(is_behind_doors=False)
        return {
            "ssh": schema.split_address(self._app.listeners.address("ssh"))[1],
            "telnet": schema.split_address(self._app.listeners.address("telnet"))[1],
        }

    async def listen_for_doors(self, directory: str, address: str = "", name: str = "") -> None:
        """Listen for doors of `tests.bench.door`, with the data in *directory*.

        Args:
            address: Of the PostgreSQL that has the journal, for several servers; "": SQLite.
            name: Of this one of several.
        """
        journal = schema.JournalConfig(postgres=address, server=name)
        self._settings = replace(settings(Path(directory)), journal=journal)
        await self._start(is_behind_doors=True)

    def live_servers(self) -> int:
        """How many of those that share the journal have told this one of themselves."""
        return sum(it.beat is not None for it in self._app.directory.servers())

    async def _start(self, *, is_behind_doors: bool) -> None:
        self._app = app = await machine.start(self._settings, is_behind_doors=is_behind_doors)
        for game in app.platform.catalogue.values():  # now, not while something is measured
            game.prepare()
        time_zones.zone_names()
        give_back()  # what the start needed for a while would hide in it what visits take

    async def open_accounts(self, keys: list[list[str]]) -> None:
        """Accounts as (name, public key), as if those people had been here before."""
        register = self._app.account_service.register_key
        await asyncio.gather(*(register(name, key, "127.0.0.1") for name, key in keys))

    async def settle(self) -> None:
        """Wait until the arrivals that were held back are told."""
        await asyncio.sleep(0.5)
        self._app.service.flush_held_notices()
        await asyncio.sleep(0.1)

    async def talk(self, rounds: int, lines: int, pause_s: float) -> float:
        """Somebody says so many lines at once, again and again; the CPU seconds of it."""
        server = self._app.service
        speaker = next(v.person for v in self._app.session_manager.sessions if v.person is not None)
        start_s = time.process_time()
        for _ in range(rounds):
            for _ in range(lines):
                server.talk.say(speaker, TEXT)
            await asyncio.sleep(pause_s)
        return time.process_time() - start_s

    async def speak(self, lines: int, pause_s: float) -> None:
        """Somebody says so many lines that tell when they were said."""
        speaker = next(v.person for v in self._app.session_manager.sessions if v.person is not None)
        for _ in range(lines):
            self._app.service.talk.say(speaker, SENT.format(time.monotonic()))
            await asyncio.sleep(pause_s)

    async def take_up_s(self, sessions: int) -> float:
        """Wait until so many sessions go on from their capsules; the CPU seconds since the start.

        It includes the new capsules that they leave.
        """
        while metrics.RESUMED.values["capsule"] < sessions:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return await self.rested_s(0.1)

    def history_lines(self) -> int:
        """Lines that all people together can recall."""
        screens = [each.screen for each in self._app.session_manager.sessions]  # type: ignore[attr-defined]
        return sum(len(screen.input_state.lines_editor.memory[0]) for screen in screens)

    async def stop(self) -> None:
        await self._app.stop("")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "data")
        await obey(server)
        await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
