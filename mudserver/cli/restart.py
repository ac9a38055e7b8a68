"""`mudserver restart`: the running server announces its end, and closes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mudserver.cli.settings import add_options, config_sources
from mudserver.config import load
from mudserver.ops.control_socket import send_request
from mudserver.ops.shutdown import IN_S_MAX


def add(commands: Any) -> None:
    restart = commands.add_parser(
        "restart",
        help="announce a restart and close",
        description="Tell everybody that the house closes for a moment, wait, save and end. The "
        "service manager (systemd: Restart=always) starts it again, and all games go on.",
    )
    when = restart.add_mutually_exclusive_group()
    when.add_argument(
        "--in", dest="in_s", type=float, default=0.0, metavar="SECONDS",
        help=f"how long people have, 0 to {IN_S_MAX:.0f}",
    )  # fmt: skip
    when.add_argument("--now", action="store_true", help="at once, as without any of these")
    when.add_argument("--cancel", action="store_true", help="call the announced end off")
    add_options(restart)
    restart.set_defaults(run=_restart)


def _restart(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    if options.cancel:
        print(send_request(directory, "stay"))
    else:
        print(send_request(directory, "restart", in_s=options.in_s))
    return 0
