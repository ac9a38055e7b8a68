"""[DUR-5] Three game servers behind two doors, one of which is killed every 20 seconds.

Rule 1: the one that has most tables is killed, and started again 10 s later: by then the others
        have taken its tables over, and it begins with none.
Rule 2: no connection ends.  What is told stands in the database, and no play is lost or doubled,
        whoever has the table: `sitting_crowd`.
Rule 3: a server that was so slow that the others have buried it ends by itself, and is started
        again, as systemd does.
Rule 4: the first record that the new owner writes to a table says that the table goes on.  It comes
        within the lease and WITHIN_S; what this process itself came late meanwhile is added, since
        a machine that is busy otherwise keeps everybody waiting.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

import pytest

from mudserver.journal.postgres import reading
from mudserver.journal.postgres.connection import Reader
from mudserver.tables import records as f
from tests.counts import IS_FULL
from tests.e2e.servers import Game, Servers
from tests.proofs.door_evening import SETTINGS
from tests.proofs.sitters import Sitter
from tests.proofs.sitting_crowd import PATIENCE_S, Event, SittingCrowd
from tests.simulation.disk import records

LEASE_S, WITHIN_S = 3, 1.0
EVERY_S, DOWN_S = 20.0, 10.0
KILLS_A_ROUND = 3
LOOK_S, TICK_S = 0.05, 0.05
# ssh, telnet, full screens, programs: at 100 tables; or at 6.
CROWD, KILLS, PAUSE_S = ((250, 330, 0, 20), 30, 5.0) if IS_FULL else ((14, 18, 0, 4), 3, 1.0)
OWNED = "select stream from stream where owner = $1 and not is_closed"
LEASES = f"[journal]\nlease_s = {LEASE_S}\nheartbeat_s = 1\n"


class KilledServers(SittingCrowd):
    sizes = 8, 4

    def __init__(self, servers: Servers, address: str, seed: int) -> None:
        super().__init__(CROWD, seed, PAUSE_S)
        self._servers = servers
        self._reader = Reader(address, "proof")
        self._games: dict[str, Game] = {}
        self.back_s: list[float] = []  # of each table that was taken over: from the kill
        self.late_s: list[float] = []  # of this process, in all, at each kill
        self.answered_s: list[float] = []  # from the kill until everybody was answered again
        self.kills = self.buried = self.lines = self.plays = 0

    async def begin(self) -> None:
        for name in ("g1", "g2", "g3"):
            self._games[name] = await asyncio.to_thread(self._servers.start_game, name)
        doors = [
            await asyncio.to_thread(self._servers.open_door, *self._games.values(), name=name)
            for name in ("door", "door 2")
        ]
        self._service_manager = asyncio.ensure_future(self._keep_running())
        await self.come([(door.ssh_port, door.telnet_port) for door in doors])

    async def spend(self, kills: int) -> None:
        for done in range(0, kills, KILLS_A_ROUND):
            await self._round(min(KILLS_A_ROUND, kills - done))
        self._service_manager.cancel()
        await self._reader.close()

    async def _keep_running(self) -> None:
        """[rule 3]"""
        while True:
            await asyncio.sleep(LOOK_S)
            for game in self._games.values():
                if game.process is not None and game.process.poll() == os.EX_TEMPFAIL:
                    self.buried += 1
                    await asyncio.to_thread(game.start)

    async def _round(self, kills: int) -> None:
        for sitter in self.sitters:
            sitter.begin_round()
            sitter.type("ready")
        is_over = asyncio.Event()
        living = [asyncio.ensure_future(it.live(is_over, self.pause_s)) for it in self.sitters]
        await self.are_answered(self.sitters, living)
        for _ in range(kills):
            next_s = time.monotonic() + EVERY_S
            restarting = asyncio.ensure_future(self._kill_one())
            killed_s = time.monotonic()
            await self.are_answered(self.sitters, living)
            self.answered_s.append(time.monotonic() - killed_s)
            await restarting
            await self._check()
            await asyncio.sleep(next_s - time.monotonic())
        await self.are_answered(self.sitters, living)
        is_over.set()
        await asyncio.gather(*living)
        await self.is_quiet(self.sitters)
        await self._check()
        self.lines += self.judge()

    # -- a death -----------------------------------------------------------------------------------

    async def _kill_one(self) -> None:
        """Kill it, wait until its tables go on, and start it again."""
        owned = {name: await self._owned(name) for name in self._games}
        name = max(owned, key=lambda name: len(owned[name]))
        await self._read(owned[name])
        game = self._games[name]
        game.kill()
        killed_ms, killed_s = time.time() * 1_000, time.monotonic()
        self.kills += 1
        for sitter in self.sitters:
            sitter.note_kill()
        lateness = asyncio.ensure_future(self._lateness())
        await self._go_on(owned[name], killed_ms)
        lateness.cancel()
        await asyncio.sleep(killed_s + DOWN_S - time.monotonic())
        await asyncio.to_thread(game.start)

    async def _owned(self, name: str) -> list[int]:
        rows = await self._reader.fetch(OWNED, name)
        return [int(row["stream"].removeprefix("table/")) for row in rows]

    async def _go_on(self, tables: list[int], killed_ms: float) -> None:
        """Wait for each table's first record by another owner [rule 4]."""
        waiting = {number: self.read_until(number) for number in tables}
        end_s = time.monotonic() + PATIENCE_S
        while waiting:
            assert time.monotonic() < end_s, f"tables {sorted(waiting)} do not go on"
            await asyncio.sleep(LOOK_S)
            await self._read(list(waiting))
            for number, after in list(waiting.items()):
                for record in records(self.world, number, after):
                    is_back = any(isinstance(fact, f.TimeGivenBack) for fact in record.facts)
                    if is_back and record.at_ms > killed_ms:
                        self.back_s.append((record.at_ms - killed_ms) / 1_000)
                        waiting.pop(number, None)
                        break

    async def _lateness(self) -> None:
        self.late_s.append(0.0)
        while True:
            began_s = time.monotonic()
            await asyncio.sleep(TICK_S)
            self.late_s[-1] += time.monotonic() - began_s - TICK_S

    # -- what is true ------------------------------------------------------------------------------

    async def _read(self, tables: list[int]) -> None:
        """What is new; chains are verified."""
        names = [f"table/{number}" for number in tables]
        async for name, stored in reading.read_streams(self._reader, names, self._known):
            self.add_records(int(name.removeprefix("table/")), stored)

    def _known(self, stream: str) -> int:
        return self.read_until(int(stream.removeprefix("table/")))

    async def _check(self) -> None:
        """[rule 2] Who plays goes on playing meanwhile."""
        for sitter in self.sitters:
            sitter.kept_shown, sitter.kept_events = sitter.shown, list(sitter.events or ())
        await self._read(list(self.tables))
        for sitter in self.sitters:
            sitter.kept_typed = sitter.typed
        self.plays = self.check_tables()

    def check_events(self, sitter: Sitter, known: list[Event]) -> None:
        """In order and once; what the others played before it had walked to its table is left out,
        as for everybody who comes later.
        """
        rest = iter(known)
        missing = [event for event in sitter.kept_events if event not in rest]
        assert not missing, (sitter.kind, sitter.number, missing[:2])

    def check_times(self) -> None:
        assert max(self.back_s) <= LEASE_S + WITHIN_S + max(self.late_s), sorted(self.back_s)[-5:]

    def __str__(self) -> str:
        back_s = sorted(self.back_s)
        return (
            f"kills={self.kills} buried={self.buried}"
            f" sessions={len(self.sitters)} tables={len(self.tables)}"
            f" taken_over={len(back_s)} lines={self.lines} plays={self.plays}"
            f" lost_connections=0 lost=0 doubled=0 back_s_median={median(back_s):.2f}"
            f" back_s_p99={back_s[-(-len(back_s) * 99 // 100) - 1]:.2f}"
            f" back_s_max={back_s[-1]:.2f} late_s_max={max(self.late_s):.2f}"
            f" all_answered_s_max={max(self.answered_s):.1f}"
        )


@asynccontextmanager
async def killed_servers(directory, address: str, seed: int) -> AsyncIterator[KilledServers]:
    settings = SETTINGS + LEASES
    servers = Servers(directory, address, settings, quick="")
    try:
        crowd = KilledServers(servers, address, seed)
        await crowd.begin()
        yield crowd
    finally:
        servers.stop()
    for log in directory.glob("*/server.log"):
        text = log.read_text()
        assert not re.search(r" (ERROR|CRITICAL) |Traceback", text), (log, text[-2_000:])


@pytest.mark.prove
@pytest.mark.alone
async def test_tables_go_on_elsewhere_and_no_play_is_lost_or_doubled(tmp_path, database):
    async with killed_servers(tmp_path, database, 1_000) as crowd:
        await crowd.spend(KILLS)
    print(f"\nkilled servers {crowd}")
    crowd.check_times()
    assert crowd.kills == KILLS and crowd.plays > KILLS
    assert len(crowd.back_s) >= KILLS  # each time it had tables
