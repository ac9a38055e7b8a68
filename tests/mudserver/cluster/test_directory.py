"""Which server has a table, or somebody's seat: as it stands in the journal."""

from __future__ import annotations

import msgspec

from mudserver.cluster import directory as module
from mudserver.cluster.access import access_of, own_of
from mudserver.cluster.directory import Directory, SeatElsewhere
from mudserver.cluster.events import TableHere
from mudserver.journal import Claim, Entry
from mudserver.tables.parked import row_of
from tests.memory_journal import MemoryJournal
from tests.mudserver.tables.test_parked_rows import row


async def test_an_open_table_is_found_on_the_live_server_that_has_it(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    await one.append("table/1", 1, b"x")
    await one.append("table/2", 1, b"x", closes=True)
    here, there = Directory(one), Directory(other)
    assert ("g1", "g2") == (here.own, there.own)
    assert ["", "g1"] == [await it.find_table(1) for it in (here, there)]
    assert "" == await there.find_table(2) == await there.find_table(3)
    assert ["g1", "g2"] == [it.name for it in await other.live_servers()]
    assert all(0 < it.lease_s <= 15 for it in await other.live_servers())
    await servers.run("update server set until = '-infinity' where name = 'g1'")
    assert "" == await there.find_table(1)
    assert ["g2"] == [it.name for it in await other.live_servers()]


async def test_a_seat_is_found_while_its_game_goes_on(servers):
    one, other = await servers.open("g1"), await servers.open("g2")
    seat = Claim("seat", "p1", "table/1")
    await one.append_all([Entry("table/1", 1, b"x")], [seat])
    assert SeatElsewhere(1, "g1") == await Directory(other).find_seat("p1")
    assert await Directory(other).find_seat("p2") is None
    await one.append("table/1", 2, b"x", closes=True)
    assert await Directory(other).find_seat("p1") is None


async def test_where_one_server_writes_nothing_is_elsewhere():
    directory = Directory(MemoryJournal(lambda: 0))
    assert "" == directory.own == await directory.find_table(1)
    assert await directory.find_seat("p1") is None


def told(number: int, seats: str = "2") -> TableHere:
    """As it is heard of another server: nothing of it is shared."""
    table = row(number)
    shown = row_of(table)
    shown.options["seats"] = seats
    here = TableHere(number, shown, 1, access_of(table), own_of(table))
    return msgspec.json.decode(msgspec.json.encode(here), type=TableHere)


async def test_tables_of_the_same_options_share_them_in_memory(monkeypatch):
    monkeypatch.setattr(module, "OPTIONS_MAX", 2)
    directory = Directory(MemoryJournal(lambda: 0))
    every = [told(1), told(2), told(3, "3"), told(4)]
    for each in every:
        directory.put_table("g2", each)
    rows = list(directory.rows())
    assert [it.row for it in every] == rows
    assert rows[0].options is rows[1].options is not rows[2].options
    for number in range(5, 9):  # those that are remembered are bounded
        directory.put_table("g2", told(number, str(number)))
        assert len(directory._options) <= 2
    assert ["2", "2", "3", "2", *"5678"] == [it.options["seats"] for it in directory.rows()]
