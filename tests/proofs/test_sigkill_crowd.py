"""[DUR-5] Fifty people at seventeen tables of all games, and a server that is killed at any moment.

A few deaths come while people still come in.  After each a copy of the disk is held against what
everybody was told on the line that died: no event is lost, none is there twice, no play is made
that nobody typed.  Then the server starts again, and everybody is back in the own seat.

The kills are shared by the chunks.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from mudserver.config.schema import Config
from mudserver.journal.sqlite.store import SqliteStore
from mudserver.tables import records as f
from tests.counts import count
from tests.e2e.client import Server
from tests.memory_journal import Disk
from tests.proofs.crowd import Player
from tests.simulation.disk import Folded, fold
from tests.simulation.server import World, replace_sections
from variants.catalogue import CATALOGUE
from variants.kit.json_values import to_json_value

KILLS, CHUNKS = count(500, 60), 5
PEOPLE, AT_A_TABLE = 50, 3
THOUGHT_S = 0.3  # mean
LIFE_S = 1.2  # at most, from everybody's return to the next death
PATIENCE_S = 60.0  # for the crowd to come back
SETTINGS = """
[session]
lines_per_s = 100_000
lines_burst = 100_000
tick_ms = 5
[people]
argon2_memory_kib = 8
argon2_passes = 1
hash_queue_max = 1_000
[sources]
exempt = ["127.0.0.0/8"]
[door]
new_per_s = 10_000
waiting_max = 1_000
telnet_wait_s = 0.01
[tables]
plays_per_person_per_s = 100_000
plays_burst = 100_000
"""


@dataclass
class Known:
    """How far a person's game at a table had come when the last line began."""

    game: int = 0
    events: int = 0
    plays: int = 0


@dataclass
class CrashRun:
    directory: Path
    seed: int
    people: int
    kills: int = 0
    kills_coming_in: int = 0
    plays: int = 0  # on the disk
    events: int = 0  # that people were told, all of them
    starts_ms: list[float] = field(default_factory=list)
    returns_ms: list[float] = field(default_factory=list)  # from ready to the last one's return

    def __post_init__(self) -> None:
        (self.directory / "crowd.toml").write_text(SETTINGS)
        config = str(self.directory / "crowd.toml")
        self.server = Server(self.directory / "data", "--config", config)
        self.rng = Random(self.seed)
        self.players = [Player(f"cat{n}x", self.seed + n, THOUGHT_S) for n in range(self.people)]
        self.tables: dict[int, list[Player]] = {}
        self.folds: dict[int, Folded] = {}
        self.known = {player.name: Known() for player in self.players}
        self.world = World(0, Disk(), replace_sections(Config()))

    # -- a life ----------------------------------------------------------------------------------

    def start(self) -> None:
        began = time.monotonic()
        self.server.start()
        self.starts_ms.append(1000 * (time.monotonic() - began))

    async def begin(self) -> None:
        self.start()
        await self.come()
        names = sorted(CATALOGUE)
        for at in range(0, self.people, AT_A_TABLE):
            seated = self.players[at : at + AT_A_TABLE]
            variant = names[at // AT_A_TABLE % len(names)]
            seats = max(2, len(seated))
            number = await seated[0].goes(f"open {variant} pace=instant clocks=off seats={seats}")
            for player in seated[1:]:
                assert number == await player.goes(f"sit {number}")
            self.tables[number] = seated
        self.rouse()

    async def come(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(player.come(self.server.telnet_port) for player in self.players))
        for player in self.players:
            player.play()

    def rouse(self) -> None:
        """Where no game runs, everybody is ready for one."""
        for seated in self.tables.values():
            if not seated[0].is_playing:
                for player in reversed(seated):
                    player.begin()

    async def live(self) -> None:
        """Play for a while, and be killed."""
        end = time.monotonic() + self.rng.uniform(0, LIFE_S)
        while (left_s := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left_s, 0.1))
            self.rouse()
        await self.die()

    async def die(self) -> None:
        self.kills += 1
        self.server.kill()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(each.is_cut.wait() for each in self.players if each.was_made))
        self.read_disk()
        for number, seated in self.tables.items():
            for player in seated:
                self.check(player, self.folds[number])

    async def come_back(self) -> None:
        self.start()
        if self.rng.random() < 0.15:  # killed before everybody is back
            self.kills_coming_in += 1
            coming = asyncio.ensure_future(self.come())
            await asyncio.sleep(self.rng.uniform(0, 0.3))
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
            await self.die()
            self.start()
        began = time.monotonic()
        await self.come()
        self.returns_ms.append(1000 * (time.monotonic() - began))
        for number, seated in self.tables.items():
            table = self.folds[number].table
            for player in seated:
                [seat] = [n for n, each in enumerate(table.seats) if each.name == player.name]
                assert (number, seat) == (player.table, player.seat), player.name

    # -- what is true ----------------------------------------------------------------------------

    def read_disk(self) -> None:
        """The tables as a copy of the dead server's disk has them, their chains verified."""
        copy = self.directory / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.server.data, copy, ignore=shutil.ignore_patterns("*.sock"))
        store = SqliteStore(copy / "journal.db")
        try:
            for number in self.tables:
                stream = f"table/{number}"
                kept = self.world.disk.records.setdefault(stream, [])
                kept += store.read(stream, len(kept))
                self.folds[number] = fold(self.world, number, None, self.folds.get(number))
        finally:
            store.close()

    def check(self, player: Player, folded: Folded) -> None:
        """What the dead line brought is on the disk, once and in order; so is what was typed."""
        known, events, plays, last = self.known[player.name], list[Any](), 0, Known()
        for number, scenario in folded.games.items():
            if number < known.game:
                continue
            game = scenario.game
            [seat] = [n for n, each in enumerate(game.seats) if each.name == player.name]
            heard = [
                (json.loads(json.dumps(to_json_value(each.event, protocol=1))), each.mark)
                for each in game.known_events(seat)
            ]
            made = [play for play in game.plays if isinstance(play, f.Played)]
            own = sum(play.by == "person" and play.seat == seat for play in made)
            is_same = number == known.game
            events += heard[known.events if is_same else 0 :]
            plays += own - (known.plays if is_same else 0)
            last = Known(number, len(heard), own)
        assert player.heard == events[: len(player.heard)], (player.name, len(player.heard))
        most = player.typed + player.begun - player.refused
        assert plays <= most, (player.name, plays, most, "made twice, or without being typed")
        self.plays += plays
        self.events += len(player.heard)
        self.known[player.name] = last

    def __str__(self) -> str:
        return (
            f"sigkill crowd seed={self.seed} people={self.people} tables={len(self.tables)}"
            f" kills={self.kills} while_coming_in={self.kills_coming_in} plays={self.plays}"
            f" events_told={self.events} lost=0 doubled=0"
            f" start_ms_median={median(self.starts_ms):.0f} start_ms_max={max(self.starts_ms):.0f}"
            f" all_back_ms_median={median(self.returns_ms):.0f}"
            f" all_back_ms_max={max(self.returns_ms):.0f}"
        )


async def crashed(directory: Path, seed: int, kills: int, people: int = PEOPLE) -> CrashRun:
    crash_run = CrashRun(directory, seed, people)
    try:
        await crash_run.begin()
        while crash_run.kills < kills:
            await crash_run.live()
            await crash_run.come_back()
        await crash_run.die()
    finally:
        crash_run.server.kill()
    log = crash_run.server.log_text()
    assert not re.search(r" (ERROR|CRITICAL) |Traceback", log), log[-2000:]
    return crash_run


async def test_a_killed_server_forgets_nothing_of_three_games_at_once(tmp_path):
    crash_run = await crashed(tmp_path, 1, kills=1, people=6)
    assert crash_run.events > 20 and crash_run.kills == 2


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_fifty_people_and_hundreds_of_kills(tmp_path, chunk):
    crash_run = await crashed(tmp_path, 1_000 + chunk, kills=KILLS // CHUNKS)
    print(f"\n{crash_run}")
    assert crash_run.plays > crash_run.kills
