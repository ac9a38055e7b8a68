"""How fast this machine is just now: the measure of proofs that bound CPU time.

A bound in seconds fails on a slower machine, and proves nothing on a faster one.
"""

from __future__ import annotations

from time import process_time

TIMES = 5  # the least of so many: what else runs on the machine only adds
NUMBERS = 200_000


def reference_s() -> float:
    """CPU seconds of a fixed piece of plain Python: some 50 ms of a small server."""
    return min(_once() for _ in range(TIMES))


def _once() -> float:
    began = process_time()
    found: dict[int, int] = {}
    for number in range(NUMBERS):
        found[number % 1_000] = found.get(number % 1_000, 0) + number * number
    assert sum(found.values()) == sum(number * number for number in range(NUMBERS))
    return process_time() - began
