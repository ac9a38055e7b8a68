"""What a seed of a simulation did, again.

Usage: python -m tests.simulation.again [--log] days|split|town|servers SEED

Rule 1: a run follows from its seed and the commit; no clock, hash seed or other process is in it.
"""

from __future__ import annotations

import argparse
import logging

from tests.simulation.many_servers import simulate as live_with_servers
from tests.simulation.simulation import Simulation
from tests.simulation.split_simulation import SplitSimulation
from tests.simulation.town import simulate as live_in_town

LOGGERS = ("mudserver", "standby", "wall")


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.simulation.again")
    parser.add_argument("--log", action="store_true", help="show what the servers log")
    parser.add_argument("kind", choices=("days", "split", "town", "servers"))
    parser.add_argument("seed", type=int)
    asked = parser.parse_args()
    if asked.log:
        logging.basicConfig(format="%(name)s %(message)s")
        for name in LOGGERS:
            logging.getLogger(name).setLevel(logging.INFO)
    if asked.kind == "town":
        town = live_in_town(asked.seed)
        print(dict(town.found), *town.faults, sep="\n")
        return
    if asked.kind == "servers":
        print(dict(live_with_servers(asked.seed).found))
        return
    simulation = (SplitSimulation if asked.kind == "split" else Simulation)(asked.seed)
    outcome = simulation.play()
    print(outcome.figures, *outcome.digests, sep="\n")
    if isinstance(simulation, SplitSimulation):
        print(dict(simulation.happened))


if __name__ == "__main__":
    main()
