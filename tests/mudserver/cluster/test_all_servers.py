"""`mudserver status --all`, and the clock of each server beside the database's."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace

from mudserver.cli.all_servers import ALONE, lines_of
from mudserver.clock import Clock
from mudserver.cluster.all_servers import all_servers
from mudserver.cluster.clock_check import EVERY_S, ClockCheck
from mudserver.cluster.directory import Directory
from mudserver.cluster.events import Beat
from tests.memory_journal import MemoryJournal


async def test_servers_that_live_and_those_that_are_gone_are_listed(servers):
    one, _ = await servers.open("g1"), await servers.open("g2")
    await one.append("table/1", 1, b"x")
    await one.write_heartbeat()
    await servers.run("update server set until = '-infinity' where name = 'g1'")
    other = await servers.open("g3")
    directory = Directory(other)
    directory.note_live(await other.live_servers())
    directory.note_beat("g3", Beat(3, 4, 0.5, -2.25, "1.2", True))
    gone, unheard, own = await all_servers(other, directory)
    told = ("state", "lease_s", "alive_ms", "tables", "people")
    assert ["gone", None, 1_000, 0, None] == [gone[name] for name in told]
    assert ("g2", "starting", 0) == (unheard["name"], unheard["state"], unheard["tables"])
    lines = list(lines_of([gone, unheard, own]))
    assert lines[0].startswith("g1  gone since 1970-01-01 00:00 UTC, on ")
    assert lines[0].endswith(", epoch 1, 0 tables")
    assert "g2  starting, " in lines[1] and "people" not in lines[1]
    assert lines[2].startswith("g3  leaving, ")
    end = "follows 0.50 s behind, clock -2.250 s, version 1.2"
    assert lines[2].endswith(end) and ", 3 people, lease 1" in lines[2]
    assert lines[3:] == [
        "warning: the clock of g3 differs by -2.2 s from the database's: set it by NTP"
    ]


async def test_with_sqlite_there_is_no_other_server():
    journal = MemoryJournal(lambda: 0)
    assert [ALONE] == list(lines_of(await all_servers(journal, Directory(journal))))


async def test_the_clock_of_the_database_is_asked(servers):
    clock = Clock(asyncio.get_running_loop())
    check = ClockCheck(await servers.open("g1"), clock)
    await check.look()
    assert check.offset_s is not None and abs(check.offset_s) < 1


class Database:
    """Its clock is ahead by *ahead_ms*; every answer but the third one is late."""

    server = "g1"

    def __init__(self) -> None:
        self.now_s, self.ahead_ms, self.asked = 100.0, 0, 0

    async def clock_ms(self) -> int:
        self.asked += 1
        is_quick = self.asked % 5 == 3
        self.now_s += 0.001 if is_quick else 1.0
        at_ms = int(self.now_s * 1_000) + self.ahead_ms
        self.now_s += 0.001 if is_quick else 5.0
        return at_ms


async def test_a_wrong_clock_is_one_warning_and_one_line_when_it_is_right(caplog):
    there = Database()
    loop = SimpleNamespace(time=lambda: there.now_s)
    check = ClockCheck(there, Clock(loop, 100_000))  # type: ignore[arg-type]
    with caplog.at_level(logging.INFO):
        for ahead_ms in (900, 60_000, 60_000, 0, 0):
            there.ahead_ms = ahead_ms
            await check.look()
            assert check.offset_s is not None and abs(check.offset_s + ahead_ms / 1_000) < 0.01
            asked = there.asked
            await check.look()
            assert asked == there.asked  # not again so soon
            there.now_s += EVERY_S
    assert ["offset_s=-60.0 server=g1", "again server=g1"] == [
        line.partition("database's ")[2] for line in caplog.messages
    ]


async def test_where_there_is_no_database_nothing_is_measured():
    check = ClockCheck(MemoryJournal(lambda: 0), Clock(asyncio.get_running_loop()))
    await check.look()
    assert check.offset_s is None
