"""The simulation is worth something only if it sees faults: here are some, and it must.

Each is planted alone; one of a few towns has to fail.  A fault that survives fails the test.
"""

from __future__ import annotations

import contextlib

import msgspec
import pytest

from mudserver.errors import JournalWriteError
from mudserver.messages import TellMessage
from mudserver.outbox import Outbox
from mudserver.session.json_session import JsonSession
from mudserver.session.manager import SessionManager
from mudserver.tables import absence, runner, table
from tests.simulation.story import simulate

TOWNS = (8, 4, 7, 1, 2, 5, 19)


def a_failed_write_is_taken_for_a_good_one(plant):
    append = runner.TableRunner._append

    async def hopeful(self, record):
        with contextlib.suppress(JournalWriteError):
            await append(self, record)

    plant.setattr(runner.TableRunner, "_append", hopeful)


def everything_at_a_table_is_told_twice(plant):
    happened = table.Table.event_messages
    plant.setattr(table.Table, "event_messages", lambda self, *about: happened(self, *about) * 2)


def watchers_are_shown_the_first_seat(plant):
    shown = table.Table.view_message

    def leaky(self, reader, why):
        return (
            shown(self, reader, why)
            if reader is not None
            else msgspec.structs.replace(shown(self, 0, why), seat=None)
        )

    plant.setattr(table.Table, "view_message", leaky)


def a_neighbour_hears_what_only_the_seat_should(plant):
    happened = table.Table.event_messages

    def leaky(self, reader, first, last=None):
        letters = happened(self, reader, first, last)
        other = happened(self, 0, first, last)
        return (
            [
                msgspec.structs.replace(mine, event=theirs.event)
                for mine, theirs in zip(letters, other, strict=False)
            ]
            if len(letters) == len(other)
            else letters
        )

    plant.setattr(table.Table, "event_messages", leaky)


def a_restart_eats_time(plant):
    given_back = absence.give_time_back

    def stingy(clock, *about):
        deadline_ms, until_ms = given_back(clock, *about)
        return deadline_ms and deadline_ms - 1, until_ms

    plant.setattr(absence, "give_time_back", stingy)


def a_tell_is_heard_by_all(plant):
    send_all = Outbox.send_all

    def loud(self, addresses, message):
        send_all(
            self, list(self._inboxes) if isinstance(message, TellMessage) else addresses, message
        )

    plant.setattr(Outbox, "send_all", loud)


def a_visit_is_never_forgotten(plant):
    plant.setattr(SessionManager, "remove", lambda self, visit: None)


def what_a_program_reads_is_cut(plant):
    packed = JsonSession._encode
    plant.setattr(
        JsonSession, "_encode", lambda self, message: [row[:4_096] for row in packed(self, message)]
    )


FAULTS = (
    a_failed_write_is_taken_for_a_good_one,
    everything_at_a_table_is_told_twice,
    watchers_are_shown_the_first_seat,
    a_neighbour_hears_what_only_the_seat_should,
    a_restart_eats_time,
    a_tell_is_heard_by_all,
    a_visit_is_never_forgotten,
    what_a_program_reads_is_cut,
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_seen(fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in TOWNS:
            simulate(seed)
