"""What it costs that a door holds the connections: a line delivered, and the gap after a crash.

Rule 1: one process and two are measured in turn in the same run, with the same crowd and lines.
Rule 2: the gap is felt by people: from SIGKILL of the game server to the answer to a line that was
        ended after it.  It stands beside the start of one process, measured the same way.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import time
from pathlib import Path
from statistics import median

import asyncssh

from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.bench.visits import PAUSE_S
from tests.faults.test_game_server import House, house

WARM, PEOPLE, ROUNDS = 20, 400, 40
KINDS = ("telnet", "ssh")
TOTAL_AT_MOST = 1.25  # of one process
GAP_AT_MOST, STANDBY_GAP_AT_MOST = 1.5, 0.5  # of the start of one process; without, with a standby
CRASHES = 5


def line_us(kind: str, people: int = PEOPLE, rounds: int = ROUNDS) -> dict[str, float]:
    """Microseconds of CPU for a line delivered to one reader: of `one` process; `door`, `game`."""
    with Child("tests.bench.server") as server, Child("tests.bench.crowd") as crowd:
        port = server.ask("listen")[kind]
        one, _ = _delivered(server, server, crowd, kind, port, people, rounds)
    with tempfile.TemporaryDirectory() as folder, Child("tests.bench.server") as game:
        game.ask("listen_for_doors", folder)
        with Child("tests.bench.door") as door, Child("tests.bench.crowd") as crowd:
            port = door.ask("listen", folder)[kind]
            both, in_door = _delivered(game, door, crowd, kind, port, people, rounds)
    return {"one": one, "door": in_door, "game": both - in_door, "both": both}


def _delivered(
    game: Child, door: Child, crowd: Child, kind: str, port: int, people: int, rounds: int
) -> tuple[float, float]:
    """In all, and in the door; if that is the game server itself, in all is its own."""
    if kind == "ssh":
        game.ask("open_accounts", crowd.ask("make_keys", people + WARM))
    crowd.ask("come", kind, port, people + WARM)
    game.ask("settle")
    crowd.ask("type_half")
    crowd.ask("forget")
    count = (people + WARM) * rounds
    with crowd.frozen():
        before_s = door.ask("rested_s", PAUSE_S)
        game_s = game.ask("talk", rounds, 1, PAUSE_S)
        door_s = door.ask("rested_s", PAUSE_S) - before_s
    surplus = crowd.ask("hear", count)
    assert not surplus, f"{surplus} lines more than were said"
    crowd.ask("leave")
    in_all_s = game_s if door is game else game_s + door_s
    return in_all_s / count * 1e6, door_s / count * 1e6


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
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as here:
        start = median(starts_s(here, crashes))
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as here:
        gap = median(asyncio.run(gaps_s(here, crashes)))
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as here:
        standby = median(asyncio.run(gaps_s(here, crashes, has_standby=True)))
    return {"gap": gap, "standby": standby, "start": start}


def rows(times: int) -> list[Row]:
    found = []
    for kind in KINDS:
        lines = [line_us(kind) for _ in range(times)]
        one = tuple(each["one"] for each in lines)
        for part, target in (
            ("both", Target("<=", TOTAL_AT_MOST, is_ratio=True)), ("door", None), ("game", None)
        ):  # fmt: skip
            name = {"both": "door and game server", "door": "of it the door",
                    "game": "of it the game server"}[part]  # fmt: skip
            found.append(Row(f"split, {kind}: us of CPU a line delivered, {name}",
                             tuple(each[part] for each in lines), one, target))  # fmt: skip
    crashes = [crash() for _ in range(times)]
    start = tuple(each["start"] for each in crashes)
    for part, of_what, most in (
        ("gap", "a crash", GAP_AT_MOST), ("standby", "a crash with a standby", STANDBY_GAP_AT_MOST)
    ):  # fmt: skip
        found.append(Row(f"split: s of gap after {of_what}, beside the start of one process",
                         tuple(each[part] for each in crashes), start,
                         Target("<=", most, is_ratio=True)))  # fmt: skip
    return found
