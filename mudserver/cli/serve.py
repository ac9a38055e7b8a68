"""`mudserver serve`: the server from its start to its end.

Rule 1: the one line on standard output says that all doors are open, and where.
Rule 2: at SIGHUP everything that said something about settings is read again, and what a running
        house can take it takes.  If it is wrong nothing changes, and one line says why.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import resource
import signal
import sys
from functools import partial
from typing import Any

from mudserver import __version__
from mudserver.cli.settings import add_options, config_sources
from mudserver.clock import format_instant
from mudserver.config import load, schema
from mudserver.errors import StartError
from mudserver.logs import LogLineFormatter, LogRateFilter, LoopExceptionHandler
from mudserver.ops import sd_notify, socket_activation
from mudserver.ops.shutdown import ShutdownCountdown

log = logging.getLogger("house")

FILES_MAX = 65_536  # open at once: one for each person and a few


def add(commands: Any) -> None:
    serve = commands.add_parser(
        "serve", help="run the server", description="Run the server until SIGTERM or Ctrl-C."
    )
    add_options(serve)
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    said = config_sources(options)
    wanted = load.load(said).config
    line = _line_for(wanted.server)
    _log_to_stderr(line)
    _allow_many_files()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until there is somebody to take new settings
    return asyncio.run(_run(wanted, said, line))


def _line_for(server: schema.Server) -> LogLineFormatter:
    """Lines with the time in them, unless journald reads them: it has that, and wants a level."""
    is_journal = False
    with contextlib.suppress(OSError):  # there may be no standard error
        status = os.fstat(2)
        is_journal = os.environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
    return LogLineFormatter(
        has_traces=server.log == "debug",
        is_json=server.log_format == "json",
        stamp=None if is_journal else format_instant,
        has_priority=is_journal,
    )


def _log_to_stderr(line: LogLineFormatter) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(line)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.raiseExceptions = False  # nobody reads the log any more: no reason to stop playing
    logging.getLogger("asyncio").setLevel(
        logging.CRITICAL
    )  # what it says, `LoopExceptionHandler` says


def _allow_many_files() -> None:
    """The usual limit of 1,024 open files is fewer than the people who may come."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_MAX if most == resource.RLIM_INFINITY else min(most, FILES_MAX)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _print_ready(line: str) -> None:
    """Tell a script that waits for it; if nobody does, that is no reason to stop."""
    try:
        print(line, flush=True)
    except OSError:  # standard output is closed: Python would complain again at the exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


async def _run(wanted: schema.Config, said: load.ConfigSources, line: LogLineFormatter) -> int:
    from mudserver.app import App
    from mudserver.transport.listeners import LISTENER_NAMES

    manager = sd_notify.ServiceManager.from_environment(os.environ, os.getpid())
    sockets = socket_activation.receive_sockets(
        os.environ, os.getpid(), (*LISTENER_NAMES, "metrics")
    )
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()

    def end(by: str) -> None:
        log.info("closes by=%s", by)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end, number.name)
    loop.set_exception_handler(LoopExceptionHandler(loop.time))
    bounded = LogRateFilter(wanted.server.log_lines_max, loop.time)
    for handler in logging.getLogger().handlers:
        handler.addFilter(bounded)
    with manager.starting():
        app = await App.start(wanted, sockets)
    closing = ShutdownCountdown(app.platform.clock, app.service.broadcast, partial(end, "restart"))
    app.control.register("restart", closing.schedule)
    app.control.register("stay", closing.cancel)
    attendant = asyncio.create_task(
        sd_notify.run_watchdog(manager, lambda: app.heartbeat.is_alive, app.sd_status),
        name="service manager",
    )

    def read_again() -> None:
        with manager.reloading(loop.time()):
            try:
                app.reconfigure(load.load(said).config)
            except StartError as exc:
                log.error("settings not taken, all stays as it was why=%s", exc)
        line.has_traces = app.settings.server.log == "debug"
        bounded.reconfigure(app.settings.server.log_lines_max)

    loop.add_signal_handler(signal.SIGHUP, read_again)
    try:
        doors = {"ssh": app.ssh_address, "telnet": app.telnet_address, "tls": app.tls_address}
        open_ones = [f"{name}={address}" for name, address in doors.items() if address]
        _print_ready(" ".join(["ready", *open_ones]))
        if not stop.is_set():
            log.info("open version=%s %s data=%s", __version__, " ".join(open_ones),
                     wanted.server.data)  # fmt: skip
        manager.send_ready(app.sd_status())
        await stop.wait()
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a house that closes takes nothing new
        manager.send_stopping()
        await app.stop("The house closes for a moment. Your games are safe; come back soon.")
        attendant.cancel()
        manager.close()
    return 0
