"""The streams of accounts: replay, append, snapshot, trim.

Rule 1: one change at a time for each account: it is decided, appended, then applied.
Rule 2: after a record that may or may not have been written, the journal is read again before the
        next append.
Rule 3: what somebody else was first to write is read, and the change is decided again, a few times.
Rule 4: the end of a game and what accounts remember of it are one transaction, and so is what the
        staff does to an account and its entry in the audit.
Rule 5: what another server has written is applied as at a start, and `on_news` is told of it.
Rule 6: a stream that has grown gets a snapshot and is trimmed, in the background and one stream in
        COMPACT_PAUSE_S.  So an account holds a bounded number of bytes, whatever its owner types.
        A start finishes what a crash has interrupted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import chain
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec

from mudserver.accounts import names, texts
from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.events import AccountEvent, AccountSnapshot, Erased, HoldEnded, Renamed
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import (
    JournalConflictError,
    JournalCorruptError,
    JournalWriteError,
    UserError,
)
from mudserver.journal import Claim, Entry, IndexRow, Journal, StoredRecord
from mudserver.journal.streams import ACCOUNT_STREAMS

COMPACT_PAUSE_S = 0.05  # between two streams, for the writer
ADOPTED_AT_ONCE = 1_000  # names of accounts
RETRY_S = 5.0  # after the journal could not be written
CONFLICTS_MAX = 5
CONFLICT_PAUSE_S = 0.02
CHANGED_ELSEWHERE = "Somebody else has just changed this. Please try again."

log = logging.getLogger(__name__)

Decide = Callable[[], Sequence[AccountEvent]]
"""Events that follow from the accounts as they are; raises UserError, and changes nothing."""


class Before(NamedTuple):
    """What was known of an account before others have written to it."""

    name: str = ""
    recovery: str = ""  # hash of the code with which its owner may come back


OnNews = Callable[[str, Before, Sequence[AccountEvent]], None]
"""Told, by the id of an account, what others have written to it, when it is applied."""


class StreamState(msgspec.Struct, gc=False):
    """What is known of the stream of one account."""

    sequence: int = 0  # of its last record
    records: int = 0  # behind the last snapshot
    bytes: int = 0  # of those records


class AccountStreams:
    def __init__(
        self, journal: Journal, accounts: Accounts, clock: Clock, config: schema.JournalConfig
    ) -> None:
        self._journal, self.accounts, self._clock = journal, accounts, clock
        self._config = config
        self._states: dict[str, StreamState] = {}  # by account id
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._uncertain: set[str] = set()  # whose last record may or may not be there
        self._reconcile_lock = asyncio.Lock()
        self._due: dict[str, None] = {}  # streams to compact, oldest first
        self._has_due = asyncio.Event()
        self.on_news: OnNews = lambda account_id, before, events: None

    def reconfigure(self, config: schema.JournalConfig) -> None:
        """Apply other limits to future records."""
        self._config = config

    # -- reading -------------------------------------------------------------------------------

    async def fold(self) -> None:
        """Replay what the journal has now of every account, and was not replayed before."""
        async for stream, records in self._journal.read_each(ACCOUNT_STREAMS.prefix, self._known):
            self._apply_all(stream, records)

    async def restore(self) -> None:
        """Replay every account from the journal."""
        await self.fold()
        accounts = self.accounts.all()
        for first in range(0, len(accounts), ADOPTED_AT_ONCE):
            await self._adopt_names(accounts[first : first + ADOPTED_AT_ONCE])
        await self._adopt_held()  # at last: a present name counts before a held one

    def _known(self, stream: str) -> int:
        state = self._states.get(_account_id(stream))
        return state.sequence if state else 0

    def _apply_all(
        self, stream: str, records: Sequence[StoredRecord], *, is_elsewhere: bool = False
    ) -> list[AccountEvent]:
        """Returns what has happened, but for what was applied while *records* were read.

        Args: is_elsewhere: another server keeps the stream short.
        """
        happened = list[AccountEvent]()
        for stored in records:
            if stored.sequence <= self._known(stream):
                continue
            events = decode(stored.body)
            self._apply(stream, stored.sequence, len(stored.body), events)
            happened += events
        if is_elsewhere:
            self._set_done(stream)
        return happened

    async def _adopt_names(self, accounts: Sequence[Account]) -> None:
        await self._journal.adopt_claims(
            [Claim("name", names.claim_key(it.name), it.id) for it in accounts]
        )

    async def _adopt_held(self) -> None:
        """Claim the former names that are held."""
        held = self.accounts.held_names()
        await self._journal.adopt_claims([Claim("name", key, owner) for key, owner in held])

    def _apply(self, stream: str, sequence: int, size: int, events: Sequence[AccountEvent]) -> None:
        for event in events:
            self.accounts.apply(event)
        account_id = _account_id(stream)
        account = self.accounts.by_id(account_id)
        # The account's own string is the key, so that there is one of each id.
        key = account_id if account is None else account.id
        state = self._states.setdefault(key, StreamState())
        if isinstance(events[0], AccountSnapshot | Erased):
            if state.sequence:
                self._set_due(stream)  # there is something to trim
            state.records = state.bytes = 0
        else:
            state.records += 1
            state.bytes += size
            if self._is_large(state):
                self._set_due(stream)
        state.sequence = sequence

    async def reconcile(self) -> None:
        """Find out whether failed records were written.  JournalWriteError: not readable yet."""
        if not self._uncertain:
            return
        async with self._reconcile_lock:
            for stream in sorted(self._uncertain):
                await self._read_news(stream)
                self._uncertain.discard(stream)

    async def _read_news(self, stream: str) -> bool:
        """Apply what the journal has behind the last known record; whether there was any."""
        has_news = await self._catch_up(stream, is_elsewhere=False)
        if (account := self.accounts.by_id(_account_id(stream))) is not None:
            await self._adopt_names([account])
        await self._adopt_held()
        return has_news

    async def _catch_up(self, stream: str, *, is_elsewhere: bool = True) -> bool:
        """The same, where whoever has written has claimed the names, too."""
        records = await self._journal.read(stream, self._known(stream))
        account_id = _account_id(stream)
        account = self.accounts.by_id(account_id)
        before = Before() if account is None else _before(account)
        if happened := self._apply_all(stream, records, is_elsewhere=is_elsewhere):
            self.on_news(account_id, before, happened)
        return bool(records)

    async def follow(self, stream: str, sequence: int) -> None:
        """Another server has written to a stream of an account, up to *sequence*.

        JournalWriteError: it cannot be read now.
        """
        async with self._locks.setdefault(stream, asyncio.Lock()):
            if self._known(stream) < sequence:
                await self._catch_up(stream)

    async def catch_up(self, account_id: str) -> None:
        """Know all that any server has written of an account.

        JournalWriteError: that cannot be found out now.
        """
        stream = _stream(account_id)
        if await self._journal.is_behind(stream, self._known(stream)):
            async with self._locks.setdefault(stream, asyncio.Lock()):
                await self._catch_up(stream)

    # -- writing -------------------------------------------------------------------------------

    async def change(self, account_id: str, decide: Decide, claims: Sequence[Claim] = ()) -> None:
        """Decide, append, apply; nothing is written if there is no event.

        Raises:
            UserError: By *decide*, or others kept changing the account.
            JournalConflictError: A claim is somebody else's.
            JournalWriteError: Not saved; what the journal has is found out before the next change.
        """
        stream = _stream(account_id)
        async with self._locks.setdefault(stream, asyncio.Lock()):
            for _ in range(CONFLICTS_MAX):
                await self.reconcile()
                if account_id in self.accounts.former_accounts:
                    raise UserError(texts.ERASED)
                try:
                    await self._append(stream, decide(), claims)
                    return
                except JournalConflictError:
                    if not await self._read_news(stream):
                        raise  # it was a claim
                await asyncio.sleep(CONFLICT_PAUSE_S)
        raise UserError(CHANGED_ELSEWHERE, "busy")

    async def _append(
        self, stream: str, events: Sequence[AccountEvent], claims: Sequence[Claim] = ()
    ) -> None:
        if events:
            await self._append_all([], {stream: events}, claims)

    async def append_with(
        self,
        others: Sequence[Entry],
        decides: Mapping[str, Decide],
        claims: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        """Append records of other streams, and what accounts decide, in one transaction.

        Args:
            decides: By account id.
            index: Rows that follow from the other records.

        Raises:
            UserError: By a decision.
            JournalWriteError: As for `change`; a conflict may be that of another stream.
            ValueError: As for `Journal.append`.
        """
        by_stream = {_stream(account_id): decide for account_id, decide in decides.items()}
        async with AsyncExitStack() as locks:
            for stream in sorted(by_stream):  # in one order: nobody waits in a circle
                await locks.enter_async_context(self._locks.setdefault(stream, asyncio.Lock()))
            for _ in range(CONFLICTS_MAX):
                await self.reconcile()
                decided = {stream: decide() for stream, decide in by_stream.items()}
                try:
                    changed = {s: e for s, e in decided.items() if e}
                    await self._append_all(others, changed, claims, index)
                    return
                except JournalConflictError:
                    news = [await self._read_news(stream) for stream in by_stream]
                    if not any(news):
                        raise  # it was another stream
                await asyncio.sleep(CONFLICT_PAUSE_S)
        raise JournalConflictError(CHANGED_ELSEWHERE)

    async def _append_all(
        self,
        others: Sequence[Entry],
        events: Mapping[str, Sequence[AccountEvent]],
        claims: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        """Append records of others and of accounts, by stream: all or none; then apply those."""
        entries = {stream: self._entry(stream, each) for stream, each in events.items()}
        taken, given_up = list(claims), list[Claim]()
        for event in chain.from_iterable(events.values()):
            _add_claims(event, taken, given_up)
            if isinstance(event, Erased):
                given_up += self._not_held(event)
        try:
            await self._journal.append_all([*others, *entries.values()], taken, given_up, index)
        except JournalConflictError:
            raise
        except JournalWriteError:
            self._uncertain.update(entries)
            raise
        for stream, entry in entries.items():
            self._apply(stream, entry.sequence, len(entry.body), events[stream])

    def _not_held(self, erased: Erased) -> list[Claim]:
        """What the account has and nobody will hold for it."""
        account = self.accounts.by_id(erased.id)
        keys = [] if account is None else [names.claim_key(account.name), *account.held]
        held = {key for key, _ in erased.held}
        return [Claim("name", key, erased.id) for key in keys if key not in held]

    def _entry(self, stream: str, events: Sequence[AccountEvent]) -> Entry:
        ends = any(isinstance(event, Erased) for event in events)
        return Entry(stream, self._known(stream) + 1, encode(events), ends)

    # -- snapshots -----------------------------------------------------------------------------

    async def compact_forever(self) -> None:
        """Write snapshots and trim, one stream after the other."""
        is_failing = False
        while True:
            await self._has_due.wait()
            stream = next(iter(self._due), "")
            if not stream:  # it was trimmed a moment ago
                continue
            del self._due[stream]
            try:
                await self._compact(stream)
                is_failing = False
                self._due.pop(stream, None)  # its own snapshot
            except JournalWriteError as exc:
                self._set_due(stream)  # behind the others
                if not is_failing:
                    log.warning("account not compacted stream=%s err=%s", stream, exc)
                is_failing = True
                await asyncio.sleep(RETRY_S)
            except (JournalCorruptError, ValueError) as exc:
                log.error("account not compacted stream=%s err=%s", stream, exc)
            if not self._due:
                self._has_due.clear()
            await asyncio.sleep(COMPACT_PAUSE_S)

    async def _compact(self, stream: str) -> None:
        async with self._locks.setdefault(stream, asyncio.Lock()):
            await self.reconcile()
            state = self._states.get(_account_id(stream))  # None: it was removed a moment ago
            if state is not None and self._is_large(state):
                now_ms = self._clock.now_ms()
                await self._append(stream, self.accounts.snapshot(_account_id(stream), now_ms))
        await self._journal.trim(stream)

    async def replace_past(self, account_id: str, decide: Decide) -> None:
        """As `change`; what the account was before stands in the journal no more."""
        await self.change(account_id, decide)
        await self.change(
            account_id, lambda: self.accounts.snapshot(account_id, self._clock.now_ms())
        )
        await self._journal.trim(_stream(account_id))

    async def trim(self, account_id: str) -> None:
        """Remove what is before the end of an erased account.  JournalWriteError: not yet."""
        await self._journal.trim(_stream(account_id))
        self._set_done(_stream(account_id))

    async def remove(self, account_id: str, others: Sequence[str]) -> bool:
        """Remove an erased account whole, with *others*, and give up its names.

        Returns:
            False: its number is the highest, which must not be given again.
        """
        stream = _stream(account_id)
        number = ACCOUNT_STREAMS.number(stream)
        if all(ACCOUNT_STREAMS.number(_stream(other)) <= number for other in self._states):
            return False
        former = self.accounts.former_accounts
        held = [Claim("name", key, account_id) for key in former.keys(account_id)]
        await self._journal.remove([stream, *others], held)
        former.forget(account_id)
        self._states.pop(_account_id(stream), None)
        self._set_done(stream)
        return True

    def _is_large(self, state: StreamState) -> bool:
        config = self._config
        return state.records > config.snapshot_records or state.bytes > config.snapshot_bytes

    def _set_due(self, stream: str) -> None:
        self._due[stream] = None
        self._has_due.set()

    def _set_done(self, stream: str) -> None:
        """It needs no compaction any more."""
        self._due.pop(stream, None)
        if not self._due:
            self._has_due.clear()


def _before(account: Account) -> Before:
    code = account.codes.get("recover")
    return Before(account.name, "" if code is None else code.hash)


def _add_claims(event: AccountEvent, taken: list[Claim], given_up: list[Claim]) -> None:
    """Add what a change of a name claims and gives up; what is held stays claimed."""
    if isinstance(event, HoldEnded):
        given_up.append(Claim("name", event.key, event.id))
    elif isinstance(event, Renamed):
        before, now = names.claim_key(event.before), names.claim_key(event.name)
        if before != now:
            taken.append(Claim("name", now, event.id))
        if before != now and event.held_until_ms is None:
            given_up.append(Claim("name", before, event.id))


def _stream(account_id: str) -> str:
    return ACCOUNT_STREAMS.name(int(account_id.removeprefix("p")))


def _account_id(stream: str) -> str:
    return f"p{ACCOUNT_STREAMS.number(stream)}"
