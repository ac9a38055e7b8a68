"""When this server has begun of late, and until when it had lived before.

Rule 1: a start is handed to the journal before the first heartbeat of its process.  A table whose
        last record is older was not restored by it, nor later: its clocks stand since the server
        was last alive before that start.  Without this an outage is forgotten for the tables that
        the first start after it has not restored when it dies.
Rule 2: KEPT starts are known.  After `mudserver reindex` none is, and only the last outage counts.
Rule 3: a start that finds the last heartbeat in the future has a clock that was set back.  Nothing
        that was noted before can be compared with what comes: all is forgotten, this start, too.
"""

from __future__ import annotations

import asyncio
import logging

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError
from mudserver.journal import IndexRow, Journal

KEPT = 8
READ = "select name, value from mark where name like 'start %'"

log = logging.getLogger(__name__)


class Starts:
    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal, self._clock = journal, clock
        self._writing: asyncio.Task[None] | None = None
        self._known: list[tuple[int, int]] = []  # (began, alive until then), UTC ms, oldest first

    async def note(self) -> None:
        """This process begins.  JournalWriteError: the journal cannot be read now."""
        if (alive_ms := self._journal.last_alive_ms) is None:
            return
        now_ms = self._clock.now_ms()
        names = [f"start {self._journal.server} {slot}" for slot in range(KEPT)]
        if now_ms < alive_ms:
            values = [(f"{name}{what}", 0) for name in names for what in ("", " alive")]
        else:
            found = {
                str(name): int(value or 0) for name, value in await self._journal.look_up(READ)
            }
            kept = [(found.get(name, 0), found.get(f"{name} alive", 0)) for name in names]
            self._known = sorted(it for it in kept if it[0])
            oldest = names[kept.index(min(kept))]
            values = [(oldest, now_ms), (f"{oldest} alive", alive_ms)]
        rows = [IndexRow("mark", it) for it in values]
        self._writing = asyncio.create_task(self._write(rows), name="note start")

    async def _write(self, rows: list[IndexRow]) -> None:
        try:
            await self._journal.append_all([], index=rows)
        except JournalWriteError as exc:  # the disk is full: games wait anyway
            log.warning("start not noted err=%s", exc)

    def alive_ms(self, changed_ms: int) -> int | None:
        """When the server of a table was last alive, UTC; None: it never was.

        Args:
            changed_ms: When the table was last written, UTC.
        """
        missed = (alive_ms for began_ms, alive_ms in self._known if began_ms > changed_ms)
        return next(missed, self._journal.last_alive_ms)

    async def close(self) -> None:
        if self._writing is not None:
            await self._writing
