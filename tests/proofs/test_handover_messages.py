"""One of two servers dies at a message or step of a handover, just before or after it, or stops.

Rule 1: as in `test_planned_restarts.py`: the other one goes on or, if both have ended, the next.
        Nobody loses the connection, and what is typed afterwards is said exactly once.
Rule 2: a standby that stops with the lock is ended by the server that it was to relieve.
Rule 3: at no time two processes may write, as the kernel has it (`writers.py`).
"""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest

from tests.counts import count
from tests.faults.test_game_server import House, house
from tests.proofs.test_killed_game_server import CHAT, Typist
from tests.proofs.test_planned_restarts import BUSY, Relay, come, judge
from tests.proofs.writers import one_writer

BY_ACTIVE = ("TakeOver", "Released", "GoOn")
BY_STANDBY = ("Willing", "Taken", "Listening", "Resumed", "open")
CASES = [
    *(f"{what} {when} kill" for what in BY_ACTIVE for when in ("before", "after")),
    *(f"{what} {when} kill" for what in BY_STANDBY[:-1] for when in ("before", "after")),
    *(f"{step} kill" for step in ("settle after", "pack after", "let go before", "open before")),
    *(f"leave {when} kill" for when in ("before", "after")),
    "Taken before stop",
]
TIMES, PEOPLE = count(200, 1), 12
ENDS_S = 30.0


async def relieved(here: House, relay: Relay, typists: list[Typist], case: str) -> str:
    """Hand over, and let one of the two die; what became of it."""
    for typist in typists:
        typist.begin()
        typist.finish(is_certain=False)
        typist.begin()
    (here.directory / "doom").write_text(case)
    done = await asyncio.to_thread(relay.restart)
    assert not (here.directory / "doom").exists(), (case, done)
    is_by_standby = case.rsplit(" ", 2)[0] in BY_STANDBY
    dead, other = (relay.standby, relay.active) if is_by_standby else (relay.active, relay.standby)
    assert await asyncio.to_thread(here.processes.pop(dead).wait, ENDS_S) < 0, (case, done)
    if not is_by_standby:
        assert (await asyncio.to_thread(here.hears, other)).startswith("ready game="), case
        relay.active = other
        return "handed over"
    if "this server goes on" in done.stderr:
        return "went on"
    assert 0 == await asyncio.to_thread(here.processes.pop(other).wait, ENDS_S), (case, done)
    relay.active = await asyncio.to_thread(relay.begin)
    return "both ended"


async def evening(here: House, seed: int) -> dict[str, object]:
    relay, became = Relay(here), dict[str, str]()
    typists = await come(here, PEOPLE, Random(seed))
    for case in CASES * TIMES:
        await asyncio.to_thread(relay.begin_standby)
        became[case] = await relieved(here, relay, typists, case)
        words = [(typist, typist.finish(is_certain=True)) for typist in typists]
        for typist, word in words:
            await typist.hears(rf"[:>] {re.escape(word)}")
    await asyncio.sleep(0.5)
    return became | judge(typists)


def watched(here: House, seed: int) -> dict[str, object]:
    with one_writer(here.directory / "data") as watch:
        figures = asyncio.run(evening(here, seed))
    assert len(watch.holders) > len(CASES) * TIMES // 2  # most change who writes
    return figures | {"looks": watch.looks, "writers": len(watch.holders)}


@pytest.mark.prove
def test_whoever_dies_at_a_step_of_a_handover_leaves_a_server_that_goes_on(tmp_path):
    with house(tmp_path) as here:
        here.program = "tests.proofs.doomed_server"
        here.settings.write_text(here.settings.read_text() + CHAT + BUSY)
        figures = watched(here, 3)
    print(f"\nkilled at steps={len(CASES) * TIMES} people={PEOPLE} lost_connections=0 {figures}")
    assert "went on" == figures["Taken before stop"]
