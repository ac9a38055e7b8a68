"""The journal cannot be filled: an attack for months, and newcomers who register and play.

The server, its limits and the file are real; the clock is virtual.  Attackers write the records of
their tables directly, as fast as they may, because a month of plays takes too long to compute.

Rule 1: what is open is theirs too: at most so many tables, each of them up to its bound.
Rule 2: they leave nothing out that a table closed: the next one opens at once.
Rule 3: those with a source have the budget of it and of its network.  One record of theirs holds
        many decisions, and is charged for all of them.  In debt they play on what has begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from shutil import rmtree

import pytest

from mudserver.config import schema
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.ops import retention
from mudserver.source_budgets import Kind
from mudserver.tables.charges import OPENING
from tests.counts import count
from tests.live import live_table
from tests.simulation import virtual
from tests.simulation.file_journal import opener, without_threads
from tests.simulation.server import SimServer, new_world

MIB = 1_048_576
HOUR_S, DAY_S = 3_600.0, 86_400.0
OPEN = "open elimination pace=instant"
DECISION_BYTES = 500  # of a record
GAME = 1_000  # decisions of a long one
HOURS = count(8, 2)


@dataclass
class Attack:
    """Somebody who fills tables, without a pause or (`Player`) as fast as a budget lets him."""

    server: SimServer
    person: str
    worth: int  # 0: guests
    bytes_per_s: float
    tables_max: int
    body: bytes
    written: int = 0
    tables: dict[int, int] = field(default_factory=dict)  # open ones: number, records
    debt: float = 0.0

    async def run(self, step_s: float) -> None:
        """Write without end, in each step what may be written in so many seconds."""
        while True:
            self.debt += step_s * self.bytes_per_s
            while self.debt >= len(self.body):
                self.debt -= len(self.body)
                await self._write_one()
            await asyncio.sleep(step_s)

    async def _write_one(self) -> None:
        if len(self.tables) < self.tables_max:
            self._open_one()
        await self._write(min(self.tables, key=lambda number: (self.tables[number], number)))

    def _open_one(self) -> None:
        manager = self.server.app.table_manager
        self.tables[manager._numbers.take()] = 0

    async def _write(self, number: int) -> None:
        manager, journal = self.server.app.table_manager, self.server.journal
        self.tables[number] = sequence = self.tables[number] + 1
        closes = (sequence + 1) * len(self.body) > manager._bytes_max
        await journal.append(f"table/{number}", sequence, self.body, closes=closes)
        self.written += len(self.body)
        if closes:
            del self.tables[number]
            await journal.rank(f"table/{number}", self.worth, self.person)


@dataclass
class Player(Attack):
    """One who plays games of computer players, of one source."""

    source: str = ""
    games: dict[int, int] = field(default_factory=dict)  # by table: decisions left of its game
    decided: int = 0

    async def run(self, step_s: float) -> None:
        while True:
            while await self._play_round():
                pass
            await asyncio.sleep(step_s)

    async def _play_round(self) -> bool:
        """Something at every table; False: nothing more may be done just now."""
        budgets, decisions = self.server.app.budgets, len(self.body) // DECISION_BYTES
        while len(self.tables) < self.tables_max and self._may_begin():
            self._open_one()
            budgets.charge(Kind.DECISIONS, self.source, OPENING)
        before = self.decided
        for number in list(self.tables):
            if self.games.get(number, 0) <= 0:
                if not self._may_begin():
                    continue
                self.games[number] = GAME
            self.games[number] -= decisions
            self.decided += decisions
            budgets.charge(Kind.DECISIONS, self.source, decisions)
            await self._write(number)
        return self.decided > before

    def _may_begin(self) -> bool:
        return not self.server.app.budgets.wait_s(Kind.DECISIONS, self.source)


async def newcomer_plays(server: SimServer, name: str) -> None:
    """Somebody who was never here registers, opens a table and plays a game to its end."""
    person, accounts = server.person(name), server.app.account_service
    await asyncio.sleep(0.2)
    assert "known" == accounts.name_status(name)[0], person.text
    for line in (OPEN, "bot", "start"):
        person.type(line)
        await asyncio.sleep(0.2)
    number = server.app.table_manager.table_of(accounts.person_named(name).id)
    assert number is not None, person.text
    table, dice = live_table(server.app.table_manager, number), Random(name)
    assert table is not None and table.is_playing, person.text
    while table.is_playing:
        if person.is_asked and (moves := await person.moves()):
            person.type(dice.choice(moves))
        await asyncio.sleep(0.05)
    assert "over" == table.phase
    person.type("leave")
    await asyncio.sleep(0.1)
    person.link.drop()


async def somebody_opens_a_table(server: SimServer, name: str) -> None:
    person = server.person(name)
    await asyncio.sleep(0.2)
    person.type(OPEN)
    await asyncio.sleep(0.2)
    account = server.app.account_service.person_named(name)
    assert server.app.table_manager.table_of(account.id) is not None, person.text
    person.type("leave")
    await asyncio.sleep(0.2)
    person.link.drop()


async def somebody_changes_settings(server: SimServer, name: str, times: int) -> None:
    """As often as an account may, so many times."""
    accounts = server.app.account_service
    person = accounts.person_named(name)
    for n in range(times):
        await accounts.save_preference(person, "width", str(40 + n % 100))
        await asyncio.sleep(5)


@dataclass
class Found:
    written: int = 0
    decided: int = 0
    highest: float = 0.0
    tables_left: int = 0
    account_records: int = 0


MakeAttack = Callable[[SimServer, bytes], Attack]


def attacked(
    directory, monkeypatch, *, size_mib: int, attackers: list[MakeAttack], days: float,
    step_s: float, newcomers: int, body_bytes: int, changes: int = 300, tables_max: int = 20,
) -> Found:  # fmt: skip
    """Run the attack.

    Asserts that at every hour somebody can open a table, and *newcomers* register and play.
    """
    monkeypatch.setattr(retention, "CHECK_S", min(step_s, 60.0))
    config = schema.JournalConfig(size_mib_max=size_mib, heartbeat_s=min(step_s, 60.0))
    tables = schema.TablesConfig(all_max=tables_max)
    found = Found()

    async def scenario() -> None:
        world = new_world(7, journal=config, tables=tables)
        server = await SimServer(world, make_journal=opener(directory, config)).open()
        attacks = [make(server, bytes(body_bytes)) for make in attackers]
        loop, seconds = asyncio.get_running_loop(), days * DAY_S
        begun_s, hour, come = loop.time(), 0, 0
        await newcomer_plays(server, "first")
        attacking = [asyncio.create_task(attack.run(step_s)) for attack in attacks]
        while (passed_s := loop.time() - begun_s) < seconds:
            await asyncio.sleep(step_s)
            found.highest = max(found.highest, server.journal.level())
            if passed_s >= hour * HOUR_S:
                hour += 1
                await somebody_opens_a_table(server, "first")
            if passed_s >= come * seconds / newcomers:
                come += 1
                await newcomer_plays(server, f"n{come}x")
                await somebody_changes_settings(server, "first", changes)
        await newcomer_plays(server, "last")
        for task in attacking:
            assert not task.done(), task.exception()
            task.cancel()
        found.written = sum(attack.written for attack in attacks)
        found.decided = sum(each.decided for each in attacks if isinstance(each, Player))
        found.tables_left = len(await server.journal.streams("table/", is_open=False))
        kept = [len(records) async for _, records in server.journal.read_each("person/")]
        found.account_records = max(kept)
        await server.stop()

    with without_threads(monkeypatch):
        virtual.run(scenario())
    with open_inspector(directory / "journal.db") as inspector:
        assert [] == inspector.find_flaws()
        for stream, _ in inspector.streams():
            inspector.read(stream)
    return found


def without_a_pause(person: str, worth: int, bytes_per_s: float, tables_max: int) -> MakeAttack:
    return lambda server, body: Attack(server, person, worth, bytes_per_s, tables_max, body)


def player(person: str, worth: int, tables_max: int, source: str) -> MakeAttack:
    return lambda server, body: Player(server, person, worth, 0.0, tables_max, body, source=source)


# Five guests of one address as they were seen, before there were budgets.
GUESTS_AT_ONCE = [without_a_pause("g1", 0, 143_000.0, 5)]
ADDRESS = "192.0.2.1"
ONE_ADDRESS = [
    player("p901", 1, 2, ADDRESS),
    player("p902", 2, 2, ADDRESS),
    player("g1", 0, 5, ADDRESS),
]
A_DAY = schema.SourceLimits().decisions_per_source_day
MOST_A_DAY = A_DAY + 9 * GAME  # what has begun at each table is played to its end


def test_guests_who_write_without_a_pause_leave_room_for_newcomers(tmp_path, monkeypatch):
    found = attacked(
        tmp_path, monkeypatch, size_mib=16, attackers=GUESTS_AT_ONCE,
        days=0.006, step_s=5.0, newcomers=2, body_bytes=32_768, changes=20,
    )  # fmt: skip
    assert found.written > 4 * 16 * MIB
    assert found.highest < 0.9


def test_days_of_one_address_leave_room_for_newcomers(tmp_path, monkeypatch):
    found = attacked(
        tmp_path, monkeypatch, size_mib=16, attackers=ONE_ADDRESS,
        days=2, step_s=600.0, newcomers=2, body_bytes=32_768, changes=75,
    )  # fmt: skip
    assert found.written > 2 * 16 * MIB
    assert 1.5 * A_DAY < found.decided < 3 * MOST_A_DAY
    assert found.highest < 0.9 and found.account_records <= 101


@pytest.mark.prove
def test_hours_of_guests_who_write_without_a_pause(tmp_path, monkeypatch):
    """In eight they reached the limit of 4 GiB, and the server was closed for a year."""
    found = attacked(
        tmp_path, monkeypatch, size_mib=64, attackers=GUESTS_AT_ONCE,
        days=HOURS / 24, step_s=5.0, newcomers=3 * HOURS, body_bytes=32_768, changes=60,
    )  # fmt: skip
    print(found)
    assert found.written > 7.5 * HOURS * 64 * MIB
    assert found.highest < 0.9


@pytest.mark.prove
def test_two_months_of_two_accounts_and_five_guests_of_one_address(tmp_path, monkeypatch):
    found = attacked(
        tmp_path, monkeypatch, size_mib=64, attackers=ONE_ADDRESS,
        days=61, step_s=600.0, newcomers=61, body_bytes=8_192,
    )  # fmt: skip
    print(found)
    assert 60 * A_DAY < found.decided < 62 * MOST_A_DAY
    assert found.written > 20 * 64 * MIB
    assert found.highest < 0.9 and found.account_records <= 101


@pytest.mark.prove
def test_a_month_of_eight_addresses_in_two_networks(tmp_path, monkeypatch):
    """With the file of 4 GiB, which is removed in the end."""
    attackers = [player(f"p{900 + n}", n % 3, 5, f"192.0.{2 + n // 4}.{n}") for n in range(8)]
    found = attacked(
        tmp_path, monkeypatch, size_mib=4_096, attackers=attackers, tables_max=200,
        days=30, step_s=600.0, newcomers=30, body_bytes=131_072,
    )  # fmt: skip
    rmtree(tmp_path)
    print(found)
    assert found.decided > 30 * 2 * schema.SourceLimits().decisions_per_network_day
    assert found.written > 1.3 * 4_096 * MIB
    assert found.highest < 0.9 and found.account_records <= 101
