"""What tables work with: what they need of other rooms, and no more of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mudserver.clock import Clock
from mudserver.config.schema import Tables as Settings
from mudserver.journal import StoredRecord
from mudserver.outbox import Outbox


class Journal(Protocol):
    """What tables need of the ledger."""

    @property
    def last_alive_ms(self) -> int | None: ...
    async def append(
        self, stream: str, sequence: int, body: bytes, *, closes: bool = False
    ) -> None: ...
    def read(self, stream: str) -> Sequence[StoredRecord]: ...
    async def read_async(self, stream: str) -> Sequence[StoredRecord]: ...
    def streams(self, prefix: str, is_open: bool | None = None) -> list[str]: ...
    def last_number(self, prefix: str) -> int: ...
    def is_full(self) -> bool: ...


class BotClient(Protocol):
    async def choose(
        self, variant: str, level: int, view: Any, seen: Sequence[Any], seed: int
    ) -> Any: ...


@dataclass
class TableServices:
    """What a table works with."""

    journal: Journal
    post: Outbox
    clock: Clock
    bots: BotClient
    settings: Settings  # the hall may put others in their place
    make_seed: Callable[[], bytes]  # 256 secret bits  [G-02]
