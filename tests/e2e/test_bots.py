"""Programs by the real ssh: docs/bot.py plays every game; a name, a key, one visit at a time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from tests.e2e.client import PATIENCE_S, Server, ssh
from tests.programs import BOT_FILE, opening
from variants.catalogue import CATALOGUE

VISIT_S = 30
GAME_S = 120  # a whole one on a busy machine: ten lines a second at most


def options(server: Server, name: str, key: Path | None = None) -> list[str]:
    """What stands between `ssh` and `json`."""
    return [
        *("-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "IdentityAgent=none"),
        *("-o", f"UserKnownHostsFile={server.data.parent / 'known_hosts'}"),
        *("-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"),
        *(("-i", str(key)) if key else ("-o", "PubkeyAuthentication=no")),
        *("-p", str(server.ssh_port), f"{name}@127.0.0.1"),
    ]


class Program:
    """`ssh NAME@HOST json` as a process."""

    def __init__(self, server: Server, name: str, key: Path | None = None) -> None:
        command = ["ssh", "-T", *options(server, name, key), "json"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self._guard = Timer(VISIT_S, self.process.kill)  # nobody waits for ever
        self._guard.start()

    def write(self, line: str) -> None:
        self.send(json.dumps({"line": line}).encode() + b"\n")

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until(self, kind: str) -> dict:
        """The next object of that type."""
        assert self.process.stdout is not None
        for row in self.process.stdout:
            if json.loads(row)["type"] == kind:
                return json.loads(row)
        raise AssertionError(f"no {kind} before the end")

    def ends(self) -> int:
        self._guard.cancel()
        return self.process.wait(PATIENCE_S)


def test_the_bot_plays_every_game_to_its_end(server):
    """All at once, as so many guests."""
    bots = {
        game: subprocess.Popen(
            [sys.executable, str(BOT_FILE), opening(game), *options(server, "guest")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for game in CATALOGUE
    }  # fmt: skip
    assert len(bots) >= 3
    end_s = time.monotonic() + GAME_S
    for game, bot in bots.items():
        said, complaints = bot.communicate(timeout=max(1.0, end_s - time.monotonic()))
        assert said.startswith("Game over: "), (game, said, complaints)
        assert 0 == bot.returncode


def test_a_bot_without_a_game_says_why(server):
    command = [sys.executable, str(BOT_FILE), "poker", *options(server, "guest")]
    bot = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (1, "No game was played.\n") == (bot.returncode, bot.stdout)
    assert 'There is no game called "poker".' in bot.stderr


def test_a_name_is_its_key_s_and_the_newest_visit_takes_over(server, key):
    first = Program(server, "ann", key)
    assert "ann" == first.until("hello")["name"]
    assert "now belongs to your key" in first.until("notice")["text"]
    first.send(b"who\n")
    assert "That is no JSON." in first.until("refused")["text"]
    first.write("open elimination")
    assert 1 == first.until("place")["table"]
    person = ssh(server, "ann", key=key)
    person.wait_for(r"table 1> ")
    assert "You came in from somewhere else" in first.until("bye")["text"]
    assert 0 == first.ends()
    second = Program(server, "ann", key)
    assert 1 == second.until("place")["table"]
    person.wait_closed()
    second.write("quit")
    assert "Goodbye, ann." in second.until("bye")["text"]
    assert 0 == second.ends()


def test_what_is_piped_in_is_answered_and_the_line_ends(server):
    command = ["ssh", "-T", *options(server, "guest"), "json"]
    done = subprocess.run(
        command, input=b'{"line": "about"}\n', capture_output=True, timeout=PATIENCE_S
    )
    objects = [json.loads(row) for row in done.stdout.splitlines()]
    assert "Lockdown" in [each.get("title") for each in objects]
    assert b"" == done.stderr


@pytest.mark.parametrize("command", ["id", "jsonl", "sh -c json"])
def test_no_other_command_is_run(server, command):
    done = subprocess.run(
        ["ssh", "-T", *options(server, "guest"), command], capture_output=True, timeout=PATIENCE_S
    )
    assert (1, b"") == (done.returncode, done.stdout)
    assert b"No commands are run here." in done.stderr
