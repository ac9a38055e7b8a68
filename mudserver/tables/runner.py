"""The task that runs one table: it takes one request at a time from the table's queue.

Rule 1: decide, append, commit, deliver, one request at a time.  Nobody is told what the journal
        did not take.
Rule 2: people's requests are bounded by the queue.  The server's own requests are at most one of
        each kind for each person or seat.
Rule 3: a record that was not saved suspends the table: people read one calm sentence, no play is
        taken.  Every `retry_s` the table is replayed from the journal, never patched.  It goes on
        when a record is saved, and its clocks get the lost time back.  A record that takes longer
        than SLOW_S to be saved pauses the table with the same sentence, and the same at the end.
Rule 4: a bug ends at most this table.  It costs one line in the log, which holds nothing that a
        player may not know, and one sentence with its reference.  [SEC-7]
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from random import Random

import msgspec

from mudserver import metrics
from mudserver.clock import TimerHandle
from mudserver.config.schema import TablesConfig
from mudserver.errors import (
    JournalConflictError,
    JournalFencedError,
    JournalWriteError,
    RefusalCode,
    UserError,
)
from mudserver.journal import Entry
from mudserver.journal.levels import GAMES_END
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.logs import raise_location
from mudserver.messages import (
    LineAnswered,
    LocationMessage,
    Message,
    Notice,
    NotUnderstood,
    RefusalMessage,
)
from mudserver.outbox import Deliveries
from mudserver.tables import codec, notifications, texts
from mudserver.tables import requests as r
from mudserver.tables.charges import TableCharges
from mudserver.tables.commit import commit
from mudserver.tables.computer_seats import ComputerSeats
from mudserver.tables.decide import decide, wake_ms
from mudserver.tables.ended_game import ended_game
from mudserver.tables.finished_game import finished_game
from mudserver.tables.missed_events import without_missed
from mudserver.tables.parked import Parked, encode, index_row, may_park, parked
from mudserver.tables.place_messages import is_of_place
from mudserver.tables.rated_start import rated_start, with_rating
from mudserver.tables.records import Closed, Opened, Record, StartRefused
from mudserver.tables.replaced_person import missing
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.seat_claims import SeatClaims, is_seat_conflict, why_no_seat, why_no_start
from mudserver.tables.seen_changes import SeenChanges
from mudserver.tables.services import Appended, TableServices, with_number
from mudserver.tables.table import Table
from mudserver.tables.table_codes import make_code
from mudserver.tables.waiting import is_due, missing_people
from variants.contract import AmbiguousInput, ParseError, Refusal

log = logging.getLogger(__name__)

SLOW_S = 1.5
"""So long people wait for a record without a word: a restart of a database is mostly shorter."""

GIVE_BACKS_MAX = 2
"""Of one pause: one that is slow itself is followed by another, and people play in the end."""

OnSettled = Callable[["TableRunner", r.Request, Record | None], None]
"""Called when a request is settled; the record is None: it was refused."""

OnParked = Callable[["TableRunner", Parked], None]
"""Called when the row of a parked table is written; this runner has ended."""


class TableRunner:
    def __init__(
        self,
        table: Table,
        services: TableServices,
        charges: TableCharges,
        rng: Random,
        on_settled: OnSettled,
        on_parked: OnParked,
    ) -> None:
        self.table, self._services, self.charges = table, services, charges
        self._rng, self._on_settled, self._on_parked = rng, on_settled, on_parked
        self._queue: deque[r.Request] = deque()
        self._ready = asyncio.Event()
        self._timer: TimerHandle | None = None
        self._timer_ms: int | None = None
        self._computers = ComputerSeats(services.bots, charges.network, rng, self._enqueue)
        self._changes = SeenChanges(services.outbox)
        self._seats = SeatClaims(services.journal, table.number, is_new=not table.sequence)
        self._ended = Appended()  # what is told of the game that has just ended
        self._suspended_ms: int | None = None  # when the clocks stopped, UTC
        self._is_suspended = False
        self._is_told_of_pause = False
        self._give_backs = 0  # of this pause
        self._is_closing = self._is_settling = self._has_left = self._is_parked = False
        self._untold: r.Request | None = None  # it is settled now, and nobody is told of it yet
        self._may_have_row = False  # in the index, as a parked table
        self.known_people: set[str] = table.people()  # at this table, as the manager knows
        self._task: asyncio.Task[None] | None = None

    @property
    def stream(self) -> str:
        return TABLE_STREAMS.name(self.table.number)

    @property
    def is_busy(self) -> bool:
        """Whether requests wait that may change what a line means."""
        return self._is_settling or bool(self._queue)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name=self.stream)

    def submit(self, request: r.Request) -> None:
        """Queue a request.  Never waits; a full queue is answered to the sender."""
        if self._has_left and self._task is not None and self._task.done():
            if self._is_asked(request):
                self._refuse(request, texts.MOVES.format(self.table.number), "busy")
            return
        if isinstance(request, r.Disconnect | r.Reconnect | r.StepOut):
            presence = (r.Disconnect, r.Reconnect, r.StepOut)  # only the newest counts
            for queued in [q for q in self._queue if isinstance(q, presence)]:
                if queued.person == request.person:
                    self._queue.remove(queued)
        elif not isinstance(request, r.INTERNAL_REQUESTS) and self._is_full():
            metrics.REFUSALS.increment("queue")
            self._refuse(request, texts.QUEUE_FULL, "busy")
            return
        self._enqueue(request)

    def reconfigure(self, config: TablesConfig) -> None:
        """Apply other limits; a tick sets the timer anew."""
        self.table.config = config
        self._enqueue(r.Tick(""))

    async def close(self) -> None:
        """Settle what is queued, then stop."""
        self._is_closing = True
        self._ready.set()
        if self._task is not None:
            await self._task

    @property
    def can_leave(self) -> bool:
        """Whether another server may have it: it is stored, and nothing of it is in doubt."""
        return self.table.sequence > 0 and not (self.table.is_closed or self._is_suspended)

    async def leave(self) -> None:
        """As `close`; another server has the table next, and what is asked later is refused."""
        self._has_left = True
        await self.close()
        while self._queue:
            if self._is_asked(request := self._queue.popleft()):
                self._refuse(request, texts.MOVES.format(self.table.number), "busy")
        self.charges.close()

    # -- leaving memory ------------------------------------------------------------------------

    def ask_to_park(self) -> None:
        """Leave memory, if that is still possible when the queue is empty."""
        self._enqueue(r.Park(""))

    async def _park(self) -> None:
        now_ms = self._services.clock.now_ms()
        if self._queue or self._is_closing or not self.can_leave:
            return
        if not may_park(self.table, now_ms):
            return
        row = parked(self.table, now_ms)
        self._may_have_row = True
        try:
            await self._seats.settle(self.table)  # a parked table frees nobody
            await self._write_row(encode(row))
            if self._queue or self._is_closing:  # somebody has come meanwhile
                await self._write_row()
                return
        except JournalWriteError:  # perhaps it is written: it is emptied before the next record
            self._on_settled(self, r.Park(""), None)  # the table is quiet still
            return
        self._on_parked(self, row)
        self._is_parked = True

    async def _write_row(self, body: bytes = b"") -> None:
        row = index_row(self.table.number, body)
        await self._services.journal.append_all([], index=[row])
        self._may_have_row = bool(body)

    # -- the loop ------------------------------------------------------------------------------

    def _enqueue(self, request: r.Request) -> None:
        self._queue.append(request)
        self._ready.set()

    def _is_full(self) -> bool:
        return len(self._queue) >= self._services.config.queue_max

    async def _run(self) -> None:
        try:
            while not self.table.is_closed:
                while self._queue and not self.table.is_closed:
                    await self._settle(self._queue.popleft())
                if self._is_closing or self._is_parked:
                    break
                self._ready.clear()
                if not self._queue and not self.table.is_closed:
                    await self._ready.wait()
        finally:
            self._wake_at(None)
            await self._computers.stop()
        if self.table.is_closed and self.table.sequence:
            await self._rank()
        for request in self._queue:  # requests that came too late
            if self._is_asked(request):
                self._refuse(request, texts.TABLE_CLOSED.format(self.table.number), "stopped")
            elif isinstance(request, r.MarkAnswered):
                self._send(request.person, LineAnswered(request.line))

    async def _settle(self, request: r.Request) -> None:
        if isinstance(request, r.MarkAnswered):
            self._send(request.person, LineAnswered(request.line))
            return
        if isinstance(request, r.Park):
            try:
                await self._park()
            except Exception as exc:  # a bug: the table stays in memory, as it is
                self._log(exc, "park")
            return
        record: Record | None = None
        self._is_settling, self._untold = True, request
        try:
            if not self._is_suspended and self._shows_presence(request):
                await self._process(r.OwnerTyped(request.person))  # [G-09]
            if self._is_suspended:
                await self._settle_suspended(request)
            else:
                record = await self._process(request)
        except Exception as exc:  # a bug: the state may be half changed, the table ends
            await self._close_after_bug(exc)
        self._is_settling, self._untold = False, None
        if self.table.is_closed:
            self.charges.close()
            self._services.searching.note(self.table)
        self._on_settled(self, request, record)

    def _shows_presence(self, request: r.Request) -> bool:
        """Whether it ends an absence that its sender typed this."""
        is_typed = not isinstance(request, (r.OwnerTyped, *r.INTERNAL_REQUESTS))
        return is_typed and self.table.wants_to_know_of_typing(request.person)

    async def _process(self, request: r.Request) -> Record | None:
        """Decide, append, commit and deliver; the record, or None: nothing was committed."""
        started_at = self._services.clock.monotonic()
        now_ms = self._services.clock.now_ms()
        self.table.may_search = self._services.searching.has_place(self.table.number)
        if isinstance(request, r.Start):
            request = self._completed(request, now_ms)
        elif isinstance(request, r.OpenRound):
            request = replace(request, seed=self._services.make_seed())
        elif isinstance(request, r.Tick) and is_due(self.table, now_ms):
            refusal = self._start_refusal("")
            request = replace(request, seed=self._services.make_seed(), refusal=refusal)
        elif isinstance(request, r.Open | r.Configure | r.Unseat):
            request = self._with_code(request)
        elif isinstance(request, r.ComputerPlay):
            self._computers.on_answer(request)
        decided = self._decide(request, now_ms)
        if not isinstance(decided, Record):
            self._send_refusal(request, decided)
            return None
        if decided.facts:
            try:
                with self._slow_is_told(request):
                    decided = await self._rated(decided)
                    await self._append(self.table, decided)
            except JournalWriteError as exc:
                if is_seat_conflict(exc):
                    return await self._refuse_seat(exc, request)
                self._suspend(exc, request, now_ms)
                return None
            self.charges.charge(self.table, request, decided)
        self._count(request, self._services.clock.monotonic() - started_at)
        people = self.table.people_in_room()
        deliveries = commit(self.table, decided)
        told = [each for each in deliveries if not self._is_late(*each)]
        self._services.outbox.send_each(with_number(self._once(told), self._ended))
        self._untold = None
        self._tell_of_end(people)
        self.charges.on_commit(self.table, request)
        self._changes.on_commit(self.table, request, now_ms)
        self._services.searching.note(self.table)
        if not self._is_closing and (decided.facts or isinstance(request, r.ComputerPlay)):
            self._schedule_computers()
        self._set_timer(now_ms, is_idle=isinstance(request, r.Tick) and not decided.facts)
        await self._settle_seats(request, now_ms)
        return decided

    async def _settle_seats(self, request: r.Request, now_ms: int) -> None:
        """Claim who is bound now; then a pause is over, if people were told of one."""
        with self._slow_is_told(request):
            await self._seats.settle(self.table)
        if self._is_told_of_pause:
            self._end_pause(request, now_ms)

    async def _refuse_seat(self, exc: JournalWriteError, request: r.Request) -> Record | None:
        """Somebody who would be bound to the game plays elsewhere; a start is decided again."""
        assert isinstance(exc, JournalConflictError)
        if isinstance(request, r.Tick | r.OpenRound) and exc.key not in request.elsewhere:
            self._send(exc.key, Notice(why_no_seat(exc)))
            return await self._process(replace(request, elsewhere=request.elsewhere | {exc.key}))
        if not isinstance(request, r.Start | r.Tick) or self._seats.refusal:
            self._send(request.person, RefusalMessage(why_no_seat(exc), "not_allowed"))
            return None
        self._seats.refusal = why_no_start(self.table, exc, request.person)
        try:
            record = await self._process(request)
        finally:
            self._seats.refusal = ""
        if isinstance(request, r.Start):
            for person in sorted(self.table.people() - {request.person}):
                self._send(person, Notice(why_no_start(self.table, exc, person)))
        return record

    async def _rated(self, record: Record) -> Record:
        """*record*; where it starts a game of a rated table, with whether that is rated."""
        start = rated_start(self.table, record)
        if start is None:
            return record
        unrated = await self._services.why_unrated(start)
        for person, text in unrated.told.items():
            self._send(person, Notice(text))
        return with_rating(record, unrated.why)

    def _is_late(self, person: str, message: Message) -> bool:
        """Whether somebody who is at another table already would be led back by it, or to the
        lobby, or read what happens here.
        """
        is_of_here = is_of_place(self.table, person, message)
        return is_of_here and self._services.is_elsewhere(person, self.table.number)

    def _once(self, deliveries: Deliveries) -> Deliveries:
        """*deliveries* without what sessions that go on read as soon as the table knows of them.

        That is next: the end of a game would be told nobody when another one has begun.
        """
        if self.table.is_closed:  # it knows of nobody any more
            return deliveries
        for request in [it for it in self._queue if isinstance(it, r.Reconnect)]:
            if request.seen is not None and request.person in self.table.people():
                seen_table, before = self.table.seen_by(request.person), len(deliveries)
                deliveries = without_missed(seen_table, request.person, request.seen, deliveries)
                if len(deliveries) < before:
                    self._queue.remove(request)
                    self._queue.appendleft(request)
        return deliveries

    def sent_until(self, person: str) -> int:
        """The record up to which the session of *person* was sent everything."""
        sequence = self.table.seen_by(person).sequence
        for request in (self._untold, *self._queue):
            if isinstance(request, r.Reconnect) and request.person == person:
                return min(sequence, request.seen or 0)
        return sequence

    def _tell_of_end(self, people: Sequence[str]) -> None:
        """After the end of a game: its number, and advice."""
        ended, self._ended = self._ended, Appended()
        if ended.text:
            self._services.outbox.send_all(people, Notice(ended.text))
        for person, advice in ended.advice.items():
            self._send(person, Notice(advice))

    def seen_changes(self, person: str) -> int:
        """The number of the last change of the table that was sent to *person*."""
        return self._changes.seen_by(person)

    def _completed(self, request: r.Start, now_ms: int) -> r.Start:
        """*request* with what the table cannot know: a seed, and why no game may start."""
        is_last = not missing_people(self.table, request.person)
        return replace(
            request,
            seed=self._services.make_seed() if is_last else b"",
            unseen=self._changes.unseen_by(request.person, request.seen, now_ms),
            refusal=self._start_refusal(request.person),
        )

    def _with_code(self, request: r.Open | r.Configure | r.Unseat) -> r.Request:
        """*request* with a new code, if the table needs one."""
        if isinstance(request, r.Unseat):
            is_needed = self.table.is_private
        else:
            is_needed = request.options.get("code") == "on"
        if not is_needed:
            return request
        return replace(request, new_code=make_code(self._services.make_seed()))

    def _start_refusal(self, person: str) -> str:
        if self._seats.refusal:
            return self._seats.refusal
        if self._services.journal.level() >= GAMES_END:
            return texts.SERVER_FULL
        try:
            self.charges.check_game(person)
            self._services.searching.check_start(self.table)
        except UserError as refusal:
            return str(refusal)
        return ""

    def _schedule_computers(self) -> None:
        turns = self.table.automatic_turns()
        self._computers.schedule(self.table, turns, self.charges.delay_s)

    def _count(self, request: r.Request, took_s: float) -> None:
        if isinstance(request, r.Play):
            metrics.PLAYS.increment(self.table.variant.name)
            metrics.PLAY_SECONDS.observe(took_s)
        elif isinstance(request, r.ComputerPlay):
            metrics.COMPUTER_PLAYS.increment(self.table.variant.name)

    async def _append(self, table: Table, record: Record) -> None:
        """Append *record* to the stream, and count it for *table*."""
        if self._may_have_row:
            await self._write_row()
        body = codec.encode(record)
        if (ended := ended_game(table, record)) is not None:
            entry, kept = (
                Entry(self.stream, record.sequence, body, record.closes),
                finished_game(table, record),
            )
            append = self._services.append_result
            self._ended = await append(entry, ended, kept, self.charges.source)
        elif isinstance(opened := record.facts[0], Opened) and opened.tourney:
            entry = Entry(self.stream, record.sequence, body, record.closes)
            claims = self._seats.wanted(table, record)
            await self._services.append_opened(entry, opened, claims)
            self._seats.note(claims)
        elif claims := self._seats.wanted(table, record):
            entry = Entry(self.stream, record.sequence, body, record.closes)
            await self._services.journal.append_all([entry], claims)
            self._seats.note(claims)
        else:
            await self._services.journal.append(
                self.stream, record.sequence, body, closes=record.closes
            )
        table.bytes += len(body)

    async def _rank(self) -> None:
        """Note what the closed table is worth; without that it counts as most."""
        table = self.table
        try:
            await self._services.journal.rank(self.stream, table.worth, table.host)
        except (JournalWriteError, ValueError) as exc:
            log.warning("table not ranked table=%s err=%s", table.number, exc)

    def _decide(self, request: r.Request, now_ms: int) -> Record | RefusalMessage | NotUnderstood:
        try:
            decided = decide(self.table, request, now_ms)
            self._services.searching.check_seat(self.table, decided)
            refusals = [c for c in decided.presence_changes if isinstance(c, StartRefused)]
            _count_refusal(refusals[0].text if refusals else "")
            return decided
        except UserError as refusal:
            _count_refusal(str(refusal))
            return RefusalMessage(
                str(refusal), refusal.code, wait_s=refusal.wait_s, tables=refusal.tables
            )
        except Refusal as refusal:
            text = refusal.format([occupant.name for occupant in self.table.seats])
            if isinstance(request, r.Play) and isinstance(refusal, ParseError | AmbiguousInput):
                text += texts.QUESTION_HINT if refusal.is_question else ""
                text += texts.TALK_HINT if refusal.is_talk else ""
                offered, window = refusal.suggestion, self.table.window_key
                is_asked_back = isinstance(refusal, AmbiguousInput)
                code: RefusalCode = "ambiguous" if is_asked_back else "not_understood"
                return NotUnderstood(text, request.line, offered, window, code)
            return RefusalMessage(text, self._code_of_illegal(request.person))
        except Exception as exc:
            # A bug, but deciding has changed nothing: one person's request harms nobody else.  A
            # request of the server itself would fail again for ever, so it ends the table.
            if isinstance(request, r.INTERNAL_REQUESTS):
                raise
            ref = self._log(exc, type(request).__name__, request.person)
            return RefusalMessage(texts.BUG_APOLOGY.format(ref), "stopped")

    def _code_of_illegal(self, person: str) -> RefusalCode:
        game, seat = self.table.game, self.table.reader_of(person)
        is_asked = game is not None and seat is not None and game.may_act(seat)
        return "illegal" if is_asked else "not_your_turn"

    # -- time ----------------------------------------------------------------------------------

    def _set_timer(self, now_ms: int, *, is_idle: bool = False) -> None:
        """Set the timer; after a tick that came slightly early (*is_idle*) not to now again."""
        next_ms = None if self.table.is_closed else wake_ms(self.table)
        if next_ms is not None and is_idle:
            next_ms = max(next_ms, now_ms + 10)
        self._wake_at(next_ms)

    def _wake_at(self, next_ms: int | None) -> None:
        if self._timer is not None and (next_ms != self._timer_ms or self._timer.cancelled()):
            self._timer.cancel()
            self._timer = None
        self._timer_ms = next_ms
        if next_ms is not None and self._timer is None:
            self._timer = self._services.clock.call_at_ms(next_ms, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._enqueue(r.Tick(""))

    # -- when the journal is slow, or fails ----------------------------------------------------

    @contextmanager
    def _slow_is_told(self, request: r.Request) -> Iterator[None]:
        """People, and who asks for *request*, are told if the block takes long."""
        timer = self._services.clock.call_later(SLOW_S, partial(self._tell_of_pause, request))
        try:
            yield
        finally:
            timer.cancel()

    def _tell_of_pause(self, request: r.Request) -> None:
        """Once, whether the record is saved at last or not.  Nobody has seen a new table yet."""
        if not self._is_told_of_pause and self.table.sequence:
            self._is_told_of_pause = True
            told = {*self.table.people_in_room()}
            told |= {request.person} if self._is_asked(request) else set()
            self._services.outbox.send_all(sorted(told), Notice(texts.SUSPENDED))

    def _is_asked(self, request: r.Request) -> bool:
        """Whether somebody waits for the answer to *request*."""
        return bool(request.person) and not isinstance(request, r.INTERNAL_REQUESTS)

    def _end_pause(self, request: r.Request, now_ms: int) -> None:
        """A record was saved at last: the clocks get the time back, then people are told."""
        is_late = not isinstance(request, r.GiveBackTime) or self._took_long(now_ms)
        if self.table.is_playing and is_late and self._give_backs < GIVE_BACKS_MAX:
            self._give_backs += 1
            self._queue.appendleft(r.GiveBackTime("", now_ms))
        else:  # the record that gave it back has shown the clocks
            self._is_told_of_pause, self._give_backs = False, 0
            self._send_all([self._resumed()])

    def _resumed(self) -> Notice:
        """The game may be over with the record that was waited for."""
        is_playing = self.table.is_playing
        return Notice(texts.RESUMED if is_playing else texts.RESUMED_WITHOUT_GAME)

    def _took_long(self, since_ms: int) -> bool:
        return self._services.clock.now_ms() - since_ms >= SLOW_S * 1000

    def _suspend(self, exc: JournalWriteError, request: r.Request, now_ms: int) -> None:
        log.error("table record not saved table=%s seq=%s err=%s", self.table.number,
                  self.table.sequence + 1, exc)  # fmt: skip
        self._wake_at(None)
        self._services.searching.note(self.table)  # without what was decided
        self._computers.cancel()
        if isinstance(exc, JournalFencedError):  # this server ends, and another goes on
            self._is_suspended = True
            return
        if self.table.sequence == 0:  # nobody has ever seen this table
            self.table.is_closed = True
            self._send(request.person, RefusalMessage(texts.NOT_OPENED, "stopped"))
            return
        self._is_suspended = True
        self._suspended_ms = request.since_ms if isinstance(request, r.GiveBackTime) else now_ms
        self._tell_of_pause(request)
        if self._is_asked(request):  # it may be on the disk, and nobody can ask now
            self._send(request.person, RefusalMessage(texts.MAY_BE_LOST, "stopped"))
        self._retry_later()

    def _retry_later(self) -> None:
        retry_ms = self._services.clock.now_ms() + int(self._services.config.retry_s * 1000)
        self._wake_at(retry_ms)

    async def _settle_suspended(self, request: r.Request) -> None:
        if isinstance(request, r.Tick):
            await self._resume()
        elif isinstance(request, r.Disconnect | r.Reconnect | r.StepOut | r.Watch):
            # Presence is not written; the clocks follow when the table resumes.
            decided = self._decide(request, self._services.clock.now_ms())
            if isinstance(decided, Record):
                record = msgspec.structs.replace(decided, facts=())
                self._services.outbox.send_each(commit(self.table, record))
            else:
                self._send_refusal(request, decided)
        elif not isinstance(request, r.INTERNAL_REQUESTS):
            self._send(request.person, RefusalMessage(texts.STILL_SUSPENDED, "stopped"))

    async def _resume(self) -> None:
        services, old = self._services, self.table
        try:
            stored = await services.journal.read(self.stream)
            fresh = Table(old.number, old.variant, old.config, old.make_chance, old.bytes_max)
            for _ in replay_in_steps(fresh, stored):
                await asyncio.sleep(0)
            now_ms, fresh.config = services.clock.now_ms(), services.config
            fresh.is_program = old.is_program
            fresh.note_restart(now_ms)
            fresh.adopt_presence(old)
            if not fresh.is_closed:
                record = decide(fresh, r.GiveBackTime("", self._suspended_ms), now_ms)
                await self._append(fresh, record)
                commit(fresh, record)
        except JournalFencedError:
            return
        except JournalWriteError:
            self._retry_later()
            return
        if fresh.is_closed:  # its last record was saved after all
            self._send_all([LocationMessage(None)])
        log.info("table resumed table=%s seq=%s", fresh.number, fresh.sequence)
        self.table, self._is_suspended = fresh, False
        self._seats.forget()
        self._is_told_of_pause, self._give_backs = False, 0
        if fresh.is_playing and self._took_long(now_ms):
            self._queue.appendleft(r.GiveBackTime("", now_ms))
        for person in sorted(fresh.people() & fresh.online | fresh.watchers.keys()):
            self._send(person, self._resumed())
            if (view := fresh.view_for(person, "back")) is not None:
                self._send(person, view)
        for request in missing(fresh, services.people):
            self._enqueue(request)
        self._schedule_computers()
        self._set_timer(now_ms)
        await self._settle_seats(r.Tick(""), now_ms)

    # -- when there is a bug -------------------------------------------------------------------

    async def _close_after_bug(self, exc: Exception) -> None:
        ref = self._log(exc, "end")
        table = self.table
        closed = Closed("fault", ref)
        try:
            now_ms = self._services.clock.now_ms()
            await self._append(table, Record(table.sequence + 1, now_ms, (closed,)))
        except (JournalWriteError, ValueError):
            log.error("table close record not saved table=%s ref=%s", table.number, ref)
        farewell = notifications.announcements(table, closed)
        self._send_all([*farewell, LocationMessage(None)])
        table.is_closed = True

    def _log(self, exc: Exception, request: str, person: str = "") -> str:
        """One line: which bug and where, never what the state or the message holds."""
        metrics.INTERNAL_ERRORS.value += 1
        ref = f"{self._rng.getrandbits(24):06x}"
        log.error("table failed table=%s seq=%s request=%s person=%s err=%s at=%s ref=%s",
                  self.table.number, self.table.sequence, request, person or "-",
                  type(exc).__name__, raise_location(exc), ref)  # fmt: skip
        return ref

    # -- sending -------------------------------------------------------------------------------

    def _send(self, person: str, message: Message) -> None:
        self._services.outbox.send(person, message)

    def _refuse(self, request: r.Request, text: str, code: RefusalCode) -> None:
        """Refuse a request that will not be settled."""
        self._send_refusal(request, RefusalMessage(text, code))
        self._on_settled(self, request, None)

    def _send_refusal(self, request: r.Request, refusal: Message) -> None:
        self._send(request.person, refusal)
        if isinstance(request, r.Watch) and request.goes_on:  # it was shown the table as its place
            lobby = LocationMessage(None)
            if not self._is_late(request.person, lobby):
                self._send(request.person, lobby)

    def _send_all(self, messages: Sequence[Message]) -> None:
        for message in messages:
            self._services.outbox.send_all(self.table.people_in_room(), message)


def _count_refusal(text: str) -> None:
    if text == texts.SERVER_FULL:
        metrics.REFUSALS.increment("size")
