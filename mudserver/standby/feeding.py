"""The active server's side: feeds one standby, and speaks with it.

Rule 1: first every stream that is folded at a start is read, one at a time and in another thread;
        what is written meanwhile and later is sent as it is written, every ROUND_S.
Rule 2: the server never waits for its standby, except where it hands over.  One that takes too
        little, or says nothing sensible, is left alone; it comes again.
Rule 3: nothing is kept here of what was sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

from mudserver.clock import Clock
from mudserver.errors import JournalCorruptError, JournalWriteError, UserError
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.sqlite.batch import PendingRecord
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.streams import RESULT_STREAM, RESULT_STREAMS, STREAM_KINDS, TABLE_STREAMS
from mudserver.ops.control_socket import peer_ids
from mudserver.standby import texts
from mudserver.standby.messages import (
    Added,
    Again,
    AnyMessage,
    Begun,
    FedRecord,
    Hello,
    Line,
    Refused,
    Removed,
    Round,
    State,
)

ROUND_S = 1.0
HELLO_S = 5.0
PART_BYTES = 262_144  # of records in one message
ADDED_MAX = 100_000  # records of one round

M = TypeVar("M")

log = logging.getLogger("standby")

DoorSpeaks = tuple[str, int, int]
"""The name of a door, and its protocols from oldest to newest."""


class Doors(Protocol):
    def door_protocols(self) -> tuple[DoorSpeaks, ...]: ...


class Standby:
    """A standby that has said hello.

    Args:
        pid: Of its process; 0: in a container of its own, it has none here.
    """

    def __init__(self, line: Line, hello: Hello, since_ms: int, pid: int) -> None:
        self.line, self.hello, self.since_ms = line, hello, since_ms
        self._pid, self.has_gone = pid, False
        self.not_ready = texts.READING
        self._answers: asyncio.Queue[AnyMessage | None] = asyncio.Queue(16)

    def note(self, message: AnyMessage | None) -> None:
        """It has said something; None: it has gone."""
        self.has_gone = message is None
        if isinstance(message, State):
            self.not_ready = message.not_ready
        elif not self._answers.full():
            self._answers.put_nowait(message)

    async def answer(self, kind: type[M], within_s: float) -> M:
        """The next thing that it says.  ConnectionError, TimeoutError: there is none."""
        async with asyncio.timeout(within_s):
            message = await self._answers.get()
        if message is None:
            self._answers.put_nowait(None)
            raise ConnectionError("the standby has ended")
        if not isinstance(message, kind):
            raise ConnectionError(f"the standby says {type(message).__name__}")
        return message

    def hang_up(self) -> None:
        """Have its process read the settings again."""
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGHUP)

    def end(self) -> None:
        """Kill its process, which hangs; not one that has gone, whose number another may have."""
        if self._pid and not self.has_gone:
            log.error("standby ended pid=%d", self._pid)
            os.kill(self._pid, signal.SIGKILL)


class Feeding:
    """`serve` is the verb `standby` of the control socket."""

    def __init__(self, journal: SqliteJournal, clock: Clock, doors: Doors) -> None:
        self._journal, self._clock, self._doors = journal, clock, doors
        self.standby: Standby | None = None  # at most one
        self._added: list[FedRecord] = []
        self._held: list[FedRecord] | None = None  # while their stream is being read
        self._reading = ""  # that stream
        self._unread: dict[str, None] = {}  # streams that are still to be read
        self._last_round_ms = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(reader, writer)
        async with asyncio.timeout(HELLO_S):
            hello = await line.hear()
        if not isinstance(hello, Hello):
            raise ConnectionError("no hello")
        if self.standby is not None:
            line.say(Refused("another standby waits already"))
            return
        self.standby = standby = Standby(line, hello, self._clock.now_ms(), peer_ids(writer)[0])
        self._journal.on_written, self._journal.on_removed = self._note_written, self._note_removed
        log.info("standby there version=%s pid=%d", hello.version, hello.pid)
        feeding = asyncio.create_task(self._feed(line), name="feed")
        try:
            while True:
                standby.note(await line.hear())
        except ConnectionError as exc:
            log.info("standby gone pid=%d error=%s", hello.pid, exc)
        finally:
            feeding.cancel()
            standby.note(None)
            self.standby = None
            self._journal.on_written = self._journal.on_removed = None
            self._added.clear()
            self._unread.clear()
            self._held, self._reading = None, ""

    # -- feeding ---------------------------------------------------------------------------------

    async def _feed(self, line: Line) -> None:
        try:
            await self._read_all(line)
            while True:
                self.send_round(line)
                await line.drained()
                await asyncio.sleep(ROUND_S)
        except (OSError, JournalWriteError, JournalCorruptError) as exc:
            log.warning("standby not fed error=%s", exc)
            line.close()

    async def _read_all(self, line: Line) -> None:
        await self._list()
        while self._unread:
            self._reading = next(iter(self._unread))
            del self._unread[self._reading]
            self._held = []
            records, last_hash = await self._journal.read_chain(self._reading)
            for part in _parts(records):
                line.say(Begun(self._reading, part, last_hash))
            self._added += self._held
            self._held, self._reading = None, ""
            self._send_added(line)
            await line.drained()

    async def _list(self) -> None:
        """Find what is to be read; of what is written meanwhile, keep what will not be read."""
        for kind in (each for each in STREAM_KINDS if each is not RESULT_STREAMS):
            is_open = True if kind is TABLE_STREAMS else None
            self._unread |= dict.fromkeys(await self._journal.streams(kind.prefix, is_open))
        new = {record.stream for record in self._added if record.sequence == 1}
        self._added = [each for each in self._added if each.stream in new - self._unread.keys()]

    def send_round(self, line: Line) -> None:
        """All that was written until now.  ConnectionError: it is not taken."""
        self._send_added(line)
        self._last_round_ms = self._clock.now_ms()
        line.say(Round(self._last_round_ms, self._doors.door_protocols()))

    def _send_added(self, line: Line) -> None:
        if self._added:
            added, self._added = self._added, []
            line.say(Added(tuple(added)))

    def _note_written(self, records: Sequence[PendingRecord]) -> None:
        for record in records:
            if record.stream in self._unread or record.stream == RESULT_STREAM:
                continue  # it will be read; or no start reads it
            fed = FedRecord(*record)
            if record.stream == self._reading and self._held is not None:
                self._held.append(fed)  # `Begun` comes first
            else:
                self._added.append(fed)
        if len(self._added) > ADDED_MAX and self.standby is not None:
            self.standby.line.close()

    def _note_removed(self, streams: Sequence[str]) -> None:
        for stream in streams:
            self._unread.pop(stream, None)
        if self.standby is not None:
            try:
                self.standby.line.say(Removed())
            except ConnectionError:
                self.standby.line.close()

    # -- for operators ---------------------------------------------------------------------------

    def begin_again(self) -> int:
        """Have the standby run the program that is installed now.

        Returns:
            Since when the one before has been there; see `as_dict`.  UserError: there is none.
        """
        if self.standby is None:
            raise UserError(texts.NO_STANDBY)
        self.standby.line.say(Again())
        return self.standby.since_ms

    def note_settings(self) -> None:
        """Other settings are in force: a standby that waits begins again with them."""
        if self.standby is not None:
            with contextlib.suppress(ConnectionError):  # it has gone
                self.begin_again()

    def as_dict(self) -> dict[str, Any]:
        """The row `standby` of `mudserver status`."""
        if self.standby is None:
            return {"state": "none"}
        return {
            "state": "ready" if not self.standby.not_ready else "not ready",
            "why": self.standby.not_ready,
            "behind_s": max(0, self._clock.now_ms() - self._last_round_ms) / 1000,
            "version": self.standby.hello.version,
            "since_ms": self.standby.since_ms,
        }


def _parts(records: Sequence[StoredRecord]) -> Iterator[tuple[StoredRecord, ...]]:
    part, size = list[StoredRecord](), 0
    for record in records:
        part.append(record)
        size += len(record.body)
        if size >= PART_BYTES:
            yield tuple(part)
            part, size = [], 0
    if part:
        yield tuple(part)
