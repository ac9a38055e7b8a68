"""The stream of results: numbers, appending, and the index that follows from it.

Rule 1: the last number and the last sequence are taken under one lock.  A result, the end of its
        table and its index rows are one transaction.
Rule 2: after a record that may or may not have been written, the end of the stream is read again.
Rule 3: rows that are missing in the index are made again before the next append: after an index
        was dropped, or where a journal was put together from copies.
Rule 4: what is counted game by game may be behind: after an upgrade that counts more.  It is made
        in the background, in short steps, and games end meanwhile, uncounted until it is there.
        One server at a time moves the mark: with an event, as a conflict tells of another one.
Rule 5: the stream is never read whole at a start, and never held whole in memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from mudserver.errors import JournalConflictError
from mudserver.journal import Entry, IndexRow, Journal, Row, StoredRecord, Value
from mudserver.journal.index import INDEX_TABLES
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results import queries
from mudserver.results.events import (
    AnyResultEvent,
    Counted,
    GameRecorded,
    ScanBegun,
    decode,
    encode,
)
from mudserver.results.rows import COUNTED, SEQUENCE, index_rows, mark_row
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

STEP = 50  # results that are counted at once
PAUSE_S = 0.02  # between two steps, for everything else

NO_DECISIONS: Mapping[str, Decide] = MappingProxyType({})


class ResultStreams:
    def __init__(self, journal: Journal, accounts: AccountStreams) -> None:
        self._journal, self._accounts = journal, accounts
        self._lock = asyncio.Lock()
        self._is_known = False  # whether the two below are those of the journal
        self._sequence = self._number = 0  # of the last event, and of the last game
        self._counted = 0  # see `rows.py`
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
        numbered = [*enumerate(events, self._sequence + 1)]
        entries = [Entry(RESULT_STREAM, sequence, encode(event)) for sequence, event in numbered]
        rows = [row for numbers in numbered for row in index_rows(*numbers)]
        if self._is_counted:
            rows += await self._counted_rows(Tallies(), numbered)
        return entries, rows

    @property
    def _is_counted(self) -> bool:
        return self._counted == self._sequence

    def _note(self, events: Sequence[AnyResultEvent]) -> None:
        was_counted = self._is_counted
        self._sequence += len(events)
        if was_counted:
            self._counted = self._sequence
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
        if self._is_known and self._is_counted:
            return
        covered, counted, last = await self._ends()
        if covered != last:
            await self._make_rows(covered if covered < last else 0)
        found = await self.look_up("select max(number) from game")
        self._sequence, self._number = last, int(found[0][0] or 0)
        if counted > last:  # of another journal, from which copies came
            await self._journal.append_all([], index=[mark_row(COUNTED, 0)])
            counted = 0
        self._counted, self._is_known = counted, True

    async def _ends(self) -> tuple[int, int, int]:
        """The marks SEQUENCE and COUNTED, and the last sequence, as they are at one moment."""
        asked = "select name, value from mark where name in (?, ?)", (SEQUENCE, COUNTED)
        for _ in range(CONFLICTS_MAX):
            marks = {str(name): int(value or 0) for name, value in await self.look_up(*asked)}
            last = await self.last_sequence()
            if marks == {str(name): value for name, value in await self.look_up(*asked)}:
                return marks.get(SEQUENCE, 0), marks.get(COUNTED, 0), last
        raise JournalConflictError("others kept writing results")

    async def _make_rows(self, covered: int) -> None:
        """One transaction a piece."""
        count = 0
        async for piece in self._journal.read_pieces(RESULT_STREAM, covered):
            rows = [row for it in piece for row in index_rows(it.sequence, decode(it.body))]
            await self._journal.append_all([], index=rows)
            count += len(piece)
        log.info("index made again records=%s", count)

    # -- what is counted [rule 4] ----------------------------------------------------------------

    async def count(self) -> None:
        """Make the rows that are missing of what is counted.

        JournalWriteError: it cannot be read or written now; what was made stays.
        """
        count = 0
        while not await self._is_all_counted():
            count += await self._count_to_the_end()
        if count:
            log.info("results counted records=%s", count)

    async def _is_all_counted(self) -> bool:
        async with self._lock:
            self._is_known = False
            await self._prepare()
            return self._is_counted

    async def _count_to_the_end(self) -> int:
        """To the record that is the last one now; fewer where another server counts as well."""
        tallies, count = Tallies(), 0
        async for piece in self._journal.read_pieces(RESULT_STREAM, self._counted):
            rows = dict[tuple[str, tuple[Value, ...]], IndexRow]()  # the last one of each key
            for first in range(0, len(piece), STEP):
                step = [(it.sequence, decode(it.body)) for it in piece[first : first + STEP]]
                for row in await self._counted_rows(tallies, step):
                    rows[row.table, row.values[: len(INDEX_TABLES[row.table].key)]] = row
                await asyncio.sleep(PAUSE_S)
            if not await self._save_counted(piece[0].sequence, piece[-1], rows.values()):
                break
            count += len(piece)
        return count

    async def _save_counted(self, first: int, last: StoredRecord, rows: Iterable[IndexRow]) -> bool:
        """One transaction, with an event; False: another server was faster."""
        async with self._lock:
            self._is_known = False
            await self._prepare()
            if self._counted != first - 1:
                return False
            sequence, event = self._sequence + 1, Counted(last.at_ms, last.sequence)
            is_all = last.sequence == self._sequence
            counted = sequence if is_all else last.sequence
            index = [*rows, *index_rows(sequence, event), mark_row(COUNTED, counted)]
            self._is_known = False
            try:
                await self._journal.append_all(
                    [Entry(RESULT_STREAM, sequence, encode(event))], index=index
                )
            except JournalConflictError:
                return False
            self._counted = counted
            return True

    async def _counted_rows(
        self, tallies: Tallies, numbered: Sequence[tuple[int, AnyResultEvent]]
    ) -> list[IndexRow]:
        if people := tallies.unknown([event for _, event in numbered]):
            rows = await self.look_up(*queries.tallies_of(people))
            tallies.load(people, rows, self._counted)
        return [row for numbers in numbered for row in tallies.rows(*numbers)]
