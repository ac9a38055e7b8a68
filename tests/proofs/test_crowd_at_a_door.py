"""[DUR-5] A whole evening behind a door: people at tables, whose game server changes all the time.

Rule 1: most deaths find a standby that takes over.  At others there is none, and a server is
        started; or the standby dies, too, while it takes its sessions up.  No connection ends, and
        of a still screen only a chat pane may have less.
Rule 2: at planned restarts all sessions go on, every line is done and heard by all at the table,
        and nobody reads that one may be lost.  Whoever is still and reads lines is sent the title
        of the window at most.
Rule 3: the next standby gets ready while people live.  All else is as in `door_evening`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.counts import IS_FULL, count
from tests.faults.test_game_server import house
from tests.proofs.door_evening import SETTINGS, Evening
from tests.proofs.sitters import FullScreen, Sitter, Terminal
from tests.proofs.test_planned_restarts import DONE

CHUNKS = 5 if IS_FULL else 2
KILLS = count(500, 10)
CROWD = (200, 200, 20, 10) if IS_FULL else (30, 30, 6, 4)  # ssh, telnet, full screens, programs
HOWS = ("standby", "alone", "twice")
WEIGHTS = (7, 2, 1)
SOON_S = 0.4  # within which a server dies that has just begun
RESTARTS = count(200, 4)
ENDS_S = 15.0


class KillingEvening(Evening):
    how = ""  # the next one

    async def begin(self) -> None:
        await super().begin()
        self._prepare()

    def _prepare(self) -> None:
        [self.how] = self.rng.choices(HOWS, WEIGHTS)
        if self.how != "alone":
            self.begin_standby()

    async def change(self) -> None:
        how, known = self.how, len(self.gaps())
        if how == "alone":
            self.kill_active()
            self.active = await asyncio.to_thread(self.start_server)
        else:
            await self.standby_ready()
            self.kill_active()
            if how == "twice":
                await asyncio.sleep(self.rng.uniform(0, SOON_S))
                self.active = self.standby
                self.kill_active()
                self.active = await asyncio.to_thread(self.start_server)
            else:
                await self.note_taken_over()
        gap_s = await self.next_gap(known)
        if how != "twice":
            self.gaps_s.setdefault(how, []).append(gap_s)
        self._prepare()
        await asyncio.to_thread(self.check_disk)

    def check_same(self, sitter: Sitter, before: object, heard_bytes: int) -> None:
        if not (isinstance(sitter, FullScreen) and sitter.is_as_but_for_talk(before)):
            super().check_same(sitter, before, heard_bytes)


class PlannedEvening(Evening):
    async def begin(self) -> None:
        await super().begin()
        self.begin_standby()

    async def change(self) -> None:
        await self.standby_ready()
        before = self.active
        done = await asyncio.to_thread(self.here.ask, "restart")
        told = DONE.fullmatch(done.stdout)
        assert told is not None, done
        assert told[1] == told[2] == str(len(self.sitters)), done.stdout
        self.gaps_s.setdefault("planned", []).append(float(told[3]))
        await self.note_taken_over()
        assert 0 == await asyncio.to_thread(self.here.processes.pop(before).wait, ENDS_S)
        self.begin_standby()

    async def round(self, changes: int) -> None:
        await super().round(changes)
        for sitter in self.sitters:
            assert not sitter.told(), (sitter.kind, sitter.number, sitter.last_words())
            if isinstance(sitter, FullScreen):  # its pane has a few rows
                continue
            for word in (word for mate in sitter.mates for word in mate.certain):
                assert sitter.has_heard(word), (sitter.kind, word, sitter.last_words())

    def check_same(self, sitter: Sitter, before: object, heard_bytes: int) -> None:
        super().check_same(sitter, before, heard_bytes)
        if isinstance(sitter, Terminal) and not isinstance(sitter, FullScreen):
            more = sitter.last_heard(sitter.heard_bytes - heard_bytes)
            is_told = sitter.picture() != before  # of a pause
            assert is_told or not more, (sitter.kind, sitter.number, more)

    async def end(self) -> None:
        """The disk has everything."""
        await super().end()
        self.kill_active()
        assert not any(sitter.open for sitter in self.sitters)
        await asyncio.to_thread(self.check_disk)


@asynccontextmanager
async def behind_a_door(
    directory: Path, make: type[Evening], seed: int, crowd: tuple[int, int, int, int] = CROWD
) -> AsyncIterator[Evening]:
    with house(directory) as here:
        here.settings.write_text(SETTINGS)
        evening = make(here, seed, crowd)
        await evening.begin()
        yield evening
        await evening.end()
        for name in ("door", "game"):
            log = (directory / f"{name}.log").read_text()
            assert not re.search(r" (ERROR|CRITICAL) |Traceback", log), log[-2_000:]


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(
    ("make", "changes"),
    [(KillingEvening, KILLS), (PlannedEvening, RESTARTS)],
    ids=["kills", "planned restarts"],
)
async def test_a_crowd_of_every_kind_and_hundreds_of(tmp_path, make, changes, chunk):
    async with behind_a_door(tmp_path, make, 1_000 + chunk) as evening:
        await evening.spend(-(-changes // CHUNKS))
    print(f"\ndoor crowd {evening}")
    assert evening.plays > evening.changes
