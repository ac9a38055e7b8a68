"""What recorded games cost: lists and numbers among a million of them, and one more.

    python -m tests.bench.results [GAMES]

The games have three seats of accounts each; one account has played BUSIEST_GAMES of them.  CPU of
the whole process, the reading thread included.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from mudserver.accounts.accounts import Accounts
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal import Entry, IndexRow
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import GameRecorded, SeatResult, encode
from mudserver.results.queries import Games
from mudserver.results.rows import index_rows
from mudserver.results.seasons import season_start_ms
from mudserver.results.statistics import Tallies
from mudserver.service.account_streams import AccountStreams
from mudserver.service.result_lookup import ResultLookup
from mudserver.service.result_streams import ResultStreams
from tests.bench.report import Row, Target

GAMES = 1_000_000
VARIANTS = "elimination", "stockpile", "words"
ACCOUNTS = 5_000
CONFIG = schema.JournalConfig(size_mib_max=10_000)
STEP = 2_000  # games in one transaction, while the journal is filled
BUSIEST_GAMES = 25_000
BUSIEST, SECOND = "p1", "p2"  # accounts
TRIES = 10
LIST_MS = 20  # wanted of every list


def rows(times: int, games: int = GAMES) -> list[Row]:
    found = [run(games) for _ in range(times)]
    return [
        Row(
            f"results: ms of CPU, {name}, {games:,} games",
            tuple(figures[name] for figures in found),
            (),
            Target("<=", LIST_MS),
        )
        for name in found[0]
    ]


def run(games: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measured(Path(folder), games))


class MadeUpGames:
    """Results that look as those of games do: rated, one a minute, the last of them now."""

    def __init__(self, games: int, now_ms: int) -> None:
        self._games, self._now_ms, self._dice = games, now_ms, random.Random(1)
        self._every = max(1, games // BUSIEST_GAMES)  # of so many games the busiest plays one
        self._played: Counter[tuple[str, int]] = Counter()

    async def fill(self, journal: SqliteJournal) -> None:
        """Write them, with the index."""
        tallies = Tallies(is_whole=True)
        for first in range(1, self._games + 1, STEP):
            entries, found = [], list[IndexRow]()
            for number in range(first, min(first + STEP, self._games + 1)):
                event = self.game(number)
                entries.append(Entry(RESULT_STREAM, number, encode(event)))
                found += [*index_rows(number, event), *tallies.rows(number, event)]
            await journal.append_all(entries, index=found)

    def game(self, number: int) -> GameRecorded:
        people = self._dice.sample(range(3, ACCOUNTS), 3)
        if number % self._every == 0:
            people[0] = 1
        if number % (10 * self._every) == 0:
            people[1] = 2
        self._dice.shuffle(people)
        variant = VARIANTS[number % 3]
        seats = tuple(self._seat(variant, who, place) for place, who in enumerate(people, 1))
        at_ms = self._now_ms - (self._games - number) * 60_000
        return GameRecorded(
            at_ms, number, f"{number}.1", variant, at_ms - 600_000, 7, 180, "finished", seats,
            "standard", "action=60 next=20 seats=4 pace=person absence=computer",
            reason="one is left", pool=variant,
        )  # fmt: skip

    def _seat(self, variant: str, who: int, place: int) -> SeatResult:
        self._played[variant, who] += 1
        before, after = (
            (250_000 + 40 * who + self._dice.randrange(9_000), 22_000) for _ in range(2)
        )
        return SeatResult(
            "program" if who % 50 == 0 else "person", f"p{who}", place=place,
            score=self._dice.randrange(100), before=before, after=after,
            games=self._played[variant, who],
        )  # fmt: skip


async def _measured(directory: Path, games: int) -> dict[str, float]:
    clock = Clock(asyncio.get_running_loop())
    journal = SqliteJournal.open(directory, clock.now_ms, CONFIG)
    made = MadeUpGames(games, clock.now_ms())
    await made.fill(journal)
    accounts = Accounts()
    for number in (1, 2):
        for event in accounts.open_account(f"p{number}", f"ann{'x' * number}", 1):
            accounts.apply(event)
    streams = ResultStreams(
        journal, AccountStreams(journal, accounts, clock, schema.JournalConfig())
    )
    figures = await _asked(clock, accounts, streams, games)

    async def make(number: int) -> list[GameRecorded]:
        return [made.game(number)]

    await streams.append(make)  # after the filling this one moves the log into the file
    taken = []
    for _ in range(TRIES):
        cpu_s = time.process_time()
        await streams.append(make)  # without what the rating takes
        taken.append(1000 * (time.process_time() - cpu_s))
    figures["recording one"] = sorted(taken)[TRIES // 2]
    await journal.close()
    return figures


async def _asked(
    clock: Clock, accounts: Accounts, streams: ResultStreams, games: int
) -> dict[str, float]:
    lookup = ResultLookup(clock, accounts, streams)
    busiest, second = (accounts.by_id(each) for each in (BUSIEST, SECOND))
    assert busiest is not None and second is not None
    own = Games(BUSIEST)
    last = (await lookup.games(busiest, own)).pages
    await streams.prepare()

    def fresh() -> ResultLookup:  # nothing is kept
        return ResultLookup(clock, accounts, streams)

    asked: dict[str, Callable[[], Awaitable[object]]] = {
        "a page of games": lambda: lookup.games(busiest, own),
        "the last page": lambda: lookup.games(busiest, own, last),
        "a page of one game": lambda: lookup.games(busiest, Games(BUSIEST, "words")),
        "a page with somebody": lambda: lookup.games(busiest, Games(BUSIEST, "", SECOND)),
        "a game": lambda: lookup.game(str(games // 2)),
        "finger": lambda: lookup.last_games(busiest, 3),
        "top": lambda: lookup.top("words", BUSIEST),
        "top of a season": lambda: lookup.top("words", BUSIEST, 1, season_start_ms(clock.now_ms())),
        "top of programs": lambda: lookup.top("words", BUSIEST, is_program=True),
        "vs": lambda: fresh().meetings(busiest, second, ""),
        "stats": lambda: fresh().statistics(busiest, ""),
    }
    figures = {}
    for name, ask in asked.items():
        taken = []
        for _ in range(TRIES):
            cpu_s = time.process_time()
            await ask()
            taken.append(1000 * (time.process_time() - cpu_s))
        figures[name] = sorted(taken)[TRIES // 2]
    return figures


if __name__ == "__main__":
    for name, ms in run(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES).items():
        print(f"{name:24} {ms:8.2f} ms of CPU")
