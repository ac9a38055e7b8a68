"""Reports: what people tell the staff of each other, with what they were shown.

Rule 1: `apply` accepts every event; it and `forget` alone change anything.
Rule 2: the evidence is talk that the reporter was shown: lines of the accused, and what the
        reporter told the accused.  Never a view or an event of a game.
Rule 3: a report about somebody of the staff is for higher roles alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from mudserver.errors import UserError
from mudserver.messages import TalkMessage, TellMessage
from mudserver.moderation import texts
from mudserver.moderation.events import (
    EvidenceLine,
    Outcome,
    ReportDecided,
    ReportFiled,
    ReportTaken,
    StaffEvent,
)

EVIDENCE_LINES_MAX = 20
EVIDENCE_BYTES_MAX = 6_144  # of its texts; the whole record stays below 8 KiB


@dataclass(frozen=True, slots=True)
class Report:
    number: int
    filed: ReportFiled
    taken_by: str = ""
    outcome: Outcome | None = None  # None: not decided
    decided_ms: int = 0
    sanction: int = 0  # what was made for it, noted with the decision; 0: none

    @property
    def is_open(self) -> bool:
        return self.outcome is None


class Reports:
    def __init__(self) -> None:
        self._by_number: dict[int, Report] = {}
        self.last_number = 0

    def __iter__(self) -> Iterator[Report]:
        """All that are stored, the oldest first."""
        return iter(list(self._by_number.values()))

    def open(self) -> list[Report]:
        """Those that are not decided, the oldest first."""
        return [report for report in self._by_number.values() if report.is_open]

    def decided(self) -> list[Report]:
        return [report for report in self._by_number.values() if not report.is_open]

    def taken_about(self, by: str, accused: Collection[str]) -> int:
        """The number of the oldest open one that *by* has taken; 0: none.

        Args:
            accused: Ids of whom it is about: two of who has registered as a guest.
        """
        if by:
            for report in self.open():
                if report.taken_by == by and report.filed.accused in accused:
                    return report.number
        return 0

    def stored(self, number: int) -> Report | None:
        return self._by_number.get(number)

    def find(self, number: int) -> Report:
        """UserError: there is none."""
        found = self._by_number.get(number)
        if found is None:
            raise UserError(texts.NO_REPORT.format(number), "not_found")
        return found

    def apply(self, number: int, event: StaffEvent) -> None:
        self.last_number = max(self.last_number, number)
        match event:
            case ReportFiled():
                self._by_number[number] = Report(number, event)
            case ReportTaken(by=by):
                self._by_number[number] = replace(self._by_number[number], taken_by=by)
            case ReportDecided():
                self._by_number[number] = replace(
                    self._by_number[number],
                    outcome=event.outcome, decided_ms=event.at_ms, sanction=event.sanction,
                )  # fmt: skip

    def forget(self, number: int) -> None:
        """Its stream was removed from the journal."""
        self._by_number.pop(number, None)


def evidence_of(
    shown: Iterable[tuple[int, TalkMessage]], reporter: Collection[str], accused: Collection[str]
) -> tuple[EvidenceLine, ...]:
    """The last lines that count [rule 2], oldest first.

    Args:
        shown: What the reporter was shown lately, with UTC times in ms, oldest first.
        reporter, accused: Ids of each: two of who has registered as a guest.
    """
    lines: list[EvidenceLine] = []
    size = 0
    for at_ms, message in reversed(list(shown)):
        is_own_tell = isinstance(message, TellMessage) and (
            message.speaker in reporter and message.listener in accused
        )
        if message.speaker not in accused and not is_own_tell:
            continue
        said = f"{message.who}: {message.text}"
        size += len(said.encode())
        if size > EVIDENCE_BYTES_MAX or len(lines) == EVIDENCE_LINES_MAX:
            break
        lines.append(EvidenceLine(at_ms, _place(message), said))
    return tuple(reversed(lines))


def _place(message: TalkMessage) -> str:
    if isinstance(message, TellMessage):
        return "tell"
    if message.channel:
        return f"#{message.channel}"
    return "lobby" if message.table is None else f"table {message.table}"
