"""How many cases a long proof takes.

`make prove` takes a part of each, chosen to fit the whole into an hour on two cores.
`PROVE=full make prove` takes all, for hours; `PROVE=full .venv/bin/pytest FILE -m prove -rP` one of
them.  docs/proofs.md has both figures.
"""

from __future__ import annotations

import os

IS_FULL = os.environ.get("PROVE") == "full"


def count(full: int, part: int) -> int:
    """Cases, games or kills of one proof: *full* of them, or *part* where nobody asked for all."""
    assert 0 < part <= full, (part, full)
    return full if IS_FULL else part
