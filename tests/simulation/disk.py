"""What the disk says: tables folded from their records alone.

Rule 1: the fold is the truth that everything else is compared with: what the living table shows,
        and what people were told.
Rule 2: a fold may go on where it stands when more has been written; the server itself folds anew
        after each restart, and is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mudserver.journal import StoredRecord
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables.commit import commit
from mudserver.tables.game import Game
from mudserver.tables.table import Table
from tests.simulation.server import World
from variants.catalogue import CATALOGUE


@dataclass
class KeptGame:
    """One game as the disk has it, and where each record ended: (plays before, plays after)."""

    game: Game
    steps: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Folded:
    """One table as its first `table.sequence` records make it."""

    table: Table
    games: dict[int, KeptGame] = field(default_factory=dict)  # by number, the last one included

    def add(self, record: f.Record) -> None:
        table, game = self.table, self.table.game
        before = len(game.plays) if game is not None else 0
        commit(table, record)
        if table.game is None:
            return
        if table.game is not game:
            before = 0
            self.games[table.game.number] = KeptGame(table.game)
        after = len(table.game.plays)
        if after > before:
            self.games[table.game.number].steps.append((before, after))


def numbers(world: World) -> list[int]:
    """Every table that ever was, first to last."""
    return [int(s.removeprefix("table/")) for s in world.disk.records if s.startswith("table/")]


def records(world: World, number: int, after: int = 0, last: int | None = None) -> list[f.Record]:
    stored = _stored(world, number)
    variant = CATALOGUE[codec.variant_name(stored[0].body)]
    return [codec.decode(s.sequence, s.body, variant) for s in stored[after:last]]


def _stored(world: World, number: int) -> list[StoredRecord]:
    stored = world.disk.records.get(f"table/{number}")
    assert stored, f"nothing of table {number} is on the disk"
    return stored


def fold(
    world: World, number: int, last: int | None = None, folded: Folded | None = None
) -> Folded:
    """Table *number* as its records 1..*last* make it; *folded* goes on where it stands."""
    if folded is None:
        variant = CATALOGUE[codec.variant_name(_stored(world, number)[0].body)]
        make_chance: Any = world.make_chance
        folded = Folded(Table(number, variant, world.settings.tables, make_chance))
    for record in records(world, number, folded.table.sequence, last):
        folded.add(record)
    return folded


def readers(game: Game) -> Iterator[Any]:
    """Every seat, and who watches."""
    yield from range(len(game.seats))
    yield None


def check_cards(game: Game) -> None:
    """Every card of the box lies in exactly one zone."""
    zones = game.variant.zones(game.state)
    lying = sorted(card for cards in zones.values() for card in cards)
    assert sorted(game.variant.components(game.options.game)) == lying, zones


def check_same(live: Table, disk: Table) -> None:
    """The living table is what the disk makes of it, for every reader."""

    def face(table: Table) -> tuple[object, ...]:
        game = table.game
        return (
            table.sequence, table.phase, table.host, table.options, table.roster,
            game and (game.number, game.window, game.clock, game.seats, game.result),
        )  # fmt: skip

    assert face(disk) == face(live)
    if live.game is None or disk.game is None:
        return
    for reader in readers(live.game):
        assert disk.game.view(reader) == live.game.view(reader), reader
        assert disk.game.known_events(reader) == live.game.known_events(reader), reader
    check_cards(live.game)
