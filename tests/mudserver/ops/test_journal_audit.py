"""What the check of a journal says of the stream of a tournament, and of its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from msgspec.structs import replace

from mudserver.config.schema import TablesConfig
from mudserver.journal import Claim, StoredRecord
from mudserver.ops.journal_audit import AuditReport, audit_journal
from mudserver.tourneys.events import (
    AnyTourneyEvent,
    RoundDrawn,
    TableDone,
    TableLost,
    TableOpened,
    TourneyClosed,
    TourneyOpened,
    decode,
    encode,
)
from tests.mudserver.service.test_tourneys import (
    NAMES,
    come,
    duel_world,
    opened,
    tourney_of,
    types,
    until,
)
from tests.simulation import virtual
from tests.simulation.server import SimServer
from tests.toys.duel.game import DUEL

Streams = dict[str, list[StoredRecord]]
Events = list[tuple[AnyTourneyEvent, ...]]  # by record


class Copied:
    """A journal that does not change: streams, and which of them are closed."""

    def __init__(self, streams: Streams, closed: set[str]) -> None:
        self._streams, self._closed = streams, closed

    def find_flaws(self) -> list[str]:
        return []

    def streams(self) -> list[tuple[str, bool]]:
        return [(name, name in self._closed) for name in self._streams]

    def read(self, stream: str) -> list[StoredRecord]:
        return self._streams[stream]

    def read_pieces(self, stream: str) -> Iterator[list[StoredRecord]]:
        yield self._streams[stream]

    def name_claims(self) -> list[Claim]:
        return []


@cache
def played() -> tuple[Streams, frozenset[str]]:
    """A tournament of four, to its end."""

    async def scenario() -> tuple[Streams, frozenset[str]]:
        world = duel_world()
        server = await SimServer(world).open()
        people = await come(server, *NAMES[:4])
        await opened(server, people, "seats=2 rounds=2")
        await types(people[0], "tourney 1 start")
        await until(lambda: tourney_of(server).phase == "closed")
        await server.die()
        return dict(world.disk.records), frozenset(world.disk.closed)

    return virtual.run(scenario())


def audited(streams: Streams, closed: set[str]) -> AuditReport:
    return audit_journal(Copied(streams, closed), {DUEL.name: DUEL}, TablesConfig())  # type: ignore[arg-type]


def stored(events: Sequence[Sequence[AnyTourneyEvent]]) -> list[StoredRecord]:
    return [StoredRecord(at, 0, encode(each)) for at, each in enumerate(events, 1)]


def faults(change: Callable[[Events], Events], *, is_closed: bool = True) -> list[str]:
    streams, closed = played()
    own = [decode(it.body) for it in streams["tourney/1"]]
    changed = {**streams, "tourney/1": stored(change(own))}
    closed_now = {*closed} if is_closed else {*closed} - {"tourney/1"}
    return audited(changed, closed_now).faults


def where(events: Events, kind: type[AnyTourneyEvent]) -> int:
    """The index of the first record that has one."""
    return next(at for at, each in enumerate(events) if any(isinstance(it, kind) for it in each))


def twice(kind: type[AnyTourneyEvent]) -> Callable[[Events], Events]:
    def change(events: Events) -> Events:
        at = where(events, kind)
        return [*events[: at + 1], events[at], *events[at + 1 :]]

    return change


def without(kind: type[AnyTourneyEvent]) -> Callable[[Events], Events]:
    def change(events: Events) -> Events:
        at = where(events, kind)
        return [*events[:at], *events[at + 1 :]]

    return change


def test_a_journal_with_a_whole_tournament_has_no_faults():
    streams, closed = played()
    report = audited(streams, set(closed))
    assert [] == report.faults and 4 == report.tables
    assert "tourney/1" in streams and "tourney/1" in closed


def lost(events: Events) -> Events:
    """The first table has closed by a fault, and its place has another one."""
    at = where(events, TableOpened)
    table = next(it for it in events[at] if isinstance(it, TableOpened))
    again = replace(table, table=99)
    gone = TableLost(table.at_ms, table.round, table.place, table.table)
    return [*events[: at + 1], (gone,), (again,), *events[at + 1 :]]


def test_a_place_whose_table_was_lost_has_another_one():
    assert [] == faults(lost)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda events: lost(lost(events)), "a place has two tables, or two results"),
        (twice(TableOpened), "a place has two tables, or two results"),
        (twice(TableDone), "a place has two tables, or two results"),
        (lambda events: [*events, events[-1]], "it goes on behind its end"),
        (without(TourneyClosed), "its last record and its end disagree"),
        (without(RoundDrawn), "it does not fold (IndexError)"),
        (twice(RoundDrawn), "its round is not the next one"),
        (twice(TourneyOpened), "it has no opening, or two"),
        (lambda events: events[1:], "it has no opening, or two"),
    ],
)
def test_what_cannot_be_is_one_fault_of_the_stream(change, fault):
    [found] = [it for it in faults(change) if it.startswith("tourney/1 ")]
    assert found.endswith(fault)
    assert "p1" not in found and "Winter" not in found


def test_a_stream_that_is_open_behind_its_end_is_named():
    [found] = faults(lambda events: events, is_closed=False)
    assert found.startswith("tourney/1 ") and found.endswith("its end disagree")


def test_a_record_that_nobody_can_read_is_named_by_its_number():
    streams, closed = played()
    records = list(streams["tourney/1"])
    records[3] = replace_body(records[3], b'[{"type":"unheard of"}]')
    report = audited({**streams, "tourney/1": records}, set(closed))
    [found] = [it for it in report.faults if it.startswith("tourney/1 ")]
    assert "tourney/1 seq=4: it does not fold (ValidationError)" == found


def replace_body(record: StoredRecord, body: bytes) -> StoredRecord:
    return StoredRecord(record.sequence, record.at_ms, body)


def test_a_table_that_its_tournament_does_not_know_is_named():
    def change(events: Events) -> Events:
        at = where(events, TableOpened)
        others = [replace(it, table=99) if isinstance(it, TableOpened) else it for it in events[at]]
        return [*events[:at], tuple(others), *events[at + 1 :]]

    [found] = faults(change)
    assert found.startswith("table/") and found.endswith("its tournament has another table there")


def test_tables_without_their_tournament_are_none_of_its_business():
    streams, closed = played()
    rest = {name: records for name, records in streams.items() if name != "tourney/1"}
    assert [] == audited(rest, set(closed)).faults
