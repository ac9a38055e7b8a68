"""Finds a game that is over and folds it, for those who may see it again.

Rule 1: a game that still runs is answered like one that never was; so is one that is not recorded,
        where somebody may not see it.  [SEC-7]
Rule 2: a game is open to everybody, but one at a private table, or of somebody who does not show
        results to the reader: that one to those who have had a seat in it.
Rule 3: one game is folded at a time, in steps of a few milliseconds, and no source asks for many;
        a game of far more decisions than people play is not shown.
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
from mudserver.tables.game_replay import GameReplay, replayed_game
from variants.catalogue import Catalogue

PER_SOURCE_S, SOURCE_BURST, SOURCES_MAX = 0.5, 20, 10_000  # games that are looked for
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
    ) -> None:
        self._clock, self._accounts, self._lookup = clock, accounts, lookup
        self._journal, self._catalogue, self._config = journal, catalogue, config
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
            replay = await self._fold(int(table), int(game), label, is_recorded=number is not None)
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

    async def _fold(self, table: int, game: int, label: str, *, is_recorded: bool) -> GameReplay:
        try:
            stored = await self._journal.read(TABLE_STREAMS.name(table))
            replay = await self._replay(table, game, stored) if _is_whole(stored) else None
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

    async def _replay(self, table: int, game: int, stored: list[StoredRecord]) -> GameReplay | None:
        found, name_of = None, self._accounts.name_of
        for step in replayed_game(table, game, stored, self._catalogue, self._config, name_of):
            found = step
            await asyncio.sleep(0)
        return found

    def _may_see(self, viewer: str, replay: GameReplay) -> bool:
        present = self._accounts.present_person  # a guest may have registered since
        people = {each if (it := present(each)) is None else it.id for each in replay.people}
        if viewer in people:
            return True
        accounts = map(self._accounts.by_id, filter(is_account_id, people))
        shown = [self._lookup.shows(each, viewer) for each in accounts if each is not None]
        return not replay.ended.is_private and all(shown)


def _is_whole(stored: list[StoredRecord]) -> bool:
    return bool(stored) and stored[0].sequence == 1
