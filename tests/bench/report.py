"""The table that the bench prints: what was measured, beside what, against which target."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

TOLERANCE = 0.2  # --gate: so much worse than the target is noise of the machine


@dataclass(frozen=True)
class Target:
    """`at least` or `at most` a limit, of the ratio to bare or of the figure itself."""

    sign: str  # ">=" or "<="
    limit: float
    is_ratio: bool = False

    def is_met(self, value: float, tolerance: float = 0.0) -> bool:
        if self.sign == ">=":
            return operator.ge(value, self.limit * (1 - tolerance))
        return operator.le(value, self.limit * (1 + tolerance))

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:g}{' of bare' if self.is_ratio else ''}"


@dataclass(frozen=True)
class Row:
    """One figure, measured several times beside as many bare ones."""

    name: str
    measured: tuple[float, ...]
    bare: tuple[float, ...] = ()
    target: Target | None = None

    @property
    def value(self) -> float:
        return median(self.measured)

    @property
    def ratio(self) -> float | None:
        """Each beside the bare one of its own time, so that a busy machine slows both."""
        if not self.bare:
            return None
        return median(own / bare for own, bare in zip(self.measured, self.bare, strict=True))

    def is_met(self, tolerance: float = 0.0) -> bool:
        if self.target is None:
            return True
        value = self.ratio if self.target.is_ratio else self.value
        assert value is not None, self.name
        return self.target.is_met(value, tolerance)

    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else f"{self.ratio:.{2 if self.ratio > 0.05 else 4}f}"
        bare = f"{median(self.bare):,.1f}" if self.bare else ""
        verdict = "" if self.target is None else "ok" if self.is_met() else "MISSED"
        return self.name, f"{self.value:,.1f}", bare, ratio, str(self.target or ""), verdict


HEAD = ("", "measured", "bare", "ratio", "target", "")


def printed(rows: Iterable[Row]) -> str:
    """The rows under each other, names to the left, figures to the right."""
    cells = [HEAD, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in (0, 5) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
