"""An evening of people at tables behind a door, whose game server changes again and again.

Rule 1: in each round some tables are still, with half a line at every prompt; at the others all
        play, talk and type.  Several changes come in one round, each as soon as everybody has been
        answered by the server that is there.
Rule 2: who was still is its own undisturbed twin: the screen after a change is the one before it,
        cell for cell, and the half line can be ended.
Rule 3: of the others, `sitters` rule 3 holds, on the screens and on the disk: a copy of it is held
        against what everybody typed and was told.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from mudserver.journal.sqlite.store import SqliteStore
from tests.faults.test_game_server import House
from tests.proofs.sitters import Sitter
from tests.proofs.sitting_crowd import PATIENCE_S, SittingCrowd

CHANGES_A_ROUND = 5
BREATH_S = 0.5  # at most, between the last answer and the next change
BACK = re.compile(r"wall back \S+ gap_ms=(\d+) connections=(\d+)")
SETTINGS = """
[server]
log = "debug"
[session]
lines_per_s = 100_000
lines_burst = 100_000
full_screens_max = 100
[chat]
per_s = 1e4
guest_per_s = 1e4
burst = 10_000
repeats_max = 10_000
pasted_lines_max = 10_000
arrivals_max = 0
deliveries_per_s = 1e6
channel_per_s = 1e6
[sources]
exempt = ["127.0.0.0/8"]
[door]
new_per_s = 10_000
waiting_max = 1_000
telnet_wait_s = 0.2
output_lag_bytes = 1_073_741_824
output_bytes_max = 1_073_741_824
output_stall_s = 600
[tables]
plays_per_person_per_s = 100_000
plays_burst = 100_000
[wall]
notice_s = 60
"""


@dataclass
class Evening(SittingCrowd):
    here: House
    seed: int
    crowd: tuple[int, int, int, int]
    pause_s: float = 1.0
    lines: int = 0
    plays: int = 0
    changes: int = 0  # of game servers
    pictures: int = 0  # compared
    start_s: float = 0.0  # of the first game server
    gaps_s: dict[str, list[float]] = field(default_factory=dict)  # by how it changed

    def __post_init__(self) -> None:
        super().__init__(self.crowd, self.seed, self.pause_s)
        self.active, self.standby = "", ""  # names of processes
        self._coming: asyncio.Future[str] | None = None  # a standby
        self._servers = 0

    # -- the servers -------------------------------------------------------------------------------

    def start_server(self) -> str:
        """One more; its name.  It serves, or waits as a standby that is ready."""
        self._servers += 1
        name = f"game {self._servers}"
        if self.here.start("game", name=name).startswith("standby of="):
            assert "standby ready\n" == self.here.hears(name)
        return name

    def begin_standby(self) -> None:
        """One more server, which gets ready while people live."""
        self._coming = asyncio.ensure_future(asyncio.to_thread(self.start_server))

    async def standby_ready(self) -> None:
        assert self._coming is not None
        self.standby, self._coming = await self._coming, None

    async def note_taken_over(self) -> None:
        """The standby serves now."""
        self.active, self.standby = self.standby, ""
        assert (await asyncio.to_thread(self.here.hears, self.active)).startswith("ready game=")

    def kill_active(self) -> None:
        """Keep what everybody knew, and its disk; then it dies.

        It is stopped first: once the lock is free, the next server moves the write-ahead log into
        the file and empties it.
        """
        process = self.here.processes[self.active]
        process.send_signal(signal.SIGSTOP)
        state = Path(f"/proc/{process.pid}/stat")  # it may be no child of this process
        while ") T " not in state.read_text():
            time.sleep(0.001)
        copy, data = self.here.directory / "copy", self.here.directory / "data"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("*.sock"))
        for sitter in self.sitters:
            sitter.note_kill()
        self.here.kill(self.active)
        del self.here.processes[self.active]

    # -- the evening -------------------------------------------------------------------------------

    async def begin(self) -> None:
        began_s = time.monotonic()
        self.active = await asyncio.to_thread(self.start_server)
        self.start_s = time.monotonic() - began_s
        ready = self.here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        ssh, telnet = (int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready))
        await self.come([(ssh, telnet)])

    async def spend(self, changes: int) -> None:
        """Rounds with so many changes in all."""
        for done in range(0, changes, CHANGES_A_ROUND):
            await self.round(min(CHANGES_A_ROUND, changes - done))

    async def round(self, changes: int) -> None:
        """Everybody lives, and the server changes so often."""
        for sitter in self.sitters:
            sitter.begin_round()
        busy, still = list[Sitter](), list[Sitter]()
        for group in self.tables.values():
            (busy if self.rng.random() < 0.6 else still).extend(group)
        for sitter in busy:
            sitter.type("ready")
        for sitter in still:
            sitter.draft()
        await asyncio.gather(*(sitter.until(sitter.has_draft, "the draft") for sitter in still))
        await self.is_quiet(still)
        before = [(sitter.picture(), sitter.heard_bytes) for sitter in still]
        is_over = asyncio.Event()
        living = [asyncio.ensure_future(each.live(is_over, self.pause_s)) for each in busy]
        for _ in range(changes):
            await self.are_answered(busy, living)
            await asyncio.sleep(self.rng.uniform(0, BREATH_S))
            await self.change()
            self.changes += 1
        await self.are_answered(busy, living)
        is_over.set()
        await asyncio.gather(*living)
        await self.is_quiet(self.sitters)
        for sitter, (picture, heard_bytes) in zip(still, before, strict=True):
            self.check_same(sitter, picture, heard_bytes)
        self.pictures += len(still)
        await asyncio.gather(*(sitter.say(was_drafted=True) for sitter in still))
        await self.is_quiet(self.sitters)
        self.lines += self.judge()

    async def change(self) -> None:
        """Another server."""
        raise NotImplementedError

    async def end(self) -> None:
        """Everybody has been judged; a standby may still be getting ready."""
        if self._coming is not None:
            await self._coming

    def check_same(self, sitter: Sitter, before: object, heard_bytes: int) -> None:
        """[rule 2]  Args: before: its picture, after so many bytes."""
        assert sitter.is_as(before), (sitter.kind, sitter.number, before, sitter.picture())

    # -- what is true ------------------------------------------------------------------------------

    def check_disk(self) -> None:
        """The tables as the copy has them, their chains verified, against what was known."""
        store = SqliteStore(self.here.directory / "copy" / "journal.db")
        try:
            for number in self.tables:
                self.add_records(number, store.read(f"table/{number}", self.read_until(number)))
        finally:
            store.close()
        self.plays = self.check_tables()

    async def next_gap(self, known: int) -> float:
        """The gap behind the *known* ones of `gaps`; the last, if there were several."""
        end_s = time.monotonic() + PATIENCE_S
        while len(gaps := self.gaps()) <= known:
            assert time.monotonic() < end_s
            await asyncio.sleep(0.02)
        return gaps[-1]

    def gaps(self) -> list[float]:
        """How long each time the door was without a game server, in seconds."""
        log = (self.here.directory / "door.log").read_text()
        return [int(ms) / 1000 for ms, _ in BACK.findall(log)]

    def __str__(self) -> str:
        ssh, telnet, full, programs = self.crowd
        gaps = " ".join(
            f"{how}={len(each)} {how}_gap_s={median(each):.2f}"
            f" {how}_gap_p99_s={sorted(each)[-(-len(each) * 99 // 100) - 1]:.2f}"
            f" {how}_gap_max_s={max(each):.2f}"
            for how, each in self.gaps_s.items()
        )
        return (
            f"changes={self.changes} seed={self.seed}"
            f" ssh={ssh} telnet={telnet} full={full} json={programs}"
            f" tables={len(self.tables)} lines={self.lines} plays={self.plays}"
            f" pictures={self.pictures} lost_connections=0 lost_lines=0 doubled=0"
            f" start_s={self.start_s:.2f} {gaps}"
        )
