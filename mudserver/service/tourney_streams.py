"""The streams of tournaments: replay, append, and what else belongs into the same transaction.

Rule 1: one change at a time, decided on the tournament as it is then, appended, applied, told.
Rule 2: after records that may or may not have been written, after another server was first, and
        before a refusal where others write, the stream is read again, and the change decided
        again, a few times.
Rule 3: in memory are those that are not closed, and of the others the last CLOSED_KEPT.  The rest
        is read when somebody asks for it, and not kept.
Rule 4: a number is never used again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Claim, Entry, Journal, StoredRecord
from mudserver.journal.streams import TOURNEY_STREAMS
from mudserver.service.account_streams import CHANGED_ELSEWHERE, CONFLICT_PAUSE_S, CONFLICTS_MAX
from mudserver.tables.records import Opened
from mudserver.tourneys import texts
from mudserver.tourneys.events import AnyTourneyEvent, TourneyClosed, TourneyOpened, decode, encode
from mudserver.tourneys.tourney import PlaceKey, Tourney

CLOSED_KEPT = 20

Decide = Callable[[Tourney], Sequence[AnyTourneyEvent]]

Write = Callable[[Sequence[Entry]], Awaitable[object]]
"""Writes these entries, one or none, together with something else."""

OnEvents = Callable[[Tourney, Sequence[AnyTourneyEvent]], None]
"""Told what was written here or by another server, when it is applied."""


class _Stream:
    def __init__(self, number: int) -> None:
        self.tourney = Tourney(number)
        self.sequence = 0
        self.is_uncertain = False

    def apply(self, sequence: int, events: Sequence[AnyTourneyEvent]) -> None:
        self.tourney.apply_each(events)
        self.sequence = sequence


class TourneyStreams:
    def __init__(self, journal: Journal, now_ms: Callable[[], int]) -> None:
        self._journal, self._now_ms = journal, now_ms
        self._streams: dict[int, _Stream] = {}  # by number
        self._last = 0  # the highest number
        self._lock = asyncio.Lock()
        self.on_events: OnEvents = lambda tourney, events: None

    async def restore(self) -> None:
        """Replay what is kept in memory, as far as it was not replayed before.  [rule 3]"""
        prefix = TOURNEY_STREAMS.prefix
        open_ones = await self._journal.streams(prefix, is_open=True)
        closed = await self._journal.streams(prefix, is_open=False)
        numbers = sorted(map(TOURNEY_STREAMS.number, closed))
        self._last = max([self._last, *numbers, *map(TOURNEY_STREAMS.number, open_ones)])
        for number in (*numbers[-CLOSED_KEPT:], *map(TOURNEY_STREAMS.number, open_ones)):
            stream = self._streams.setdefault(number, _Stream(number))
            await self._read_news(stream, is_told=False)
        self._forget_old()

    # -- reading -------------------------------------------------------------------------------

    def open_ones(self) -> list[Tourney]:
        """Those that are not closed, by number."""
        return [it for it in self.all() if it.phase != "closed"]

    def all(self) -> list[Tourney]:
        """Those in memory, by number."""
        return [self._streams[number].tourney for number in sorted(self._streams)
                if self._streams[number].sequence]  # fmt: skip

    async def find(self, number: int) -> Tourney:
        """To read only.  UserError: there is none of that number."""
        stream = self._streams.get(number)
        if stream is None and 0 < number <= self._last:
            stream = _Stream(number)
            await self._read_news(stream, is_told=False)
        if stream is None or not stream.sequence:
            raise UserError(texts.UNKNOWN.format(number), "not_found")
        return stream.tourney

    # -- changes -------------------------------------------------------------------------------

    async def open(self, opened: TourneyOpened, check: Callable[[], None]) -> int:
        """Open a tournament; returns its number.  Args: check: may still refuse it.

        UserError: by *check*.  JournalWriteError: not saved.
        """
        async with self._lock:
            for _ in range(CONFLICTS_MAX):
                check()
                number = self._last + 1
                stream = self._streams[number] = _Stream(number)
                self._last = number  # never again, whatever becomes of it
                try:
                    entry = Entry(TOURNEY_STREAMS.name(number), 1, encode([opened]))
                    await self._journal.append_all([entry])
                except JournalConflictError:
                    await self._read_news(stream)
                    continue
                except JournalWriteError:
                    stream.is_uncertain = True
                    raise
                self._apply(stream, 1, [opened])
                return number
        raise JournalConflictError(CHANGED_ELSEWHERE)

    async def change(
        self, number: int, decide: Decide, write: Write | None = None
    ) -> Sequence[AnyTourneyEvent]:
        """Decide, append, apply; returns what was decided.

        Args:
            write: Is called whatever is decided, with what is to be written of it.

        Raises:
            UserError: By *decide*, or there is none of that number.
            JournalWriteError: Not saved; a conflict may be that of another stream.
        """
        async with self._lock:
            for _ in range(CONFLICTS_MAX):
                stream = self._streams.get(number)
                if stream is not None and stream.is_uncertain:
                    await self._read_news(stream)
                if stream is None or not stream.sequence:
                    raise UserError(texts.UNKNOWN.format(number), "not_found")
                try:
                    events = decide(stream.tourney)
                except UserError:  # perhaps of what another server has just changed
                    if not self._journal.is_shared or not await self._read_news(stream):
                        raise
                    continue
                if not events and write is None:
                    return events
                try:
                    await (write or self._journal.append_all)(self._entries(stream, events))
                except JournalConflictError:
                    if not await self._read_news(stream):
                        raise  # it was another stream
                    await asyncio.sleep(CONFLICT_PAUSE_S)
                    continue
                except JournalWriteError:
                    stream.is_uncertain = True
                    raise
                if events:
                    self._apply(stream, stream.sequence + 1, events)
                return events
        raise JournalConflictError(CHANGED_ELSEWHERE)

    def _entries(self, stream: _Stream, events: Sequence[AnyTourneyEvent]) -> list[Entry]:
        if not events:
            return []
        name = TOURNEY_STREAMS.name(stream.tourney.number)
        closes = isinstance(events[-1], TourneyClosed)
        return [Entry(name, stream.sequence + 1, encode(events), closes)]

    async def append_opened(self, entry: Entry, opened: Opened, claims: Sequence[Claim]) -> None:
        """As `tables.services.AppendOpened`."""
        key = PlaceKey(opened.tourney, opened.round, opened.place)

        def decide(tourney: Tourney) -> Sequence[AnyTourneyEvent]:
            return tourney.open_table(key, opened.number, self._now_ms())

        async def write(entries: Sequence[Entry]) -> None:
            await self._journal.append_all([entry, *entries], claims)

        try:
            await self.change(opened.tourney, decide, write)
        except UserError as exc:
            raise JournalConflictError(str(exc)) from exc

    # -- of other servers ----------------------------------------------------------------------

    async def follow(self, name: str, sequence: int) -> None:
        """Another server has written to a stream, up to *sequence*.

        JournalWriteError: it cannot be read now.
        """
        number = TOURNEY_STREAMS.number(name)
        async with self._lock:
            self._last = max(self._last, number)
            stream = self._streams.setdefault(number, _Stream(number))
            if stream.sequence < sequence:
                await self._read_news(stream)

    async def refresh(self) -> None:
        """Read again what may or may not have been written.  JournalWriteError: not now."""
        async with self._lock:
            for stream in [it for it in self._streams.values() if it.is_uncertain]:
                await self._read_news(stream)

    # -- inside --------------------------------------------------------------------------------

    async def _read_news(self, stream: _Stream, *, is_told: bool = True) -> bool:
        """Whether there was anything new."""
        name = TOURNEY_STREAMS.name(stream.tourney.number)
        stored: Sequence[StoredRecord] = await self._journal.read(name, stream.sequence)
        stream.is_uncertain = False
        for record in stored:
            events = decode(record.body)
            if is_told:
                self._apply(stream, record.sequence, events)
            else:
                stream.apply(record.sequence, events)
        return bool(stored)

    def _apply(self, stream: _Stream, sequence: int, events: Sequence[AnyTourneyEvent]) -> None:
        stream.apply(sequence, events)
        if stream.tourney.phase == "closed":
            self._forget_old()
        self.on_events(stream.tourney, events)

    def _forget_old(self) -> None:
        """[rule 3]"""
        closed = [it.number for it in self.all() if it.phase == "closed"]
        for number in closed[:-CLOSED_KEPT]:
            del self._streams[number]
