"""What `serve --split` gives its children, which may be of another release."""

from __future__ import annotations

import asyncio
import json
import sys

from mudserver.cli.command_line import parser
from mudserver.cli.process import WITH_PARENT
from mudserver.cli.split import Child, child_options

KNOWN = ("--config", "--data", "--ssh", "--telnet", "--set")
"""Options of `game` and `door` in every release: this never grows."""

SHOW = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ)]))"


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
