"""Whole days behind a door, by seed: people, faults, deaths, handovers and broken sockets together.

Each planted fault is one that only people behind a door can meet; its seed has to see it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from mudserver.session.json_objects import Done
from mudserver.session.program_lines import ProgramLines
from mudserver.tables import runner
from mudserver.tables.ended_game import ended_game
from mudserver.wall.door_connection import DoorConnection
from tests.counts import count
from tests.simulation.programs import SimProgram
from tests.simulation.simulation import Outcome
from tests.simulation.split_simulation import SplitSimulation

ROOT = Path(__file__).parents[2]
SHORT = 20_012  # 1.5 s of CPU, in which most things happen; `make prove` plays longer ones
SEEDS, CHUNKS = count(1_000, 40), 20
OTHER = 20_009


@cache
def played(seed: int) -> tuple[SplitSimulation, Outcome]:
    simulation = SplitSimulation(seed)
    return simulation, simulation.play()


def test_nobody_notices_what_happens_behind_the_door():
    simulation, outcome = played(SHORT)
    found = simulation.happened + played(OTHER)[0].happened
    programs = [each for each in simulation.people if isinstance(each, SimProgram)]
    assert outcome.figures.typed_plays and outcome.figures.told
    assert sum(each.events for each in programs) > 100
    assert sum(each.done.total() for each in programs) > 20
    assert found["kill"] and found["break"] and found["stop"]
    assert found["restarted"] and found["restart not done"]


def test_the_command_for_a_failed_seed_repeats_it_in_any_process():
    """Another hash seed orders sets otherwise; nothing that happens may follow from that."""
    command = [sys.executable, "-m", "tests.simulation.again", "split", f"{SHORT}"]
    said = subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    ).stdout.splitlines()  # fmt: skip
    simulation, outcome = played(SHORT)
    expected = outcome.figures, *outcome.digests, dict(simulation.happened)
    assert [str(each) for each in expected] == said


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_days_behind_a_door(chunk):
    found = Counter[str]()
    for seed in range(20_000 + chunk, 20_000 + SEEDS, CHUNKS):
        (simulation := SplitSimulation(seed)).play()
        found += simulation.happened
    print(f"\nsplit simulation chunk={chunk} seeds={SEEDS // CHUNKS} {dict(found)}")


def what_has_begun_is_typed_again(plant):
    plant.setattr(DoorConnection, "_note_progress", lambda self, begun, done: None)


def what_was_shown_is_forgotten(plant):
    honest = DoorConnection.show
    plant.setattr(
        DoorConnection, "show", lambda self, data, seen, flags: honest(self, data, 0, flags)
    )


def a_capsule_is_lost(plant):
    honest = DoorConnection.open

    def lossy(self, *about):
        self._capsule = b""
        honest(self, *about)

    plant.setattr(DoorConnection, "open", lossy)


def a_record_is_told_before_it_is_kept(plant):
    """At tables: who reads `done` has been promised what a death takes back."""
    honest, late = runner.TableRunner._append, []

    async def hasty(self, table, record):
        if record.closes or record.sequence == 1 or ended_game(table, record) is not None:
            await honest(self, table, record)
        else:
            late.append(asyncio.ensure_future(honest(self, table, record)))

    plant.setattr(runner.TableRunner, "_append", hasty)


def a_line_is_done_before_its_answer(plant):
    async def hasty(self, table):
        if self._id is not None:
            self._owner.send_object(Done(self._id, True, None))

    plant.setattr(ProgramLines, "_end", hasty)


FAULTS = {
    what_has_begun_is_typed_again: SHORT,
    what_was_shown_is_forgotten: SHORT,
    a_capsule_is_lost: SHORT,
    a_record_is_told_before_it_is_kept: OTHER,
    a_line_is_done_before_its_answer: SHORT,
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_seen(fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        SplitSimulation(FAULTS[fault]).play()
