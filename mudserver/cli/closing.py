"""`mudserver restart`: the running server announces its end, and closes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from mudserver import config
from mudserver.office.closing import IN_S_MAX
from mudserver.office.control import ask


def add(commands: Any) -> None:
    restart = commands.add_parser(
        "restart",
        help="announce a restart and close",
        description="Tell everybody that the house closes for a moment, wait, save and end. The "
        "service manager (systemd: Restart=always) starts it again, and all games go on.",
    )
    restart.add_argument(
        "--in", dest="in_s", type=float, default=0.0, metavar="SECONDS",
        help=f"how long people have, 0 to {IN_S_MAX:.0f}; default 0: at once",
    )  # fmt: skip
    restart.add_argument("--cancel", action="store_true", help="call the announced end off")
    restart.add_argument(
        "--data", type=Path, default=Path(config.Server().data), metavar="DIR",
        help="the data directory of the running server",
    )  # fmt: skip
    restart.set_defaults(run=_restart)


def _restart(options: argparse.Namespace) -> int:
    if options.cancel:
        print(ask(options.data, "stay"))
    else:
        print(ask(options.data, "restart", in_s=options.in_s))
    return 0
