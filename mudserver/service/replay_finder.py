"""Finds a game that is over and folds it, for those who may see it again.

Rule 1: a game that still runs is answered like one that never was; so is one that is not recorded,
        where somebody may not see it.  [SEC-7]
Rule 2: a game is open to everybody, but one at a private table, or of somebody who does not show
        results to the reader: that one to those who have had a seat in it.
Rule 3: one game is folded at a time, in steps of a few milliseconds, and no source asks for many:
        one at a table of many records counts as several, and is paid for afterwards.  A game of
        far more decisions than people play is not shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import NamedTuple

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.former import is_account_id
from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.errors import JournalCorruptError, JournalWriteError, UserError
from mudserver.journal import Journal, StoredRecord
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service import replay_texts as texts
from mudserver.service.result_lookup import ResultLookup
from mudserver.tables import codec
from mudserver.tables.game_replay import STEP, GameReplay, replayed_game
from mudserver.tables.manager import TableManager
from variants.catalogue import Catalogue

PER_SOURCE_S, SOURCE_BURST, SOURCES_MAX = 0.5, 20, 10_000  # games that are looked for
RECORDS_FREE = 1_000  # at a table; each further thousand counts as one game more
BYTES_MAX = 2_097_152  # of the records of a game; a replay takes some six times as much memory

log = logging.getLogger(__name__)


class FoundGame(NamedTuple):
    replay: GameReplay
    number: int | None  # None: it is not recorded

    @property
    def label(self) -> str:
        """How people call it."""
        return self.replay.ended.id if self.number is None else str(self.number)


class ReplayFinder:
    def __init__(
        self,
        clock: Clock,
        accounts: Accounts,
        lookup: ResultLookup,
        journal: Journal,
        catalogue: Catalogue,
        config: TablesConfig,
        tables: TableManager,
    ) -> None:
        self._clock, self._accounts, self._lookup = clock, accounts, lookup
        self._journal, self._catalogue, self._config = journal, catalogue, config
        self._tables = tables
        self._folding = asyncio.Lock()
        self._asked = KeyedTokenBuckets(PER_SOURCE_S, SOURCE_BURST, SOURCES_MAX)

    async def find(self, viewer: Person, source: str, typed: str) -> FoundGame:
        """By number (`1042`) or id (`117.3`).

        Raises:
            UserError: There is none, its cards are no longer kept, or *viewer* may not see it.
            JournalWriteError: The journal cannot be read now.
        """
        if not self._asked.try_consume(source, self._clock.monotonic()):
            raise UserError(texts.TOO_MANY, "limit")
        game_id, number, label = await self._identify(typed)
        table, _, game = game_id.partition(".")
        async with self._folding:
            if self._asked.owes(source, self._clock.monotonic()):
                raise UserError(texts.TOO_MANY, "limit")
            if self._is_to_come(int(table), int(game)):
                raise UserError(texts.NOT_OVER.format(label), "not_found")
            is_recorded = number is not None
            replay = await self._fold(source, int(table), int(game), label, is_recorded=is_recorded)
        if not self._may_see(viewer.id, replay):
            if number is None:  # of a game that is not recorded nobody else knows that it was
                raise UserError(texts.NOT_OVER.format(label), "not_found")
            raise UserError(texts.NOT_YOURS.format(label))
        if replay.bytes > BYTES_MAX:
            raise UserError(texts.TOO_LONG.format(label, label))
        return FoundGame(replay, number)

    async def _identify(self, typed: str) -> tuple[str, int | None, str]:
        """(id, number, how it was called).  UserError: there is no such game."""
        word = typed.removeprefix("#")
        try:
            game = (await self._lookup.game(word)).game
        except UserError as refusal:
            is_id = re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", word, re.ASCII) is not None
            if refusal.code != "not_found" or not is_id:
                raise
            return word, None, word
        return game.id, game.number, str(game.number)

    def _is_to_come(self, table: int, game: int) -> bool:
        """Whether the game runs, or is a later one: of its records none is looked at.  [rule 1]"""
        return self._tables.lists.is_to_come(table, game)

    async def _fold(
        self, source: str, table: int, game: int, label: str, *, is_recorded: bool
    ) -> GameReplay:
        try:
            stored = await self._journal.read(TABLE_STREAMS.name(table))
            is_whole = bool(stored) and stored[0].sequence == 1
            replay = await self._replay(source, table, game, stored) if is_whole else None
        except (UserError, JournalWriteError):
            raise
        except Exception as exc:  # of another release, or damaged: `mudserver check` tells
            is_known = isinstance(exc, JournalCorruptError)
            log.warning("game not folded game=%s.%s err=%s", table, game, type(exc).__name__,
                        exc_info=None if is_known else exc)  # fmt: skip
            raise UserError(texts.NOT_FOLDED.format(label, label), "not_found") from exc
        if replay is None:
            text = texts.NOT_KEPT if is_recorded else texts.NOT_OVER
            raise UserError(text.format(label), "not_found")
        return replay

    async def _replay(
        self, source: str, table: int, game: int, stored: list[StoredRecord]
    ) -> GameReplay | None:
        found, steps, name_of = None, 0, self._accounts.name_of
        for step in replayed_game(table, game, stored, self._catalogue, self._config, name_of):
            found, steps = step, steps + 1
            await asyncio.sleep(0)
        if found is not None or self._is_closed(stored):  # else their number is nobody's business
            more = max(0.0, steps * STEP / RECORDS_FREE - 1)
            self._asked.charge(source, self._clock.monotonic(), more)
        return found

    def _is_closed(self, stored: list[StoredRecord]) -> bool:
        variant = self._catalogue[codec.variant_name(stored[0].body)]
        sequence, _, body = stored[-1]
        return codec.decode(sequence, body, variant).closes

    def _may_see(self, viewer: str, replay: GameReplay) -> bool:
        present = self._accounts.present_person  # a guest may have registered since
        people = {each if (it := present(each)) is None else it.id for each in replay.people}
        if viewer in people:
            return True
        accounts = map(self._accounts.by_id, filter(is_account_id, people))
        shown = [self._lookup.shows(each, viewer) for each in accounts if each is not None]
        return not replay.ended.is_private and all(shown)
