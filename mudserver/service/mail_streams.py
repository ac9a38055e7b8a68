"""The streams of mailboxes: replay, append, snapshots.

Rule 1: one change at a time, decided on the box as it is then, appended, applied.
Rule 2: after records that may or may not have been written, and after somebody else was first, the
        box is read again, and the change decided again, a few times.
Rule 3: a stream gets a snapshot after RECORDS_MAX records or BYTES_MAX, and is trimmed.
Rule 4: a box ends in one transaction with its account, also one that never had mail: whoever sends
        at the same moment meets the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from mudserver.errors import JournalConflictError, JournalWriteError, UserError
from mudserver.journal import Entry, Journal, StoredRecord
from mudserver.journal.streams import MAILBOX_STREAMS
from mudserver.mail import texts
from mudserver.mail.events import MailboxErased, MailboxSnapshot, MailEvent, decode, encode
from mudserver.mail.mailbox import Mailbox
from mudserver.service.account_streams import (
    CHANGED_ELSEWHERE,
    CONFLICT_PAUSE_S,
    CONFLICTS_MAX,
)

RECORDS_MAX = 100  # behind the last snapshot
BYTES_MAX = 32_768  # the same

Decide = Callable[[Mailbox], Sequence[MailEvent]]


OnNews = Callable[[str, Sequence[MailEvent]], None]
"""Told, by the id of its account, what others have written to a box, when it is applied."""


class _Stream:
    """A box and its stream."""

    def __init__(self) -> None:
        self.box = Mailbox()
        self.sequence = 0  # of the last record
        self.records = self.bytes = 0  # behind the last snapshot
        self.is_uncertain = False
        self.is_untrimmed = False  # something is left before its end

    def apply(self, sequence: int, body: bytes) -> None:
        for event in decode(body):
            if isinstance(event, MailboxErased):
                self.is_untrimmed = self.sequence > 0
            if isinstance(event, MailboxSnapshot | MailboxErased):
                self.records = self.bytes = 0
            self.box.apply(event)
        self.sequence = sequence
        self.records += 1
        self.bytes += len(body)


class MailStreams:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._streams: dict[str, _Stream] = {}  # by name; only of those who had mail
        self._lock = asyncio.Lock()
        self.on_news: OnNews = lambda account_id, events: None

    async def restore(self) -> None:
        """Replay everything from the journal that was not replayed before."""
        async for name, records in self._journal.read_each(MAILBOX_STREAMS.prefix, self._known):
            self._apply(name, records)

    def _known(self, name: str) -> int:
        return self._streams[name].sequence if name in self._streams else 0

    def box(self, account_id: str) -> Mailbox:
        """To read only."""
        stream = self._streams.get(stream_name(account_id))
        return Mailbox() if stream is None else stream.box

    def owners(self) -> list[str]:
        """The accounts that have mail."""
        return [_owner(name) for name, stream in self._streams.items() if len(stream.box)]

    async def change(self, account_id: str, decide: Decide) -> Sequence[MailEvent]:
        """Decide on somebody's box, append, apply; returns what was decided.

        Raises:
            UserError: By *decide*, or others kept changing the same.
            JournalWriteError: Not saved.
        """
        name = stream_name(account_id)
        async with self._lock:
            for _ in range(CONFLICTS_MAX):
                stream = self._streams.setdefault(name, _Stream())
                if stream.is_uncertain:
                    await self._read_news(name, stream)
                if stream.box.is_erased:
                    raise UserError(texts.ENDED, "expired")
                events = decide(stream.box)
                if not events:
                    return events
                try:
                    await self._append(name, stream, events)
                    return events
                except JournalConflictError:
                    await self._read_news(name, stream)
                except JournalWriteError:
                    stream.is_uncertain = True
                    raise
                await asyncio.sleep(CONFLICT_PAUSE_S)
        raise UserError(CHANGED_ELSEWHERE, "busy")

    async def end(
        self, account_id: str, at_ms: int, append: Callable[[Sequence[Entry]], Awaitable[None]]
    ) -> None:
        """The box of an account that is erased ends, with the account.

        Args:
            append: Writes the account's end together with this one.

        Raises:
            UserError, JournalWriteError: By *append*.
        """
        name = stream_name(account_id)
        async with self._lock:
            stream = self._streams.setdefault(name, _Stream())
            await self._read_news(name, stream)
            body = encode([MailboxErased(at_ms)])
            ends = [] if stream.box.is_erased else [Entry(name, stream.sequence + 1, body, True)]
            try:
                await append(ends)
            except (UserError, JournalWriteError):
                stream.is_uncertain = True
                raise
            for entry in ends:
                stream.apply(entry.sequence, entry.body)

    async def trim(self, account_id: str) -> None:
        """Remove what is before the end of a box.  JournalWriteError: not yet."""
        await self._journal.trim(stream_name(account_id))
        self._streams[stream_name(account_id)].is_untrimmed = False

    def untrimmed_ends(self) -> list[str]:
        """The accounts of boxes that have ended, and were not trimmed since."""
        return [_owner(name) for name, stream in self._streams.items() if stream.is_untrimmed]

    def forget(self, account_id: str) -> None:
        """Its stream was removed from the journal."""
        self._streams.pop(stream_name(account_id), None)

    async def _append(self, name: str, stream: _Stream, events: Sequence[MailEvent]) -> None:
        is_long = stream.records >= RECORDS_MAX or stream.bytes >= BYTES_MAX
        body = encode([stream.box.snapshot(), *events] if is_long else events)
        sequence = stream.sequence + 1
        await self._journal.append_all([Entry(name, sequence, body, False)])
        stream.apply(sequence, body)
        if is_long:
            with suppress(JournalWriteError):  # the next one trims as much
                await self._journal.trim(name)

    async def _read_news(self, name: str, stream: _Stream) -> None:
        stored = await self._journal.read(name, stream.sequence)
        self._apply(name, stored)
        stream.is_uncertain = False
        if stored:
            self.on_news(_owner(name), [event for it in stored for event in decode(it.body)])

    async def follow(self, name: str, sequence: int) -> None:
        """Another server has written to a box, up to *sequence*.

        JournalWriteError: it cannot be read now.
        """
        async with self._lock:
            if self._known(name) < sequence:
                await self._read_news(name, self._streams.setdefault(name, _Stream()))

    def _apply(self, name: str, stored: Sequence[StoredRecord]) -> None:
        stream = self._streams.setdefault(name, _Stream())
        for record in stored:
            stream.apply(record.sequence, record.body)


def stream_name(account_id: str) -> str:
    """The stream of an account's mailbox."""
    return MAILBOX_STREAMS.name(int(account_id.removeprefix("p")))


def _owner(name: str) -> str:
    return f"p{MAILBOX_STREAMS.number(name)}"
