"""How a table comes back from its stream, and how much a stream may hold for that.

Rule 1: a stream is folded in pieces: whoever takes a step lets the house run before the next one.
Rule 2: from half of `tables.records_max` on a table begins no further game; at all of it, it
        closes, and a game under way ends without a result.  Each start folds all of it again, and
        until then memory holds the game.
Rule 3: who plays is told before, at a play: when something private was written is nobody's news.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mudserver.journal import StoredRecord
from mudserver.tables import codec

if TYPE_CHECKING:
    from mudserver.tables.table import Table

PIECE = 100  # records folded in one step, some 5 ms
WARNING_FRACTIONS = (4, 20, 200)  # when a quarter, a twentieth, a two-hundredth is left


def replay_in_steps(table: Table, stored: Sequence[StoredRecord]) -> Iterator[None]:
    """Fold the stream *stored* into a new *table*; a piece lies between two steps."""
    for at, (sequence, _, body) in enumerate(stored, 1):
        table.commit(codec.decode(sequence, body, table.variant))
        if at % PIECE:
            continue
        if table.game is not None:  # or all of a long game would be heard at once, later
            for reader in (None, *range(len(table.game.seats))):
                table.game.known_events(reader)
        yield


def is_too_full_for_game(table: Table) -> bool:
    """Whether there is no room for a further game."""
    return table.sequence >= table.settings.records_max // 2


def is_full(table: Table) -> bool:
    return table.sequence >= table.settings.records_max


def warnings_due(table: Table) -> int:
    """How many times people have to have been told that the end is near."""
    left, all_of_it = table.settings.records_max - table.sequence, table.settings.records_max
    return sum(left <= all_of_it // part for part in WARNING_FRACTIONS)
