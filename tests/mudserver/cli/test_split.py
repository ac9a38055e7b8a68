"""What `serve --split` gives its children, which may be of another release."""

from __future__ import annotations

import asyncio
import json
import sys

from mudserver.cli.command_line import parser
from mudserver.cli.process import WITH_PARENT
from mudserver.cli.split import Child, child_options, end_all

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
