"""`mudserver restart`, `evacuate`, `reload` and `upgrade`: what a running server is asked to do."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path
from typing import Any

from mudserver.cli.config import add_options, config_sources
from mudserver.cli.door import add_door_option
from mudserver.config import load
from mudserver.errors import StartError
from mudserver.ops.control_socket import send_request
from mudserver.ops.shutdown import IN_S_MAX

LOOK_S = 0.5  # between two looks at a standby
EVACUATION_S = 110.0  # more than `standby.evacuation.ALL_S`: a server that has not answered hangs


def add(commands: Any) -> None:
    restart = commands.add_parser(
        "restart",
        help="hand over to the standby, or announce a restart and shut down",
        description="Hand everything over to the standby, if one waits: nobody is disconnected. "
        "Exit status 1 says that it was not done and this server goes on.  Without a standby: "
        "notify everyone online, wait, save and shut down.  The service manager (systemd: "
        "Restart=always) starts the server again, and all games continue.",
    )
    when = restart.add_mutually_exclusive_group()
    when.add_argument(
        "--in", dest="in_s", type=float, default=0.0, metavar="SECONDS",
        help=f"the delay, 0 to {IN_S_MAX:.0f}",
    )  # fmt: skip
    when.add_argument("--now", action="store_true", help="at once; the default")
    when.add_argument("--cancel", action="store_true", help="cancel the announced restart")
    _add_wishes(restart)
    add_options(restart)
    restart.set_defaults(run=_restart)

    upgrade = commands.add_parser(
        "upgrade",
        help="run the version that is installed now, through the standby",
        description="Start the standby again in the version that is installed now, wait until it "
        "is ready, and hand everything over to it.  Exit status 1: that was not done, and the "
        "running version goes on.",
    )
    upgrade.add_argument(
        "--wait", type=float, default=120.0, metavar="SECONDS", help="for the standby; 120"
    )
    _add_wishes(upgrade)
    add_options(upgrade)
    upgrade.set_defaults(run=_upgrade)

    evacuate = commands.add_parser(
        "evacuate",
        help="give all tables and people to the other servers of the journal, and end",
        description="Give all tables and people to the other servers that share the journal in "
        "PostgreSQL, without anybody noticing, and end.  The service manager starts the server "
        "again, in the version that is installed then; people come to it again with time.  Exit "
        "status 1 says that it was not done and this server goes on.",
    )
    add_options(evacuate)
    evacuate.set_defaults(run=_evacuate)

    reload = commands.add_parser(
        "reload",
        help="read the settings again",
        description="Let the running server read its settings and certificate again, as SIGHUP "
        "does, and say what changed.  Exit status 1, and nothing changes, if anything is wrong.",
    )
    add_door_option(reload)
    add_options(reload)
    reload.set_defaults(run=_reload)


def _restart(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    if options.cancel:
        print(send_request(directory, "cancel_restart"))
    else:
        print(send_request(directory, "restart", in_s=options.in_s, **_wishes(options)))
    return 0


def _evacuate(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    print(send_request(directory, "evacuate", EVACUATION_S))
    return 0


def _add_wishes(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--with-migration", action="store_true",
        help="the standby may bring the journal into a newer form, which takes as long as it takes",
    )  # fmt: skip
    command.add_argument(
        "--anyway", action="store_true",
        help="hand over to an older server that cannot take up every session",
    )  # fmt: skip


def _wishes(options: argparse.Namespace) -> dict[str, Any]:
    return {name: True for name in ("with_migration", "anyway") if getattr(options, name)}


def _upgrade(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    before_ms = send_request(directory, "upgrade")
    for _ in range(int(options.wait / LOOK_S) + 1):
        standby = send_request(directory, "status")["standby"]
        if standby["state"] == "ready" and standby["since_ms"] != before_ms:
            print(send_request(directory, "restart", **_wishes(options)))
            return 0
        threading.Event().wait(LOOK_S)
    why = standby.get("why") or "there is none"
    raise StartError(f"upgrade not done: no new standby is ready: {why}; this server goes on")


def _reload(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    print(send_request(directory, "reload", door=options.door or ""))
    return 0
