"""What `serve --split` gives its children, which may be of another release."""

from __future__ import annotations

import asyncio
import json
import signal
import sys

import pytest

from mudserver.cli import split, watched
from mudserver.cli.command_line import parser
from mudserver.cli.process import WITH_PARENT, own_program
from mudserver.cli.split import END_S, FAREWELL_S, Child, child_options, end_all
from tests.simulation import virtual

KNOWN = ("--config", "--data", "--ssh", "--telnet", "--set")
"""Options of `game` and `door` in every release: this never grows."""

SHOW = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ)]))"

DOOR = """
import pathlib, signal, time

def end(*_):
    pathlib.Path("ending").touch()
    time.sleep(1)
    raise SystemExit

signal.signal(signal.SIGTERM, end)
print("ready ssh=", flush=True)
while True:
    signal.pause()
"""
GAME = """
import pathlib, time
print("ready game=", flush=True)
with open("begun", "a") as begun:
    begun.write("x")
while not pathlib.Path("ending").exists():
    time.sleep(0.01)
"""


def test_a_child_is_given_the_options_of_every_release_and_its_parent_in_the_environment():
    words = ["serve", "--split"]
    for option in KNOWN:
        words += [option, "door.login_s=20" if option == "--set" else "127.0.0.1:0"]
    options = child_options(parser().parse_args(words))
    assert sorted(KNOWN) == sorted(options[::2])

    async def started(command: str) -> tuple[list[str], dict[str, str]]:
        child = Child(command, options)
        assert [sys.executable, "-m", "mudserver"] == child._arguments[:3]
        child._arguments[1:3] = ["-c", SHOW]
        await child._run_once()
        return json.loads(child.ready_line)

    for command in ("game", "door"):
        arguments, environment = asyncio.run(started(command))
        assert [command, *options] == arguments
        assert environment[WITH_PARENT] and not WITH_PARENT.startswith("MUDSERVER")
        parser().parse_args(arguments)


def test_a_program_is_begun_again_by_the_name_that_may_lead_to_another_version(monkeypatch):
    begun = "/opt/mudserver/bin/mudserver"
    for name, words in (
        (begun, [begun]),
        ("bin/mudserver", [sys.executable, "-m", "mudserver"]),
        ("/opt/lib/mudserver/__main__.py", [sys.executable, "-m", "mudserver"]),
    ):
        monkeypatch.setattr(sys, "argv", [name, "game"])
        assert words == own_program()


def test_a_child_that_cannot_be_started_for_a_moment_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr(split, "RESTART_S", (0.1,))

    async def scenario() -> str:
        child = Child("game", [], may_fail=True)
        program = tmp_path / "mudserver"
        child._arguments = [str(program)]
        running = asyncio.ensure_future(child.keep_running())
        await asyncio.sleep(0.3)
        program.write_text("#!/bin/sh\necho ready\nexec sleep 30\n")
        program.chmod(0o700)
        async with asyncio.timeout(20):
            await child.ready.wait()
        child.is_ending = True
        child.signal(signal.SIGKILL)
        await running
        return child.ready_line

    assert "ready" == asyncio.run(scenario())


def test_a_game_server_that_ends_while_all_are_ended_is_not_started_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def scenario() -> None:
        door, game, standby = Child("door", []), Child("game", []), Child("game", [])
        for child, program in ((door, DOOR), (game, GAME)):
            child._arguments[1:] = ["-c", program]
        running = [asyncio.ensure_future(child.keep_running()) for child in (door, game)]
        await asyncio.gather(door.ready.wait(), game.ready.wait())
        await end_all(door, game, standby)
        await asyncio.gather(*running)

    asyncio.run(scenario())
    assert "x" == (tmp_path / "begun").read_text()


class Played(Child):
    """Args: needs_s: From SIGTERM to its end, in virtual time."""

    def __init__(self, command: str, ready_line: str, needs_s: float) -> None:
        super().__init__(command, [])
        self.ready_line, self._needs_s = ready_line, needs_s
        self.heard: list[tuple[float, str]] = []
        self._has_ended = asyncio.Event()

    def signal(self, number: signal.Signals) -> None:
        loop = asyncio.get_running_loop()
        if not self._has_ended.is_set():
            self.heard.append((loop.time(), number.name))
            delay_s = 0.0 if number == signal.SIGKILL else self._needs_s
            loop.call_later(delay_s, self._has_ended.set)

    async def ended(self) -> None:
        await self._has_ended.wait()


HANGS = 1_000.0


@pytest.mark.parametrize(
    ("needs_s", "door", "game", "standby", "over_s"),
    [
        ((0.2, 0.3, 0.1), [], [(0.2, "SIGTERM")], [], 0.5),
        # a client that does not hang up: the game server ends meanwhile
        ((7.0, 0.3, 0.1), [], [(FAREWELL_S, "SIGTERM")], [], 7.0),
        # nothing is handed over to a standby that is late
        ((0.2, 0.3, HANGS), [], [(FAREWELL_S, "SIGTERM")], [(FAREWELL_S, "SIGKILL")], 3.3),
        (
            (HANGS, HANGS, HANGS),
            [(END_S, "SIGKILL")],
            [(FAREWELL_S, "SIGTERM"), (END_S, "SIGKILL")],
            [(FAREWELL_S, "SIGKILL")],
            END_S,
        ),
    ],
)
def test_all_end_in_their_order_and_none_waits_for_long(needs_s, door, game, standby, over_s):
    """Args: needs_s: of door, game server, standby; behind them, what each hears besides the
    first SIGTERM of door and standby."""

    async def scenario() -> tuple[list[list[tuple[float, str]]], float]:
        loop = asyncio.get_running_loop()
        said = ("ready ssh=", "ready game=", "standby ready")
        children = [
            Played(command, line, each)
            for command, line, each in zip(("door", "game", "game"), said, needs_s, strict=True)
        ]
        first, second, third = children
        await end_all(first, third, second)  # the standby may be any of the two
        return [each.heard for each in children], loop.time()

    at_once = [(0.0, "SIGTERM")]
    heard, ended_s = virtual.run(scenario())
    assert [at_once + door, game, at_once + standby] == heard
    assert over_s == pytest.approx(ended_s)


FEEDS = """
import os, signal, socket, sys, time
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.connect("\\0" + os.environ["NOTIFY_SOCKET"][1:])
print("ready game=", flush=True)
manager.send({ready!r})
for _ in range({feeds}):
    time.sleep(0.05)
    manager.send(b"WATCHDOG=1")
{then}
"""


@pytest.mark.parametrize(
    ("ready", "feeds", "then", "status"),
    [
        (b"READY=1", 2, "time.sleep(30)", -signal.SIGKILL),
        (b"READY=1\nSTATUS=x", 0, "os.kill(os.getpid(), signal.SIGSTOP)", -signal.SIGKILL),
        (b"READY=1", 20, "sys.exit(3)", 3),  # alive for longer than the watchdog waits
        (b"STATUS=starting", 0, "time.sleep(1); sys.exit(3)", 3),
    ],
)
def test_a_child_that_hangs_after_its_start_is_killed(monkeypatch, ready, feeds, then, status):
    monkeypatch.setattr(watched, "WATCHDOG_S", 0.4)

    async def scenario() -> int:
        child = Child("game", [])
        child._arguments[1:] = ["-c", FEEDS.format(ready=ready, feeds=feeds, then=then)]
        async with asyncio.timeout(20):
            return await child._run_once()

    assert status == asyncio.run(scenario())
