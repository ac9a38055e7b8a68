"""`mudserver migrate-keys`: the SSH host key goes to the directory of the doors, or back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mudserver.cli.config import add_options, config_sources
from mudserver.config import load
from mudserver.errors import StartError
from mudserver.transport.ssh import host_keys


def add(commands: Any) -> None:
    migrate = commands.add_parser(
        "migrate-keys",
        help="move the SSH host key to the directory of the doors",
        description="Move the SSH host key from the data directory to DIR, whose owner gets it. "
        "The fingerprint stays, so no client warns.  A server that runs has its key in memory.",
    )
    migrate.add_argument("directory", type=Path, metavar="DIR")
    add_options(migrate)
    migrate.set_defaults(run=_migrate)


def _migrate(options: argparse.Namespace) -> int:
    source = Path(load.load(config_sources(options)).config.server.data)
    target = options.directory
    try:
        is_same = target.samefile(source)
    except OSError as exc:
        raise StartError(f"{exc.filename} cannot be used: {exc.strerror}") from None
    if is_same or not target.is_dir():
        raise StartError(f"{target} is not another directory: name that of the doors")
    print(f"{target / host_keys.FILE_NAME} {host_keys.move(source, target).fingerprint}")
    return 0
