"""The whole server by seed, on a virtual clock: people, faults, deaths and restarts."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.counts import count
from tests.simulation.simulation import Figures, Outcome, simulate
from tests.slow_cases import slow_cases

ROOT = Path(__file__).parents[2]
SHORT = (44, 52, 59, 61)
TWICE = (44, 33)  # both are stopped, the second with people and programs in the lobby
OTHER = 61
SEEDS, CHUNKS = count(1_000, 60), 20


@cache
def simulated(seed: int) -> Outcome:
    return simulate(seed)


def figures_of(seed: int) -> Figures:
    return simulated(seed).figures


@pytest.mark.parametrize("seed", SHORT)
def test_a_server_lives_through_every_fault(seed):
    figures = figures_of(seed)
    assert figures.games and figures.typed_plays and figures.told and figures.checks


def test_the_short_seeds_meet_every_kind_of_fault():
    total = sum((figures_of(seed) for seed in SHORT), Figures())
    assert total.kills > total.kills_at_a_record > 0, total
    assert total.stops and total.journal_faults and total.clock_jumps and total.time_outs, total


def test_programs_live_and_play_in_the_short_simulations():
    total = sum((figures_of(seed) for seed in SHORT), Figures())
    assert total.visits > total.program_visits >= 10, total
    assert total.typed_plays > total.program_plays >= 100, total


def test_people_offer_games_and_propose_matches_in_the_short_simulations():
    total = sum((figures_of(seed) for seed in SHORT), Figures())
    assert total.taken > 0 and total.matches > 0, total


@pytest.mark.parametrize("seed", slow_cases(TWICE, ["33"]))
def test_the_same_seed_is_the_same_run_to_the_byte_in_any_process(seed):
    """Another hash seed orders sets otherwise; nothing that anybody sees may follow from that."""
    scenario = (
        "from tests.simulation.simulation import simulate\n"
        f"print(hash('a'), *simulate({seed}).digests)"
    )
    done = subprocess.run(
        [sys.executable, "-c", scenario],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    hash_of_a, *again = done.stdout.split()
    assert str(hash("a")) != hash_of_a
    journal, wire = simulated(seed).digests
    assert [journal, wire] == again
    other_journal, other_wire = simulated(OTHER).digests
    assert journal != other_journal and wire != other_wire


@pytest.mark.prove
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_thousand_simulations(chunk):
    total = Figures()
    for seed in range(10_000 + chunk, 10_000 + SEEDS, CHUNKS):
        total += simulate(seed).figures
    print(f"\nsimulation chunk={chunk} {total}")
    assert SEEDS // CHUNKS == total.seeds
