"""`mudserver door`: holds connections, and hands them to the game server behind it.

Rule 1: once all listeners are open and a game server has answered it prints one line to standard
        output: `ready ssh=... telnet=...`
Rule 2: SIGHUP reads the settings and the certificate again; if they are invalid nothing changes.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import signal
from pathlib import Path
from typing import Any

from mudserver.cli.config import add_options, config_sources
from mudserver.cli.process import (
    bound_log,
    end_with_parent,
    offer_reload,
    prepare,
    print_ready,
    stop_on_signals,
)
from mudserver.config import load, schema
from mudserver.config.sources import ConfigSources
from mudserver.logs import LogLineFormatter
from mudserver.ops import sd_notify, socket_activation
from mudserver.ops.control_socket import send_request
from mudserver.protocols import LISTENERS
from mudserver.version import version
from mudserver.wall.settings import DOOR_NAME, WITHIN_S_MAX

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}

log = logging.getLogger("wall")


def add(commands: Any) -> None:
    door = commands.add_parser(
        "door",
        help="hold connections for `mudserver game`",
        description="Hold SSH and telnet connections until SIGTERM or Ctrl-C, for game servers "
        "(`mudserver game`), which may restart meanwhile.",
    )
    door.add_argument(
        "--name", default="1", type=door_name,
        help="the door in logs and for --door; the default is 1",
    )  # fmt: skip
    add_options(door)
    door.set_defaults(run=_door)
    drain = commands.add_parser(
        "drain",
        help="end a door when its people have left",
        description="Let a door accept nobody any more.  It ends when its last connection has "
        "ended, or when the time is over; ten minutes before, people read of it.",
    )
    drain.add_argument("door", type=door_name, metavar="DOOR", help="the name of the door")
    drain.add_argument(
        "--within", type=_span_s, default="12h", metavar="TIME",
        help="90s, 30m, 12h or 7d; the default is 12h",
    )  # fmt: skip
    add_options(drain)
    drain.set_defaults(run=_drain)


def add_door_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--door", type=door_name, metavar="NAME",
        help="ask that door; --data is the directory of the door",
    )  # fmt: skip


def door_name(typed: str) -> str:
    """The name of a door, or `door-NAME`.  ArgumentTypeError: it is none."""
    name = typed.removeprefix("door-")
    if not DOOR_NAME.fullmatch(name):
        raise argparse.ArgumentTypeError(
            f"{typed[:40]!r} is no name of a door: letters, digits, '-' and '.', at most 24"
        )
    return name


def _span_s(typed: str) -> int:
    """Seconds of `90s`, `30m`, `12h`, `7d`.  ArgumentTypeError: it is no such time."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([smhd])", typed)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= WITHIN_S_MAX:
        raise argparse.ArgumentTypeError(
            f"{typed[:20]!r} is no time from 1s to 7d: type 90s, 30m, 12h or 7d"
        )
    return seconds


def _drain(options: argparse.Namespace) -> int:
    directory = Path(load.load(config_sources(options)).config.server.data)
    print(send_request(directory, "drain", door=options.door, within_s=options.within))
    return 0


def _door(options: argparse.Namespace) -> int:
    sources, config, formatter = prepare(options)
    return asyncio.run(_run(config, sources, formatter, options))


async def _run(
    config: schema.Config,
    sources: ConfigSources,
    formatter: LogLineFormatter,
    options: argparse.Namespace,
) -> int:
    from mudserver.wall.door_process import DoorProcess

    name = options.name
    manager = sd_notify.ServiceManager.from_environment(os.environ, os.getpid())
    sockets = socket_activation.receive_sockets(os.environ, os.getpid(), LISTENERS)
    loop = asyncio.get_running_loop()
    stop, shut_down = stop_on_signals(log)
    end_with_parent(os.environ, shut_down)
    rate_filter = bound_log(config.server.log_lines_max)
    starting = asyncio.create_task(DoorProcess.start(config, sockets, name), name="start")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    with manager.starting():
        await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
    if not starting.done():  # no game server has come
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        return 0
    door = await starting

    offer_reload(door, sources, formatter, manager, rate_filter, log)
    ended = asyncio.create_task(door.ended.wait(), name="drained")
    watchdog = asyncio.create_task(
        sd_notify.run_watchdog(manager, lambda: True, door.sd_status), name="service manager"
    )
    try:
        listeners = [f"{listener}={at}" for listener, at in door.listeners.addresses().items()]
        print_ready(" ".join(["ready", *listeners]))
        log.info("door started version=%s name=%s %s", version(), name, " ".join(listeners))
        manager.send_ready(door.sd_status())
        await asyncio.wait((stopping, ended), return_when=asyncio.FIRST_COMPLETED)
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        manager.send_stopping()
        await door.stop()
        for task in (stopping, ended, watchdog):
            task.cancel()
        manager.close()
    return 0
