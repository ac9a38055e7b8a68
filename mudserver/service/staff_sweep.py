"""Once a day: ends what has expired, decides what nobody decided, removes what is old.

Rule 1: whether a ban is in force never waits for this; it ends records, no bans.
Rule 2: what is removed goes whole.  The newest report and the newest month of the audit stay, so
        that no number is used again.
Rule 3: what ends is decided where it is written, a few records in one transaction.
"""

from __future__ import annotations

import logging

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.journal import Journal
from mudserver.journal.streams import AUDIT_STREAMS, REPORT_STREAMS, SANCTION_STREAMS
from mudserver.moderation.events import SERVER, ReportDecided, SanctionEnded
from mudserver.service.staff_streams import Change, StaffStreams, month_of
from mudserver.source_budgets import DAY_MS

STEP = 20  # records in one transaction

log = logging.getLogger("staff")


class StaffSweep:
    def __init__(
        self,
        clock: Clock,
        journal: Journal,
        streams: StaffStreams,
        config: schema.ModerationConfig,
    ) -> None:
        self._clock, self._journal, self._streams = clock, journal, streams
        self.config = config  # replaced when the settings change

    async def run(self) -> None:
        """JournalWriteError: it stopped early; the next run goes on."""
        try:
            while (await self._streams.change(self._end_expired)).events:
                pass
            while (await self._streams.change(self._decide_old_reports)).events:
                pass
        except UserError:  # other servers changed the same again and again: they may be at it
            log.warning("staff records are swept tomorrow, others keep changing them")
            return
        await self._remove_old()

    def _end_expired(self, _: int) -> Change:
        now_ms, change = self._clock.now_ms(), Change(None)
        for number in self._streams.sanctions.expired(now_ms)[:STEP]:
            ended = SanctionEnded("expired", SERVER, "", now_ms)
            change.add(SANCTION_STREAMS, number, ended, closes=True)
        return change

    def _decide_old_reports(self, _: int) -> Change:
        now_ms, change = self._clock.now_ms(), Change(None)
        before_ms = self._before_ms(self.config.undecided_days)
        old = [it for it in self._streams.reports.open() if it.filed.at_ms < before_ms]
        for report in old[:STEP]:
            decided = ReportDecided(SERVER, "none", "", now_ms)
            change.add(REPORT_STREAMS, report.number, decided, closes=True)
        return change

    async def _remove_old(self) -> None:
        streams, config = self._streams, self.config
        sanctions = streams.sanctions.ended_before(self._before_ms(config.keep_days))
        reports = [
            it.number
            for it in streams.reports.decided()
            if it.number != streams.reports.last_number
            and it.decided_ms < self._before_ms(_report_days(config, it.outcome))
        ]
        months = [
            name
            for name in await self._journal.streams(AUDIT_STREAMS.prefix, is_open=False)
            if AUDIT_STREAMS.number(name) < month_of(self._before_ms(config.keep_days))
        ]
        await self._journal.remove([SANCTION_STREAMS.name(number) for number in sanctions])
        for number in sanctions:
            streams.sanctions.forget(number)
        await self._journal.remove([REPORT_STREAMS.name(number) for number in reports])
        for number in reports:
            streams.reports.forget(number)
        await self._journal.remove(months)
        if removed := len(sanctions) + len(reports) + len(months):
            log.info("staff records removed streams=%s", removed)

    def _before_ms(self, days: int) -> int:
        return self._clock.now_ms() - days * DAY_MS


def _report_days(config: schema.ModerationConfig, outcome: str | None) -> int:
    return config.dismissed_keep_days if outcome == "none" else config.report_keep_days
