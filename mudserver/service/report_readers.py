"""Who of the staff may read of a report: those above the person whom it is about.

Rule: the reported do not learn from the audit, nor from lists, what a report or its decision says.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from mudserver.accounts.roles import RANK, Role
from mudserver.journal.streams import REPORT_STREAMS
from mudserver.moderation.events import StaffAct
from mudserver.moderation.permissions import Actor
from mudserver.moderation.reports import Report, Reports


class ReportReaders:
    """Args: role_of_id: the role that the person with an id has now."""

    def __init__(self, reports: Reports, role_of_id: Callable[[str], Role]) -> None:
        self._reports, self._role_of_id = reports, role_of_id

    def may_read(self, actor: Actor, report: Report) -> bool:
        accused = self._role_of_id(report.filed.accused)
        return actor.role == "console" or RANK[actor.role] > RANK[accused]

    def number_for(self, actor: Actor, number: int, by_role: Role) -> int:
        """The same number; 0: the actor may not read that report.

        Args:
            by_role: Of who acted for it.  A report that is gone was about somebody below that.
        """
        report = self._reports.stored(number)
        if report is None:
            return number if RANK[actor.role] >= RANK[by_role] else 0
        return number if self.may_read(actor, report) else 0

    def act_for(self, actor: Actor, act: StaffAct) -> StaffAct | None:
        """An act as the actor may read it; None: it was done with a report which that is not."""
        if REPORT_STREAMS.owns(act.target):
            number = REPORT_STREAMS.number(act.target)
            return act if self.number_for(actor, number, act.role) else None
        shown = self.number_for(actor, act.report, act.role)
        return act if shown == act.report else replace(act, report=shown)
