"""Following: what streams of people have gained, by whichever server, without a gap.

Rule 1: a position is kept for each writer.  For one writer a visible position means that all lower
        ones are visible (`statements.py`, rule 4); one look is one snapshot.
Rule 2: what is told is where a stream ends.  Whoever is told reads the stream behind what is known.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.journal.postgres.reading import Fetches
from mudserver.journal.postgres.statements import FOLLOW

POSITIONS = "select writer, max(position) from change group by writer"


class Change(NamedTuple):
    writer: str
    position: int
    stream: str
    sequence: int


class Follower:
    """Begins with the first change; `skip` leaves out those until now."""

    def __init__(self, reader: Fetches) -> None:
        self._reader = reader
        self._positions: dict[str, int] = {}  # of the last change read, by writer

    async def skip(self) -> None:
        """Before everything is read anew.  JournalWriteError: it cannot be read now."""
        self._positions = dict(await self._reader.fetch(POSITIONS))

    async def news(self) -> list[Change]:
        """The next changes, some thousand at most; [] when there are no more."""
        writers, positions = list(self._positions), list(self._positions.values())
        rows = await self._reader.fetch(FOLLOW, writers, positions)
        changes = [Change(*row) for row in rows]
        for change in changes:
            self._positions[change.writer] = change.position
        return changes
