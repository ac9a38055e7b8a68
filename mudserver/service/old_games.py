"""Games of older journals: they are recorded in the background, once.

Rule 1: recorded are games that ended before results were, at tables that were there then: the first
        event of the stream of results says until when, and until which table.
Rule 2: tables are read oldest first.  The games of one table and how far this has come are one
        transaction, so that a crash loses no game and doubles none.
Rule 3: it is slow on purpose: GAMES_PER_S, and the event loop runs between two pieces of a table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.errors import JournalWriteError
from mudserver.journal import Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.results import queries
from mudserver.results.events import AnyResultEvent, ScanBegun, Scanned
from mudserver.results.rows import SCAN_BEFORE_MS, SCAN_UNTIL, SCANNED
from mudserver.service.game_results import is_recorded, recorded
from mudserver.service.result_streams import ResultStreams
from mudserver.tables.past_games import past_games
from mudserver.tables.summary import EndedGame
from variants.catalogue import Catalogue

GAMES_PER_S = 20.0
RETRY_S = 5.0  # after the journal could not be read or written
RECORDS_PER_STEP = 100

log = logging.getLogger(__name__)


class OldGames:
    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        streams: ResultStreams,
        catalogue: Catalogue,
        config: TablesConfig,
    ) -> None:
        self._clock, self._journal, self._streams = clock, journal, streams
        self._catalogue, self._config = catalogue, config

    async def note_start(self) -> None:
        """The server starts: what ended until now is old, if nothing was recorded yet."""
        until = 0
        if not await self._streams.last_sequence():
            until = max(await self._tables(), default=0)
        self._streams.scan = ScanBegun(self._clock.now_ms(), until)

    async def run(self) -> None:
        """Make the index whole, count what is not counted, record what is old."""
        while True:
            try:
                await self._streams.prepare()
                if self._streams.scan.until:
                    await self._streams.begin()
                await self._streams.count()
                await self._scan()
                return
            except JournalWriteError as exc:
                log.warning("old games not recorded yet err=%s", exc)
                await asyncio.sleep(RETRY_S)

    async def _scan(self) -> None:
        until = await self._streams.mark(SCAN_UNTIL) or 0
        before_ms = await self._streams.mark(SCAN_BEFORE_MS) or 0
        scanned = await self._streams.mark(SCANNED) or 0
        if scanned >= until:
            return
        count = 0
        for number in sorted(each for each in await self._tables() if scanned < each <= until):
            games = await self._games_of(number, before_ms)
            if games:
                await self._record(games, number)
                count += len(games)
                await asyncio.sleep(len(games) / GAMES_PER_S)
        await self._record([], until)
        log.info("old games recorded games=%s", count)

    async def _tables(self) -> list[int]:
        return [*map(TABLE_STREAMS.number, await self._journal.streams(TABLE_STREAMS.prefix))]

    async def _record(self, games: Sequence[EndedGame], table: int) -> None:
        async def make(number: int) -> list[AnyResultEvent]:
            events: list[AnyResultEvent] = [
                recorded(game, at) for at, game in enumerate(games, number)
            ]
            return [*events, Scanned(self._clock.now_ms(), table)]

        await self._streams.append(make)

    async def _games_of(self, number: int, before_ms: int) -> list[EndedGame]:
        """The games of a table that are to be recorded; none where it does not fold."""
        try:
            found = await self._fold(number, before_ms)
        except JournalWriteError:
            raise
        except Exception as exc:  # of another release, or damaged: `mudserver check` tells
            log.warning("old games not found table=%s err=%s", number, type(exc).__name__)
            return []
        return [each for each in found if not await self._is_recorded(each.id)]

    async def _fold(self, number: int, before_ms: int) -> list[EndedGame]:
        stored = await self._journal.read(TABLE_STREAMS.name(number))
        games = past_games(number, stored, self._catalogue, self._config, before_ms)
        found = list[EndedGame]()
        for count, ended in enumerate(games, 1):
            if ended is not None and is_recorded(ended):
                found.append(ended)
            if count % RECORDS_PER_STEP == 0:
                await asyncio.sleep(0)
        return found

    async def _is_recorded(self, game_id: str) -> bool:
        return bool(await self._streams.look_up(*queries.game_by_id(game_id)))
