"""Following: what streams of people have gained, by whichever server, without a gap.

Rule 1: a position is kept for each writer.  For one writer a visible position means that all lower
        ones are visible (`statements.py`, rule 4); one look is one snapshot.
Rule 2: what is told is where a stream ends.  Whoever is told reads the stream behind what is known.
Rule 3: changes are not kept for ever (`removing.py`).  Who was away for so long that some are gone
        is told where all streams of people end instead.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.journal.postgres.reading import Fetches
from mudserver.journal.postgres.statements import FOLLOW

POSITIONS = """
select name, greatest(forgotten, (select max(position) from change where writer = name))
from server"""
LAG = """
select coalesce(max(extract(epoch from clock_timestamp() - c.at)), 0)::float8 as lag_s
from unnest($1::text[], $2::bigint[]) as v(writer, after)
join lateral (select at from change where writer = v.writer and position > v.after
              order by position limit 1) c on true"""
ENDS_AT_ONCE = 1_000
ENDS = f"""
select stream, last from stream where stream > $1 and stream not like 'table/%'
order by stream limit {ENDS_AT_ONCE}"""


class Change(NamedTuple):
    writer: str  # "" and position 0: rule 3
    position: int
    stream: str
    sequence: int


class Follower:
    """Begins with the first change; `skip` leaves out those until now."""

    def __init__(self, reader: Fetches) -> None:
        self._reader = reader
        self._positions: dict[str, int] = {}  # of the last change read, by writer
        self._told_to: str | None = None  # the last stream told of by rule 3; None: no such round

    async def skip(self) -> None:
        """Before everything is read anew.  JournalWriteError: it cannot be read now."""
        self._positions = dict(await self._reader.fetch(POSITIONS))

    async def lag_s(self) -> float:
        """How long the oldest change waits that `news` has not told yet; 0: there is none.

        Raises:
            JournalWriteError: It cannot be read now.
        """
        known = {writer: position or 0 for writer, position in self._positions.items()}
        rows = await self._reader.fetch(LAG, list(known), list(known.values()))
        return float(rows[0][0])

    async def news(self) -> list[Change]:
        """The next changes, some thousand at most; [] when there are no more.

        Raises:
            JournalWriteError: They cannot be read now; nothing is left out.
        """
        if self._told_to is not None and (ends := await self._ends(self._told_to)):
            return ends
        writers, positions = list(self._positions), list(self._positions.values())
        rows = await self._reader.fetch(FOLLOW, writers, positions)
        if any(row["is_behind"] for row in rows):
            await self.skip()  # first: what is written from now on is told after the ends
            self._told_to = ""  # also when the ends cannot be read now
            return await self._ends("")
        changes = [Change(*tuple(row)[:4]) for row in rows]
        for change in changes:
            self._positions[change.writer] = change.position
        return changes

    async def _ends(self, after: str) -> list[Change]:
        """Where the next streams end."""
        rows = await self._reader.fetch(ENDS, after)
        self._told_to = rows[-1][0] if rows else None
        return [Change("", 0, *row) for row in rows]
