"""[DUR-5] A whole evening behind a door: people at tables, whose game server dies again and again.

Rule 1: most deaths find a standby that takes over.  At others there is none, and a server is
        started; or the standby dies, too, while it takes its sessions up.  No connection ends.
Rule 2: all else is as in `door_evening`.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.counts import IS_FULL, count
from tests.faults.test_game_server import house
from tests.proofs.door_evening import CHANGES_A_ROUND, SETTINGS, Evening

CHUNKS = 5 if IS_FULL else 2
KILLS = count(500, 10)
CROWD = (200, 200, 20, 10) if IS_FULL else (30, 30, 6, 4)  # ssh, telnet, full screens, programs
HOWS = ("standby", "alone", "twice")
WEIGHTS = (7, 2, 1)
SOON_S = 0.4  # within which a server dies that has just begun


class KillingEvening(Evening):
    kills = 0

    async def change(self) -> None:
        [how] = self.rng.choices(HOWS, WEIGHTS)
        known = len(self.gaps())
        if how == "alone":
            self._die()
            self.active = await asyncio.to_thread(self.start_server)
        else:
            await self.add_standby()
            await asyncio.sleep(self.rng.uniform(0, SOON_S))
            self._die()
            if how == "twice":
                await asyncio.sleep(self.rng.uniform(0, SOON_S))
                self.active = self.standby
                self._die()
                self.active = await asyncio.to_thread(self.start_server)
            else:
                await self.note_taken_over()
        gap_s = await self.next_gap(known)
        if how != "twice":
            self.gaps_s.setdefault(how, []).append(gap_s)
        await asyncio.to_thread(self.check_disk)

    def _die(self) -> None:
        self.kill(self.active)
        self.note_kill()
        self.kills += 1


async def spent(directory: Path, crowd: tuple[int, int, int, int], kills: int,
                seed: int) -> KillingEvening:  # fmt: skip
    with house(directory) as here:
        here.settings.write_text(SETTINGS)
        evening = KillingEvening(here, seed, crowd)
        await evening.begin()
        while evening.kills < kills:
            await evening.round(min(CHANGES_A_ROUND, kills - evening.kills))
        for name in ("door", "game"):
            log = (directory / f"{name}.log").read_text()
            assert not re.search(r" (ERROR|CRITICAL) |Traceback", log), log[-2_000:]
    return evening


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_a_crowd_of_every_kind_and_hundreds_of_kills(tmp_path, chunk):
    evening = await spent(tmp_path, CROWD, -(-KILLS // CHUNKS), 1_000 + chunk)
    print(f"\ndoor crowd kills={evening.kills} {evening}")
    assert evening.plays > evening.kills
