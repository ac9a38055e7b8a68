"""What every journal promises to the rest of the server: SQLite, PostgreSQL, and in memory.

A further journal is one more `Place`.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mudserver.config import schema
from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal import (
    Claim,
    Entry,
    IndexRow,
    Journal,
    Pruned,
    Pruning,
    StoredRecord,
    postgres,
    sqlite,
)
from mudserver.journal.postgres.journal import PostgresJournal
from mudserver.journal.sqlite.journal import SqliteJournal
from tests import memory_journal
from tests.memory_journal import Disk, MemoryJournal

ANN, BOB = (Claim("name", "ann", owner) for owner in ("p1", "p2"))
SNAPSHOT = b'[{"type":"snapshot","id":"p1"}]'
ERASED = b'[{"type":"erased","id":"p1"}]'
MIB = 1_048_576


class Place:
    """Where a journal is kept, and a clock that is moved by hand."""

    journal: Any

    def __init__(
        self, make: Callable[[Place], Awaitable[Any]], config: schema.JournalConfig
    ) -> None:
        self.now_ms, self.config, self._make = 1_000, config, make

    async def open(self) -> Place:
        self.journal = await self._make(self)
        return self

    async def restart(self) -> None:
        await self.journal.close()
        await self.open()

    async def table(self, number: int, at_ms: int, size: int = 100, records: int = 2) -> None:
        """A table that closed at *at_ms*."""
        self.now_ms = at_ms
        for n in range(1, records + 1):
            await self.journal.append(f"table/{number}", n, bytes(size), closes=n == records)

    async def sequences(self, stream: str, after: int = 0) -> list[int]:
        return [record.sequence for record in await self.journal.read(stream, after)]

    async def all_sequences(self) -> dict[str, list[int]]:
        each = self.journal.read_each("")
        return {stream: [record.sequence for record in records] async for stream, records in each}


def in_a_file(directory: Path, _: str) -> Place:
    async def make(place: Place) -> SqliteJournal:
        return SqliteJournal.open(directory, lambda: place.now_ms, place.config)

    return Place(make, schema.JournalConfig())


def in_postgres(directory: Path, address: str) -> Place:
    async def make(place: Place) -> PostgresJournal:
        return await PostgresJournal.open(directory, lambda: place.now_ms, place.config)

    return Place(make, schema.JournalConfig(postgres=address))


def in_memory(_: Path, __: str) -> Place:
    disk = Disk()

    async def make(place: Place) -> MemoryJournal:
        return MemoryJournal(lambda: place.now_ms, disk, place.config)

    return Place(make, schema.JournalConfig())


@pytest.fixture(params=[in_a_file, in_postgres, in_memory])
async def place(request, tmp_path, monkeypatch) -> AsyncIterator[Place]:
    for module in (sqlite.journal, postgres.journal):
        monkeypatch.setattr(module, "PRUNE_PAUSE_S", 0.0)
    address = ""
    if request.param is in_postgres:
        address = await request.getfixturevalue("postgres").emptied_database()
    made = await request.param(tmp_path, address).open()
    yield made
    await made.journal.close()


@pytest.mark.parametrize("kind", [SqliteJournal, PostgresJournal, MemoryJournal])
def test_a_journal_has_the_methods_of_the_interface(kind):
    methods = {name: one for name, one in vars(Journal).items() if inspect.isfunction(one)}
    methods = {name: one for name, one in methods.items() if not name.startswith("_")}
    assert {"append", "append_all", "read", "trim", "prune", "close"} <= methods.keys()
    for name, wanted in methods.items():
        assert inspect.signature(wanted) == inspect.signature(getattr(kind, name)), name


def test_a_journal_has_no_other_public_methods():
    public = {name for name in vars(SqliteJournal) if not name.startswith("_")}
    handover = {"read_chain", "hold", "prepare_to_let_go", "let_go", "take_back", "take_over"}
    handover |= {"give_up", "resume"}
    assert public - {"open"} - handover <= vars(Journal).keys()


# -- append ------------------------------------------------------------------------------------


async def test_what_was_appended_is_read_after_a_restart(place):
    for n in (1, 2, 3):
        await place.journal.append("table/1", n, b"record %d" % n)
    await place.restart()
    expected = [StoredRecord(n, 1_000, b"record %d" % n) for n in (1, 2, 3)]
    assert expected == await place.journal.read("table/1")
    assert [3] == await place.sequences("table/1", after=2)
    assert [] == await place.sequences("table/2")
    await place.journal.append("table/1", 4, b"")
    assert 4 == (await place.journal.read("table/1"))[-1].sequence


@pytest.mark.parametrize("sequence", [0, 1, 2, 4])
async def test_a_wrong_sequence_fails_alone_and_writes_nothing(place, sequence):
    await place.journal.append("table/1", 1, b"")
    await place.journal.append("table/1", 2, b"")
    wrong, right = await asyncio.gather(
        place.journal.append("table/1", sequence, b"wrong"),
        place.journal.append("table/2", 1, b"right"),
        return_exceptions=True,
    )
    assert isinstance(wrong, ValueError) and right is None
    assert [b"", b""] == [record.body for record in await place.journal.read("table/1")]
    await place.journal.append("table/1", 3, b"")


async def test_a_stream_that_began_with_a_wrong_sequence_is_none(place):
    with pytest.raises(ValueError, match="sequence 2 where 1 is next"):
        await place.journal.append("table/1", 2, b"")
    assert [] == await place.journal.streams("") == await place.journal.read("table/1")
    await place.journal.append("table/1", 1, b"")
    assert ["table/1"] == await place.journal.streams("")


async def test_a_closed_stream_takes_nothing_more(place):
    await place.journal.append("table/1", 1, b"")
    await place.journal.append("table/2", 1, b"", closes=True)
    await place.journal.append("person/1", 1, b"")
    for _ in range(2):  # before and after a restart
        with pytest.raises(ValueError, match="closed"):
            await place.journal.append("table/2", 2, b"")
        assert ["table/1", "table/2"] == await place.journal.streams("table/")
        assert ["table/1"] == await place.journal.streams("table/", is_open=True)
        assert ["table/2"] == await place.journal.streams("table/", is_open=False)
        await place.restart()


async def test_numbers_are_above_those_of_all_streams_and_given_once(place):
    assert 1 == (await place.journal.numbers("table/"))[0]
    for number in (2, 9, 10):
        await place.journal.append(f"table/{number}", 1, b"", closes=number == 10)
    await place.journal.append("person/1077", 1, b"")
    await place.restart()
    blocks = await asyncio.gather(*(place.journal.numbers("table/") for _ in range(5)))
    given = [number for block in blocks for number in block]
    assert 10 < min(given) and len(given) == len(set(given)) >= 5
    assert 1_077 < (await place.journal.numbers("person/"))[0]


async def test_streams_are_read_in_their_order_behind_what_is_known(place):
    for number in (3, 1, 2):
        for n in (1, 2):
            await place.journal.append(f"person/{number}", n, b"%d" % n)
    await place.journal.append("table/1", 1, b"")
    known = {"person/1": 1, "person/2": 2, "person/3": 0}
    found = [
        (stream, [record.sequence for record in records])
        async for stream, records in place.journal.read_each("person/", known.__getitem__)
    ]
    assert [("person/3", [1, 2]), ("person/1", [2]), ("person/2", [])] == found
    whole = [records async for _, records in place.journal.read_each("table/")]
    assert [await place.journal.read("table/1")] == whole


@pytest.mark.parametrize(
    ("records", "after"),
    [(0, 0), (1, 0), (10, 0), (11, 0), (11, 4), (11, 10), (11, 11), (31, 7)],
)
async def test_a_stream_is_read_in_pieces(place, pieces_of_five, records, after):
    for n in range(1, records + 1):
        await place.journal.append("results/1", n, b"record %d" % n)
        await place.journal.append("person/1", n, b"other %d" % n)
    found = [piece async for piece in place.journal.read_pieces("results/1", after)]
    assert await place.journal.read("results/1", after) == [it for piece in found for it in piece]
    assert all(0 < len(piece) <= 5 for piece in found)


async def test_a_trimmed_stream_is_read_in_pieces_from_what_replaces_its_past(
    place, pieces_of_five
):
    for n in range(1, 21):
        await place.journal.append("person/1", n, SNAPSHOT if n == 8 else b"record %d" % n)
    await place.journal.trim("person/1")
    for after, first in ((0, 8), (7, 8), (8, 9), (15, 16)):
        found = [piece async for piece in place.journal.read_pieces("person/1", after)]
        assert [*range(first, 21)] == [it.sequence for piece in found for it in piece]


@pytest.fixture
def pieces_of_five(monkeypatch):
    for module in (sqlite.read_stream, postgres.reading, memory_journal):
        monkeypatch.setattr(module, "PIECE", 5)


async def test_too_large_a_record_or_too_long_a_name_is_a_callers_bug(place):
    place.config = replace(place.config, record_bytes_max=131_072)
    place.journal.reconfigure(place.config)
    for stream, size, reason in (
        ("table/1", 131_073, "131073 bytes"),
        ("t" * 65, 1, "64 characte"),
    ):
        with pytest.raises(ValueError, match=reason):
            await place.journal.append(stream, 1, bytes(size))
        with pytest.raises(ValueError, match=reason):
            await place.journal.append_all(
                [Entry("table/2", 1, b""), Entry(stream, 1, bytes(size))]
            )
    assert [] == await place.journal.streams("")


async def test_the_heartbeat_of_the_run_before_is_known(place):
    assert place.journal.last_alive_ms is None
    place.now_ms = 5_000
    await place.journal.write_heartbeat()
    place.now_ms = 8_000
    await place.restart()
    assert 8_000 == place.journal.last_alive_ms  # closing is the last sign of life


async def test_closing_writes_what_waits_and_then_refuses(place):
    waiting = [asyncio.ensure_future(place.journal.append(f"table/{n}", 1, b"")) for n in range(9)]
    await asyncio.sleep(0)
    await place.journal.close()
    await place.journal.close()
    await asyncio.gather(*waiting)
    with pytest.raises(JournalWriteError, match="closed"):
        await place.journal.append("table/1", 2, b"")


# -- several streams at once -------------------------------------------------------------------


async def test_several_streams_are_appended_to_in_one_go(place):
    await place.journal.append("person/1", 1, b"")
    entries = [
        Entry("person/1", 2, b"a"),
        Entry("site/1", 1, b"b"),
        Entry("person/1", 3, b"c", True),
    ]
    await place.journal.append_all(entries)
    await place.restart()
    assert [1, 2, 3] == await place.sequences("person/1")
    assert [1] == await place.sequences("site/1")
    assert ["person/1"] == await place.journal.streams("", is_open=False)


@pytest.mark.parametrize(
    "wrong",
    [
        Entry("person/1", 1, b""),
        Entry("person/1", 3, b""),
        Entry("person/3", 2, b""),
        Entry("person/2", 2, b""),  # closed
        Entry("site/1", 1, b""),  # twice in the group
    ],
)
async def test_a_wrong_sequence_in_a_group_is_a_conflict_and_nothing_of_it_is_written(place, wrong):
    await place.journal.append("person/1", 1, b"")
    await place.journal.append("person/2", 1, b"", closes=True)
    before = await place.all_sequences()
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("site/1", 1, b"x"), wrong], [ANN])
    assert before == {
        stream: await place.sequences(stream) for stream in await place.journal.streams("")
    }
    await place.journal.append_all([Entry("site/1", 1, b"x")], [BOB])  # nobody took the claim


async def test_a_group_counts_what_its_batch_has_accepted_before_it(place):
    results = await asyncio.gather(
        place.journal.append("person/1", 1, b""),
        place.journal.append_all([Entry("person/1", 2, b""), Entry("site/1", 1, b"")], [ANN]),
        place.journal.append_all([Entry("person/2", 1, b"")], [BOB]),
        place.journal.append_all([Entry("site/1", 1, b"again")]),
        place.journal.append_all([Entry("site/1", 2, b"")], [BOB], [ANN]),
        return_exceptions=True,
    )
    conflict = JournalConflictError
    assert [None, None, conflict, conflict, None] == [r and type(r) for r in results]
    assert ["person/1", "site/1"] == await place.journal.streams("")
    assert [1, 2] == await place.sequences("site/1")


# -- claims ------------------------------------------------------------------------------------


async def test_a_claim_has_one_owner_and_its_owner_is_granted_it_again(place):
    await place.journal.append_all([Entry("person/1", 1, b"")], [ANN])
    await place.journal.append_all([Entry("person/1", 2, b"")], [ANN])
    with pytest.raises(JournalConflictError, match="the name belongs to somebody else"):
        await place.journal.append_all([Entry("person/2", 1, b"")], [BOB])
    other_kind = Claim("seat", "ann", "p2")
    await place.journal.append_all([Entry("person/2", 1, b"")], [other_kind])
    assert ["person/1", "person/2"] == await place.journal.streams("")


async def test_claims_can_be_taken_and_given_up_without_a_record(place):
    journal = place.journal
    await journal.append_all([], [ANN])
    with pytest.raises(JournalConflictError) as refused:
        await journal.append_all([], [ANN._replace(owner="p9")])
    assert (ANN.key, ANN.owner) == (refused.value.key, refused.value.owner)
    await journal.append_all([], (), [ANN])
    await journal.append_all([], [ANN._replace(owner="p9")])


async def test_a_released_claim_is_free_and_nobody_releases_what_is_anothers(place):
    await place.journal.append_all([Entry("person/1", 1, b"")], [ANN])
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("person/2", 1, b"")], [BOB], [BOB])
    await place.journal.append_all([Entry("person/1", 2, b"")], [], [ANN])
    await place.journal.append_all([Entry("person/2", 1, b"")], [BOB])


async def test_a_release_hands_an_old_name_to_the_next_who_had_it(place):
    await place.journal.adopt_claims([ANN, BOB, ANN])
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("person/2", 1, b"")], [BOB])
    await place.journal.append_all([Entry("person/1", 1, b"")], [], [ANN])
    await place.journal.append_all([Entry("person/2", 1, b"")], [BOB])
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("person/1", 2, b"")], [ANN])


# -- trim --------------------------------------------------------------------------------------


async def test_what_a_snapshot_replaces_is_trimmed_and_sequences_go_on(place):
    for n, body in enumerate((b"a", SNAPSHOT, b"b", SNAPSHOT, b"c"), 1):
        await place.journal.append("person/1", n, body)
    await place.journal.append("person/2", 1, b"other")
    assert 3 == await place.journal.trim("person/1")
    assert 0 == await place.journal.trim("person/1")
    for _ in range(2):
        for after, expected in ((0, [4, 5]), (2, [4, 5]), (3, [4, 5]), (4, [5]), (5, [])):
            assert expected == await place.sequences("person/1", after)
        assert [1] == await place.sequences("person/2")
        for stale in (1, 3, 5):
            with pytest.raises(ValueError, match="where 6 is next"):
                await place.journal.append("person/1", stale, b"")
        await place.restart()
    await place.journal.append("person/1", 6, SNAPSHOT)
    assert 2 == await place.journal.trim("person/1")
    await place.journal.append("person/1", 7, b"d")
    assert [6, 7] == await place.sequences("person/1")


@pytest.mark.parametrize(
    "bodies",
    [[], [b"a", b"b"], [SNAPSHOT, b"a"], [b'[{"type":"setting"},{"type":"snapshot"}]', b"a"],
     [b'{"type":"snapshot"}', b"a"]],
)  # fmt: skip
async def test_without_a_snapshot_or_behind_it_nothing_is_trimmed(place, bodies):
    for n, body in enumerate(bodies, 1):
        await place.journal.append("person/1", n, body)
    assert 0 == await place.journal.trim("person/1")
    assert len(bodies) == len(await place.sequences("person/1"))


async def test_a_closed_stream_is_trimmed_to_its_erasure(place):
    await place.journal.append("person/1", 1, b"a")
    await place.journal.append("person/1", 2, ERASED, closes=True)
    assert 1 == await place.journal.trim("person/1")
    assert [2] == await place.sequences("person/1")
    assert 1 < (await place.journal.numbers("person/"))[0]
    with pytest.raises(ValueError, match="closed"):
        await place.journal.append("person/1", 3, b"")


async def test_appends_go_on_while_streams_are_trimmed(place):
    async def write(number: int) -> None:
        for n in range(1, 40):
            body = SNAPSHOT if n % 7 == 0 else b"x"
            await place.journal.append(f"person/{number}", n, body)
            if n % 9 == 0:
                await place.journal.trim(f"person/{number}")

    await asyncio.gather(*(write(number) for number in range(1, 9)))
    await place.restart()
    for number in range(1, 9):
        assert [35, 36, 37, 38, 39] == await place.sequences(f"person/{number}")


# -- prune -------------------------------------------------------------------------------------


async def test_only_tables_of_that_worth_that_closed_before_are_pruned(place):
    await place.journal.append("person/1", 1, b"", closes=True)
    for number, closed_ms in ((1, 1_000), (3, 5_000), (4, 2_000), (6, 1_000), (7, 9_000)):
        await place.table(number, closed_ms)
    await place.journal.append("table/5", 1, b"")
    await place.journal.rank("table/4", 0, "p1")
    assert Pruned(2, 1_000) == await place.journal.prune(Pruning(2, 5_000))
    assert ["person/1", "table/3", "table/4", "table/7", "table/5"] == await place.journal.streams(
        ""
    )
    assert Pruned(1, 2_000) == await place.journal.prune(Pruning(0, 5_000))
    await place.restart()
    assert Pruned(0, None) == await place.journal.prune(Pruning(0, 5_000))
    assert [] == await place.sequences("table/4")
    assert [1, 2] == await place.sequences("table/3")


async def test_closed_streams_are_removed_by_name_and_open_ones_stay(place):
    for number in range(1, 31):
        await place.journal.append(f"report/{number}", 1, b"x", closes=number != 7)
    gone = [f"report/{number}" for number in range(1, 30)]
    await place.journal.remove([*gone, "report/99"])
    assert ["report/7", "report/30"] == await place.journal.streams("report/")
    await place.restart()
    assert ["report/7", "report/30"] == await place.journal.streams("report/")
    assert [] == await place.sequences("report/1") and [1] == await place.sequences("report/7")
    await place.journal.append("report/7", 2, b"y")
    await place.journal.remove([])


async def test_what_removed_streams_gave_their_owner_is_free_with_them(place):
    await place.journal.append_all([Entry("person/1", 1, b"x", closes=True)], [ANN])
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("person/2", 1, b"x")], [BOB])
    await place.journal.remove(["person/1", "mailbox/1"], [BOB])  # it is nothing of his
    with pytest.raises(JournalConflictError):
        await place.journal.append_all([Entry("person/2", 1, b"x")], [BOB])
    await place.journal.remove(["person/1"], [ANN])
    await place.journal.append_all([Entry("person/2", 1, b"x")], [BOB])


async def test_the_largest_number_is_never_given_out_again(place):
    for number in (2, 9, 10):
        await place.table(number, 1_000)
    assert 2 == (await place.journal.prune(Pruning(2, 5_000))).tables
    await place.restart()
    assert 10 < (await place.journal.numbers("table/"))[0]


async def test_the_oldest_tables_are_pruned_until_there_is_room(place):
    place.config = replace(place.config, size_mib_max=16)
    place.journal.reconfigure(place.config)
    order = [5, 3, 8, 1, 7, 2, 6, 4]
    for at_ms, number in enumerate(order, 1):
        await place.table(number, at_ms, size=MIB)  # an eighth of the room each
    await place.table(99, 100)
    await place.journal.write_heartbeat()
    assert 1.0 <= place.journal.level() < 1.1
    assert (4, 4) == await place.journal.prune(Pruning(2, 50, until_level=0.6))
    assert 0.5 <= place.journal.level() <= 0.6
    left = {int(name.removeprefix("table/")) for name in await place.journal.streams("table/")}
    assert {*order[4:], 99} == left
    assert 0 == (await place.journal.prune(Pruning(2, 50, until_level=0.6))).tables


async def test_those_of_the_person_with_most_bytes_are_pruned_first(place):
    place.config = replace(place.config, size_mib_max=16)
    place.journal.reconfigure(place.config)
    owners = ["p1", "p2", "p2", "p3", "p2", "p1"]
    for number, owner in enumerate(owners, 1):
        await place.table(number, number, size=MIB)
        await place.journal.rank(f"table/{number}", 1, owner)
    await place.table(99, 100)
    pruned = await place.journal.prune(Pruning(1, 50, until_level=0.4, is_largest_first=True))
    assert (3, 3) == pruned  # of p2, of the now larger p1, of p2
    assert ["4", "5", "6", "99"] == [s[6:] for s in await place.journal.streams("table/")]


async def test_only_what_has_closed_is_ranked(place):
    await place.journal.append("table/1", 1, b"")
    for stream in ("table/1", "table/2"):
        with pytest.raises(ValueError, match="not closed"):
            await place.journal.rank(stream, 1, "p1")


async def test_no_row_of_a_parked_table_is_left_when_the_table_is_pruned(place):
    for number, closed_ms in ((1, 1_000), (2, 1_000), (3, 9_000)):
        await place.table(number, closed_ms)
    await place.journal.append("person/1", 1, b"x", closes=True)
    rows = [IndexRow("parked", (number, "" if number == 1 else "{}")) for number in range(1, 5)]
    await place.journal.append_all([], index=rows)
    await place.journal.remove(["person/1"])
    await place.journal.prune(Pruning(2, 5_000))
    left = await place.journal.look_up("select number from parked order by number")
    assert [(3,), (4,)] == [tuple(row) for row in left]


async def test_a_stream_that_was_pruned_is_new_again(place):
    """Not that a table would do it; the writer's memory of its end must go with it."""
    await place.table(1, 1_000)
    await place.table(2, 9_000)
    await place.journal.prune(Pruning(2, 5_000))
    await place.journal.append("table/1", 1, b"new")
    assert [b"new"] == [record.body for record in await place.journal.read("table/1")]


# -- the index ---------------------------------------------------------------------------------

MARKS = "select name, value from mark order by name"


async def test_index_rows_are_written_with_their_records_or_not_at_all(place):
    rows = [IndexRow("mark", ("a", 1)), IndexRow("mark", ("b", 2)), IndexRow("mark", ("a", 3))]
    await place.journal.append_all([Entry("site/1", 1, b"")], index=rows)
    assert [("a", 3), ("b", 2)] == await place.journal.look_up(MARKS)  # the last one counts
    with pytest.raises(JournalConflictError):
        wrong = Entry("site/1", 1, b"")
        await place.journal.append_all([wrong], index=[IndexRow("mark", ("c", 4))])
    await place.restart()
    assert [("a", 3), ("b", 2)] == await place.journal.look_up(MARKS)
    found = await place.journal.look_up("select value from mark where name = ?", ["b"])
    assert [(2,)] == found


async def test_index_rows_can_be_written_without_a_record(place):
    await place.journal.append_all([], index=[IndexRow("mark", ("a", 1))])
    assert [("a", 1)] == await place.journal.look_up(MARKS)


@pytest.mark.parametrize("row", [IndexRow("none", ()), IndexRow("mark", ("a", 1, 2))])
async def test_a_row_that_fits_no_table_is_a_callers_bug(place, row):
    with pytest.raises(ValueError, match="does not fit"):
        await place.journal.append_all([Entry("site/1", 1, b"")], index=[row])
    assert 0 == await place.journal.last_sequence("site/1")


async def test_nobody_is_behind_what_this_server_itself_has_appended(place):
    await place.journal.append_all([Entry("person/1", 1, b"x")])
    assert not await place.journal.is_behind("person/1", 1)
    assert not await place.journal.is_behind("person/2", 0)


async def test_the_last_sequence_of_a_stream_is_known_without_reading_it(place):
    assert 0 == await place.journal.last_sequence("table/1")
    await place.table(1, 1_000, records=3)
    assert 3 == await place.journal.last_sequence("table/1")
