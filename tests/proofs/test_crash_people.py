"""What people and the staff do is kept whole or not at all, wherever the server dies.

`people_crash.py` says how that is shown, and `people_flows.py` what people do.
"""

from __future__ import annotations

import asyncio

import pytest

from mudserver.journal.streams import RESUME_SECRET_STREAM
from mudserver.service.account_deletion import AccountDeletion
from mudserver.service.account_streams import AccountStreams
from mudserver.service.sanction_service import SanctionService
from tests.proofs.people_crash import DyingJournal, Flow, killed, undisturbed
from tests.proofs.people_flows import FLOWS
from tests.slow_cases import slow_cases

VARIANTS = (
    *("renaming back", "renaming by staff", "deletion by staff", "ban of a key", "ban of a guest"),
    *("deletion of an unused account due", "invitation withdrawn", "recovery by key"),
)
"""Flows that write what others do, too."""


def killed_everywhere(flow: Flow) -> tuple[int, int]:
    """The positions of a flow, and after how many deaths its step was done."""
    expected = undisturbed(flow)
    cases = [(position, keeps) for position in expected.positions for keeps in (False, True)]
    kept = [killed(flow, expected, position, keeps=keeps) for position, keeps in cases]
    return len(expected.positions), sum(kept)


@pytest.mark.parametrize("name", slow_cases(FLOWS, VARIANTS))
def test_killed_at_every_position_a_step_is_done_or_not_and_nobody_was_told_otherwise(name):
    positions, kept = killed_everywhere(FLOWS[name])
    print(f"\ncrash of people, {name}: positions={positions} deaths={2 * positions} kept={kept}")
    assert positions <= kept < 2 * positions  # at least where the last change was on the disk


# -- that it can fail ------------------------------------------------------------------------------


def test_an_act_apart_from_its_entry_in_the_audit_is_found(monkeypatch):
    whole = AccountStreams.append_with

    async def apart(self, others, decides, claims=(), index=()):
        for entry in others[:-1]:
            await self._journal.append_all([entry])
        await whole(self, others[-1:], decides, claims, index)

    monkeypatch.setattr(AccountStreams, "append_with", apart)
    with pytest.raises(AssertionError, match=r"audit|sanction"):
        killed_everywhere(FLOWS["warning and mute"])


def test_who_is_told_before_it_is_written_is_found(monkeypatch):
    waits, writing = DyingJournal.append_all, []

    async def early(self, entries, *more, **rows):
        writing.append(asyncio.create_task(waits(self, entries, *more, **rows)))
        await asyncio.sleep(0)  # it is handed in
        if entries[0].stream == RESUME_SECRET_STREAM:  # which a start reads at once
            await writing[-1]

    monkeypatch.setattr(DyingJournal, "append_all", early)
    with pytest.raises(AssertionError, match="told, and not kept"):
        killed_everywhere(FLOWS["mail"])


@pytest.mark.parametrize("name", ["ban", "ban of a key", "ban of a network", "ban of a guest"])
def test_a_seat_that_no_start_hands_over_is_found(monkeypatch, name):
    monkeypatch.setattr(SanctionService, "takes_seat", lambda *of: False)
    with pytest.raises(AssertionError, match="table 1"):
        killed_everywhere(FLOWS[name])


def test_a_list_that_no_sweep_looks_at_again_is_found(monkeypatch):
    finish = AccountDeletion._finish

    async def too_early(self):
        await finish(self)
        await self._remove()

    monkeypatch.setattr(AccountDeletion, "_finish", too_early)
    with pytest.raises(AssertionError, match=r"friends|ignored"):
        killed_everywhere(FLOWS["deletion of an unused account due"])
