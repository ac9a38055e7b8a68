"""[DUR-5] A whole evening behind a door: people at tables, whose game server dies again and again.

Rule 1: in each round some tables are still, with half a line at every prompt; at the others all
        play, talk and type.  Then the game server is killed, sometimes again while it takes its
        sessions up.  Nobody's connection ends.
Rule 2: who was still is its own undisturbed twin: the screen after the restart is the one before
        it, cell for cell, and the half line can be ended.
Rule 3: of the others, `sitters` rule 3 holds, on the screens and on the disk: a copy of it is held
        against what everybody typed and was told.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from mudserver.config.schema import Config
from mudserver.journal.sqlite.store import SqliteStore
from mudserver.tables import records as f
from tests.counts import IS_FULL, count
from tests.faults.test_game_server import House, house
from tests.memory_journal import Disk
from tests.proofs.sitters import Reader, Sitter, sitters
from tests.simulation.disk import Folded, fold
from tests.simulation.server import World, replace_sections
from variants.catalogue import CATALOGUE
from variants.kit.json_values import to_json_value

KILLS, CHUNKS = count(500, 10), 5
CROWD = (200, 200, 20, 10) if IS_FULL else (30, 30, 6, 4)  # ssh, telnet, full screens, programs
AT_A_TABLE, COMING = 4, 12
LIFE_S = 2.0  # at most, of a game server before it dies
QUIET_S = 0.4  # nothing has come for so long
SETTINGS = """
[session]
lines_per_s = 100_000
lines_burst = 100_000
full_screens_max = 100
[chat]
per_s = 1e4
guest_per_s = 1e4
burst = 10_000
repeats_max = 10_000
arrivals_max = 0
[sources]
exempt = ["127.0.0.0/8"]
[door]
new_per_s = 10_000
waiting_max = 1_000
telnet_wait_s = 0.2
[tables]
plays_per_person_per_s = 100_000
plays_burst = 100_000
[wall]
notice_s = 60
"""


@dataclass
class Evening:
    here: House
    seed: int
    crowd: tuple[int, int, int, int]
    pause_s: float = 1.0  # mean, between two acts of one person
    kills: int = 0
    lines: int = 0
    plays: int = 0
    pictures: int = 0  # compared
    gaps_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.sitters = sitters(*self.crowd, self.seed)
        self.tables: dict[int, list[Sitter]] = {}
        self.world = World(0, Disk(), replace_sections(Config()))
        self.folds: dict[int, Folded] = {}

    # -- the evening -------------------------------------------------------------------------------

    async def begin(self) -> None:
        self.here.start("game")
        ready = self.here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        ssh, telnet = (int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready))
        gate = asyncio.Semaphore(COMING)

        async def come(sitter: Sitter) -> None:
            async with gate:
                await sitter.come(ssh, telnet)

        await asyncio.gather(*map(come, self.sitters))
        groups = [
            self.sitters[at : at + AT_A_TABLE] for at in range(0, len(self.sitters), AT_A_TABLE)
        ]
        await asyncio.gather(*(self._sit(n, group) for n, group in enumerate(groups)))

    async def _sit(self, number: int, group: list[Sitter]) -> None:
        variant = sorted(CATALOGUE)[number % len(CATALOGUE)]
        seats = max(2, len(group))
        table = await group[0].goes(f"open {variant} pace=instant clocks=off seats={seats}")
        for sitter in group[1:]:
            assert table == await sitter.goes(f"sit {table}")
        self.tables[table] = group

    async def round(self) -> None:
        for sitter in self.sitters:
            sitter.begin_round()
        busy, still = [], []
        for group in self.tables.values():
            (busy if self.rng.random() < 0.6 else still).extend(group)
        for sitter in busy:
            sitter.type("ready")
        await asyncio.sleep(0.5)
        for sitter in still:
            sitter.draft()
        await self._is_quiet(still)
        before = [sitter.picture() for sitter in still]
        is_over = asyncio.Event()
        living = asyncio.gather(*(each.live(is_over, self.pause_s) for each in busy))
        await self._die()
        while self.rng.random() < 0.15:
            await asyncio.to_thread(self.here.start, "game")
            await self._die(0.4)
        await asyncio.to_thread(self.here.start, "game")
        self.gaps_s.append(time.monotonic() - self.killed_s)
        await asyncio.to_thread(self._read_disk)
        self._check_disk()
        await asyncio.sleep(self.rng.uniform(0, LIFE_S))
        is_over.set()
        await living
        await self._is_quiet(self.sitters)
        for sitter, picture in zip(still, before, strict=True):
            self.check_same(sitter, picture)
        self.pictures += len(still)
        await asyncio.gather(*(sitter.say(was_drafted=True) for sitter in still))
        await self._is_quiet(self.sitters)
        everybody = {f"w{each.number}.{n}.end" for each in self.sitters
                     for n in range(1, each.words + 1)}  # fmt: skip
        for sitter in self.sitters:
            sitter.judge(everybody)
            self.lines += len(sitter.certain) + len(sitter.open)

    def check_same(self, sitter: Sitter, before: object) -> None:
        """[rule 2]"""
        after = sitter.picture()
        assert before == after, (sitter.kind, sitter.number, before, after)

    async def _die(self, most_s: float = LIFE_S) -> None:
        await asyncio.sleep(self.rng.uniform(0, most_s))
        self.here.kill("game")
        self.killed_s = time.monotonic()
        self.kills += 1
        for sitter in self.sitters:
            sitter.note_kill()
        copy = self.here.directory / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        data = self.here.directory / "data"
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("*.sock"))

    async def _is_quiet(self, among: list[Sitter]) -> None:
        seen, end_s = None, time.monotonic() + 30
        while seen != (seen := [sitter.heard_bytes for sitter in among]):
            assert time.monotonic() < end_s, "it never gets quiet"
            await asyncio.sleep(QUIET_S)

    # -- what is true ------------------------------------------------------------------------------

    def _read_disk(self) -> None:
        """The tables as a copy of the dead server's disk has them, their chains verified."""
        store = SqliteStore(self.here.directory / "copy" / "journal.db")
        try:
            for number in self.tables:
                stream = f"table/{number}"
                kept = self.world.disk.records.setdefault(stream, [])
                kept += store.read(stream, len(kept))
                self.folds[number] = fold(self.world, number, None, self.folds.get(number))
        finally:
            store.close()

    def _check_disk(self) -> None:
        self.plays = 0
        for number, group in self.tables.items():
            games = [kept.game for kept in self.folds[number].games.values()]
            for seat, sitter in enumerate(group):
                made = sum(
                    isinstance(play, f.Played) and play.by == "person" and play.seat == seat
                    for game in games for play in game.plays
                )  # fmt: skip
                self.plays += made
                assert made <= sitter.typed, (sitter.kind, sitter.number, made, sitter.typed)
                assert sitter.kept_shown <= made, (sitter.kind, sitter.number, "a play is lost")
                if isinstance(sitter, Reader):
                    self._check_events(sitter, games, seat)

    def _check_events(self, sitter: Reader, games: list[Any], seat: int) -> None:
        """What it was told until the kill is on the disk, once and in its order."""
        known = [
            (json.loads(json.dumps(to_json_value(each.event, protocol=1))), each.mark)
            for game in games for each in game.known_events(seat)
        ]  # fmt: skip
        told = sitter.kept_events
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(told, known, strict=False))
        )
        assert same == len(told), (sitter.kind, sitter.number, same, told[same - 1 :], known[same:])

    def __str__(self) -> str:
        ssh, telnet, full, programs = self.crowd
        return (
            f"door crowd seed={self.seed} ssh={ssh} telnet={telnet} full={full} json={programs}"
            f" tables={len(self.tables)} kills={self.kills} lines={self.lines} plays={self.plays}"
            f" pictures={self.pictures} lost_connections=0 lost_lines=0 doubled=0"
            f" start_s_median={median(self.gaps_s):.2f} start_s_max={max(self.gaps_s):.2f}"
        )


async def spent(directory: Path, crowd: tuple[int, int, int, int], kills: int, seed: int,
                pause_s: float) -> Evening:  # fmt: skip
    with house(directory) as here:
        here.settings.write_text(SETTINGS)
        evening = Evening(here, seed, crowd, pause_s)
        await evening.begin()
        while evening.kills < kills:
            await evening.round()
        for name in ("door", "game"):
            log = (directory / f"{name}.log").read_text()
            assert not re.search(r" (ERROR|CRITICAL) |Traceback", log), log[-2_000:]
    return evening


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_a_crowd_of_every_kind_and_hundreds_of_kills(tmp_path, chunk):
    evening = await spent(tmp_path, CROWD, KILLS // CHUNKS, 1_000 + chunk, pause_s=1.0)
    print(f"\n{evening}")
    assert evening.plays > evening.kills
