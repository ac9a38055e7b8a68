"""Two servers never write one table: the owner is killed, or stopped beyond its lease."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import count as count_from
from pathlib import Path

import pytest

from mudserver.journal.postgres import statements
from tests.counts import count

ROOT = Path(__file__).parents[4]
PAIRS = 6
PROGRAM = "tests.mudserver.journal.postgres.take_overs"


async def figures(address: str, number: int, seed: int = 1, *options: str) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", PROGRAM, address, str(number), str(seed), *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()[-2_000:]
    found = json.loads(out)
    print(f"take-overs {found}")
    return found


def check(found: Mapping[str, int], number: int) -> None:
    assert (0, 0, number) == (found["lost"], found["late"], found["take-overs"])
    assert found["acknowledged"] > number and found["by the heir"] >= number


async def test_what_was_acknowledged_stays_and_nothing_is_written_late(database):
    check(await figures(database, 6), 6)


@pytest.mark.prove
async def test_many_take_overs(postgres):
    """Pairs of servers in databases of their own, at once: a trial is mostly waiting."""
    number, found = count(10_000, 300), Counter[str]()
    addresses = [await postgres.make_database() for _ in range(PAIRS)]
    shares = [len(range(pair, number, PAIRS)) for pair in range(PAIRS)]
    for one in await asyncio.gather(
        *(figures(*it) for it in zip(addresses, shares, count_from(1), strict=False))
    ):
        found.update(one)
    print(f"in all {dict(found)}")
    check(found, number)


async def test_without_epoch_and_owner_the_old_owner_writes_late(database):
    assert (await figures(database, 30, 1, "unfenced"))["late"] > 0


async def test_the_part_of_one_heir_is_divided_again_at_its_own_death(servers):
    """Else one of the others gets all of it, and takes twice as long."""
    first, second, third = [await servers.open(name) for name in ("g1", "g2", "g3")]
    for number in range(1, 41):
        await first.append(f"table/{number}", 1, b"x")
    taken = []
    for dead, heir in ((first, second), (second, third)):
        await servers.run(
            "update server set until = '-infinity', epoch = epoch + 1 where name = $1", dead.server
        )
        values = heir.server, heir.epoch, dead.server, 1_000, 2, 0
        taken.append(len(await heir._reader.fetch(statements.CLAIM, *values)))
    assert 10 < taken[0] < 30 and 0 < taken[1] < taken[0]
