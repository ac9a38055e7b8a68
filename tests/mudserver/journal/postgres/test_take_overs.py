"""Two servers never write one table: the owner is killed, or stopped beyond its lease."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.counts import count

ROOT = Path(__file__).parents[4]
PROGRAM = "tests.mudserver.journal.postgres.take_overs"


async def figures(address: str, number: int, *options: str) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", PROGRAM, address, str(number), "1", *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()[-2_000:]
    found = json.loads(out)
    print(f"take-overs {found}")
    return found


def check(found: dict[str, int], number: int) -> None:
    assert (0, 0, number) == (found["lost"], found["late"], found["take-overs"])
    assert found["acknowledged"] > number and found["by the heir"] >= number


async def test_what_was_acknowledged_stays_and_nothing_is_written_late(database):
    check(await figures(database, 12), 12)


@pytest.mark.prove
async def test_many_take_overs(database):
    check(await figures(database, number := count(10_000, 300)), number)


async def test_without_epoch_and_owner_the_old_owner_writes_late(database):
    assert (await figures(database, 6, "unfenced"))["late"] > 0
