"""How long people wait while their game server changes, beside the start of one process.

Rule 1: the gap is felt by people: from a line that is ended to its answer.  After a crash, to the
        answer to one that was ended just after SIGKILL.  In a planned restart, the longest time
        that each of those had to wait who type in turn all the time.
Rule 2: the start of one process is measured in the same run, to its `ready` line.
Rule 3: of many people as many come as the limit of open files and ARRIVALS_S let in; the row says
        how many, and everybody goes on.
"""

from __future__ import annotations

import asyncio
import re
import resource
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import asyncssh

from mudserver.ops.file_limit import raise_limit
from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.faults.test_game_server import House, house

GAP_AT_MOST, STANDBY_GAP_AT_MOST = 1.5, 0.5  # of the start of one process; without, with a standby
PLANNED_MS = 150  # of 99 of 100 waits
CRASHES = RESTARTS = 5
PEOPLE, TYPISTS, PAUSE_S = 440, 40, 0.2
MANY, MANY_RESTARTS = 10_000, 2
ARRIVALS_S, SURELY_S = 60.0, 600.0  # until nobody more comes; until PEOPLE have, on any machine
OTHER_FILES = 256  # of a door: listeners, the wall, connections that come and go
GONE_S = 60.0  # until a game server has ended whose sessions have gone on
CALM_S = 1.0  # before and after a planned restart
CROWD_SETTINGS = """
[people]
guests_max = 20_000
sessions_max = 20_000
memory_mib_max = 0
[door]
new_per_s = 10_000
waiting_max = 1_000
[chat]
arrivals_max = 0
[session]
lines_per_s = 100_000
lines_burst = 100_000
[sources]
exempt = ["127.0.0.0/8"]
"""


async def gaps_s(here: House, crashes: int, *, has_standby: bool = False) -> list[float]:
    """From each SIGKILL to the answer that somebody reads.

    Args:
        has_standby: One is ready at each; else a game server is started.
    """
    here.start("game", name="game 0")
    ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
    found = re.search(r"ssh=127\.0\.0\.1:(\d+)", ready)
    assert found is not None
    client = await asyncssh.connect(
        "127.0.0.1", int(found[1]), username="guest", known_hosts=None, client_keys=None,
        agent_path=None, config=None,
    )  # fmt: skip
    process = await client.create_process(encoding=None, term_type="xterm")
    await _reads(process, "lobby> ")
    gaps = []
    for number in range(crashes):
        successor = f"game {number + 1}"
        if has_standby:
            await asyncio.to_thread(here.start, "game", name=successor)
            assert "standby ready\n" == await asyncio.to_thread(here.hears, successor)
        here.kill(f"game {number}")
        killed_s = time.monotonic()
        process.stdin.write(b"say gap%d\r" % number)
        if not has_standby:
            await asyncio.to_thread(here.start, "game", name=successor)
        await _reads(process, rf": (?:\x1b\[\d*m)?gap{number}")
        gaps.append(time.monotonic() - killed_s)
    client.close()
    return gaps


async def _reads(process: asyncssh.SSHClientProcess[bytes], wanted: str) -> None:
    heard = ""
    async with asyncio.timeout(60):
        while not re.search(wanted, heard):
            heard += (await process.stdout.read(65_536)).decode("utf-8", "replace")


def starts_s(here: House, starts: int) -> list[float]:
    """From each start of one process to its `ready` line, with data that are there."""
    spent = []
    for _ in range(starts + 1):  # the first one makes the data
        begun_s = time.monotonic()
        here.start("serve", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        spent.append(time.monotonic() - begun_s)
        here.kill("serve")
    return spent[1:]


def crash(crashes: int = CRASHES) -> dict[str, float]:
    """Seconds, medians: the `gap` of two processes, with a `standby`, and the `start` of one."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), has_all_words=True) as here:
        start = median(starts_s(here, crashes))
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), has_all_words=True) as here:
        gap = median(asyncio.run(gaps_s(here, crashes)))
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), has_all_words=True) as here:
        standby = median(asyncio.run(gaps_s(here, crashes, has_standby=True)))
    return {"gap": gap, "standby": standby, "start": start}


class Waits(NamedTuple):
    people: int  # who came
    waits_ms: list[float]  # how long each who typed had to wait at most in each restart, sorted


def planned_ms(
    people: int = PEOPLE, typists: int = TYPISTS, restarts: int = RESTARTS
) -> list[float]:
    """How long each of the *typists* had to wait at most in each restart, shortest first."""
    found = planned_waits(people, typists, restarts, arrivals_s=SURELY_S)
    assert found.people == people, found
    return found.waits_ms


def planned_waits(people: int, typists: int, restarts: int, *, arrivals_s: float) -> Waits:
    """Args: arrivals_s: After this, nobody more comes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        house(Path(folder), has_all_words=True) as here,
        Child("tests.bench.crowd") as crowd,
    ):
        here.settings.write_text(CROWD_SETTINGS)
        here.start("game", name="game 0")
        ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        found = re.search(r"telnet=127\.0\.0\.1:(\d+)", ready)
        assert found is not None
        come = crowd.ask("come_for", arrivals_s, "telnet", int(found[1]), people)
        crowd.ask("begin_typing", typists, PAUSE_S)
        waits = list[float]()
        for number in range(restarts):
            standby = f"game {number + 1}"
            here.start("game", name=standby)
            assert here.hears(standby) == "standby ready\n"
            time.sleep(CALM_S)
            crowd.ask("forget_waits")
            done = here.ask("restart")
            # It counts for some seconds; `ask_others` waits until everybody has gone on.
            assert done.stdout.startswith("restarted: "), done
            waits += crowd.ask("longest_waits_ms")
            here.processes.pop(f"game {number}").wait(GONE_S)
            crowd.ask("ask_others")
        crowd.ask("end_typing")
        crowd.ask("leave")
    return Waits(come, sorted(waits))


def planned(people: int = PEOPLE, typists: int = TYPISTS) -> dict[str, float]:
    """Milliseconds that half of the waits took at most, and 99 of 100; and the `start`."""
    with tempfile.TemporaryDirectory() as folder, house(Path(folder), has_all_words=True) as here:
        here.settings.write_text(CROWD_SETTINGS)
        start_ms = 1_000 * median(starts_s(here, CRASHES))
    waits = planned_ms(people, typists)
    return {"p50": median(waits), "p99": waits[len(waits) * 99 // 100], "start": start_ms}


def many_waits(people: int = MANY, typists: int = TYPISTS) -> Waits:
    """The same of *people*, or of as many as can come [rule 3]."""
    wanted = min(people, files_max() - OTHER_FILES)
    return planned_waits(wanted, typists, MANY_RESTARTS, arrivals_s=ARRIVALS_S)


def files_max() -> int:
    """How many files a process of the bench may have open."""
    raise_limit()
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def rows(times: int, many: int = MANY) -> list[Row]:
    """Args: many: How many people are wanted for the large restart, which is measured once."""
    crashes = [crash() for _ in range(times)]
    start = tuple(each["start"] for each in crashes)
    found = [
        Row(f"gaps: s after {of_what}, beside the start of one process",
            tuple(each[part] for each in crashes), start, Target("<=", most, is_ratio=True))
        for part, of_what, most in (
            ("gap", "a crash", GAP_AT_MOST),
            ("standby", "a crash with a standby", STANDBY_GAP_AT_MOST),
        )
    ]  # fmt: skip
    restarts = [planned() for _ in range(times)]
    start = tuple(each["start"] for each in restarts)
    for part, share, target in (
        ("p50", "50 of 100", None), ("p99", "99 of 100", Target("<=", PLANNED_MS))
    ):  # fmt: skip
        found.append(Row(f"gaps: ms of a planned restart with {PEOPLE} people, {share} waits",
                         tuple(each[part] for each in restarts), start, target))  # fmt: skip
    return [*found, *many_rows(many_waits(many), many, median(start))]


def many_rows(found: Waits, wanted: int, start_ms: float) -> list[Row]:
    people = f"{found.people:,} people"
    if found.people < wanted:
        people += f" (of {wanted:,} wanted)"
    return [
        Row(f"gaps: ms of a planned restart with {people}, {share} waits", (wait_ms,), (start_ms,))
        for share, wait_ms in (
            ("50 of 100", median(found.waits_ms)),
            ("99 of 100", found.waits_ms[len(found.waits_ms) * 99 // 100]),
            ("the longest of all", found.waits_ms[-1]),
        )
    ]
