"""What runs tournaments: rounds are drawn, their tables opened and ended, in time.

Rule 1: it looks at what is written, does what is due, and looks again: after a crash at any record
        the same follows.  What is done twice is written once: the stream decides.
Rule 2: of several servers the one that has drawn a round opens its tables; the others do so when
        they are missing for a while.  Each one ends those that it has.
Rule 3: tables of tournaments are at most half of all tables, live and by correspondence each; a
        round for which there is no room waits.
Rule 4: where a table has closed by a fault, its game begins anew at another one; of which nobody
        knows what became of it at the limit of the round has a result all the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from mudserver import metrics
from mudserver.accounts.accounts import Accounts
from mudserver.clock import Clock, TimerHandle
from mudserver.errors import JournalFencedError, JournalWriteError
from mudserver.journal import Journal
from mudserver.logs import raise_location
from mudserver.service.tourney_streams import TourneyStreams
from mudserver.tables import requests as r
from mudserver.tables.manager import TableManager
from mudserver.tourneys.events import AnyTourneyEvent, DroppedWhy, RoundDrawn
from mudserver.tourneys.pairing import draw_round
from mudserver.tourneys.tourney import ENTRIES_MIN, PlaceKey, Round, Tourney

OTHERS_MS = 20_000  # so long the server that has drawn a round has time to open its tables
GIVEN_UP_MS = 60_000  # behind the limit of a round a table without a result is taken for lost
LEAST_MS = 10  # until it looks again by itself
LOOK_AGAIN_MS = 2_000  # while something does not go on by itself
SLACK_MS = 10_000  # before the round began what was typed counts
FORMER = "former player {}"

log = logging.getLogger(__name__)


class TourneyDriver:
    """Args:
    tables_max: Tables in all, with and without tournaments, live or (True) by correspondence.
    gone: Who plays in a tournament and can't any more, and why.
    tell_of_wait: Tell people that the next round of a tournament waits for room.
    in_thread: Calls a function that takes long, with its arguments.
    has_typed: Whether a person has typed anything here since then, monotonic s.
    """

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        streams: TourneyStreams,
        tables: TableManager,
        accounts: Accounts,
        tables_max: Callable[[bool], int],
        gone: Callable[[Tourney], Mapping[str, DroppedWhy]],
        tell_of_wait: Callable[[Tourney], None],
        in_thread: Callable[..., Awaitable[Any]],
        has_typed: Callable[[str, float], bool],
    ) -> None:
        self._clock, self._journal, self._streams = clock, journal, streams
        self._tables, self._accounts = tables, accounts
        self._tables_max, self._gone, self._tell_of_wait = tables_max, gone, tell_of_wait
        self._in_thread, self._has_typed = in_thread, has_typed
        self._changed = asyncio.Event()
        self._timer: TimerHandle | None = None
        self._opening: dict[PlaceKey, int] = {}  # numbers of tables that are not written yet
        self._drawn_here = set[tuple[int, int]]()  # tournament and round
        self._closed_here = set[int]()  # numbers of tables
        self._looked_for = set[PlaceKey]()  # their tables were not here
        self._waiting = set[tuple[int, int]]()  # rounds that wait for room, and were told so
        self._called = set[tuple[int, int]]()  # rounds in which was looked for who has not come
        self._since_ms = clock.now_ms()  # what was typed before, another process knows

    def remembered(self) -> int:
        """How much is kept of tournaments, in items; bounded by those that are open."""
        kept = self._opening, self._drawn_here, self._looked_for, self._waiting, self._called
        return sum(map(len, kept)) + len(self._closed_here)

    def note_change(self) -> None:
        """Something may be due."""
        self._changed.set()

    def note_closed(self, table: int) -> None:
        """A table of a tournament has closed here, with or without a result."""
        self._closed_here.add(table)
        self._changed.set()

    async def run(self) -> None:
        """As long as the server writes."""
        self._since_ms = self._clock.now_ms()
        # Where others write the same journal, they were there meanwhile.
        alive_ms = None if self._journal.is_shared else self._journal.last_alive_ms
        while True:
            self._changed.clear()
            next_ms: int | None
            try:
                if alive_ms is not None:
                    await self._give_back(alive_ms)
                    alive_ms = None
                next_ms = await self._look()
            except JournalFencedError:
                return  # this server ends
            except JournalWriteError as exc:
                log.warning("tournaments wait err=%s", exc)
                next_ms = self._clock.now_ms() + LOOK_AGAIN_MS
            except Exception as exc:  # a bug: it costs a line, and is tried again
                metrics.INTERNAL_ERRORS.value += 1
                log.error("tournaments failed err=%s at=%s", type(exc).__name__,
                          raise_location(exc))  # fmt: skip
                next_ms = self._clock.now_ms() + 5 * LOOK_AGAIN_MS
            await self._wait(next_ms)

    async def _wait(self, next_ms: int | None) -> None:
        if next_ms is not None:  # a timer may come slightly early: not to now again
            at_ms = max(next_ms, self._clock.now_ms() + LEAST_MS)
            self._timer = self._clock.call_at_ms(at_ms, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    async def _give_back(self, alive_ms: int) -> None:
        at_ms = self._clock.now_ms()
        for tourney in self._streams.open_ones():
            await self._change(tourney, partial(Tourney.give_back, alive_ms=alive_ms, at_ms=at_ms))

    async def _look(self) -> int | None:
        """Do what is due; when to look again at the latest, UTC."""
        await self._streams.refresh()
        self._forget_closed()
        times = list[int]()
        for tourney in self._streams.open_ones():
            await self._advance(tourney)
            now_ms, wake_ms = self._clock.now_ms(), tourney.wake_ms
            if wake_ms is not None:
                times.append(max(wake_ms, now_ms + LOOK_AGAIN_MS) if wake_ms <= now_ms else wake_ms)
            if (called_ms := self._called_ms(tourney)) is not None:
                times.append(max(called_ms, now_ms + LOOK_AGAIN_MS))
            if self._is_unsettled(tourney):
                times.append(now_ms + LOOK_AGAIN_MS)
        return min(times, default=None)

    def _forget_closed(self) -> None:
        """What is known here of tournaments that are over."""
        open_ones = {it.number for it in self._streams.open_ones()}
        for rounds in (self._drawn_here, self._waiting, self._called):
            rounds.difference_update([it for it in rounds if it[0] not in open_ones])
        self._opening = {it: n for it, n in self._opening.items() if it.tourney in open_ones}
        self._looked_for = {it for it in self._looked_for if it.tourney in open_ones}
        rounds_now = [it.round for it in self._streams.open_ones()]
        in_play = {table for it in rounds_now if it is not None for table in it.tables.values()}
        self._closed_here &= in_play

    def _is_unsettled(self, tourney: Tourney) -> bool:
        """Whether tables are missing, or may be: nobody tells of those that never come."""
        return bool(tourney.missing_places()) or bool(self._lost_tables(tourney))

    async def _advance(self, tourney: Tourney) -> None:
        match tourney.due(self._clock.now_ms()):
            case "expire":
                await self._change(tourney, lambda now: self._closing(now, "expire"))
            case "start" if self._is_too_small(tourney):
                await self._change(tourney, lambda now: self._closing(now, "start"))
            case "start":
                await self._change(tourney, self._starting)
                await self._begin_round(tourney)
            case "round":
                await self._begin_round(tourney)
            case "end tables":
                await self._end_tables(tourney)
            case None:
                pass
        await self._find_lost(tourney)
        self._open_missing(tourney)
        self._note_not_come(tourney)

    def _closing(self, now: Tourney, why: str) -> Sequence[AnyTourneyEvent]:
        at_ms = self._clock.now_ms()
        if now.due(at_ms) != why or (why == "start" and not self._is_too_small(now)):
            return []
        return now.close("outage" if why == "expire" else "too few", "", "", at_ms)

    def _starting(self, now: Tourney) -> Sequence[AnyTourneyEvent]:
        at_ms = self._clock.now_ms()
        is_due = now.due(at_ms) == "start" and not self._is_too_small(now)
        return now.start("", at_ms, self._gone(now)) if is_due else []

    def _is_too_small(self, tourney: Tourney) -> bool:
        return tourney.count_without(self._gone(tourney)) < ENTRIES_MIN

    async def _change(
        self, tourney: Tourney, decide: Callable[[Tourney], Sequence[AnyTourneyEvent]]
    ) -> None:
        await self._streams.change(tourney.number, decide)

    # -- rounds --------------------------------------------------------------------------------

    async def _begin_round(self, tourney: Tourney) -> None:
        if tourney.phase != "running" or tourney.is_in_round:
            return
        await self._drop_gone(tourney)
        if any(self._accounts.by_id(it) is None for it in tourney.active):
            return  # another server's accounts, which are known here soon
        if not tourney.has_next_round:
            await self._change(tourney, self._finishing)
            return
        number, seats = len(tourney.rounds) + 1, tourney.opened.seats
        if not self._has_room(tourney, -(-len(tourney.active) // seats)):
            if (tourney.number, number) not in self._waiting:
                self._waiting.add((tourney.number, number))
                self._tell_of_wait(tourney)
            return
        entrants = tourney.entrants()
        drawn = await self._in_thread(draw_round, tourney.number, number, entrants, seats)
        event = RoundDrawn(self._clock.now_ms(), number, drawn.tables, drawn.sits_out)
        people = {it.person for it in entrants}

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            return now.draw(event) if {*now.active} == people else []  # else it is drawn again

        self._drawn_here.add((tourney.number, number))
        await self._change(tourney, decide)

    def _finishing(self, now: Tourney) -> Sequence[AnyTourneyEvent]:
        at_ms = self._clock.now_ms()
        if now.due(at_ms) != "round" or now.has_next_round:
            return []
        return now.close("finished", "", "", at_ms)

    async def _drop_gone(self, tourney: Tourney) -> None:
        """Who has no account any more, or may not come in, plays no more."""
        if not self._gone(tourney):
            return
        at_ms = self._clock.now_ms()

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            return now.drop_gone(self._gone(now), at_ms) if now.phase == "running" else []

        await self._change(tourney, decide)

    def _has_room(self, tourney: Tourney, tables: int) -> bool:
        """[rule 3]"""
        is_slow, open_ones = tourney.is_slow, self._streams.open_ones()
        running = sum(len(it.open_places()) for it in open_ones if it.is_slow == is_slow)
        return running + tables <= max(1, self._tables_max(is_slow) // 2)

    # -- tables --------------------------------------------------------------------------------

    def _open_missing(self, tourney: Tourney) -> None:
        now, number = tourney.round, tourney.number
        if now is None or not self._opens(number, now):
            return
        for place in tourney.missing_places():
            key = PlaceKey(number, now.number, place)
            if not self._is_opening(key):
                self._opening[key] = self._open(tourney, key, now.people_at(place))

    def _opens(self, tourney: int, now: Round) -> bool:
        """[rule 2]"""
        is_own = not self._journal.is_shared or (tourney, now.number) in self._drawn_here
        return is_own or self._clock.now_ms() >= now.drawn.at_ms + OTHERS_MS

    def _is_opening(self, key: PlaceKey) -> bool:
        opening = self._opening.get(key)
        return opening is not None and self._tables.rounds.is_here(opening)

    def _open(self, tourney: Tourney, key: PlaceKey, people: Sequence[str]) -> int:
        entrants, gone = list[r.Entrant](), set[str]()
        for seat, person in enumerate(people, 1):
            account = self._accounts.by_id(person)
            if account is None:
                gone.add(person)
            name = FORMER.format(seat) if account is None else account.name
            has_autopass = self._accounts.preference(person, "autopass") == "on"
            entrants.append(r.Entrant(person, name, account is not None and has_autopass))
        request = r.OpenRound(
            "",
            *(key.tourney, key.round, key.place, tuple(entrants)),
            dict(it.split("=", 1) for it in tourney.opened.options),
            elsewhere=frozenset(gone),
        )
        variant, is_slow = tourney.opened.variant, tourney.is_slow
        return self._tables.rounds.open(variant, request, is_slow=is_slow)

    async def _end_tables(self, tourney: Tourney) -> None:
        now, limit_ms = tourney.round, tourney.limit_ms
        if now is None or limit_ms is None:
            return
        for place in tourney.open_places():
            table = now.tables.get(place)
            if table is not None and self._tables.rounds.end(table):
                continue
            if table is None or self._clock.now_ms() >= limit_ms + GIVEN_UP_MS:
                await self._cut_off(tourney, now.number, place)

    async def _cut_off(self, tourney: Tourney, number: int, place: int) -> None:
        """[rule 4]"""
        at_ms = self._clock.now_ms()

        def decide(now: Tourney) -> Sequence[AnyTourneyEvent]:
            if now.round is None or now.round.number != number:
                return []
            return now.finish(now.without_result(place, at_ms, "limit"))

        await self._change(tourney, decide)

    # -- who does not come ---------------------------------------------------------------------

    def _called_ms(self, tourney: Tourney) -> int | None:
        """When to look for who has not come, UTC; None: not, or not again.

        Nobody could come before this server took connections, so the time begins anew.
        """
        now = tourney.round
        if now is None or not tourney.is_in_round or tourney.is_slow:
            return None
        is_done = (tourney.number, now.number) in self._called
        return None if is_done else self._began_ms(now) + tourney.opened.noshow_s * 1000

    def _began_ms(self, now: Round) -> int:
        return max(now.drawn.at_ms, self._since_ms)

    def _note_not_come(self, tourney: Tourney) -> None:
        now, called_ms = tourney.round, self._called_ms(tourney)
        if now is None or called_ms is None or called_ms > self._clock.now_ms():
            return
        self._called.add((tourney.number, now.number))
        ago_s = (self._clock.now_ms() - self._began_ms(now) + SLACK_MS) / 1000
        since = self._clock.monotonic() - ago_s
        for place in tourney.open_places():
            for person in now.people_at(place):
                table = now.tables.get(place)
                if table is not None and not self._has_typed(person, since):
                    self._tables.rounds.note_not_come(table, person)

    # -- tables of which nobody knows ------------------------------------------------------------

    def _lost_tables(self, tourney: Tourney) -> dict[int, int]:
        """Places of tables without a result that were opened here, or have closed here, and are not
        here, or not yet."""
        now, found = tourney.round, dict[int, int]()
        if now is None:
            return found
        for place in tourney.open_places():
            key, table = PlaceKey(tourney.number, now.number, place), now.tables.get(place)
            is_own = self._opening.get(key) == table or table in self._closed_here
            is_own = is_own or not self._journal.is_shared
            if table is not None and is_own and not self._tables.rounds.is_here(table):
                found[place] = table
        return found

    async def _find_lost(self, tourney: Tourney) -> None:
        """Perhaps it was written, though the journal said otherwise; or it has closed."""
        if self._tables.restorer.pending_count():
            return
        for place, table in self._lost_tables(tourney).items():
            assert tourney.round is not None
            key = PlaceKey(tourney.number, tourney.round.number, place)
            if key not in self._looked_for:
                self._looked_for.add(key)
                self._tables.restorer.restore_later(table)
            else:
                log.warning("table of a tournament without a result table=%s", table)
                self._looked_for.discard(key)
                at_ms = self._clock.now_ms()
                lose = partial(Tourney.lose_table, key=key, table=table, at_ms=at_ms)
                await self._change(tourney, lose)
