"""How many cases a long proof takes.

`make prove` takes a part of each, chosen to fit the whole into an hour on two cores.
`PROVE=full make prove` takes all, for hours; `PROVE=full .venv/bin/pytest FILE -m prove -rP` one of
them.  docs/proofs.md has both figures.  `PROVE=50` is the full size with at most so many cases.
"""

from __future__ import annotations

import os

_PROVE = os.environ.get("PROVE", "")
IS_FULL = _PROVE == "full" or _PROVE.isdigit()
_MOST = int(_PROVE) if _PROVE.isdigit() else None


def count(full: int, part: int) -> int:
    """Cases, games or kills of one proof: *full* of them, or *part* where nobody asked for all."""
    assert 0 < part <= full, (part, full)
    if _MOST is not None:
        return max(1, min(full, _MOST))
    return full if IS_FULL else part
