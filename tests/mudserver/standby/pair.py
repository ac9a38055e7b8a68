"""An active server and its standby in one process: real journals, lock and sockets, no people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path

from mudserver.clock import Clock
from mudserver.config.schema import JournalConfig
from mudserver.journal.fed_store import FedStore
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.ops.control_socket import ControlSocket
from mudserver.standby.feeding import Feeding
from mudserver.standby.handover import Handover
from mudserver.standby.waiting import Operator, Standby
from tests.mudserver.transport.server import until

DOOR = ("1", 1, 1)


class Wall:
    """What a handover does to the doors."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.protocols = (DOOR,)
        self.is_handled = lambda: True

    def door_protocols(self):
        return self.protocols

    def hold(self) -> None:
        self.calls.append("hold")

    def fall_silent(self) -> None:
        self.calls.append("silent")

    def release(self) -> None:
        self.calls.append("release")

    async def listen_again(self) -> None:
        self.calls.append("listen")

    def close(self, why: str, *, is_succeeded: bool = False) -> None:
        self.calls.append(f"close {is_succeeded}")


class Sessions:
    def __init__(self) -> None:
        self.count, self.left = 3, 0

    def resumable_count(self) -> int:
        return self.count

    def leave_capsules(self, *, is_planned: bool = True, unanswered: Collection[int] = ()) -> None:
        self.left += is_planned or -1


class Tables:
    def __init__(self) -> None:
        self.busy: Callable[[], set[int]] = set


class Active:
    """A server that can be handed over; `control` hears the standby."""

    def __init__(self, directory: Path, journal: SqliteJournal) -> None:
        self.directory, self.journal = directory, journal
        self.wall, self.sessions, self.control = Wall(), Sessions(), ControlSocket()
        self.tables = Tables()
        clock = Clock(asyncio.get_running_loop())
        self.feeding = Feeding(journal, clock, self.wall)
        self.kept = 0
        self.is_writable = True
        self.handover = Handover(
            *(clock, journal, self.feeding, self.wall, self.control, self.sessions, self.tables),
            keep=self._keep,
            is_writable=lambda: self.is_writable,
        )
        self.control.register_talk("standby", self.feeding.serve)

    def _keep(self) -> None:
        self.kept += 1

    @classmethod
    async def open(cls, directory: Path) -> Active:
        journal = SqliteJournal.open(directory, lambda: 1_000, JournalConfig())
        active = cls(directory, journal)
        await active.control.open(directory)
        return active

    async def hands_over(self) -> str:
        return await self.handover.run()

    async def die(self) -> None:
        """As if the process was killed: no word, and the kernel frees what it had."""
        await self.control.close()
        await self.journal.close()


class Waiting:
    """The server of a standby: it folds everything into `folded`."""

    def __init__(self, fed: FedStore, log: list[str]) -> None:
        self.journal = SqliteJournal(fed, None, lambda: 2_000, JournalConfig())
        self.folded: dict[str, list[bytes]] = {}
        self.log, self.count = log, 3
        self.before_restore: Callable[[], None] = lambda: None
        self.before_serve: Callable[[], Awaitable[object]] = lambda: asyncio.sleep(0)
        self.is_discarded = False

    def has_computer_players(self) -> bool:
        return True

    async def fold(self) -> None:
        for stream in await self.journal.streams(""):
            known = self.folded.setdefault(stream, [])
            first = await self.journal.read(stream, len(known))
            known += [record.body for record in first]

    def forget_tables(self, streams: Collection[str]) -> None:
        self.log += [f"forget {stream}" for stream in sorted(streams)]
        for stream in streams:
            self.folded.pop(stream, None)

    async def restore(self) -> None:
        self.before_restore()
        await asyncio.sleep(0)
        self.log += [f"{len(bodies)} folded {stream}" for stream, bodies in self.folded.items()]
        await self.fold()

    async def serve(self) -> None:
        await self.before_serve()
        self.log.append("serve")

    def resumed_count(self) -> int:
        return self.count

    def discard(self) -> None:
        self.is_discarded = True


class Pair:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.log: list[str] = []
        self.states: list[str] = []
        self.begins_again = False
        self.made: list[Waiting] = []
        self.prepare: Callable[[Waiting], None] = lambda server: None

    async def open(self) -> Pair:
        self.active = await Active.open(self.directory)
        return self

    def wait(self) -> None:
        operator = Operator(self.states.append, lambda: self.begins_again)
        standby = Standby(self.directory, Clock(asyncio.get_running_loop()), self._make, operator)
        self.waiting = asyncio.create_task(standby.run())

    def _make(self, fed: FedStore) -> Waiting:
        server = Waiting(fed, self.log)
        self.prepare(server)
        self.made.append(server)
        return server

    async def ready(self) -> Pair:
        """A standby waits, and is ready."""
        self.wait()
        await until(lambda: self.active.handover.is_possible)
        return self

    async def close(self) -> None:
        if hasattr(self, "waiting"):
            self.waiting.cancel()
            await asyncio.gather(self.waiting, return_exceptions=True)
        await self.active.control.close()
        for journal in (self.active.journal, *(server.journal for server in self.made)):
            await journal.close()
