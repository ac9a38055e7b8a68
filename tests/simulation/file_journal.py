"""The journal in its file, on a virtual clock: what others do in threads is done at once.

Rule 1: pages, transactions, pruning and trimming are the real ones; only syncs are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mudserver.config import schema
from mudserver.errors import JournalWriteError
from mudserver.journal.sqlite.journal import SqliteJournal


class InlineJournal(SqliteJournal):
    """Made by `open`, in `without_threads`."""

    def _send_batch(self) -> None:
        batch = self._waiting[: self._config.batch_max]
        del self._waiting[: self._config.batch_max]
        assert self._loop is not None
        self._batch_sent_at = self._loop.time()
        result: list[Exception | None] | Exception
        try:
            result = self._store.write([item for item, _ in batch])
        except JournalWriteError as exc:
            result = exc
        self._loop.call_soon(self._resolve_batch, batch, result)


def opener(directory: Path, config: schema.JournalConfig) -> Callable[[Callable[[], int]], Any]:
    """For `SimServer`: opens the journal in *directory*."""

    def opened(now_ms: Callable[[], int]) -> InlineJournal:
        journal = InlineJournal.open(directory, now_ms, config)
        journal._store._connection().execute("pragma synchronous = off")
        return journal

    return opened


@contextmanager
def without_threads(monkeypatch: Any) -> Iterator[None]:
    """`asyncio.to_thread` calls at once, since a virtual clock does not wait for threads."""

    async def call(function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    with monkeypatch.context() as patched:
        patched.setattr(asyncio, "to_thread", call)
        yield
