"""Reports from people to the staff: filed, listed, taken, decided.

Rule 1: a report is written before its reporter reads that it is filed.
Rule 2: so many a day for a person, and for a source; what is over costs nothing.
Rule 3: who filed it is known to the staff, what came of it to the staff alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from mudserver.accounts.roles import RANK, Role
from mudserver.clock import Clock, format_minute
from mudserver.errors import UserError
from mudserver.journal.streams import REPORT_STREAMS
from mudserver.messages import Notice, QuotedRow, TalkMessage
from mudserver.moderation import texts
from mudserver.moderation.events import (
    EvidenceLine,
    Outcome,
    ReportDecided,
    ReportFiled,
    ReportTaken,
    StaffEvent,
)
from mudserver.moderation.permissions import PERMISSIONS, Actor, NotPermitted
from mudserver.moderation.reports import Report, evidence_of
from mudserver.moderation.spans import DAY_S
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service.listed import Listed, json_time
from mudserver.service.moderation import Login, Moderation, parse_note, parse_number, parse_reason
from mudserver.service.online_people import OnlinePeople
from mudserver.service.staff_streams import Change, StaffStreams
from variants.kit.text import quantity

WHOLE = "reports NUMBER"  # the permission to read and decide
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
PER_DAY = {"guest": 1, "player": 5}  # of one person, by role; staff may file any number
PER_SOURCE_DAY = 10
COUNTED_MAX = 10_000  # people, and sources


class ReportService:
    def __init__(
        self,
        clock: Clock,
        moderation: Moderation,
        streams: StaffStreams,
        online: OnlinePeople,
        hears_staff: Callable[[str], bool],
    ) -> None:
        """Args: hears_staff: whether the person with that id is of the staff, in its channel."""
        self._clock, self._moderation, self._hears_staff = clock, moderation, hears_staff
        self._streams, self._online = streams, online
        self._by_person = {role: _per_day(count) for role, count in PER_DAY.items()}
        self._by_source = _per_day(PER_SOURCE_DAY)

    async def file(
        self, login: Login, name: str, reason: str, shown: Iterable[tuple[int, TalkMessage]]
    ) -> str:
        """Tell the staff of somebody, who may have left within the last hour.

        Args:
            shown: As for `evidence_of`.
        """
        said, _ = parse_reason(reason)
        target = self._moderation.target(name)
        if target.id == login.id:
            raise UserError(texts.REPORT_SELF, "usage")
        self._charge(login)
        ids_of = self._moderation.ids_of
        evidence = evidence_of(shown, ids_of(login.id), ids_of(target.id))
        place = evidence[-1].place if evidence else ""

        def decide(_: int) -> Change:
            filed = ReportFiled(
                *(login.id, login.name, target.id, target.name, place, said, evidence),
                at_ms=self._clock.now_ms(),
            )
            change = Change(None)
            return change.add(REPORT_STREAMS, self._streams.reports.last_number + 1, filed)

        change = await self._moderation.write(decide)
        number = REPORT_STREAMS.number(next(iter(change.events)))
        self._tell_staff(self._streams.reports.find(number), target.role)
        return texts.REPORT_FILED.format(number)

    def _charge(self, login: Login) -> None:
        role, now = self._moderation.role_of_id(login.id), self._clock.monotonic()
        buckets = self._by_person.get(role)
        if buckets is None:
            return
        is_fine = buckets.try_consume(login.id, now)
        if not (is_fine and self._by_source.try_consume(login.source, now)):
            raise UserError(texts.TOO_MANY_REPORTS, "limit")

    def _tell_staff(self, report: Report, accused_role: Role) -> None:
        filed, number = report.filed, report.number
        lines = quantity(len(filed.evidence), "line")
        names = filed.reporter_name, filed.accused_name
        for online in self._online.all():
            role = self._moderation.role_of(online.person)
            if not self._hears_staff(online.person.id) or RANK[role] <= RANK[accused_role]:
                continue
            text = texts.REPORT_NEWS.format(number, lines, *names, number)
            if RANK[role] < RANK[PERMISSIONS[WHOLE].least]:
                text = texts.REPORT_NEWS_SHORT.format(number)
            self._moderation.tell(online.person.id, Notice(text))

    def note_elsewhere(self, number: int, events: Sequence[StaffEvent]) -> None:
        """Another server has written these of the report of that number."""
        report = self._streams.reports.find(number)
        for event in events:
            if isinstance(event, ReportFiled):
                accused = self._moderation.role_of_id(event.accused)
                self._tell_staff(report, accused)
            elif isinstance(event, ReportDecided):
                self._moderation.tell(
                    report.filed.reporter, Notice(texts.REPORT_DONE.format(number))
                )

    def open_count(self) -> int:
        return len(self._streams.reports.open())

    async def listed(self, login: Login) -> list[Listed]:
        """Those that are open and about somebody below the reader, the oldest first.

        Of who may not decide them, the numbers alone.
        """
        actor = await self._moderation.reader(login, "reports")
        readers = self._moderation.report_readers
        found = [it for it in self._streams.reports.open() if readers.may_read(actor, it)]
        if RANK[actor.role] < RANK[PERMISSIONS[WHOLE].least]:
            numbers = [it.number for it in found]
            return [Listed(texts.REPORT_NUMBER.format(it), {"report": it}) for it in numbers]
        return [self._listed(it) for it in found]

    async def whole(self, login: Login, which: str) -> tuple[Listed, str, list[Listed]]:
        """One report, what has come of it so far, and its lines of talk."""
        actor = await self._moderation.reader(login, WHOLE)
        report = self._readable(actor, parse_number(which))
        taken = f"taken by {self._moderation.name(report.taken_by)}" if report.taken_by else "open"
        lines = [_listed_line(line) for line in report.filed.evidence]
        state = taken if report.outcome is None else _decided(report.outcome, report.sanction)
        return self._listed(report), state, lines

    async def take(self, login: Login, number: int) -> str:
        def decide(act: int, actor: Actor) -> Change:
            report = self._undecided(actor, number)
            change = self._moderation.change(
                act, actor, "report", REPORT_STREAMS.name(number), "take"
            )
            taken = ReportTaken(actor.id, self._clock.now_ms())
            return change.add(REPORT_STREAMS, report.number, taken)

        await self._moderation.act(login, WHOLE, "", decide)
        return texts.REPORT_TAKEN.format(number)

    async def decide(self, login: Login, number: int, typed_outcome: str, note: str = "") -> str:
        await self._moderation.check_may(login, WHOLE, "")
        outcome = next((it for it in OUTCOMES if it == typed_outcome.lower()), None)
        if outcome is None:
            known = ", ".join(OUTCOMES)
            raise UserError(
                texts.NOT_AN_OUTCOME.format(typed_outcome[:20], known)
                if typed_outcome
                else texts.WHICH_OUTCOME.format(known),
                "usage",
            )
        said = parse_note(note)
        chosen: Outcome = outcome

        def decide(act: int, actor: Actor) -> Change:
            report = self._undecided(actor, number)
            change = self._moderation.change(
                act, actor, "report", REPORT_STREAMS.name(number), f"decide {chosen}", said
            )
            sanction = self._sanction_for(report) if chosen == "sanctioned" else 0
            decided = ReportDecided(
                *(actor.id, chosen, said, self._clock.now_ms()), sanction=sanction
            )
            return change.add(REPORT_STREAMS, report.number, decided, closes=True)

        await self._moderation.act(login, WHOLE, "", decide)
        report = self._streams.reports.find(number)
        self._moderation.tell(report.filed.reporter, Notice(texts.REPORT_DONE.format(number)))
        return texts.REPORT_DECIDED.format(number, _decided(chosen, report.sanction))

    def _sanction_for(self, report: Report) -> int:
        """The number of what was made for it and is in force; 0: nothing."""
        filed = report.filed
        accused = self._moderation.ids_of(filed.accused)
        return self._streams.sanctions.made_for(
            report.number, accused, filed.at_ms, self._clock.now_ms()
        )

    def _undecided(self, actor: Actor, number: int) -> Report:
        report = self._readable(actor, number)
        if not report.is_open:
            raise UserError(texts.REPORT_CLOSED.format(number))
        return report

    def _readable(self, actor: Actor, number: int) -> Report:
        report = self._streams.reports.find(number)
        if not self._moderation.report_readers.may_read(actor, report):
            raise NotPermitted(texts.REPORT_OF_STAFF)
        return report

    def _listed(self, report: Report) -> Listed:
        filed = report.filed
        lines = quantity(len(filed.evidence), "line")
        where = f", {filed.place}" if filed.place else ""
        accused = self._moderation.name(filed.accused, filed.accused_name)
        reporter = self._moderation.name(filed.reporter, filed.reporter_name)
        at = format_minute(filed.at_ms)
        head = f"{report.number}\t{accused}, by {reporter}{where}, {lines}, {at} UTC"
        data = {
            "report": report.number,
            "accused": accused,
            "accused_id": filed.accused,
            "reporter": reporter,
            "reporter_id": filed.reporter,
            "place": filed.place,
            "lines": len(filed.evidence),
            "at": json_time(filed.at_ms),
            "reason": filed.reason,
            "outcome": report.outcome,
            "sanction": report.sanction or None,
        }
        return Listed(QuotedRow(head, reporter, filed.reason), data)


def _decided(outcome: Outcome, sanction: int) -> str:
    return f"{outcome} (#{sanction})" if sanction else outcome


def _listed_line(line: EvidenceLine) -> Listed:
    who, _, said = line.text.partition(": ")
    head = f"{format_minute(line.at_ms)} UTC, {line.place}\t{who}"
    data = {"at": json_time(line.at_ms), "place": line.place, "who": who, "said": said}
    return Listed(QuotedRow(head, who, said), data)


def _per_day(count: int) -> KeyedTokenBuckets:
    return KeyedTokenBuckets(count / DAY_S, count, COUNTED_MAX)
