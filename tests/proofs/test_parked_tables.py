"""[DUR-5] A server with many parked tables, killed by SIGKILL at random moments.

In a process of its own a table manager works on a real journal: tables are parked, fetched, played
on and parked again, as fast as they can.  It says what people were told, and is killed.  Then each
table is fetched, and shows what its stream says; what lists say of a parked table is the same.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
import traceback
from pathlib import Path
from random import Random

import pytest

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.config.schema import Config, JournalConfig
from mudserver.config.schema import TablesConfig as Settings
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.outbox import Inbox, Outbox
from mudserver.source_budgets import SourceBudgets
from mudserver.tables import parking
from mudserver.tables import requests as r
from mudserver.tables.decide import wake_ms
from mudserver.tables.manager import TableManager
from mudserver.tables.open_tables import slow_game
from mudserver.tables.program_data import table_row
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.table import Table
from tests.counts import count
from tests.inline_bots import InlineBots
from tests.mudserver.tables.driver import seen
from tests.toys.multistep.game import MULTISTEP

TABLES, KILLS = count(200, 40), count(100, 10)
CATALOGUE = {MULTISTEP.name: MULTISTEP}
PEOPLE = ("a", "b", "w")
SETTINGS = Settings(
    opened_per_person_s=0.0,
    changed_per_person_s=0.0,
    plays_burst=1_000_000,
    correspondence_per_person_max=10_000,
    correspondence_opened_max=10_000,
)
inboxes: list[Inbox] = []


async def opened(directory: Path) -> tuple[SqliteJournal, TableManager]:
    clock = Clock(asyncio.get_running_loop())
    journal = SqliteJournal.open(directory, clock.now_ms, JournalConfig())
    outbox = Outbox()
    for person in "ab":
        inbox = Inbox(lambda _: None, None)
        outbox.attach(person, inbox)
        inboxes.append(inbox)
    tables = TableManager(
        *(journal, outbox, clock, InlineBots(catalogue=CATALOGUE), SETTINGS),
        catalogue=CATALOGUE,
        rng=Random(1),
        budgets=SourceBudgets(Config(), clock),
        source_of=lambda person: "",
    )
    await tables.restore()
    return journal, tables


def line_for(table: Table, person: str) -> str:
    game = table.game
    assert game is not None
    view = game.view(game.seat_of(person))
    return MULTISTEP.phrase(MULTISTEP.legal_actions(view)[0], view, game.names)


async def live(directory: Path, told: int, seed: int) -> None:
    """For ever.  Args: told: a pipe for lines `TABLE SEQUENCE`, of what is durable."""
    parking.QUIET_S = 0.01
    rng, (_, tables) = Random(seed), await opened(directory)
    while tables.lists.count() < TABLES:
        number = tables.open_table(
            Person("a", "Ann", is_guest=False), MULTISTEP.name, {"move": "1d"}
        )
        await until(lambda n=number: tables.lists.find(n) is not None)
        tables.submit(number, r.Sit("b", "Bob"))
        await until(lambda n=number: "b" in tables.lists.find(n).seated)
        while not tables.lists.find(number).is_playing:
            for person in "ab":
                await emptied()
                tables.submit(number, r.Start(person))
        for person in "ab":
            tables.submit(number, r.StepOut(person))
    while True:
        number = 1 + rng.randrange(TABLES)
        await tables.fetch(number)
        if (table := tables.lists.find(number)) is None or not table.is_playing:
            continue
        person = "a" if table.question_of("a") else "b"
        before = table.sequence
        tables.go(person, number)
        tables.submit(number, r.Play(person, line_for(table, person)))
        await until(lambda t=table, s=before: t.sequence > s)
        await emptied()
        os.write(told, b"%d %d\n" % (number, table.sequence))
        tables.submit(number, r.StepOut(person))
        await asyncio.sleep(rng.random() / 50)


async def emptied() -> None:
    """People have read everything."""
    await asyncio.sleep(0.01)
    for inbox in inboxes:
        inbox.take_all()


async def until(is_so) -> None:
    for _ in range(10_000):
        if is_so():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it does not happen")


def killed(directory: Path, seed: int, after_s: float) -> dict[int, int]:
    """What people were told before the kill: the sequence of each table."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.close(read)
            asyncio.run(live(directory, write, seed))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(write)
    told, rest = {}, b""
    end_s = None
    while piece := os.read(read, 65_536):
        end_s = end_s or time.monotonic() + after_s
        *lines, rest = (rest + piece).split(b"\n")
        told |= {int(n): int(s) for n, s in (line.split() for line in lines)}
        if time.monotonic() >= end_s:
            break
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(read)
    assert os.WIFSIGNALED(status), "it ended by itself"
    return told


async def checked(directory: Path, told: dict[int, int]) -> tuple[int, int]:
    """How many tables were parked, and in memory, at the kill."""
    journal, tables = await opened(directory)
    parked = len(tables.parking)
    assert TABLES == tables.lists.count()
    for number in range(1, TABLES + 1):
        row, shown = tables.parking.get(number), tables.lists.shown_row(number)
        await tables.fetch(number)
        folded = Table(number, MULTISTEP, SETTINGS)
        for _ in replay_in_steps(folded, await journal.read(f"table/{number}")):
            pass
        assert folded.sequence >= told.get(number, 0)
        table = tables.lists.find(number)
        assert seen(folded, *PEOPLE) == seen(table, *PEOPLE)
        assert folded.deadline_ms == table.deadline_ms and shown == table_row(folded)
        if row is not None:
            assert row.sequence == folded.sequence and row.next_ms == wake_ms(folded)
            assert row.games == {person: slow_game(folded, person) for person in "ab"}
    await tables.close()
    await journal.close()
    return parked, TABLES - parked


def killed_and_checked(directory: Path, kills: int, seed: int) -> tuple[int, int, int]:
    """How many tables were found parked, how many were not, and how many plays were told."""
    rng, parked, others, plays = Random(seed), 0, 0, 0
    for kill in range(kills):
        told = killed(directory, kill, rng.uniform(0.05, 0.5))
        found = asyncio.run(checked(directory, told))
        parked, others, plays = parked + found[0], others + found[1], plays + len(told)
    return parked, others, plays


@pytest.mark.prove
def test_every_table_is_as_its_stream_says_after_a_kill(tmp_path):
    parked, others, plays = killed_and_checked(tmp_path, KILLS, 1)
    print(f"\nparked tables={TABLES} kills={KILLS} parked={parked} others={others} plays={plays}")
    assert parked > others > 0 and plays > KILLS
