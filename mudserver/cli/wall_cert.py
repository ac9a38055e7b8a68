"""`mudserver wall-cert`: certificates for doors and game servers on several machines."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mudserver.clock import wall_clock_ms
from mudserver.wall import certificates


def add(commands: Any) -> None:
    command = commands.add_parser(
        "wall-cert",
        help="make a certificate for a door or a game server of another machine",
        description="Make a certificate and its key in DIR, and the authority (ca.crt, ca.key) the "
        "first time.  Each machine gets ca.crt, and its own certificate and key, for wall.ca, "
        "wall.cert and wall.key; ca.key stays where it is.",
    )
    command.add_argument("directory", type=Path, metavar="DIR")
    command.add_argument(
        "names", nargs="+", metavar="NAME",
        help="whom it is for: door:1, game:g1; several of one machine in one",
    )  # fmt: skip
    command.set_defaults(run=_make)


def _make(options: argparse.Namespace) -> int:
    for path in certificates.make(options.directory, options.names, wall_clock_ms()):
        print(path)
    return 0
