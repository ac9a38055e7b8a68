"""The streams of keeping order: replay, append; one act of the staff is one transaction.

Rule 1: one change at a time.  It is decided on what is true then, the actor's role included,
        appended with its entry in the audit, then applied.
Rule 2: after records that may or may not have been written, and after somebody else was first, the
        journal is read again and the change is decided again, a few times.
Rule 3: `site/1` gets a snapshot after SITE_RECORDS_MAX records and is trimmed.
Rule 4: acts are numbered one after the other, and a sanction has the number of the act that made
        it.  The audit of a month is closed by the first act of the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from mudserver.clock import Clock, format_date
from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Claim, Entry, IndexRow, Journal, StoredRecord
from mudserver.journal.streams import (
    AUDIT_STREAMS,
    REPORT_STREAMS,
    SANCTION_STREAMS,
    SITE_STREAMS,
    STAFF_STREAMS,
    StreamKind,
    stream_kind,
)
from mudserver.moderation.codec import decode, encode
from mudserver.moderation.events import MonthEnded, SiteSnapshot, StaffAct, StaffEvent
from mudserver.moderation.reports import Reports
from mudserver.moderation.sanctions import Sanctions
from mudserver.moderation.site import Site
from mudserver.service.account_streams import (
    CHANGED_ELSEWHERE,
    CONFLICT_PAUSE_S,
    CONFLICTS_MAX,
    AccountStreams,
    Decide,
)

SITE = SITE_STREAMS.name(1)
SITE_RECORDS_MAX = 100  # then a snapshot


OnNews = Callable[[str, Sequence[StaffEvent]], None]
"""Told, by stream, what others have written, when it is applied."""


@dataclass
class Change:
    """What one act changes."""

    made: StaffAct | None  # None: it is nothing that the staff does
    events: dict[str, tuple[StaffEvent, ...]] = field(default_factory=dict)  # by stream
    closed: set[str] = field(default_factory=set)  # streams that end with it
    accounts: Mapping[str, Decide] = field(default_factory=dict)  # by account id
    claims: Sequence[Claim] = ()
    others: Sequence[Entry] = ()  # of other streams, in the same transaction
    index: Sequence[IndexRow] = ()  # rows that follow from these

    @property
    def is_empty(self) -> bool:
        return not (self.made or self.events or self.accounts)

    @property
    def act(self) -> StaffAct:
        assert self.made is not None
        return self.made

    def add(
        self, kind: StreamKind, number: int, *events: StaffEvent, closes: bool = False
    ) -> Change:
        stream = kind.name(number)
        self.events[stream] = events
        if closes:
            self.closed.add(stream)
        return self


class StaffStreams:
    def __init__(self, journal: Journal, account_streams: AccountStreams, clock: Clock) -> None:
        self._journal, self._account_streams, self._clock = journal, account_streams, clock
        self.sanctions, self.reports, self.site = Sanctions(), Reports(), Site()
        self.last_act = 0
        self._site_records = 0  # behind its last snapshot
        self._sequences: dict[str, int] = {}  # of the last record, by stream
        self._newest_month = 0  # of the audit, see `month_of`
        self._lock = asyncio.Lock()
        self._is_uncertain = False
        self.on_news: OnNews = lambda stream, events: None

    async def restore(self) -> None:
        """Replay everything from the journal that was not replayed before."""
        for kind in STAFF_STREAMS:
            async for stream, records in self._journal.read_each(kind.prefix, self._known):
                self._apply_all(stream, records)

    async def _read_news(self) -> None:
        """The same, of what was written meanwhile."""
        for kind in STAFF_STREAMS:
            async for stream, records in self._journal.read_each(kind.prefix, self._known):
                self._note(stream, records)

    async def follow(self, stream: str, sequence: int) -> None:
        """Another server has written to a stream of the staff's, up to *sequence*.

        JournalWriteError: it cannot be read now.
        """
        async with self._lock:
            if self._known(stream) < sequence:
                self._note(stream, await self._journal.read(stream, self._known(stream)))

    def _note(self, stream: str, records: Sequence[StoredRecord]) -> None:
        if happened := self._apply_all(stream, records):
            self.on_news(stream, happened)

    def _apply_all(self, stream: str, records: Sequence[StoredRecord]) -> list[StaffEvent]:
        """Returns what has happened."""
        happened = list[StaffEvent]()
        for stored in records:
            events = decode(stored.body)
            self._apply(stream, stored.sequence, events)
            happened += events
        return happened

    def _known(self, stream: str) -> int:
        return self._sequences.get(stream, 0)

    async def change(self, decide: Callable[[int], Change]) -> Change:
        """Decide, append, apply.

        Args:
            decide: The number of the act -> what it changes.  It changes nothing itself.

        Raises:
            UserError: By *decide*, or others kept changing the same.
            JournalWriteError: Not saved; what the journal has is found out before the next.
        """
        async with self._lock:
            for _ in range(CONFLICTS_MAX):
                if self._is_uncertain:
                    await self._read_news()
                    self._is_uncertain = False
                change = decide(self.last_act + 1)
                try:
                    await self._append(change)
                    return change
                except JournalConflictError:
                    await self._read_news()
                except JournalWriteError:
                    self._is_uncertain = True
                    raise
                await asyncio.sleep(CONFLICT_PAUSE_S)
        raise UserError(CHANGED_ELSEWHERE, "busy")

    async def _append(self, change: Change) -> None:
        if change.is_empty:
            return
        if change.made is not None:
            self._add_to_audit(change, change.made)
        is_long = self._site_records >= SITE_RECORDS_MAX and SITE in change.events
        if is_long:
            change.events[SITE] = (self.site.snapshot(), *change.events[SITE])
        entries = [
            Entry(stream, self._known(stream) + 1, encode(events),
                  stream in change.closed)
            for stream, events in change.events.items()
        ]  # fmt: skip
        others = [*change.others, *entries]
        await self._account_streams.append_with(
            others, change.accounts, change.claims, change.index
        )
        for entry in entries:
            self._apply(entry.stream, entry.sequence, change.events[entry.stream])
        if is_long:
            with suppress(JournalWriteError):  # the next one trims as much
                await self._journal.trim(SITE)

    def _add_to_audit(self, change: Change, act: StaffAct) -> None:
        newest = self._newest_month
        month = max(newest, month_of(act.at_ms))  # a clock that was set back opens no old one
        change.add(AUDIT_STREAMS, month, act)
        if newest and newest < month:
            change.add(AUDIT_STREAMS, newest, MonthEnded(act.at_ms), closes=True)

    def _apply(self, stream: str, sequence: int, events: Sequence[StaffEvent]) -> None:
        kind = stream_kind(stream)
        if kind is AUDIT_STREAMS:
            self._newest_month = max(self._newest_month, AUDIT_STREAMS.number(stream))
        for event in events:
            if kind is SANCTION_STREAMS:
                self.sanctions.apply(SANCTION_STREAMS.number(stream), event)
            elif kind is REPORT_STREAMS:
                self.reports.apply(REPORT_STREAMS.number(stream), event)
            elif kind is SITE_STREAMS:
                self.site.apply(event)
                self._site_records = (
                    0 if isinstance(event, SiteSnapshot) else self._site_records + 1
                )
            elif isinstance(event, StaffAct):
                self.last_act = max(self.last_act, event.id)
        self._sequences[stream] = sequence

    # -- the audit -------------------------------------------------------------------------------

    async def acts(self) -> AsyncIterator[StaffAct]:
        """All acts, the newest first; a month is read when it is wanted."""
        for stream in reversed(await self._journal.streams(AUDIT_STREAMS.prefix)):
            month = [it for kept in await self._journal.read(stream) for it in decode(kept.body)]
            for event in reversed(month):
                if isinstance(event, StaffAct):
                    yield event


def month_of(at_ms: int) -> int:
    """202611 is November 2026, UTC."""
    year, month, _ = format_date(at_ms).split("-")
    return int(year) * 100 + int(month)
