"""The writer: one connection, one batch after the other, and the fence.

Rule 1: what is appended while a batch is under way goes into the next one (group commit).
Rule 2: a batch in doubt is looked for after the writer has renewed its epoch, which waits for what
        is under way on the lost connection: a record that stands there with its hash is done, one
        that is absent is written again.  That goes on for `append_wait_s`; then the batch fails,
        with all that waits behind it.
Rule 3: while it is in doubt what was written, nothing is read either.
Rule 4: a server that was buried writes nothing more, and is told so once.  That is never retried.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from mudserver import metrics
from mudserver.config import schema
from mudserver.errors import (
    JournalConflictError,
    JournalFencedError,
    JournalWriteError,
)
from mudserver.journal.claims import Claim
from mudserver.journal.index import rows_by_table, upsert_statement
from mudserver.journal.postgres import statements as sql
from mudserver.journal.postgres.batch import Group, Heads, Record, Rows
from mudserver.journal.postgres.connection import REPEATED, Connector, drop, reason
from mudserver.journal.postgres.statements import with_numbers
from mudserver.journal.streams import TABLE_STREAMS

RETRY_S = 0.1  # between two attempts to connect
FENCED = "another server has taken over from {}"
NO_SCANS = "set enable_seqscan = off"  # a plan made while there were few streams is kept for many
WRITTEN = """
select r.stream, r.sequence from record r
join unnest($1::text[], $2::int[], $3::bytea[]) as g(stream, sequence, hash)
on g.stream = r.stream and g.sequence = r.sequence and g.hash = r.hash"""

OWNER = "select owner from claim where kind = $1 and key = $2"

log = logging.getLogger(__name__)

Item = Record | Group


class Writer:
    """Args:
    epoch: What OPEN has given.
    heirs: Of a claim that is released, who has it next, or None.
    """

    def __init__(
        self,
        address: str,
        server: str,
        instance: UUID,
        epoch: int,
        config: schema.JournalConfig,
        heirs: Callable[[str, str], str | None],
    ) -> None:
        self._address, self.server, self._instance = address, server, instance
        self.epoch, self.config, self._heirs = epoch, config, heirs
        self.on_fenced: Callable[[str], None] = lambda why: None
        self.on_shared: Callable[[], None] = lambda: None  # something that others follow is written
        self.heads = Heads()
        self.is_fenced = self.is_closed = False
        self._position = epoch << sql.POSITION_BITS
        self._connection: Any = None
        self._append: Any = None  # prepared
        self._plays: Any = None  # prepared
        self._is_in_doubt = False
        self._waiting: deque[Item] = deque()
        self._task: asyncio.Task[None] | None = None
        self._connector = Connector()

    # -- the queue -------------------------------------------------------------------------------

    def put(self, item: Item) -> None:
        """JournalWriteError: it is not taken."""
        if self.is_fenced:
            raise JournalFencedError(FENCED.format(self.server))
        if self.is_closed:
            raise JournalWriteError("the journal is closed")
        if len(self._waiting) >= self.config.queue_max:
            raise JournalWriteError(f"{len(self._waiting)} records are waiting already")
        self._waiting.append(item)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="journal")

    def queue_length(self) -> int:
        return len(self._waiting)

    async def _run(self) -> None:
        """Batch after batch, until nothing waits."""
        try:
            while self._waiting:
                await self._write(self._take())
                await asyncio.sleep(0)  # the callers run first: their next records join the batch
        finally:
            self._task = None

    def _take(self) -> list[Item]:
        """A run of records, or one group."""
        waiting, most = self._waiting, self.config.batch_max
        batch = [waiting.popleft()]
        if isinstance(batch[0], Record):
            while waiting and len(batch) < most and isinstance(waiting[0], Record):
                batch.append(waiting.popleft())
        return batch

    async def close(self) -> None:
        """Write what waits, then let go of the connection."""
        self.is_closed = True
        if self._task is not None:
            await asyncio.wait([self._task])
        drop(self._connection)

    # -- one batch -------------------------------------------------------------------------------

    async def _write(self, batch: list[Item]) -> None:
        loop = asyncio.get_running_loop()
        begun, until = loop.time(), loop.time() + self.config.append_wait_s
        left, rows = batch, None
        while left:
            try:
                async with asyncio.timeout_at(until):
                    connection = await self.connected()
                    if rows is not None:
                        left = await self._drop_written(connection, left, rows)
                    rows = Rows()
                    left = await self._write_once(connection, left, rows)
                    rows = None
            except TimeoutError:
                self._lose()
                self._fail([*left, *self._waiting], JournalWriteError("PostgreSQL does not answer"))
                return
            except JournalFencedError as exc:
                self._fail([*left, *self._waiting], exc)
                return
            except JournalWriteError as exc:
                if loop.time() >= until:
                    self._fail([*left, *self._waiting], exc)
                    return
                await asyncio.sleep(RETRY_S)
            except Exception as exc:  # a bug: nobody may wait for ever
                self._lose()
                self._fail([*left, *self._waiting], exc)
                return
        metrics.COMMIT_SECONDS.observe(loop.time() - begun)

    async def _write_once(self, connection: Any, batch: list[Item], rows: Rows) -> list[Item]:
        """Write a batch; what has to be written again.

        Raises:
            JournalWriteError: The connection is lost; `rows` tells what may have been written.
        """
        try:
            if isinstance(batch[0], Group):
                await self._write_group(connection, batch[0], rows)
                return []
            records = [item for item in batch if isinstance(item, Record)]
            return list(await self._write_records(connection, records, rows))
        except REPEATED:
            self.heads.forget_all()
            return [item for item in batch if not _has_failed(item)]
        except JournalWriteError:
            raise
        except Exception as exc:
            self._lose()
            raise JournalWriteError(f"append failed: {reason(exc)}") from exc

    async def _write_records(
        self, connection: Any, records: list[Record], rows: Rows
    ) -> Sequence[Record]:
        heads = self.heads
        await heads.find(connection, [record.stream for record in records])
        accepted, misfits = list[Record](), list[tuple[Record, ValueError]]()
        for record in records:
            try:
                heads.add(record, rows)
                accepted.append(record)
            except ValueError as exc:
                misfits.append((record, exc))
        lost = await self._lost_tables(connection, [record for record, _ in misfits])
        for record, wrong in misfits:
            _fail_one(record, _refusal(record.stream) if record.stream in lost else wrong)
        if not accepted:
            return []
        refused = await self._execute(rows)
        metrics.JOURNAL_RECORDS.value += len(accepted)
        heads.forget(refused)
        for record in accepted:
            if record.stream in refused:
                _fail_one(record, _refusal(record.stream))
            elif not record.done.done():
                record.done.set_result(None)
        self._tell_others(rows)
        return []

    def _tell_others(self, rows: Rows) -> None:
        """Whoever follows streams of people looks at once, and not only the next time."""
        if rows.has_other:
            self.on_shared()

    async def _write_group(self, connection: Any, group: Group, rows: Rows) -> None:
        heads, records = self.heads, group.records
        if (conflict := await self._misfit(connection, records)) is not None:
            lost = await self._lost_tables(connection, records)
            _fail_one(group, _refusal(lost[0]) if lost else conflict)
            return
        for record in records:
            heads.add(record, rows)
        transaction = connection.transaction()
        await transaction.start()
        try:
            await self._write_in(connection, transaction, group, rows)
        except REPEATED:
            await transaction.rollback()  # the connection is used again
            raise

    async def _write_in(self, connection: Any, transaction: Any, group: Group, rows: Rows) -> None:
        """The rest of it.  Args: rows: Those of the records."""
        records, refused = group.records, None
        missing = await (self._execute(rows) if records else self._check_held(connection))
        if missing:
            refused = _refusal(next(filter(TABLE_STREAMS.owns, missing), missing[0]))
        elif group.claims or group.releases:
            refused = await self._claim(connection, group.claims, group.releases)
        if refused is None:
            for table, values in rows_by_table(group.rows).items():
                await connection.executemany(with_numbers(upsert_statement(table)), values)
            await transaction.commit()
            metrics.JOURNAL_RECORDS.value += len(records)
            _succeed(group)
            self._tell_others(rows)
        else:
            await transaction.rollback()
            self.heads.forget(record.stream for record in records)
            _fail_one(group, refused)

    async def _misfit(
        self, connection: Any, records: Sequence[Record]
    ) -> JournalConflictError | None:
        """Why the records do not fit behind their streams, whose ends are read again first."""
        streams, misfit = [record.stream for record in records], None
        for _ in range(2):
            await self.heads.find(connection, streams)
            try:
                self.heads.check_group(records)
                return None
            except JournalConflictError as exc:
                self.heads.forget(streams)  # they may be old
                misfit = exc
        return misfit

    async def _execute(self, rows: Rows) -> list[str]:
        """The streams that were refused.  JournalFencedError: this server was buried."""
        if rows.are_plays():
            found = await self._plays.fetchrow(self.server, self.epoch, rows.rows)
        else:
            found = await self._append.fetchrow(
                self.server, self.epoch, *rows.columns(), rows.closes, self._position
            )
            self._position += len(rows.rows)
        return self._refused(found)

    async def _lost_tables(self, connection: Any, misfits: Sequence[Record]) -> list[str]:
        """Of the tables of records that do not fit, those that are another server's now.

        JournalFencedError: this server was buried.  It may not have known: it was stopped, and
        has read where its streams end after others had gone on there.
        """
        tables = [it.stream for it in misfits if TABLE_STREAMS.owns(it.stream)]
        if not tables:
            return []
        return self._refused(await connection.fetchrow(sql.LOST, self.server, self.epoch, tables))

    def _refused(self, found: Any) -> list[str]:
        """Of an answer of `sql`; else as `_execute`."""
        if not found["held"]:
            self.note_fenced()
            raise JournalFencedError(FENCED.format(self.server))
        refused: list[str] = found["refused"]
        return refused

    async def _check_held(self, connection: Any) -> list[str]:
        """As `_execute`, where there is no record."""
        if await connection.fetchval(sql.HELD, self.server, self.epoch) is None:
            self.note_fenced()
            raise JournalFencedError(FENCED.format(self.server))
        return []

    async def _claim(
        self, connection: Any, claims: Sequence[Claim], releases: Sequence[Claim]
    ) -> JournalConflictError | None:
        """Release, then claim, in a transaction."""
        if releases:
            freed = await connection.fetch(sql.RELEASE, *_columns(releases))
            heirs = [
                Claim(kind, key, heir)
                for kind, key in freed
                if (heir := self._heirs(kind, key)) is not None
            ]
            if heirs:
                await connection.fetch(sql.TAKE, *_columns(heirs))
        if claims:
            taken = {(kind, key) for kind, key in await connection.fetch(
                sql.TAKE, *_columns(claims))}  # fmt: skip
            for claim in claims:
                if (claim.kind, claim.key) not in taken:
                    owner = await connection.fetchval(OWNER, claim.kind, claim.key)
                    what = f"the {claim.kind} belongs to somebody else"
                    return JournalConflictError(what, claim.key, owner or "")
        return None

    # -- doubt -----------------------------------------------------------------------------------

    async def connected(self) -> Any:
        """The connection, with a new epoch if it was lost.

        Raises:
            JournalFencedError: This server was buried meanwhile.
            JournalWriteError: It cannot be reached.
        """
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        async with self._connector.turn():
            if self._connection is not None and not self._connection.is_closed():
                return self._connection
            connection = await self._connector.connect(self._address, self.server)
            try:
                if self._is_in_doubt:
                    await self._renew(connection)
                await connection.execute(NO_SCANS)
                self._append = await connection.prepare(sql.APPEND)
                self._plays = await connection.prepare(sql.PLAYS)
            except JournalFencedError:
                drop(connection)
                raise
            except BaseException as exc:
                drop(connection)
                if not isinstance(exc, Exception):
                    raise
                raise JournalWriteError(f"PostgreSQL: {reason(exc)}") from exc
            self._connection, self._is_in_doubt = connection, False
            return connection

    async def _renew(self, connection: Any) -> None:
        lease_s = self.config.lease_s
        epoch = await connection.fetchval(
            sql.RENEW, self.server, self._instance, self.epoch, float(lease_s)
        )
        if epoch is None:
            self.note_fenced()
            raise JournalFencedError(FENCED.format(self.server))
        log.warning("journal connected again server=%s epoch=%s", self.server, epoch)
        self.epoch, self._position = epoch, epoch << sql.POSITION_BITS
        self.heads.forget_all()

    async def settle(self) -> None:
        """Return when it is known what was written [rule 3].  JournalWriteError: not yet."""
        if self._is_in_doubt:
            await self.connected()

    async def _drop_written(self, connection: Any, batch: list[Item], rows: Rows) -> list[Item]:
        """Of a batch in doubt, what is not there."""
        if not rows.rows:  # it was lost before the batch was sent
            return [item for item in batch if not _has_failed(item)]
        streams, sequences, _, _, hashes = rows.columns()
        try:
            found = await connection.fetch(WRITTEN, streams, sequences, hashes)
        except Exception as exc:
            self._lose()
            raise JournalWriteError(f"PostgreSQL: {reason(exc)}") from exc
        written, left = {tuple(row) for row in found}, list[Item]()
        for item in batch:
            if _has_failed(item):
                continue
            records = item.records if isinstance(item, Group) else (item,)
            if records and (records[0].stream, records[0].sequence) in written:
                _succeed(item)
            else:
                left.append(item)
        return left

    @property
    def run(self) -> str:
        """Another one each time that the server starts."""
        return self._instance.hex

    async def check_not_buried(self, connection: Any) -> None:
        """JournalFencedError: this server was buried.  The epoch may be changing meanwhile."""
        if await connection.fetchval(sql.NOT_BURIED, self.server, self._instance) is None:
            self.note_fenced()
            raise JournalFencedError(FENCED.format(self.server))

    def _lose(self) -> None:
        """The connection is lost, and with it what is known."""
        drop(self._connection)
        self._connection, self._is_in_doubt = None, True
        self.heads.forget_all()

    def note_fenced(self) -> None:
        if not self.is_fenced:
            self.is_fenced = True
            self.on_fenced(FENCED.format(self.server))

    def _fail(self, items: Sequence[Item], exc: Exception) -> None:
        metrics.JOURNAL_FAILURES.value += 1
        kind = JournalFencedError if isinstance(exc, JournalFencedError) else JournalWriteError
        text = str(exc) if isinstance(exc, JournalWriteError) else repr(exc)
        self._waiting.clear()
        for item in items:
            failure = kind(text)  # one each: a shared one would collect all tracebacks
            failure.__cause__ = exc
            _fail_one(item, failure)


def _has_failed(item: Item) -> bool:
    """Whether it was refused already.  One that nobody waits for any more is written."""
    return item.done.done() and not item.done.cancelled()


def _succeed(item: Item) -> None:
    if not item.done.done():
        item.done.set_result(None)


def _fail_one(item: Item, exc: Exception) -> None:
    with suppress(asyncio.InvalidStateError):  # nobody waits any more
        item.done.set_exception(exc)


def _refusal(stream: str) -> JournalWriteError:
    if TABLE_STREAMS.owns(stream):
        return JournalFencedError(f"{stream} belongs to another server")
    return JournalConflictError(f"somebody else has written to {stream}")


def _columns(claims: Sequence[Claim]) -> tuple[list[str], list[str], list[str]]:
    return [it.kind for it in claims], [it.key for it in claims], [it.owner for it in claims]
