"""Parked tables: how they are listed without memory for their games, and how they come back.

Rule 1: a table leaves memory when nobody has looked at it for QUIET_S, after its row is written in
        its own queue: no record can come between.  It comes back when somebody goes there, asks
        something of it, or something is due.
Rule 2: it comes back as its stream says.  Its row is emptied before anybody finds it, so that a
        crash at any moment leaves a row that is true, or none.
Rule 3: at most FETCHED_AT_ONCE are read at once, and WAITING_MAX wait.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mudserver.clock import Clock, TimerHandle
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Entry, Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.tables import codec, texts
from mudserver.tables import records as f
from mudserver.tables.charges import TableCharges
from mudserver.tables.correspondence import OUTAGE_MS
from mudserver.tables.parked import (
    Parked,
    decode,
    encode,
    index_row,
    is_outdated,
    may_park,
    with_time_given_back,
)
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.runner import TableRunner
from mudserver.tables.table import Table

QUIET_S = 60.0
FETCHED_AT_ONCE = 4
WAITING_MAX = 200
DUE_AT_ONCE = 20
DUE_EVERY_S = 5.0  # while more are due than that, and after a failure
ROWS_AT_ONCE = 200  # written in one transaction

READ = "select number, body from parked where body <> '' order by number"

log = logging.getLogger(__name__)


OnLoad = Callable[[Parked, int | None], None]
"""Told of a table that another process has parked, and of when that was last alive, UTC ms."""


class Left(NamedTuple):
    """What is left of a table in memory.  `charges` and `code` are in no record."""

    body: bytes  # its row
    code_hash: str
    is_live: bool = False
    charges: TableCharges | None = None
    code: str = ""


class Parking:
    """Args:
    runners: Tables in memory, by number.
    make: A new table, of its number and its first record; may raise anything.
    take_up: A table is in memory again, with what was left of it; let people find it.
    note_seats: These people have seats at a table that is parked now.
    people: Who they are now.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        runners: dict[int, TableRunner],
        make: Callable[[int, bytes], Table],
        take_up: Callable[[Table, Left], None],
        note_seats: Callable[[int, Collection[str]], None],
        people: PeopleNow,
    ) -> None:
        self._journal, self._clock, self._runners = journal, clock, runners
        self._make, self._take_up, self._note_seats = make, take_up, note_seats
        self._people = people
        self._left: dict[int, Left] = {}  # by number
        self._left_by: dict[str, list[int]] = {}  # by person who has left a seat to a computer
        self._due: list[tuple[int, int]] = []  # (UTC ms, number), a heap; some are out of date
        self._queued = set[tuple[int, int]]()  # the same, each once
        self._quiet: dict[int, float] = {}  # tables in memory that may be parked, by number: when
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(FETCHED_AT_ONCE)
        self._timer: TimerHandle | None = None
        self._wakes_s = 0.0  # when it is due, as of `Clock.monotonic`
        self._tasks = set[asyncio.Task[None]]()
        self._is_closed = False
        self.on_load: OnLoad = lambda row, alive_ms: None
        self.on_closed: Callable[[int], None] = lambda number: None

    # -- reading -------------------------------------------------------------------------------

    def __contains__(self, number: int) -> bool:
        return number in self._left

    def __len__(self) -> int:
        return len(self._left)

    def numbers(self) -> list[int]:
        return sorted(self._left)

    def get(self, number: int) -> Parked | None:
        """The table as it was parked; None: it is not."""
        left = self._left.get(number)
        return None if left is None else decode(left.body)

    def all(self) -> Iterator[Parked]:
        """By number."""
        for number in self.numbers():
            yield decode(self._left[number].body)

    def left_by(self, person: str) -> list[int]:
        """Where a computer player has the seat of that person."""
        return self._left_by.get(person, [])

    def code_hashes(self) -> Iterator[tuple[int, str]]:
        """Of the private ones, by number."""
        return ((number, it.code_hash) for number, it in self._left.items() if it.code_hash)

    def live_of(self, numbers: Iterable[int]) -> list[int]:
        """Those of *numbers* where a live game waits for its people, who are offline."""
        return [it for it in numbers if (left := self._left.get(it)) and left.is_live]

    def knowing(self, person: str) -> list[int]:
        """Those that remember anything of the person."""
        return [it.number for it in self.all() if person in it.people]

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
        del self._runners[row.number]
        kept = row.code_hash, row.is_live, runner.charges, runner.table.code
        self._put(row, Left(encode(row), *kept))
        self._note_seats(row.number, row.games)  # who was offline when it was adjourned, too

    def forget(self, numbers: Collection[int]) -> None:
        """They are another server's, with their rows."""
        for number in numbers:
            left = self._pop(number)
            if left is not None and left.charges is not None:
                left.charges.close()

    def _put(self, row: Parked, left: Left) -> None:
        self._left[row.number] = left
        for person in row.left:
            self._left_by.setdefault(person, []).append(row.number)
        if row.next_ms is not None:
            due = (row.next_ms, row.number)
            if due not in self._queued:  # since it was parked the last time
                self._queue_due(*due)
            self._wake_in((row.next_ms - self._clock.now_ms()) / 1000)

    def _pop(self, number: int) -> Left | None:
        if (left := self._left.pop(number, None)) is not None:
            for person in decode(left.body).left:
                numbers = self._left_by.pop(person)
                if others := [it for it in numbers if it != number]:
                    self._left_by[person] = others
        return left

    # -- at a start, or from another server ----------------------------------------------------

    async def load(self, alive_ms: Mapping[str, int | None]) -> None:
        """Take those of the open tables that are parked, and give them the time of an outage.

        Args:
            alive_ms: When their server was last alive, by stream.

        Raises:
            JournalWriteError: The journal cannot be read or written now.
        """
        found, unfit = list[tuple[Parked, Any]](), list[int]()
        now_ms = self._clock.now_ms()
        for number, body in await self._journal.look_up(READ):
            stream = TABLE_STREAMS.name(int(str(number)))
            if stream not in alive_ms or number in self._left:
                continue
            row = self._fitting(str(body))
            if row is None:
                unfit.append(int(str(number)))
                continue
            since_ms = alive_ms[stream]
            is_outage = now_ms - max(row.at_ms, since_ms or 0) >= OUTAGE_MS
            found.append(with_time_given_back(row, since_ms, now_ms) if is_outage else (row, None))
        for first in range(0, len(unfit), ROWS_AT_ONCE):  # they are folded
            rows = [index_row(number) for number in unfit[first : first + ROWS_AT_ONCE]]
            await self._journal.append_all([], index=rows)
        for first in range(0, len(found), ROWS_AT_ONCE):
            await self._take(found[first : first + ROWS_AT_ONCE], alive_ms)

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
        for row, _ in tables:
            self._note_seats(row.number, row.games)
            self._put(row, Left(encode(row), row.code_hash))
            self.on_load(row, alive_ms[TABLE_STREAMS.name(row.number)])

    # -- coming back ---------------------------------------------------------------------------

    async def fetch(self, number: int) -> None:
        """Take the table into memory, if it is parked.

        Raises:
            UserError: Too many wait, or it cannot be restored.
            JournalWriteError: The journal cannot be read or written now.
        """
        if number not in self._left:
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
            if number not in self._left:
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
            if self._is_closed or (left := self._pop(number)) is None:
                return  # given away meanwhile, or the server ends
            self._take_up(table, left)

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
        while self._due and self._due[0][0] <= now_ms and due < DUE_AT_ONCE:
            number = self._next_due()
            row = self.get(number)
            if row is not None and row.next_ms is not None and row.next_ms <= now_ms:
                due += 1
                self._start(self._fetch_due(number))
        for number in [it for it, at_s in self._quiet.items() if at_s <= now_s]:
            del self._quiet[number]
            if (runner := self._runners.get(number)) is not None:
                runner.ask_to_park()
        if self._due:
            least_s = DUE_EVERY_S if due else 0.0
            self._wake_in(max(least_s, (self._due[0][0] - now_ms) / 1000))
        if self._quiet:
            self._wake_in(min(self._quiet.values()) - now_s)

    async def _fetch_due(self, number: int) -> None:
        try:
            await self.fetch(number)
        except (UserError, JournalWriteError) as exc:
            if _is_damaged(exc):
                return
            again_ms = self._clock.now_ms() + int(DUE_EVERY_S * 1000)
            self._queue_due(again_ms, number)
            self._wake_in(DUE_EVERY_S)

    def _queue_due(self, at_ms: int, number: int) -> None:
        heapq.heappush(self._due, (at_ms, number))
        self._queued.add((at_ms, number))

    def _next_due(self) -> int:
        due = heapq.heappop(self._due)
        self._queued.discard(due)
        return due[1]

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
