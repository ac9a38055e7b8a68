"""Game servers that hand over to their standbys, again and again, under people who type.

Rule 1: as in `test_killed_game_server.py`: every line is typed once, in pieces, with a number.
Rule 2: in a planned restart every line is said exactly once, whenever it was typed, and nobody
        reads that a line is uncertain.
Rule 3: where one of the two is killed at some moment of the handover, the other goes on; a line
        that was under way then is said at most once.
Rule 4: at no time two processes may write, as the kernel has it (`writers.py`).
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.faults.test_game_server import House, house
from tests.proofs.test_killed_game_server import CHAT, Typist
from tests.proofs.writers import one_writer

BUSY = "deliveries_per_s = 1e6\nchannel_per_s = 1e6\n"
RESTARTS, KILLS, PEOPLE = count(200, 6), count(200, 8), 40
DONE = re.compile(r"restarted: (\d+) of (\d+) sessions went on, gap (\d+\.\d\d) s\n")
WITHIN_S = 0.15  # of a restart: when somebody is killed


SAID = re.compile(
    r"(?m)[:>] (w\d+\.\d+\.end)$"
)  # a client that echoes shows it on the prompt's row


def judge(typists: list[Typist]) -> dict[str, float]:
    said, unheard = 0, 0
    for typist in typists:
        assert not typist.is_gone
        welcomes = re.findall(r"Welcome to Lockdown, |Welcome back", typist.heard)
        assert ["Welcome to Lockdown, "] == welcomes, typist.heard[-2_000:]
        found = Counter(SAID.findall(typist.heard))
        assert [] == [word for word in typist.certain if found[word] != 1]
        assert [] == [word for word in typist.open if found[word] > 1]
        said += sum(found[word] for word in typist.certain + typist.open)
        unheard += sum(not found[word] for word in typist.open)
    return {"lines": said, "unheard": unheard}


class Relay:
    """An active server and its standby."""

    def __init__(self, here: House) -> None:
        self.here, self.count = here, 0
        self.active = self.begin()

    def begin(self) -> str:
        self.count += 1
        name = f"game {self.count}"
        self.here.start("game", name=name)
        return name

    def begin_standby(self) -> None:
        self.standby = self.begin()
        assert "standby ready\n" == self.here.hears(self.standby)

    def restart(self) -> subprocess.CompletedProcess[str]:
        return self.here.ask("restart")

    def note_restarted(self) -> None:
        assert self.here.hears(self.standby).startswith("ready game=")
        assert 0 == self.here.processes.pop(self.active).wait(15)
        self.active = self.standby


async def come(here: House, people: int, rng: Random) -> list[Typist]:
    ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
    ssh, telnet = (int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready))
    typists = [Typist(number, rng) for number in range(people)]
    for typist in typists:
        await typist.come(ssh, telnet)
    return typists


async def under_restarts(here: House, restarts: int, people: int, seed: int) -> dict[str, float]:
    rng, gaps = Random(seed), list[float]()
    began_s = time.monotonic()
    relay = Relay(here)
    start_s = time.monotonic() - began_s
    typists = await come(here, people, rng)
    for _ in range(restarts):
        await asyncio.to_thread(relay.begin_standby)
        restarting = asyncio.create_task(asyncio.to_thread(relay.restart))
        words = []
        while not restarting.done():
            typist = typists[rng.randrange(people)]
            typist.begin()
            await asyncio.sleep(rng.random() * 0.15)
            words.append((typist, typist.finish(is_certain=True)))
        done = await restarting
        told = DONE.fullmatch(done.stdout)
        assert told is not None, done
        assert told[1] == told[2] == str(people), done.stdout
        gaps.append(float(told[3]))
        await asyncio.to_thread(relay.note_restarted)
        for typist, word in words:
            await typist.hears(rf"[:>] {re.escape(word)}")
    await asyncio.sleep(0.5)
    for typist in typists:
        assert "may not have been taken" not in typist.heard
        assert "One moment" not in typist.heard
    gaps.sort()
    return judge(typists) | {
        "gap_s": gaps[len(gaps) // 2], "gap_max_s": gaps[-1], "start_s": start_s,
    }  # fmt: skip


async def under_kills(here: House, kills: int, people: int, seed: int) -> dict[str, float]:
    """Either of the two is killed at any moment of a handover."""
    rng, counts = Random(seed), {"handed over": 0, "went on": 0, "both ended": 0}
    relay = Relay(here)
    typists = await come(here, people, rng)
    for _ in range(kills):
        await asyncio.to_thread(relay.begin_standby)
        for typist in typists:
            typist.begin()
            typist.finish(is_certain=False)
            typist.begin()
        restarting = asyncio.create_task(asyncio.to_thread(relay.restart))
        began_s = time.monotonic()
        log = here.directory / "game.log"
        before = log.stat().st_size
        while b"handover begun" not in log.read_bytes()[before:]:
            assert time.monotonic() - began_s < 30
            await asyncio.sleep(0.001)
        await asyncio.sleep(rng.random() * WITHIN_S)
        victim, survivor = relay.active, relay.standby
        if rng.random() < 0.5:
            victim, survivor = survivor, victim
        here.kill(victim)
        done = await restarting
        if victim == relay.active:
            counts["handed over"] += 1
        elif done.returncode and "this one ends" not in done.stderr:
            counts["went on"] += 1
        else:  # the other one had begun to write, and died then: both are gone
            counts["both ended"] += 1
            await asyncio.to_thread(here.processes.pop(survivor).wait, 15)
            survivor = await asyncio.to_thread(relay.begin)
        here.processes.pop(victim, None)
        relay.active = survivor
        words = [(typist, typist.finish(is_certain=True)) for typist in typists]
        for typist, word in words:
            await typist.hears(rf"[:>] {re.escape(word)}")
    await asyncio.sleep(0.5)
    return judge(typists) | counts


def run(directory: Path, body, *args: int) -> dict[str, float]:
    with house(directory) as here:
        here.settings.write_text(here.settings.read_text() + CHAT + BUSY)
        with one_writer(directory / "data") as watch:
            figures = asyncio.run(body(here, *args))
    return figures | {"looks": watch.looks, "writers": len(watch.holders)}


@pytest.mark.prove
def test_every_line_that_is_typed_during_planned_restarts_is_said_once(tmp_path):
    figures = run(tmp_path, under_restarts, RESTARTS, PEOPLE, 1)
    print(f"\nplanned restarts={RESTARTS} people={PEOPLE} lost_connections=0 doubled=0 lost=0 "
          + " ".join(f"{name}={value:.2f}" for name, value in figures.items()))  # fmt: skip


@pytest.mark.prove
def test_whichever_of_the_two_is_killed_while_one_hands_over_the_other_goes_on(tmp_path):
    figures = run(tmp_path, under_kills, KILLS, PEOPLE, 2)
    print(f"\nkilled while handing over kills={KILLS} people={PEOPLE} lost_connections=0 "
          + " ".join(f"{name}={value:.2f}" for name, value in figures.items()))  # fmt: skip
