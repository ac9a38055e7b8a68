"""Three people in a game at a real server whose machine lets it down, and a fourth who talks.

Rule 1: a fault is made on the machine (disk, file, clock, process), never inside the server.
Rule 2: what counts is what people read, what the log says, and what a copy of the disk holds.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.prompts import LOBBY
from tests.proofs.crash_run import SETTINGS_FOR_SPEED, CrashRun, played
from tests.proofs.rawtelnet import RawTelnet

RETRY_S = 0.2
# SETTINGS_FOR_SPEED ends within [tables].
QUICK = f"""
retry_s = {RETRY_S}
[journal]
heartbeat_s = 0.2
[chat]
per_s = 1e4
guest_per_s = 1e4
repeats_max = 10_000
"""
STOPPED = r"The server can't save this game right now, so the table is paused\."
STILL = r"The server still can't save this game"
GOES_ON = (
    r"(The game continues\. All clocks have been set back to where they were\."
    r"|The server can save again, so the table continues\.)"  # the last record was saved after all
)


def running_game(directory: Path, seed: int = 1, variant: str = "elimination") -> CrashRun:
    return CrashRun(directory, Random(seed), variant, SETTINGS_FOR_SPEED + QUICK)


def plays_of(crash_run: CrashRun) -> int:
    """Plays of people that a copy of the disk holds."""
    return played(crash_run.durable())


def play_until_it_stops(crash_run: CrashRun, refill: Callable[[], None] = lambda: None) -> None:
    """Everybody plays until the table cannot save any more, and does not go on by itself.

    A first failure may end with room, for the log is emptied on the way: then *refill* is called.
    """
    while True:
        _play_until_a_failure(crash_run)
        refill()
        if _stays_stopped(crash_run):
            return
        kept = plays_of(crash_run) - crash_run.acknowledged  # of the one that nobody was told of
        assert kept in (0, 1)
        crash_run.acknowledged += kept
        for client in crash_run.clients:
            client.forget()
            client.type("/look")
            client.wait_answer()


def _play_until_a_failure(crash_run: CrashRun) -> None:
    while True:
        crash_run.everybody(*crash_run.next_play())
        if any("can't save" in client.text for client in crash_run.clients):
            break
        crash_run.acknowledged += 1
        crash_run.is_over = any("Game over: " in client.text for client in crash_run.clients)
    for client in crash_run.clients:
        client.wait_for(STOPPED)


def _stays_stopped(crash_run: CrashRun) -> bool:
    """Whether the table is still stopped after it has tried several times to go on."""
    ann, end_s = crash_run.clients[0], time.monotonic() + 5 * RETRY_S
    while time.monotonic() < end_s:
        ann.forget()
        ann.type("start")
        ann.wait_answer()
        if "can't save" not in ann.text or "The game continues" in ann.text:
            return False
    return True


def check_talk_goes_on(crash_run: CrashRun, guest: RawTelnet) -> None:
    """At the table that stopped, in the lobby, and for who comes in."""
    ann, bob, cid = crash_run.clients
    for client in (bob, cid, guest):
        client.forget()
    ann.type("/say is it broken?")
    for hearer in (bob, cid):
        hearer.wait_for(r"is it broken\?")
    guest.type("say hello")
    guest.wait_for("hello")
    ann.forget()
    ann.type("draw")
    ann.wait_for(STILL)


def wait_until_it_goes_on(crash_run: CrashRun) -> None:
    for client in crash_run.clients:
        client.wait_for(GOES_ON)
        client.forget()
        client.type("/look")
        client.wait_answer()


def come_in_as_guest(crash_run: CrashRun) -> RawTelnet:
    line = RawTelnet(crash_run.server.telnet_port, "guest")
    line.wait_for("Name: $")
    line.type("guest")
    line.wait_for(f"{LOBBY}$")
    return line


def command(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """`mudserver WORDS`."""
    return subprocess.run(
        [sys.executable, "-m", "mudserver", *map(str, words)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def start_refused(crash_run: CrashRun) -> str:
    """The one line with which a server says why it does not start."""
    done = command("serve", "--data", crash_run.server.data, "--ssh", "127.0.0.1:0",
                   "--telnet", "127.0.0.1:0")  # fmt: skip
    assert done.returncode > 0 and "" == done.stdout, done
    assert done.stderr.startswith("mudserver: ") and 1 == done.stderr.count("\n"), done.stderr
    return done.stderr
