"""The stream of results: numbers, appending, and the index that follows from it.

Rule 1: the last number and the last sequence are taken under one lock.  A result, the end of its
        table and its index rows are one transaction.
Rule 2: after a record that may or may not have been written, the end of the stream is read again.
Rule 3: rows that are missing in the index are made again before the next append: after an index
        was dropped, or where a journal was put together from copies.
Rule 4: the stream is never read whole at a start, and never held whole in memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType

from mudserver.errors import JournalConflictError
from mudserver.journal import Entry, IndexRow, Journal, Row, Value
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results import queries
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    ScanBegun,
    decode,
    encode,
)
from mudserver.results.rows import SEQUENCE, index_rows
from mudserver.results.statistics import Tallies
from mudserver.service.account_streams import (
    CONFLICT_PAUSE_S,
    CONFLICTS_MAX,
    AccountStreams,
    Decide,
)

log = logging.getLogger(__name__)

Make = Callable[[int], Awaitable[Sequence[AnyResultEvent]]]
"""The events to append, at least one; the argument is the number of the next game."""

Write = Callable[[Sequence[Entry], Sequence[IndexRow]], Awaitable[object]]

NO_DECISIONS: Mapping[str, Decide] = MappingProxyType({})


class ResultStreams:
    def __init__(self, journal: Journal, accounts: AccountStreams) -> None:
        self._journal, self._accounts = journal, accounts
        self._lock = asyncio.Lock()
        self._is_known = False  # whether the two below are those of the journal
        self._sequence = self._number = 0  # of the last event, and of the last game
        self.scan = ScanBegun(0, 0)  # the first event of every stream, see `old_games.py`

    async def append(
        self,
        make: Make,
        others: Sequence[Entry] = (),
        decides: Mapping[str, Decide] = NO_DECISIONS,
        write: Write | None = None,
    ) -> Sequence[AnyResultEvent]:
        """Append events with records of other streams, and what accounts decide: all or nothing.

        Args:
            write: Writes them instead, with what else belongs to their transaction.

        Returns:
            What *make* made.

        Raises:
            UserError: By *make*; nothing is written.
            JournalWriteError: Not saved, or not known to be.
        """
        async with self._lock:
            for _ in range(CONFLICTS_MAX):
                await self._prepare()
                was, made = self._sequence, await make(self._number + 1)
                events = made if was else [self.scan, *made]
                self._is_known = False
                try:
                    if write is None:
                        await self._write(events, others, decides)
                    else:
                        await write(*await self._entries(events))
                except JournalConflictError:
                    await self._prepare()
                    if self._sequence == was:
                        raise  # it was another stream
                    await asyncio.sleep(CONFLICT_PAUSE_S)
                    continue
                self._note(events)
                return made
        raise JournalConflictError("others kept writing results")

    async def begin(self) -> None:
        """Write the first event, if there is none.  JournalWriteError: as for `append`."""
        async with self._lock:
            await self._prepare()
            if not self._sequence:
                self._is_known = False
                await self._write([self.scan], (), NO_DECISIONS)
                self._note([self.scan])

    async def _write(
        self,
        events: Sequence[AnyResultEvent],
        others: Sequence[Entry],
        decides: Mapping[str, Decide],
    ) -> None:
        entries, rows = await self._entries(events)
        await self._accounts.append_with([*others, *entries], decides, index=rows)

    async def _entries(
        self, events: Sequence[AnyResultEvent]
    ) -> tuple[list[Entry], list[IndexRow]]:
        entries, rows, tallies = list[Entry](), list[IndexRow](), Tallies()
        await self._load(tallies, events)
        for sequence, event in enumerate(events, self._sequence + 1):
            entries.append(Entry(RESULT_STREAM, sequence, encode(event)))
            rows += [*index_rows(sequence, event), *tallies.rows(sequence, event)]
        return entries, rows

    async def _load(self, tallies: Tallies, events: Sequence[AnyResultEvent]) -> None:
        if people := tallies.unknown(events):
            tallies.load(people, await self.look_up(*queries.tallies_of(people)))

    def _note(self, events: Sequence[AnyResultEvent]) -> None:
        self._sequence += len(events)
        numbers = [event.number for event in events if isinstance(event, GameRecorded)]
        self._number = max(numbers, default=self._number)
        self._is_known = True

    async def prepare(self) -> None:
        """Find the end of the stream, and make the rows of the index that are missing.

        JournalWriteError: it cannot be read or written now.
        """
        async with self._lock:
            await self._prepare()

    async def mark(self, name: str) -> int | None:
        """See `rows.py`; None: there is none."""
        found = await self.look_up("select value from mark where name = ?", (name,))
        return int(found[0][0] or 0) if found else None

    async def look_up(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """See `Journal.look_up`."""
        return await self._journal.look_up(sql, values)

    async def last_sequence(self) -> int:
        """Of the last event in the journal; 0: there is none."""
        return await self._journal.last_sequence(RESULT_STREAM)

    async def _prepare(self) -> None:
        if self._is_known:
            return
        covered = await self.mark(SEQUENCE) or 0
        last = await self.last_sequence()  # after the mark, which others may move meanwhile
        if covered != last:
            await self._make_rows(covered if covered < last else 0)
        found = await self.look_up("select max(number) from game")
        self._sequence, self._number = last, int(found[0][0] or 0)
        self._is_known = True

    async def _make_rows(self, covered: int) -> None:
        """One transaction a piece."""
        tallies, count = Tallies(is_whole=not covered), 0
        async for piece in self._journal.read_pieces(RESULT_STREAM, covered):
            step = [(it.sequence, decode(it.body)) for it in piece]
            await self._load(tallies, [event for _, event in step])
            rows = [
                row
                for sequence, event in step
                for row in (*index_rows(sequence, event), *tallies.rows(sequence, event))
            ]
            await self._journal.append_all([], index=rows)
            count += len(piece)
        log.info("index made again records=%s", count)
