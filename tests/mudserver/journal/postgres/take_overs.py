"""Take-overs of servers that are killed, or stopped beyond their lease and continued.

    python -m tests.mudserver.journal.postgres.take_overs ADDRESS COUNT SEED [unfenced]

Rule 1: the owner appends all the time, and when it hears that it was fenced it goes on as if it had
        not.  Its clock is wrong by up to an hour.
Rule 2: the heir buries it as soon as its lease has run out, claims its tables and appends to them.
Rule 3: what counts is what stands in the database at the end: everything that was acknowledged, and
        nothing of the old owner behind a record of the heir.

Prints one line of figures, as JSON.  `unfenced` is the control: without epoch and owner.  It ends
with the first record that is late.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from mudserver.config import schema
from mudserver.errors import JournalWriteError
from mudserver.journal.postgres import statements
from mudserver.journal.postgres.journal import PostgresJournal

LEASE_S = 0.1
TABLES = 4  # of one owner
BURIED_S = 60.0  # by then a lease has run out, however busy the machine is
STUBBORN = 20  # appends after it was fenced
PLAYS_MAX = 200  # of a table: without a fence it would never end


async def open_server(address: str, name: str, lease_s: float, ahead_ms: int) -> PostgresJournal:
    config = schema.JournalConfig(postgres=address, server=name, lease_s=lease_s, append_wait_s=0.2)  # type: ignore[arg-type]
    directory = Path(tempfile.mkdtemp(prefix="take-over-"))
    return await PostgresJournal.open(directory, lambda: 10_000_000 + ahead_ms, config)


async def own(address: str, name: str, tables: list[str], out: int, dice: Random) -> None:
    """The owner: says on *out* what was acknowledged [rule 1]."""
    journal = await open_server(address, name, LEASE_S, dice.randint(-3_600_000, 3_600_000))

    async def beat() -> None:
        while True:
            with suppress(JournalWriteError):
                await journal.write_heartbeat()
            await asyncio.sleep(LEASE_S / 6)

    async def write(table: str) -> None:
        sequence, refusals = 0, 0
        while refusals < STUBBORN and sequence < PLAYS_MAX:
            body = b"%s %x" % (name.encode(), dice.getrandbits(40))
            try:
                await journal.append(table, sequence + 1, body)
                sequence += 1
                os.write(out, b"%s %d %s\n" % (table.encode(), sequence, body))
            except (JournalWriteError, ValueError):
                refusals += 1
                journal._writer.is_fenced = False
                journal._writer.heads.forget_all()
                with suppress(JournalWriteError):
                    sequence = await journal.last_sequence(table)

    beating = asyncio.create_task(beat())
    await asyncio.gather(*map(write, tables))
    beating.cancel()


def fork_owner(address: str, name: str, tables: list[str], seed: int) -> tuple[int, int]:
    """Its process, and the pipe of what was acknowledged."""
    heard, said = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.close(heard)
            asyncio.events._set_running_loop(None)
            asyncio.run(own(address, name, tables, said, Random(seed)))
            status = 0
        finally:
            os._exit(status)
    os.close(said)
    return process, heard


async def take_over(
    heir: PostgresJournal, address: str, number: int, dice: Random, found: Counter[str]
) -> None:
    name = f"v{number}"
    tables = [f"table/{number * TABLES + n}" for n in range(1, TABLES + 1)]
    process, heard = fork_owner(address, name, tables, dice.getrandbits(32))
    try:
        await take_from(heir, name, tables, process, heard, dice, found)
    finally:
        os.kill(process, signal.SIGKILL)  # one that is stopped would stay for ever
        await asyncio.to_thread(os.waitpid, process, 0)


async def take_from(
    heir: PostgresJournal,
    name: str,
    tables: list[str],
    process: int,
    heard: int,
    dice: Random,
    found: Counter[str],
) -> None:
    said = [await asyncio.to_thread(os.read, heard, 65_536)]  # it plays
    assert said[0], f"{name} has ended before it played"
    reading = asyncio.create_task(asyncio.to_thread(read_to_end, heard))
    await asyncio.sleep(dice.uniform(0, 0.03))
    is_killed = dice.random() < 0.4
    os.kill(process, signal.SIGKILL if is_killed else signal.SIGSTOP)
    found["killed" if is_killed else "stopped"] += 1
    async with asyncio.timeout(BURIED_S):
        while not await heir.fetch(statements.BURY, name):  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    waking = asyncio.get_running_loop().call_later(
        dice.uniform(0, 0.01), os.kill, process, signal.SIGCONT
    )
    claimed = await heir.fetch(statements.CLAIM, heir.server, heir.epoch, name, 1_000, 1, 0)
    for ahead in range(1, 5):
        for stream, last, _ in claimed:
            with suppress(JournalWriteError, ValueError):  # only the control meets the other one
                await heir.append(stream, last + ahead, b"heir %d" % ahead)
        await asyncio.sleep(dice.uniform(0, 0.004))
    said.append(await reading)
    waking.cancel()
    await judge(heir, tables, b"".join(said), found)


def read_to_end(heard: int) -> bytes:
    with os.fdopen(heard, "rb") as file:
        return file.read()


async def judge(heir: PostgresJournal, tables: list[str], said: bytes, found: Counter[str]) -> None:
    there = dict[tuple[str, int], bytes]()
    for table in tables:
        is_taken = False
        for record in await heir.read(table):  # its chain is verified
            there[table, record.sequence] = record.body
            is_heirs = record.body.startswith(b"heir")
            found["by the heir"] += is_heirs
            found["late"] += is_taken and not is_heirs
            is_taken = is_taken or is_heirs
    for line in said.splitlines():
        table, sequence, body = line.split(b" ", 2)
        found["acknowledged"] += 1
        found["lost"] += there.get((table.decode(), int(sequence))) != body
    found["take-overs"] += 1


async def run(address: str, number: int, seed: int) -> None:
    dice, found = Random(seed), Counter(lost=0, late=0)
    heir = await open_server(address, "heir", 3_600.0, 0)
    for n in range(number):
        await take_over(heir, address, n, dice, found)
        if found["late"]:
            break
    await heir.close()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    if "unfenced" in sys.argv:
        statements.APPEND, statements.PLAYS = (
            statement.replace("name = $1 and epoch = $2", "name = $1 and $2::bigint > 0")
            .replace("(s.owner = $1 or", "(true or")
            .replace("and s.owner = $1", "and true")
            for statement in (statements.APPEND, statements.PLAYS)
        )
    with tempfile.TemporaryDirectory(prefix="take-overs-") as tempfile.tempdir:
        asyncio.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
