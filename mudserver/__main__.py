"""The command line.  `mudserver --help` lists the commands.

Rule 1: standard output carries what scripts read (`ready ...`), standard error one clear line
        for people.  Never a stack trace for something an operator can cause.
Rule 2: exit 0 is done, 1 cannot start, 2 wrong option or configuration.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mudserver import __version__, config
from mudserver.errors import ConfigError, StartError


def main(argv: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(argv)
    try:
        return int(options.run(options))
    except ConfigError as exc:
        print(f"mudserver: {exc}", file=sys.stderr)
        return 2
    except StartError as exc:
        print(f"mudserver: {exc}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mudserver", description="Play cards with friends from a terminal, over SSH or telnet."
    )
    parser.add_argument("--version", action="version", version=f"mudserver {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    serve = commands.add_parser(
        "serve", help="run the server", description="Run the server until SIGTERM or Ctrl-C."
    )
    serve.add_argument("--config", type=Path, metavar="FILE", help="a TOML file; see config/")
    serve.add_argument("--data", metavar="DIR", help="where the journal and the host key are kept")
    serve.add_argument("--ssh", metavar="HOST:PORT", help="where to listen for SSH; port 0: any")
    serve.add_argument("--telnet", metavar="HOST:PORT", help="where to listen for telnet")
    serve.set_defaults(run=_serve)

    check = commands.add_parser("check-config", help="check a configuration file")
    check.add_argument("file", type=Path, metavar="FILE")
    check.set_defaults(run=_check_config)
    return parser


def _check_config(options: argparse.Namespace) -> int:
    config.load(options.file)
    print(f"{options.file}: good")
    return 0


def _settings(options: argparse.Namespace) -> config.Config:
    """The file's settings, with what the command line says on top."""
    settings = config.load(options.config) if options.config else config.Config()
    given = {k: getattr(options, k) for k in ("data", "ssh", "telnet") if getattr(options, k)}
    for key in ("ssh", "telnet"):
        if key in given:
            config.split_address(given[key])
    return msgspec.structs.replace(
        settings, server=msgspec.structs.replace(settings.server, **given)
    )


def _serve(options: argparse.Namespace) -> int:
    settings = _settings(options)
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s"
    )
    for library in ("asyncssh", "telnetlib3", "asyncio"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    return asyncio.run(_run(settings))


@dataclass
class _Stop:
    """Set by the first signal; a second one changes nothing."""

    event: asyncio.Event

    def __call__(self) -> None:
        self.event.set()


async def _run(settings: config.Config) -> int:
    from mudserver.app import App

    loop = asyncio.get_running_loop()
    stop = _Stop(asyncio.Event())
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    app = await App.start(settings)
    try:
        print(f"ready ssh={app.ssh_address} telnet={app.telnet_address}", flush=True)
        await stop.event.wait()
    finally:
        await app.stop("The house closes for a moment. Your games are safe; come back soon.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
