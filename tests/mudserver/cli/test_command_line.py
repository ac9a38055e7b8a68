"""The command line imports what the typed command needs, and knows each command."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mudserver.cli.command_line import parser

ALONE = (
    *("serve", "game", "door", "drain", "restart", "upgrade", "evacuate", "reload"),
    *("admin", "show-config", "status"),
)
NO_GAMES = ("door", "drain", "restart", "upgrade", "reload", "admin", "show-config", "status")
LOADED = (
    "import sys; from mudserver.cli.command_line import parser; parser([sys.argv[1]]);"
    "print(*sys.modules)"
)


def commands_of(*argv: str) -> list[str]:
    [words] = parser(argv)._subparsers._group_actions
    return list(words.choices)


@pytest.mark.parametrize("command", commands_of())
def test_a_command_is_known_wherever_the_others_are_not(command):
    known = commands_of(command)
    assert command in known
    assert (len(known) < 5) == (command in ALONE)


@pytest.mark.parametrize("typed", [(), ("--help",), ("statsu",)])
def test_the_help_has_each_command(typed):
    assert set(ALONE) < set(commands_of(*typed)) == set(commands_of("check"))


@pytest.mark.parametrize("command", NO_GAMES)
def test_a_command_that_asks_a_server_loads_no_games_and_no_ssh(command):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "mudserver.cli.config" in loaded
    assert not {"asyncssh", "variants.catalogue", "prompt_toolkit"} & loaded
