"""[DUR-5] A real server, killed again and again in the middle of a game.

Three people play over bare sockets.  The server is killed by SIGKILL right after a play was
acknowledged, or at a random moment while one is on its way.  Then a copy of its disk says what is
durable, the server starts again on the disk itself, and everybody comes back.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from statistics import median

import pytest

from tests.counts import count
from tests.proofs.crash_run import CrashRun
from variants.catalogue import CATALOGUE

KILLS, CHUNKS = count(1_000, 100), 20


def crashed(directory: Path, seed: int, kills: int, variant: str) -> CrashRun:
    crash_run = CrashRun(directory, Random(seed), variant)
    crash_run.begin()
    try:
        for _ in range(kills):
            crash_run.die()
    finally:
        crash_run.server.kill()
    log = crash_run.server.log_text()
    assert not re.search(r" (ERROR|CRITICAL) |Traceback", log), log[-2000:]
    return crash_run


def test_a_killed_server_forgets_nothing_it_acknowledged(tmp_path):
    crash_run = crashed(tmp_path, 1, kills=2, variant="elimination")
    assert crash_run.acknowledged > 2


@pytest.mark.prove
@pytest.mark.parametrize("variant", sorted(CATALOGUE))
def test_no_game_is_forgotten(tmp_path, variant):
    crash_run = crashed(tmp_path, 1, kills=4, variant=variant)
    assert crash_run.acknowledged > 4


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_thousand_kills(tmp_path, chunk):
    variant = sorted(CATALOGUE)[chunk % len(CATALOGUE)]
    crash_run = crashed(tmp_path, 100 + chunk, kills=KILLS // CHUNKS, variant=variant)
    starts = crash_run.starts_ms
    print(
        f"\nsigkill {variant} chunk={chunk} kills={KILLS // CHUNKS} "
        f"plays={crash_run.acknowledged} lost=0 doubled=0 "
        f"in_flight_kept={crash_run.in_flight_kept} in_flight_lost={crash_run.in_flight_lost} "
        f"start_ms_median={median(starts):.0f} start_ms_max={max(starts):.0f}"
    )
