"""What every journal answers that no other server writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from mudserver.errors import JournalWriteError
from mudserver.journal.interface import LiveServer, StoredServer, TakenTable

NO_CHANGES: Sequence[tuple[str, int]] = ()
NO_TABLES: Sequence[Sequence[TakenTable]] = ()


class SoleWriter:
    """The part of `Journal` that is about other servers, where there is none."""

    __slots__ = ()
    is_shared, server = False, ""
    bus = talk = None

    async def follow(self) -> AsyncIterator[tuple[str, int]]:
        for change in NO_CHANGES:
            yield change

    async def take_tables(
        self, is_known: Callable[[str], bool]
    ) -> AsyncIterator[Sequence[TakenTable]]:
        for tables in NO_TABLES:
            yield tables

    async def give(self, streams: Sequence[str], server: str) -> None:
        raise JournalWriteError("this server shares its journal with no other")

    def note_given(self, streams: Sequence[str], at_ms: int) -> None:
        """There is nobody who could give any."""

    async def follow_lag_s(self) -> float:
        return 0.0

    async def live_servers(self) -> list[LiveServer]:
        return []

    async def all_servers(self) -> list[StoredServer]:
        return []

    async def clock_ms(self) -> int | None:
        return None

    async def server_of(self, stream: str) -> str:
        return ""

    async def is_open(self, stream: str) -> bool:
        """No other server has any table."""
        return False

    async def owner_of(self, kind: str, key: str) -> str:
        return ""

    async def is_behind(self, stream: str, sequence: int) -> bool:
        return False

    async def free_seats(self, stream: str) -> None:
        """There are no claims of tables."""
