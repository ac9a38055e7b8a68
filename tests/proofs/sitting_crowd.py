"""People at tables, and what has to be true of them whatever happens to the servers.

Rule 1: what was said is read once, by everybody at the table; `sitters` rule 3 says what may be
        missing after a kill.
Rule 2: what was told stands in the journal, once and in its order; plays that were seen to be taken
        stand there, and none that nobody typed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, takewhile
from random import Random
from typing import Any

from mudserver.config.schema import Config
from mudserver.journal import StoredRecord
from mudserver.tables import records as f
from tests.memory_journal import Disk
from tests.proofs.sitters import Reader, Sitter, sitters
from tests.simulation.disk import Folded, fold
from tests.simulation.server import World, replace_sections
from variants.catalogue import CATALOGUE
from variants.kit.json_values import to_json_value

COMING = 12  # at once
QUIET_S = 0.4  # nothing has come for so long
PATIENCE_S = 60.0

Event = tuple[Any, str]  # and its mark


class SittingCrowd:
    """Args:
    crowd: How many by ssh, by telnet, at full screens, and programs.
    pause_s: Mean, between two acts of one person.
    """

    sizes: tuple[int, ...] = (4,)  # of one table after another

    def __init__(self, crowd: tuple[int, int, int, int], seed: int, pause_s: float) -> None:
        self.rng, self.pause_s = Random(seed), pause_s
        self.sitters = sitters(*crowd, seed)
        self.tables: dict[int, list[Sitter]] = {}
        self.world = World(0, Disk(), replace_sections(Config()))
        self.folds: dict[int, Folded] = {}

    # -- coming ------------------------------------------------------------------------------------

    async def come(self, doors: Sequence[tuple[int, int]]) -> None:
        """Everybody comes in, and sits down.  Args: doors: their ports for SSH and telnet."""
        gate = asyncio.Semaphore(COMING)

        async def come(sitter: Sitter) -> None:
            async with gate:
                await sitter.come(*doors[sitter.number % len(doors)])

        async def sit(number: int, group: list[Sitter]) -> None:
            async with gate:
                await self._sit(number, group)

        await asyncio.gather(*map(come, self.sitters))
        left = iter(self.sitters)
        groups = [list(islice(left, size)) for size in self._sizes()]
        await asyncio.gather(*(sit(n, group) for n, group in enumerate(groups)))

    def _sizes(self) -> Iterator[int]:
        seated = 0
        for size in cycle(self.sizes):
            yield size
            if (seated := seated + size) >= len(self.sitters):
                return

    async def _sit(self, number: int, group: list[Sitter]) -> None:
        wanted = max(2, len(group))
        variants = [name for name in sorted(CATALOGUE) if wanted in CATALOGUE[name].seats]
        variant = variants[number % len(variants)]
        for sitter in group:
            sitter.mates = [mate for mate in group if mate is not sitter]
        table = await group[0].goes(f"open {variant} pace=instant clocks=off seats={wanted}")
        for sitter in group[1:]:
            assert table == await sitter.goes(f"sit {table}")
        for sitter in group:
            sitter.type("quiet on")  # else a table without a game hears how those of others end
        self.tables[table] = group

    # -- living ------------------------------------------------------------------------------------

    async def are_answered(
        self, busy: list[Sitter], living: Sequence[asyncio.Future[None]]
    ) -> None:
        """Until each has had an answer to something that it typed from now on."""
        since_s = time.monotonic()
        while any(sitter.answered_s < since_s for sitter in busy):
            for task in living:
                if task.done():
                    task.result()  # it has failed
            assert time.monotonic() < since_s + 3 * PATIENCE_S, [
                (sitter.kind, sitter.number, sitter.last_words())
                for sitter in busy if sitter.answered_s < since_s
            ][:3]  # fmt: skip
            await asyncio.sleep(0.05)

    async def is_quiet(self, among: list[Sitter]) -> None:
        seen, end_s = None, time.monotonic() + PATIENCE_S
        while seen != (seen := [sitter.heard_bytes for sitter in among]):
            assert time.monotonic() < end_s, "it never gets quiet"
            await asyncio.sleep(QUIET_S)

    # -- what is true ------------------------------------------------------------------------------

    def judge(self) -> int:
        """[rule 1] All that was said in this round; how many lines."""
        everybody = {f"w{each.number}.{n}.end" for each in self.sitters
                     for n in range(1, each.words + 1)}  # fmt: skip
        for sitter in self.sitters:
            sitter.judge(everybody)
        return sum(len(sitter.certain) + len(sitter.open) for sitter in self.sitters)

    def read_until(self, table: int) -> int:
        """The record of the table that was added last."""
        return len(self.world.disk.records.get(f"table/{table}", ()))

    def add_records(self, table: int, stored: Sequence[StoredRecord]) -> None:
        self.world.disk.records.setdefault(f"table/{table}", []).extend(stored)
        self.folds[table] = fold(self.world, table, None, self.folds.get(table))

    def check_tables(self) -> int:
        """[rule 2] What each `kept`, against the records until now; how many plays those have."""
        plays = 0
        for number, group in self.tables.items():
            games = [kept.game for kept in self.folds[number].games.values()]
            for first_seat, sitter in enumerate(group):
                played = _seats_of_one(games, first_seat)
                made = sum(
                    isinstance(play, f.Played) and play.by == "person" and play.seat == seat
                    for game, seat in played for play in game.plays
                )  # fmt: skip
                plays += made
                assert made <= sitter.kept_typed, (sitter.kind, sitter.number, made, "too many")
                assert sitter.kept_shown <= made, (sitter.kind, sitter.number, "a play is lost")
                if isinstance(sitter, Reader):
                    self.check_events(sitter, known_events(played))
        return plays

    def check_events(self, sitter: Sitter, known: list[Event]) -> None:
        """What it was told until the kill is on the disk, once and in its order."""
        told = sitter.kept_events
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(told, known, strict=False))
        )
        assert same == len(told), (
            sitter.kind, sitter.number, same, len(told), len(known),
            told[max(0, same - 1) : same + 3], known[max(0, same - 1) : same + 3],
        )  # fmt: skip


def _seats_of_one(games: list[Any], first_seat: int) -> list[tuple[Any, int]]:
    """The games of a table with the seat of who had *first_seat* in the first: seats change."""
    people = [[occupant.person for occupant in game.seats] for game in games]
    return [
        (game, seats.index(people[0][first_seat]))
        for game, seats in zip(games, people, strict=True)
    ]


def known_events(played: list[tuple[Any, int]]) -> list[Event]:
    """All that a seat knows of its games, as a program of protocol 1 reads it."""
    return [
        (json.loads(json.dumps(to_json_value(each.event, protocol=1))), each.mark)
        for game, seat in played for each in game.known_events(seat)
    ]  # fmt: skip
