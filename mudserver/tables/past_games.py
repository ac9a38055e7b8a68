"""The games that have ended at a table, found by replaying its stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mudserver.config.schema import TablesConfig
from mudserver.journal import StoredRecord
from mudserver.tables import codec
from mudserver.tables.commit import commit
from mudserver.tables.ended_game import ended_game
from mudserver.tables.summary import EndedGame
from mudserver.tables.table import Table
from variants.catalogue import Catalogue


def past_games(
    number: int,
    stored: Sequence[StoredRecord],
    catalogue: Catalogue,
    config: TablesConfig,
    before_ms: int,
) -> Iterator[EndedGame | None]:
    """Replay a table, a record a step, and tell of each the game that it ends; None: none.

    Args:
        before_ms: Where the replay ends, UTC.

    Raises:
        Exception: It does not replay; any kind.
    """
    variant = catalogue[codec.variant_name(stored[0].body)]
    table = Table(number, variant, config)
    for sequence, _, body in stored:
        record = codec.decode(sequence, body, variant)
        if record.at_ms >= before_ms:
            return
        yield ended_game(table, record)
        commit(table, record)
