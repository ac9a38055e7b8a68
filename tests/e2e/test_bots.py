"""Programs by the real ssh: what is refused, a name, a key, one visit at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from tests.e2e.client import PATIENCE_S, Server
from tests.e2e.clients import program, ssh, ssh_options
from tests.e2e.conftest import fresh
from tests.programs import BOT_FILE

VISIT_S = 30


class Program:
    """`ssh NAME@HOST json` as a process."""

    def __init__(
        self, server: Server, name: str, key: Path | None = None, command: str = "json"
    ) -> None:
        ssh_command = [program("ssh"), "-T", *ssh_options(server, name, key), command]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(ssh_command, stdin=pipe, stdout=pipe, stderr=pipe)
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


def test_a_bot_without_a_game_says_why(shared_quick_server):
    command = [sys.executable, str(BOT_FILE), "poker", *ssh_options(shared_quick_server, "guest")]
    bot = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (1, "No game was played.\n") == (bot.returncode, bot.stdout)
    assert 'There is no game called "poker".' in bot.stderr


def test_a_name_is_its_key_s_and_the_newest_visit_takes_over(shared_quick_server, key):
    name = fresh("ann")
    first = Program(shared_quick_server, name, key)
    assert name == first.until("hello")["name"]
    assert "is now registered with your SSH key" in first.until("notice")["text"]
    first.send(b"who\n")
    assert "That isn't JSON." in first.until("refused")["text"]
    first.write("open elimination")
    table = first.until("place")["table"]
    person = ssh(shared_quick_server, name, key=key)
    person.wait_for(rf"table {table}> ")
    assert "You logged in from another terminal" in first.until("bye")["text"]
    assert 0 == first.ends()
    second = Program(shared_quick_server, name, key)
    assert table == second.until("place")["table"]
    person.wait_closed()
    second.write("quit")
    assert f"Goodbye, {name}." in second.until("bye")["text"]
    assert 0 == second.ends()


def test_what_is_piped_in_is_answered_and_the_line_ends(shared_quick_server):
    command = [program("ssh"), "-T", *ssh_options(shared_quick_server, "guest"), "json"]
    done = subprocess.run(
        command, input=b'{"line": "about"}\n', capture_output=True, timeout=PATIENCE_S
    )
    objects = [json.loads(row) for row in done.stdout.splitlines()]
    assert "Lockdown" in [each.get("title") for each in objects]
    assert b"" == done.stderr


@pytest.mark.parametrize(
    ("command", "protocol", "answer", "words"),
    [("json 1", 1, "page", "protocol 1"), ("json 2", 2, "terminal", "ssh")],
)
def test_a_program_says_which_protocol_it_speaks(
    shared_quick_server, command, protocol, answer, words
):
    program = Program(shared_quick_server, "guest", command=command)
    assert protocol == program.until("hello")["protocol"]
    program.write("terminal")
    assert words in str(program.until(answer))
    program.write("open elimination pace=instant")
    assert "elimination" == program.until("place")["variant"]
    program.write("bot 1")
    program.write("start")
    assert program.until("view")["table"] > 0
    program.write("quit")
    program.until("bye")
    assert 0 == program.ends()


@pytest.mark.parametrize("command", ["json 3", "json two", "json 2 1"])
def test_a_protocol_that_is_not_spoken_is_refused_with_those_that_are(shared_quick_server, command):
    done = subprocess.run(
        [program("ssh"), "-T", *ssh_options(shared_quick_server, "guest"), command],
        capture_output=True,
        timeout=PATIENCE_S,
    )
    told = json.loads(done.stdout)
    assert (1, "bye", told["text"]) == (done.returncode, told["type"], done.stderr.decode().strip())
    assert told["text"].startswith("The protocols for programs are json 1")


@pytest.mark.parametrize("command", ["id", "jsonl", "sh -c json"])
def test_no_other_command_is_run(shared_quick_server, command):
    done = subprocess.run(
        [program("ssh"), "-T", *ssh_options(shared_quick_server, "guest"), command],
        capture_output=True,
        timeout=PATIENCE_S,
    )
    assert (1, b"") == (done.returncode, done.stdout)
    assert b"You can't run commands here." in done.stderr
