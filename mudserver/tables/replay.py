"""How a table comes back from its stream of records.

Rule 1: a stream is replayed in steps, so that the event loop can run between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mudserver.journal import StoredRecord
from mudserver.tables import codec
from mudserver.tables.commit import commit_silently
from mudserver.tables.table import Table

RECORDS_PER_STEP = 100  # some 5 ms


def replay_in_steps(table: Table, stored: Sequence[StoredRecord]) -> Iterator[None]:
    """Replay *stored* into the new *table*, RECORDS_PER_STEP records a step.

    The caller calls `Table.note_restart` afterwards.
    """
    yield from fold_in_steps(table, stored)
    yield from know_in_steps(table)


def fold_in_steps(table: Table, stored: Sequence[StoredRecord]) -> Iterator[None]:
    """The first half of it: the table as it stands."""
    for count, (sequence, _, body) in enumerate(stored, 1):
        table.bytes += len(body)
        commit_silently(table, codec.decode(sequence, body, table.variant))
        if count % RECORDS_PER_STEP == 0:
            yield
    yield


def know_in_steps(table: Table) -> Iterator[None]:
    """The second half: what each reader knows.

    Without it the first view redacts all events of a long game at once.
    """
    for game in (table.game, table.shown.game):
        if game is None:
            continue
        for reader in (None, *range(len(game.seats))):
            while not game.know(reader, RECORDS_PER_STEP):
                yield
    yield
