"""Retention: removes closed tables from the journal, when they are old and when room is short.

Rule 1: once a day tables go that closed longer ago than they are kept.  Those without an account
        at them go after `journal.keep_guest_days`, the others after `journal.keep_days`.
Rule 2: removal is final.  If the server was offline for longer than something is kept, or the
        system clock says so, the first daily run waits a day.
Rule 3: the level of the journal is looked at every CHECK_S.  From PRUNED_FROM on closed tables go
        until PRUNED_UNTIL: the oldest of worth 0, then of 1, then of 2, the latter two not before
        KEPT_DAYS.  From URGENT on only the last hour is safe, and those go first whose person's
        closed tables hold most bytes.  So games that are over never stop a new one.
Rule 4: a failure is logged and tried again.  What is short of room costs one line a day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import JournalWriteError
from mudserver.journal import Journal, Pruned, Pruning
from mudserver.journal.levels import PRUNED_FROM, PRUNED_UNTIL, URGENT

DAY_S = 86_400.0
HOUR_S = 3_600.0
FIRST_S = 300.0  # after the start, while people reconnect
CHECK_S = 5.0
KEPT_DAYS = {0: 0, 1: 7, 2: 30}  # by worth, while the level is below URGENT

log = logging.getLogger("mudserver")


class Retention:
    """Args:
    alive_ms: The last heartbeat of the run before, UTC; None: this is the first run.
    sweep: What else is removed once a day.
    other_days: For how long that is kept; 0: for ever.
    """

    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        config: schema.JournalConfig,
        alive_ms: int | None = None,
        sweep: Callable[[], Awaitable[None]] | None = None,
        other_days: Callable[[], Sequence[int]] = lambda: (),
    ) -> None:
        self._clock, self._journal, self._config = clock, journal, config
        self.alive_ms, self._sweep, self._other_days = alive_ms, sweep, other_days
        self._next_line_s: dict[str, float] = {}  # when each kind of line may be logged again
        self._removed_for_room = 0  # tables since the last line

    def reconfigure(self, config: schema.JournalConfig) -> None:
        """Apply other limits from the next run on."""
        self._config = config

    async def run(self) -> None:
        next_daily_s = self._now() + (DAY_S if self._was_offline_too_long() else FIRST_S)
        while True:
            await asyncio.sleep(CHECK_S)
            try:
                await self._make_room()
                if self._now() >= next_daily_s:
                    next_daily_s = self._now() + DAY_S
                    await self._remove_old()
                    if self._sweep is not None:
                        await self._sweep()
            except JournalWriteError as exc:
                if self._may_log("failed"):
                    log.error("retention failed err=%s", exc)

    # -- by age ----------------------------------------------------------------------------------

    async def _remove_old(self) -> None:
        for worth, days in enumerate(self._days_by_worth()):
            if not days:
                continue
            removed = await self._journal.prune(Pruning(worth, self._before_ms(days * DAY_S)))
            if removed.tables:
                log.info("retention removed tables=%s worth=%s keep_days=%s",
                         removed.tables, worth, days)  # fmt: skip

    def _days_by_worth(self) -> tuple[int, int, int]:
        """For how many days closed tables of worth 0, 1 and 2 are kept; 0: for ever."""
        days, guest_days = self._config.keep_days, self._config.keep_guest_days
        return min(filter(None, (days, guest_days)), default=0), days, days

    def _was_offline_too_long(self) -> bool:
        """Whether much would be removed at once, because the last run is so long ago."""
        spans = (*self._days_by_worth(), *self._other_days())
        days = min(filter(None, spans), default=0)
        if self.alive_ms is None or not days:
            return False
        offline_s = (self._clock.now_ms() - self.alive_ms) / 1000
        if offline_s <= days * DAY_S:
            return False
        log.warning("retention delayed one day, check the system clock offline_days=%s",
                    int(offline_s // DAY_S))  # fmt: skip
        return True

    # -- by size ---------------------------------------------------------------------------------

    async def _make_room(self) -> None:
        level = self._journal.level()
        if level < PRUNED_FROM:
            return
        for worth, days in KEPT_DAYS.items():
            await self._remove_for_room(Pruning(worth, self._before_ms(days * DAY_S), PRUNED_UNTIL))
        newest_ms = 0
        for worth in KEPT_DAYS:
            removed = await self._remove_for_room(
                Pruning(worth, self._before_ms(HOUR_S), URGENT, is_largest_first=True)
            )
            newest_ms = max(newest_ms, removed.closed_ms or 0)
        if newest_ms and self._may_log("urgent"):
            days = int((self._clock.now_ms() - newest_ms) / 1000 // DAY_S)
            log.warning("journal.size_mib_max keeps games for %s days only", days)
        if self._may_log("level"):
            log.warning(
                "journal nearly full level=%.0f%% size_mib_max=%s removed_tables=%s",
                *(100 * level, self._config.size_mib_max, self._removed_for_room),
            )
            self._removed_for_room = 0

    async def _remove_for_room(self, what: Pruning) -> Pruned:
        """Remove tables until the level of *what*; none if the journal is there already."""
        removed = await self._journal.prune(what)
        self._removed_for_room += removed.tables
        return removed

    # -- inside ----------------------------------------------------------------------------------

    def _may_log(self, kind: str) -> bool:
        """Whether a line of this kind was not logged for a day."""
        if self._now() < self._next_line_s.get(kind, 0.0):
            return False
        self._next_line_s[kind] = self._now() + DAY_S
        return True

    def _before_ms(self, age_s: float) -> int:
        return self._clock.now_ms() - int(age_s * 1000)

    def _now(self) -> float:
        return self._clock.monotonic()
