"""Parked tables: how they leave memory but for a row on disk, and how they come back.

Rule 1: a table leaves memory when nobody has looked at it for QUIET_S, after its row is written in
        its own queue: no record can come between.  It comes back when somebody goes there, asks
        something of it, or something is due.
Rule 2: it comes back as its stream says.  Its row is emptied before anybody finds it, so that a
        crash at any moment leaves a row that is true, or none.
Rule 3: at most FETCHED_AT_ONCE are read at once, and WAITING_MAX wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Entry, Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.tables import codec, texts
from mudserver.tables import records as f
from mudserver.tables.charges import TableCharges
from mudserver.tables.correspondence import OUTAGE_MS
from mudserver.tables.due_times import DueTimes
from mudserver.tables.parked import (
    Parked,
    decode,
    encode,
    index_row,
    is_outdated,
    may_park,
    with_time_given_back,
)
from mudserver.tables.parked_rows import ParkedRows
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.runner import TableRunner
from mudserver.tables.table import Table
from mudserver.tables.temporary_database import TemporaryDatabase

QUIET_S = 60.0
FETCHED_AT_ONCE = 4
WAITING_MAX = 200
DUE_AT_ONCE = 20
DUE_EVERY_S = 5.0  # while more are due than that, and after a failure
ROWS_AT_ONCE = 200  # read, and written in one transaction

READ = (
    "select number, body from parked where body <> '' and number > ?"
    f" order by number limit {ROWS_AT_ONCE}"
)

log = logging.getLogger(__name__)


OnLoad = Callable[[Parked, int | None], None]
"""Told of a table that another process has parked, and of when that was last alive, UTC ms."""


class Left(NamedTuple):
    """What is in no record, of a table that this process has parked."""

    charges: TableCharges | None = None
    code: str = ""


NOTHING_LEFT = Left()


class Parking:
    """Args:
    runners: Tables in memory, by number.
    make: A new table, of its number and its first record; may raise anything.
    take_up: A table is in memory again; let people find it.  Args: its row, and what else was left.
    note_seats: These people have seats at a table that is parked now.
    people: Who they are now.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        runners: dict[int, TableRunner],
        make: Callable[[int, bytes], Table],
        take_up: Callable[[Table, Parked, Left], None],
        note_seats: Callable[[int, Collection[str]], None],
        people: PeopleNow,
    ) -> None:
        self._journal, self._clock, self._runners = journal, clock, runners
        self._make, self._take_up, self._note_seats = make, take_up, note_seats
        self._people = people
        self.db = TemporaryDatabase()
        self.rows = ParkedRows(self.db)
        self._left: dict[int, Left] = {}  # by number
        self._due = DueTimes(self.db, "due")
        self._quiet: dict[int, float] = {}  # tables in memory that may be parked, by number: when
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(FETCHED_AT_ONCE)
        self._timer: TimerHandle | None = None
        self._wakes_s = 0.0  # when it is due, as of `Clock.monotonic`
        self._tasks = set[asyncio.Task[None]]()
        self._is_closed = False
        self.on_load: OnLoad = lambda row, alive_ms: None
        self.on_fetch: Callable[[int], None] = lambda number: None
        """Told of a table that is about to be in memory again."""
        self.on_closed: Callable[[int], None] = lambda number: None

    # -- reading -------------------------------------------------------------------------------

    def __contains__(self, number: int) -> bool:
        return number in self.rows

    def __len__(self) -> int:
        return len(self.rows)

    def get(self, number: int) -> Parked | None:
        """The table as it was parked; None: it is not."""
        return self.rows.get(number)

    # -- leaving memory ------------------------------------------------------------------------

    def note(self, runner: TableRunner) -> None:
        """The table has settled something: perhaps nobody is there any more."""
        number = runner.table.number
        if runner.can_leave and may_park(runner.table, self._clock.now_ms()):
            self._quiet[number] = self._clock.monotonic() + QUIET_S
            self._wake_in(QUIET_S)
        else:
            self._quiet.pop(number, None)

    def keep(self, runner: TableRunner, row: Parked) -> None:
        """The table has written its row and stops."""
        self._put(row)  # first: what fails here leaves the table in memory
        del self._runners[row.number]
        self._left[row.number] = Left(runner.charges, runner.table.code)
        self._note_seats(row.number, row.games)  # who was offline when it was adjourned, too

    def forget(self, numbers: Collection[int]) -> None:
        """They are another server's, with their rows."""
        for number in numbers:
            if self.rows.pop(number) is not None:
                charges = self._pop_left(number).charges
                if charges is not None:
                    charges.close()

    def _put(self, *rows: Parked) -> None:
        self.rows.put(*rows)
        for row in rows:
            self._expect(row.number, row.next_ms)

    def _pop_left(self, number: int) -> Left:
        """Its row is popped: it is not parked any more."""
        self._due.set(number, None)
        return self._left.pop(number, NOTHING_LEFT)

    # -- at a start, or from another server ----------------------------------------------------

    async def load(self, alive_ms: Mapping[str, int | None]) -> None:
        """Take those of the open tables that are parked, and give them the time of an outage.

        Args:
            alive_ms: When their server was last alive, by stream.

        Raises:
            JournalWriteError: The journal cannot be read or written now.
        """
        after = 0
        while read := await self._journal.look_up(READ, (after,)):
            after = int(str(read[-1][0]))
            await self._load([(int(str(number)), str(body)) for number, body in read], alive_ms)

    async def _load(
        self, read: Sequence[tuple[int, str]], alive_ms: Mapping[str, int | None]
    ) -> None:
        found, unfit = list[tuple[Parked, Any]](), list[int]()
        now_ms = self._clock.now_ms()
        for number, body in read:
            stream = TABLE_STREAMS.name(number)
            if stream not in alive_ms or number in self.rows:
                continue
            row = self._fitting(body)
            if row is None:
                unfit.append(number)
                continue
            since_ms = alive_ms[stream]
            is_outage = now_ms - max(row.at_ms, since_ms or 0) >= OUTAGE_MS
            found.append(with_time_given_back(row, since_ms, now_ms) if is_outage else (row, None))
        if unfit:  # they are folded
            await self._journal.append_all([], index=[index_row(number) for number in unfit])
        await self._take(found, alive_ms)

    def _fitting(self, body: str) -> Parked | None:
        """None: the table has to be folded."""
        try:
            row = decode(body)
        except ValueError:
            return None
        return None if row.is_live or is_outdated(row, self._people) else row

    async def _take(
        self, tables: list[tuple[Parked, Any]], alive_ms: Mapping[str, int | None]
    ) -> None:
        entries = [
            Entry(TABLE_STREAMS.name(row.number), row.sequence, codec.encode(record))
            for row, record in tables
            if record is not None
        ]
        rows = [index_row(row.number, encode(row)) for row, record in tables if record is not None]
        try:
            if rows:
                await self._journal.append_all(entries, index=rows)
        except JournalConflictError:  # a row that was not true: the streams are
            log.error("parked tables are folded from=%s", tables[0][0].number)
            rows = [index_row(row.number) for row, _ in tables]
            await self._journal.append_all([], index=rows)
            return
        self._put(*(row for row, _ in tables))
        for row, _ in tables:
            self._note_seats(row.number, row.games)
            self.on_load(row, alive_ms[TABLE_STREAMS.name(row.number)])

    # -- coming back ---------------------------------------------------------------------------

    async def fetch(self, number: int) -> None:
        """Take the table into memory, if it is parked.

        Raises:
            UserError: Too many wait, or it cannot be restored.
            JournalWriteError: The journal cannot be read or written now.
        """
        if number not in self.rows:
            return
        if (task := self._fetching.get(number)) is None:
            if len(self._fetching) >= WAITING_MAX:
                raise UserError(texts.TABLES_COME_BACK, "busy")
            task = asyncio.create_task(self._fetch(number), name=f"fetch {number}")
            self._fetching[number] = task
            task.add_done_callback(lambda _: self._fetching.pop(number, None))
        await asyncio.shield(task)

    def fetch_later(
        self, number: int, then: Callable[[], object], if_damaged: f.Closed | None = None
    ) -> None:
        """`fetch`, and then do something; what fails is only logged.

        Args:
            if_damaged: So a table is closed that cannot be restored.
        """

        async def run() -> None:
            try:
                await self.fetch(number)
                then()
            except (UserError, JournalWriteError) as exc:
                log.warning("parked table not asked table=%s err=%s", number, exc)
                if if_damaged is not None and _is_damaged(exc):
                    await self._close_damaged(number, if_damaged)

        self._start(run())

    async def _close_damaged(self, number: int, closed: f.Closed) -> None:
        """Nobody folds the stream any more, and no result is recorded."""
        stream, now_ms = TABLE_STREAMS.name(number), self._clock.now_ms()
        try:
            sequence = await self._journal.last_sequence(stream) + 1
            body = codec.encode(f.Record(sequence, now_ms, (closed,)))
            entry = Entry(stream, sequence, body, closes=True)
            await self._journal.append_all([entry], index=[index_row(number)])
        except JournalWriteError as exc:
            log.error("damaged table not closed table=%s err=%s", number, exc)
            return
        log.warning("damaged table closed table=%s", number)
        self.forget([number])
        self.on_closed(number)

    async def _fetch(self, number: int) -> None:
        async with self._places:
            if number not in self.rows:
                return
            try:
                stored = await self._journal.read(TABLE_STREAMS.name(number))
                table = self._make(number, stored[0].body)
                for _ in replay_in_steps(table, stored):
                    await asyncio.sleep(0)
            except JournalWriteError:
                raise
            except Exception as exc:  # damaged, or a bug: it stays as it is for a server that can
                log.error("table not restored table=%s err=%s", number, type(exc).__name__)
                raise UserError(texts.NOT_RESTORED.format(number), "stopped") from exc
            await self._journal.append_all([], index=[index_row(number)])
            if self._is_closed or (row := self.rows.pop(number)) is None:
                return  # given away meanwhile, or the server ends
            self.on_fetch(number)
            self._take_up(table, row, self._pop_left(number))

    # -- time ----------------------------------------------------------------------------------

    def _wake_in(self, seconds: float) -> None:
        at_s = self._clock.monotonic() + max(0.0, seconds)
        if self._timer is not None and not self._timer.cancelled():
            if self._wakes_s <= at_s:
                return
            self._timer.cancel()
        self._wakes_s = at_s
        self._timer = self._clock.call_later(max(0.0, seconds), self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._is_closed:
            return
        now_ms, now_s = self._clock.now_ms(), self._clock.monotonic()
        due = 0
        while due < DUE_AT_ONCE and (found := self._due.take(now_ms)) is not None:
            due += 1
            self._start(self._fetch_due(found[0]))
        for number in [it for it, at_s in self._quiet.items() if at_s <= now_s]:
            del self._quiet[number]
            if (runner := self._runners.get(number)) is not None:
                runner.ask_to_park()
        if (next_ms := self._due.next_ms) is not None:
            self._wake_in(max(DUE_EVERY_S if due else 0.0, (next_ms - now_ms) / 1000))
        if self._quiet:
            self._wake_in(min(self._quiet.values()) - now_s)

    async def _fetch_due(self, number: int) -> None:
        try:
            await self.fetch(number)
        except (UserError, JournalWriteError) as exc:
            if _is_damaged(exc):
                return
            if number in self.rows:
                self._expect(number, self._clock.now_ms() + int(DUE_EVERY_S * 1000))

    def _expect(self, number: int, at_ms: int | None) -> None:
        """Fetch the parked table then.  Args: at_ms: UTC; None: never."""
        self._due.set(number, at_ms)
        if at_ms is not None:
            self._wake_in((at_ms - self._clock.now_ms()) / 1000)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Fetch nothing more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        tasks = [*self._tasks, *self._fetching.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_damaged(exc: UserError | JournalWriteError) -> bool:
    """Whether the table cannot be restored by this release."""
    return isinstance(exc, UserError) and exc.code == "stopped"
