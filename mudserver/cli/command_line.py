"""The command line.  `mudserver --help` lists the commands; each has a file beside this.

Rule 1: standard output carries what scripts read (`ready ...`), standard error one clear line for
        people, or one for each fault of a configuration.  An error that an operator can cause never
        shows a stack trace.
Rule 2: a command that starts or asks a server, or shows settings, imports its own file only: others
        need all games.
Rule 3: exit status 0: done; 1: cannot start, or cannot be done; 2: wrong option or configuration;
        65 (EX_DATAERR): unusable data; 130: interrupted.  After 2 and 65 a retry cannot help, and
        the systemd unit makes none.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from mudserver.errors import StartError
from mudserver.logs import escape_controls
from mudserver.version import version


def run(argv: Sequence[str] | None) -> int:
    """The exit status.  KeyboardInterrupt: Ctrl-C."""
    try:
        words = sys.argv[1:] if argv is None else argv
        options = parser(words).parse_args(words)
        status = int(options.run(options))
        if sys.stdout is not None:  # None if it was closed by the parent process
            sys.stdout.flush()
        return status
    except BrokenPipeError:  # `| head` has read enough
        _close_output()
        return 0
    except OSError as exc:  # a full disk behind standard output, no descriptors left
        if exc.errno is None:
            raise  # a bug: Python's own TimeoutError is one of these
        _close_output()
        print(f"mudserver: {escape_controls(str(exc))}", file=sys.stderr)
        return 1
    except StartError as exc:
        for line in exc.lines:
            print(f"mudserver: {escape_controls(line)}", file=sys.stderr)
        return exc.exit_status


def _close_output() -> None:
    """Close standard output, so that nothing buffered is written again at exit."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError):
            sys.stdout.close()


class _Version(argparse.Action):
    """Looks the version up only if it is asked for: in a checkout that runs git."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"mudserver {version()}")
        parser.exit()


def parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Args: argv: If it begins with a command, the parser need not know those of other files."""
    words = argparse.ArgumentParser(
        prog="mudserver", description="Play cards with friends from a terminal, over SSH or telnet."
    )
    words.add_argument("--version", action=_Version, nargs=0, help="show the version")
    commands = words.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in _adders(argv[0] if argv else ""):
        add(commands)
    return words


def _adders(command: str) -> list[Callable[[Any], None]]:
    """What adds *command*, from the one file that has it; all commands if it is none [rule 2]."""
    match command:
        case "serve" | "game":
            from mudserver.cli import serve

            return [serve.add]
        case "door" | "drain":
            from mudserver.cli import door

            return [door.add]
        case "restart" | "upgrade" | "reload" | "evacuate":
            from mudserver.cli import restart

            return [restart.add]
        case "admin":
            from mudserver.cli import admin

            return [admin.add]
        case "show-config":
            from mudserver.cli import config

            return [config.add]
        case "status":
            from mudserver.cli import status

            return [status.add]
    from mudserver.cli import (
        admin,
        check,
        config,
        data,
        door,
        keys,
        move,
        ratings,
        restart,
        serve,
        status,
        wall_cert,
    )

    families = (
        *(serve, door, restart, admin, check, data, move, ratings, keys, wall_cert, config),
        status,
    )
    return [family.add for family in families]
