"""The journal as the server uses it, whatever stores it.

Rule 1: a record counts when `append` has returned.  Nobody is told of it before.
Rule 2: the sequence numbers of a stream are its fence: a second writer of a stream is refused.
Rule 3: only `trim`, `prune` and `remove` remove anything.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from mudserver.config import schema
from mudserver.journal.claims import Claim
from mudserver.journal.hash_chain import StoredRecord
from mudserver.journal.index import IndexRow, Row, Value


class Entry(NamedTuple):
    """One record of `append_all`; the fields are the arguments of `append`."""

    stream: str
    sequence: int
    body: bytes
    closes: bool = False


def from_the_first(stream: str) -> int:
    return 0


class Pruning(NamedTuple):
    """Which closed tables to remove."""

    worth: int  # 0 to 2, see `rank`
    before_ms: int  # tables that closed before, UTC
    until_level: float | None = None  # stop when `level` is no more than this; None: all of them
    is_largest_first: bool = False  # those of the person who has most bytes; else the oldest


class Pruned(NamedTuple):
    """What was removed."""

    tables: int
    closed_ms: int | None  # when the newest of them closed; None: none was removed


class TakenTable(NamedTuple):
    """A table that was another server's."""

    stream: str
    alive_ms: int | None  # UTC time of that server's last heartbeat; None: there was none


class LiveServer(NamedTuple):
    """A server that may write, this one too."""

    name: str
    lease_s: float  # for so long, if it is not heard of any more


class StoredServer(NamedTuple):
    """A server that has ever shared the journal."""

    name: str
    host: str
    epoch: int  # which counts its starts, and the connections that it has lost
    lease_s: float | None  # as of `LiveServer`; None: it is gone, or has ended
    alive_ms: int | None  # UTC time of its last heartbeat, by its own clock; None: there was none
    tables: int  # open ones that it has


class StoredStream(NamedTuple):
    """What is stored of a stream beside its records."""

    name: str
    last: int  # the sequence of its last record
    hash: bytes  # of that record
    is_closed: bool
    closed_ms: int | None
    base: int  # the sequence of the last record that was trimmed; 0: none was
    base_hash: bytes | None
    bytes: int  # of the bodies
    worth: int  # see `rank`
    person: str


class ServerBus(Protocol):
    """What the servers that share a journal tell each other.  Nothing of it is kept."""

    server: str
    """What this server is called."""

    on_heard: Callable[[str, int, str], None]
    """Told which server has said it, this one too, its number there, and what.

    All servers hear all in one order; what was overtaken by something later of the same server is
    not heard.
    """

    on_connected: Callable[[], None]
    """Called when something may have been lost: the bus is there again, or has dropped things."""

    def tell(self, text: str) -> int:
        """Tell all servers, this one too.  Args: text: 7,000 bytes at most.

        Returns:
            Its number, higher than those before; 0: it was dropped, and `on_connected` comes later.
        """
        ...


class Journal(Protocol):
    """Streams of records.  All methods belong to one event loop."""

    @property
    def last_alive_ms(self) -> int | None:
        """UTC time of the previous run's last heartbeat; None: there was none."""

    is_shared: bool
    """Whether other servers may write, too."""

    @property
    def server(self) -> str:
        """What this server is called among those that share the journal; "": there are none."""
        ...

    @property
    def bus(self) -> ServerBus | None:
        """Leads to the other servers; None: no other server can write."""

    @property
    def talk(self) -> ServerBus | None:
        """The same for another purpose: what is told on one is not heard on the other."""

    on_fenced: Callable[[str], None]
    """Told why, once, when another server writes in the place of this one, which has to end."""

    def reconfigure(self, config: schema.JournalConfig) -> None:
        """Apply other limits to future records."""

    # -- writing -------------------------------------------------------------------------------

    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None:
        """Return when the record is durable.  Cancelling the wait does not take it back.

        Args:
            stream: `table/12`, `person/7`; at most 64 characters.
            sequence: One more than the stream's last, from 1.
            closes: This is the stream's last record.

        Raises:
            JournalFencedError: The stream is another server's; nothing was written.
            JournalWriteError: The record does not count; nobody may see it.  `read` tells whether
                it is stored nevertheless.
            ValueError: A wrong sequence, a closed stream, a body that is too large: a caller's
                bug.  Nothing was written.
        """

    async def append_all(
        self,
        entries: Sequence[Entry],
        claims: Sequence[Claim] = (),
        releases: Sequence[Claim] = (),
        index: Sequence[IndexRow] = (),
    ) -> None:
        """Append to several streams in one transaction: all or none of it.

        Args:
            claims: What the records take; granted again to an owner who has it already.  Where
                several servers write, an owner that is a stream has nothing once that is closed.
            releases: What the records give up, before they take; of others nothing.
            index: What is looked up of the records; in the same transaction.

        Raises:
            JournalConflictError: A claim or a sequence was somebody else's first; nothing was
                written.  Read the stream again and decide again.
            JournalWriteError: As for `append`.
            ValueError: A body that is too large, an invalid name, a row that fits no table of
                the index: a caller's bug.
        """

    async def adopt_claims(self, claims: Sequence[Claim]) -> None:
        """Take the claims that a replay found, oldest stream first.

        Of several owners of one key the first has it; a release hands it to the next.

        Raises:
            JournalWriteError: They are not taken.
        """

    async def numbers(self, prefix: str, at_least: int = 1) -> range:
        """Numbers for new streams `prefix` + N, above those of all that there are.

        Nobody else gets one of them, this server never again.  Those without a stream may be
        given again to a later server.

        Args:
            at_least: So many of them; where several servers write, mostly more.

        Raises:
            JournalWriteError: There are none now.
        """
        ...

    async def rank(self, stream: str, worth: int, person: str) -> None:
        """Note what a closed table is worth when there is no room: 0 goes first, 2 last.

        Args:
            person: The id of the person who opened it.

        Raises:
            JournalWriteError: It is not noted; the table counts as 2 and nobody's.
            ValueError: The stream is not closed: a caller's bug.
        """

    async def write_heartbeat(self) -> None:
        """Store that the server is alive now; the next run reads it as `last_alive_ms`.

        Raises:
            JournalWriteError: It is not stored.
        """

    def queue_length(self) -> int:
        """Records that wait for the writer."""
        ...

    # -- reading -------------------------------------------------------------------------------

    async def read(self, stream: str, after: int = 0) -> list[StoredRecord]:
        """The records of *stream* after sequence *after*, oldest first, their chain verified.

        It is the truth after an append has failed.

        Raises:
            JournalCorruptError: The stored records are not what was written.
            JournalWriteError: They cannot be read now.
        """
        ...

    def read_pieces(self, stream: str, after: int = 0) -> AsyncIterator[list[StoredRecord]]:
        """The same, PIECE records at a time, for streams that may be too long for memory.

        What is appended after the first piece may be left out.  Nobody trims the stream meanwhile.

        Raises:
            JournalCorruptError, JournalWriteError: As for `read`; earlier pieces were sound.
        """
        ...

    def read_each(
        self, prefix: str, after: Callable[[str], int] = from_the_first
    ) -> AsyncIterator[tuple[str, list[StoredRecord]]]:
        """Each stream that begins with *prefix*, in the order of `streams`, as `read` reads it.

        Many streams cost less than with `read`.

        Args:
            after: The sequence after which a stream is read, by its name.
        """
        ...

    async def last_sequence(self, stream: str) -> int:
        """The sequence of the last record of *stream*; 0: there is none.

        Raises:
            JournalWriteError: It cannot be read now.
        """
        ...

    # -- other servers on the same journal -----------------------------------------------------

    def follow(self) -> AsyncIterator[tuple[str, int]]:
        """What is appended to streams of people, from the opening of this journal on, by whomever:
        what this server was told was not saved may be stored nevertheless.

        Each item is the name of a stream and the sequence of its last record then.  None is left
        out; one may come twice, or late.  It ends where no other server can write.
        """
        ...

    def take_tables(self, is_known: Callable[[str], bool]) -> AsyncIterator[Sequence[TakenTable]]:
        """Open tables of servers that are gone, some at a time: they are this server's from now on.

        None at all: another server has not been heard of for so long that some may follow soon.

        Args:
            is_known: Whether the server has an open stream already.  Those of its own that it does
                not know are handed over, too: they were taken when the answer was lost.

        It ends where no other server can write.
        """
        ...

    async def give(self, streams: Sequence[str], server: str) -> None:
        """Open tables of this server are *server*'s from now on; this one appends nothing to them.

        May be called again after it has failed.

        Raises:
            JournalWriteError: Nobody knows whose they are, or the server does not live.
        """
        ...

    def note_given(self, streams: Sequence[str], at_ms: int) -> None:
        """Another server has given tables to this one: `take_tables` tells of them soon.

        Args:
            at_ms: UTC, when they stopped there.
        """
        ...

    async def follow_lag_s(self) -> float:
        """Seconds since the oldest change was written that `follow` has not seen yet.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def live_servers(self) -> list[LiveServer]:
        """The servers that live, by name; empty where no other server can write.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def all_servers(self) -> list[StoredServer]:
        """Those that have ever shared the journal, by name; empty where no other can write.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def clock_ms(self) -> int | None:
        """UTC by the clock that all servers share; None: there is none but the own one.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def server_of(self, stream: str) -> str:
        """The live server that an open table belongs to; "": there is none, or no such table.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def is_open(self, stream: str) -> bool:
        """Whether a table is open, whichever server it belongs to, also one that is gone.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def owner_of(self, kind: str, key: str) -> str:
        """Who has claimed it; "": nobody, or a table that has closed.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def is_behind(self, stream: str, sequence: int) -> bool:
        """Whether another server has appended to *stream* behind *sequence*.

        Raises:
            JournalWriteError: That cannot be found out now.
        """
        ...

    async def free_seats(self, stream: str) -> None:
        """Give up all that a table has claimed, if it is this server's and others can write.

        Raises:
            JournalWriteError: It is not given up, or nobody knows.
        """

    async def look_up(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Rows of the index, without blocking the event loop.

        Args:
            sql: A `select` as `index.py` describes it; one of ours, never what somebody typed.

        Raises:
            JournalWriteError: It cannot be read now.
        """
        ...

    async def streams(self, prefix: str, is_open: bool | None = None) -> list[str]:
        """Names that begin with *prefix*, in the order of their first records."""
        ...

    # -- size, copies, the end -----------------------------------------------------------------

    def size_bytes(self) -> int:
        """The disk space of the records, as of the last heartbeat."""
        ...

    def level(self) -> float:
        """The part of `journal.size_mib_max` that is in use, as of the last heartbeat."""
        ...

    async def trim(self, stream: str) -> int:
        """Remove what the stream's newest snapshot replaces; returns how many records.

        The stream may be closed.  It is a record whose body begins as `replacing.py` says.

        Raises:
            JournalCorruptError: The stream is damaged; nothing was removed.
            JournalWriteError: Nothing was removed.
        """
        ...

    async def prune(self, what: Pruning) -> Pruned:
        """Remove closed tables, in small steps.  The one with the largest number stays.

        Raises:
            JournalWriteError: It stopped early; the tables removed until then stay removed.
        """
        ...

    async def remove(self, streams: Sequence[str], releases: Sequence[Claim] = ()) -> None:
        """Remove closed streams whole; one that is open, or gone, is left alone.

        The caller keeps the stream with the largest number, so that it is not used again.

        Args:
            releases: What the streams gave their owners; given up with the last of them.

        Raises:
            JournalWriteError: It stopped early; what was removed until then stays removed.
        """
        ...

    def copy_size_bytes(self) -> int:
        """How large a copy would be, but for the newest records; 0: unknown."""
        ...

    async def copy(self, path: Path) -> None:
        """Copy the whole journal to *path*, which must not exist, while play goes on.

        Raises:
            JournalWriteError: The copy failed, and nothing of it is left.
        """

    async def close(self) -> None:
        """Write what waits, with a last heartbeat, and let go of the storage.  Idempotent."""


class JournalInspector(Protocol):
    """A journal that does not change, such as a copy: its content, and whether it is sound."""

    def find_flaws(self) -> list[str]:
        """Flaws of what is stored, one line each; the records are not decoded."""
        ...

    def streams(self) -> list[tuple[str, bool]]:
        """Names, and whether each is closed, in the order of their first records."""
        ...

    def read(self, stream: str) -> list[StoredRecord]:
        """The records of *stream*.  JournalCorruptError: its chain does not verify."""
        ...

    def read_pieces(self, stream: str) -> Iterator[list[StoredRecord]]:
        """The same, PIECE records at a time; earlier pieces were sound."""
        ...

    def stored_streams(self) -> list[StoredStream]:
        """The same with all that is stored beside the records; of this server's schema only."""
        ...

    def index_rows(self, table: str) -> Iterator[Row]:
        """All rows of one table of the index, its columns in their order; read in pieces."""
        ...

    def name_claims(self) -> list[Claim]:
        """Names that are claimed; empty where claims are not stored."""
        ...

    def last_alive_ms(self) -> int | None:
        """UTC time of the last heartbeat; None: there was none."""
        ...
