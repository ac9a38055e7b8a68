"""No order of a set is read by anybody, or stored; planted ones are found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.simulation.set_orders import PLANTS, digests

ROOT = Path(__file__).parents[2]


def test_nothing_is_in_the_order_of_a_set_and_each_planted_order_is_found():
    said = subprocess.run(
        [sys.executable, "-m", "tests.simulation.set_orders"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    hash_of_a, *rows = said.stdout.splitlines()
    assert str(hash("a")) != hash_of_a
    there, here = dict(row.split(maxsplit=1) for row in rows), dict(digests())
    assert {"nothing", *PLANTS} == here.keys() == there.keys()
    assert {"nothing"} == {name for name in here if here[name] == there[name]}
