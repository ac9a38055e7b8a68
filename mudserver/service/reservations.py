"""What is being written: names and keys that nobody else may take meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mudserver.errors import UserError


class Reservations:
    def __init__(self) -> None:
        self._held: set[str] = set()

    def __len__(self) -> int:
        return len(self._held)

    @contextmanager
    def hold(self, keys: Sequence[str], refusal: str) -> Iterator[None]:
        """Reserve *keys* during the block.  UserError with *refusal*: one is reserved already."""
        if not self._held.isdisjoint(keys):
            raise UserError(refusal)
        self._held.update(keys)
        try:
            yield
        finally:
            self._held.difference_update(keys)
