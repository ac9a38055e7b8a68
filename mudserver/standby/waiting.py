"""The standby's side: follows the active server, and takes over when that one ends.

Rule 1: it never opens the journal before it has the lock of the directory, and it takes the lock
        only when the active server has let it go or has ended.
Rule 2: what was folded from the feed is compared with the file, by the hash of each stream's last
        record.  A table that differs is restored from its first record; if anything else does,
        everything is.
Rule 3: in a planned restart it writes nothing, and listens nowhere, before the active server says
        so or ends.
Rule 4: with other settings it begins again; but from the moment that it is asked to take over it
        does that first, and reads them then.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from mudserver.clock import Clock
from mudserver.data_directory import DirectoryInUse, lock_directory
from mudserver.errors import JournalCorruptError, StartError
from mudserver.journal.fed_store import FedHead, FedStore
from mudserver.journal.hash_chain import StoredRecord, next_hash
from mudserver.journal.sqlite.journal import JOURNAL_FILE, SqliteJournal
from mudserver.journal.sqlite.migrations import newest_schema
from mudserver.journal.sqlite.store import SqliteStore
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.logs import log_exception
from mudserver.ops.control_socket import SOCKET_NAME, bindable_name
from mudserver.standby import garbage, texts
from mudserver.standby.messages import (
    Added,
    Again,
    Begun,
    GiveUp,
    GoOn,
    Hello,
    Line,
    Listening,
    Refused,
    Released,
    Removed,
    Resumed,
    Round,
    State,
    Taken,
    TakeOver,
    Willing,
)
from mudserver.version import version
from mudserver.wall.bodies import GAME_PROTOCOLS, common_protocol
from mudserver.wall.capsule import OLDEST_VERSION, VERSION

RETRY_S = 0.25  # between two looks at the lock, and at the control socket
SOON_S, SOON_COUNT = 0.005, 400  # the same when the active server has just let go
FOLD_BYTES = 1_048_576  # not folded yet
RECORDS_MAX = 1_000  # of a round, of a standby that is ready
RESUMED_S, QUIET_S, LOOK_S = 6.0, 3.0, 0.005

log = logging.getLogger("standby")


class BeginAgain(Exception):
    """The program that is installed now is to be run, with the settings of now."""


class Server(Protocol):
    """The whole server, without its data at first."""

    @property
    def journal(self) -> SqliteJournal: ...
    def has_computer_players(self) -> bool:
        """Whether their processes answer."""

    async def fold(self) -> None:
        """Replay what the journal has now."""

    def forget_tables(self, streams: Collection[str]) -> None:
        """Restore these from their first records."""

    async def restore(self) -> None:
        """The journal is open: replay the rest of it."""

    async def serve(self) -> None:
        """Listen, and run what runs in the background."""

    def resumed_count(self) -> int:
        """How many sessions go on here."""

    def discard(self) -> None:
        """It is not used any more; it has never served."""


class Operator(NamedTuple):
    """Who is told of a standby, and may want another."""

    on_state: Callable[[str], None]
    """Told why it is not ready, when that changes; "": it is."""
    begins_again: Callable[[], bool]
    """Whether there are other settings than those with which it began."""
    taking_over: Callable[[], AbstractContextManager[None]] = nullcontext
    """Around what may let the event loop wait for the disk."""


S = TypeVar("S", bound=Server)


class Standby(Generic[S]):
    """Args: make: A server that may not use the directory yet, over the journal that is given."""

    def __init__(
        self,
        directory: Path,
        clock: Clock,
        make: Callable[[FedStore], S],
        operator: Operator,
    ) -> None:
        self._directory, self._clock, self._make = directory, clock, make
        self._operator = operator
        self._fed = FedStore()
        self._server: S | None = None
        self._not_ready: str | None = None
        self._count = 0  # records of this round
        self._doors: tuple[tuple[str, int, int], ...] = ()
        self._not_fed = ""  # the line of the log: why; "": it has been fed since

    async def run(self) -> S:
        """Wait; the server, which serves now.  StartError: it cannot."""
        while True:
            if (lock := self._try_lock()) is not None:
                log.info("taking over how=lock")
                return await self._take_over_alone(lock)
            if (server := await self._follow()) is not None:
                return server
            await asyncio.sleep(RETRY_S)

    def _try_lock(self) -> int | None:
        try:
            return lock_directory(self._directory)
        except DirectoryInUse:
            return None
        except OSError as exc:
            raise StartError(f"{self._directory} cannot be used: {exc.strerror}") from None

    async def _lock_soon(self) -> int | None:
        """The lock, which is about to be free."""
        for _ in range(SOON_COUNT):
            if (lock := self._try_lock()) is not None:
                return lock
            await asyncio.sleep(SOON_S)
        return None

    # -- following -------------------------------------------------------------------------------

    async def _follow(self) -> S | None:
        """Fold what the active server sends; the server when this process is active."""
        try:
            with bindable_name(self._directory / SOCKET_NAME) as name:
                reader, writer = await asyncio.open_unix_connection(name, limit=FOLD_BYTES)
        except OSError:
            return None  # it has just begun, or just ended
        line = Line(reader, writer)
        writer.write(json.dumps({"verb": "standby"}).encode() + b"\n")
        protocols, capsules = GAME_PROTOCOLS, (OLDEST_VERSION, VERSION)
        line.say(Hello(version(), os.getpid(), newest_schema(), protocols, capsules))
        try:
            if (server := await self._listen_to(line)) is not None:
                return server  # `_tell` closes the line
        except (ConnectionError, JournalCorruptError) as exc:
            self._note_not_fed(f"feed ended error={exc}")
        self._set_state(texts.READING)
        line.close()
        has_ended = reader.at_eof() or reader.exception() is not None  # the other side, not we
        lock = await self._lock_soon() if has_ended else None
        return None if lock is None else await self._take_over_alone(lock)

    def _note_not_fed(self, line: str) -> None:
        """Log it once: it is tried again several times a second."""
        if line != self._not_fed:
            self._not_fed = line
            log.info("%s", line)

    def _begin_anew(self) -> None:
        """A server that has folded nothing."""
        if self._server is not None:
            self._server.discard()
        self._fed = FedStore()
        self._server = self._make(self._fed)

    async def _listen_to(self, line: Line) -> S | None:
        """ConnectionError: there is nobody any more."""
        message = await line.hear()
        if isinstance(message, Refused):
            self._note_not_fed(f"not fed why={message.why}")
            return None
        self._not_fed, is_asked = "", False  # to take over: then it does not begin again
        self._begin_anew()
        while True:
            match message:
                case Begun(stream=stream, records=records, last_hash=last_hash):
                    self._count += len(records)
                    self._fed.begin(stream, [StoredRecord(*each) for each in records], last_hash)
                    await self._fold(FOLD_BYTES)
                case Added(records=added):
                    self._count += len(added)
                    for each in added:
                        record = StoredRecord(each.sequence, each.at_ms, each.body)
                        self._fed.add(each.stream, record, closes=each.closes)
                    await self._fold(FOLD_BYTES)
                case Removed():
                    raise ConnectionError("streams were removed: folding anew")
                case Round(doors=doors):
                    if self._operator.begins_again() and not is_asked:
                        raise BeginAgain
                    await self._fold(1)
                    self._doors, count, self._count = doors, self._count, 0
                    self._set_state(self._find_obstacle(count))
                    line.say(State(self._not_ready or ""))
                case Again():
                    if not is_asked:
                        raise BeginAgain
                case TakeOver():
                    is_asked = True
                    line.say(Willing(self._not_ready or ""))
                case Released(sessions=sessions):
                    server = await self._take_over(line, sessions)
                    if server is not None:
                        return server
                    raise ConnectionError("the other server goes on")
                case _:
                    raise ConnectionError(f"{type(message).__name__} is out of place")
            message = await line.hear()

    async def _fold(self, bytes_min: int) -> None:
        assert self._server is not None
        if self._fed.unfolded_bytes >= bytes_min:
            await self._server.fold()
            self._fed.forget_folded()

    def _find_obstacle(self, count: int) -> str:
        """Why it is not ready; "": it is."""
        assert self._server is not None
        for name, *span in self._doors:
            if common_protocol(GAME_PROTOCOLS, (span[0], span[1])) is None:
                return texts.DOOR_SPEAKS.format(name, *span, *GAME_PROTOCOLS)
        if count >= RECORDS_MAX:
            return texts.MANY_NEW.format(count)
        return "" if self._server.has_computer_players() else texts.NO_COMPUTER_PLAYERS

    def _set_state(self, not_ready: str) -> None:
        if not_ready != self._not_ready:
            self._not_ready = not_ready
            self._operator.on_state(not_ready)

    # -- taking over -----------------------------------------------------------------------------

    async def _take_over(self, line: Line, sessions: int) -> S | None:
        """The planned way; None: the other server goes on."""
        lock = await self._lock_soon()
        if lock is None:
            line.say(Taken("the lock is not free"))
            return None
        try:
            server = await self._open(lock)
        except Exception as failed:
            ref = log_exception(log, "not taken over", failed)
            line.say(Taken(f"the standby cannot take over (ref {ref})"))
            return None
        line.say(Taken())
        if not await self._may_go_on(line):
            await server.journal.give_up(FedStore())
            return None
        server.journal.resume()
        await server.serve()
        resuming = asyncio.create_task(self._tell(line, server, sessions), name="resumed")
        resuming.add_done_callback(lambda _: line.close())
        return server

    async def _may_go_on(self, line: Line) -> bool:
        """Whether this server is the one from now on [rule 3]."""
        while True:
            try:
                message = await line.hear()
            except ConnectionError:
                log.warning("the other server has ended while it handed over")
                return True
            if isinstance(message, GoOn | GiveUp):
                return isinstance(message, GoOn)

    async def _tell(self, line: Line, server: Server, sessions: int) -> None:
        """Tell the other server that doors may come, and when their sessions go on."""
        try:
            line.say(Listening())
            count = await self._count_resumed(server, sessions)
            line.say(Resumed(count, self._clock.now_ms()))
            await line.drained()
        except OSError:
            pass  # it has gone

    async def _count_resumed(self, server: Server, sessions: int) -> int:
        """How many sessions go on, when all do, or none has come for QUIET_S; by the clock: on a
        busy machine a look takes longer than LOOK_S."""
        count, came_s = 0, self._clock.monotonic()
        end_s = came_s + RESUMED_S
        while (now_s := self._clock.monotonic()) < min(end_s, came_s + QUIET_S):
            if server.resumed_count() != count:
                count, came_s = server.resumed_count(), now_s
            if count >= sessions:
                break
            await asyncio.sleep(LOOK_S)
        return count

    async def _take_over_alone(self, lock: int) -> S:
        """Nobody else is there."""
        if self._server is None:
            self._begin_anew()
        await self._fold(1)
        server = await self._open(lock, is_alone=True)
        await server.serve()
        return server

    async def _open(self, lock: int, *, is_alone: bool = False) -> S:
        """Open the journal, and restore the rest of it [rule 2].  If that fails nobody has it."""
        garbage.put_off(self._clock)
        with self._operator.taking_over():
            return await self._open_watched(lock, is_alone=is_alone)

    async def _open_watched(self, lock: int, *, is_alone: bool) -> S:
        store: SqliteStore | None = None
        is_taken = False
        try:
            path, is_fed = self._directory / JOURNAL_FILE, bool(self._fed.heads)
            store = await asyncio.to_thread(SqliteStore, path, is_start=not is_fed)
            differing = differing_streams(store, self._fed.heads)
            if not all(TABLE_STREAMS.owns(stream) for stream in differing):
                log.error("what was folded differs from the journal streams=%d", len(differing))
                self._begin_anew()
            assert self._server is not None
            self._server.forget_tables(differing)
            self._server.journal.take_over(store, lock)
            is_taken = True
            if is_alone:
                self._server.journal.resume()
            await self._server.restore()
        except BaseException:
            if is_taken and self._server is not None:
                await self._server.journal.give_up(FedStore())
                raise
            if store is not None:
                await asyncio.to_thread(store.close)
            os.close(lock)
            raise
        return self._server


def differing_streams(store: SqliteStore, heads: Mapping[str, FedHead]) -> set[str]:
    """Those of which the file has something else than what was folded."""
    stored = store.heads()
    return {name for name, head in heads.items() if not _continues(store, name, head, stored)}


def _continues(
    store: SqliteStore, name: str, head: FedHead, stored: Mapping[str, tuple[int, bytes]]
) -> bool:
    sequence, digest = stored.get(name, (0, b""))
    if sequence == head.sequence:
        return digest == head.hash
    if sequence < head.sequence:
        return False
    found = head.hash
    for record in store.read(name, head.sequence):
        found = next_hash(found, name.encode(), *record)
    return found == digest
