"""The process of the computer players is killed again and again."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.faults.running_game import running_game
from tests.prompts import TABLE_1, YOUR_TURN
from tests.proofs.crash_run import CrashRun
from tests.proofs.rawtelnet import RawTelnet


def children(pid: int) -> list[int]:
    """The server's processes of computer players."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def kill_children(crash_run: CrashRun) -> int:
    process = crash_run.server.process
    assert process is not None
    killed = 0
    for pid in children(process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            killed += 1
    return killed


def take_turn(ann: RawTelnet, rng: Random) -> bool:
    """When the computers have played, or were given up; answers whether it was a new game's."""
    ann.wait_for(f"{YOUR_TURN}$|Game over: ")
    is_new = "Game over: " in ann.text
    if is_new:
        ann.settle()
        ann.type("start")
        ann.wait_for(f"{YOUR_TURN}$")
    moves = [row[2:] for row in ann.ask("moves") if row.startswith("- ")]
    ann.settle()
    ann.type(rng.choice(moves))
    ann.wait_answer()
    return is_new


def crashed(directory: Path, seconds: float, every_s: float) -> None:
    """Ann plays with two computer players whose process is killed every *every_s* seconds."""
    crash_run = running_game(directory)
    crash_run.start()
    try:
        ann = crash_run.clients[0]
        ann.type("open elimination pace=instant clocks=off")
        ann.wait_for(f"{TABLE_1}$")
        for line in ("bot 1", "bot 2"):
            ann.type(line)
            ann.settle()
        ann.type("start")
        killed = turns = 0
        games = 1
        began = last = time.monotonic()
        while time.monotonic() - began < seconds or not killed:
            if time.monotonic() - last >= every_s:
                last, killed = time.monotonic(), killed + kill_children(crash_run)
            games += take_turn(ann, crash_run.rng)
            turns += 1
        for _ in range(3):  # and when nobody kills any more
            take_turn(ann, crash_run.rng)
        assert 0 == crash_run.server.stop()
    finally:
        crash_run.server.kill()
    took_s, log = time.monotonic() - began, crash_run.server.log_text()
    rows = log.count("computer player process died")
    print(
        f"\ncomputers killed={killed} every_s={every_s} seconds={took_s:.0f} turns_of_ann={turns}"
        f" games={games} log_lines={log.count(chr(10))} of_lost={rows}"
    )
    assert "Traceback" not in log and " ERROR " not in log
    assert killed and turns and rows <= killed + 1


def test_play_goes_on_when_the_computers_are_killed(tmp_path):
    crashed(tmp_path, seconds=0.5, every_s=0.2)


@pytest.mark.prove
def test_play_goes_on_for_a_minute_of_killing(tmp_path):
    crashed(tmp_path, seconds=60, every_s=1.0)
