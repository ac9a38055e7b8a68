"""The simulation is worth something only if it sees faults: here are some, and it must.

Each is planted alone; one of a few simulations has to fail.  A fault that survives fails the test.
"""

from __future__ import annotations

import contextlib

import msgspec
import pytest

from mudserver.errors import JournalWriteError
from mudserver.messages import TellMessage
from mudserver.outbox import Outbox
from mudserver.service.seeking import Seeking
from mudserver.session.json_session import JsonSession
from mudserver.session.manager import SessionManager
from mudserver.source_budgets import Hold
from mudserver.tables import decide, runner, table
from tests.simulation.simulation import simulate
from tests.slow_cases import slow_cases

SEEDS = (4, 7, 8, 31, 27, 33, 1, 2)  # short ones first


def a_failed_write_is_taken_for_a_good_one(plant):
    honest = runner.TableRunner._append

    async def hopeful(self, record):
        with contextlib.suppress(JournalWriteError):
            await honest(self, record)

    plant.setattr(runner.TableRunner, "_append", hopeful)


def everything_at_a_table_is_told_twice(plant):
    honest = table.Table.event_messages
    plant.setattr(table.Table, "event_messages", lambda self, *about: honest(self, *about) * 2)


def watchers_are_shown_the_first_seat(plant):
    honest = table.Table.view_message

    def leaky(self, reader, why):
        return (
            honest(self, reader, why)
            if reader is not None
            else msgspec.structs.replace(honest(self, 0, why), seat=None)
        )

    plant.setattr(table.Table, "view_message", leaky)


def a_neighbour_hears_what_only_the_seat_should(plant):
    honest = table.Table.event_messages

    def leaky(self, reader, first, last=None):
        own = honest(self, reader, first, last)
        other = honest(self, 0, first, last)
        return (
            [
                msgspec.structs.replace(mine, event=theirs.event)
                for mine, theirs in zip(own, other, strict=False)
            ]
            if len(own) == len(other)
            else own
        )

    plant.setattr(table.Table, "event_messages", leaky)


def a_restart_eats_time(plant):
    honest = decide.give_time_back

    def stingy(clock, *about):
        deadline_ms, until_ms = honest(clock, *about)
        return deadline_ms and deadline_ms - 1, until_ms

    plant.setattr(decide, "give_time_back", stingy)


def a_tell_is_heard_by_all(plant):
    send_each = Outbox.send_each

    def loud(self, deliveries):
        for address, message in deliveries:
            is_tell = isinstance(message, TellMessage)
            addresses = list(self._inboxes) if is_tell else [address]
            send_each(self, [(one, message) for one in addresses])

    plant.setattr(Outbox, "send_each", loud)


def a_visit_is_never_forgotten(plant):
    plant.setattr(SessionManager, "remove", lambda self, session: None)


def what_a_program_reads_is_cut(plant):
    honest = JsonSession._encode
    plant.setattr(
        JsonSession, "_encode", lambda self, message: [row[:4_096] for row in honest(self, message)]
    )


def a_live_offer_stands_while_its_person_plays(plant):
    plant.setattr(Seeking, "_end_live", lambda self, person_id: None)


def the_place_of_an_offer_is_never_given_back(plant):
    plant.setattr(Hold, "release", lambda self: None)


FAULTS = (
    a_failed_write_is_taken_for_a_good_one,
    everything_at_a_table_is_told_twice,
    watchers_are_shown_the_first_seat,
    a_neighbour_hears_what_only_the_seat_should,
    a_restart_eats_time,
    a_tell_is_heard_by_all,
    a_visit_is_never_forgotten,
    what_a_program_reads_is_cut,
    a_live_offer_stands_while_its_person_plays,
    the_place_of_an_offer_is_never_given_back,
)
SLOW = (
    "watchers_are_shown_the_first_seat", "a_live_offer_stands_while_its_person_plays",
    "what_a_program_reads_is_cut",
)  # fmt: skip


def name_of(fault) -> str:
    return fault.__name__


@pytest.mark.parametrize("fault", slow_cases(FAULTS, SLOW, name_of), ids=name_of)
def test_a_planted_fault_is_seen(fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in SEEDS:
            simulate(seed)
