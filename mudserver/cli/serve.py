"""`mudserver serve`, `mudserver game`: run the server from start to shutdown.

Rule 1: once all listeners are open it prints one line to standard output:
        `ready ssh=... telnet=...`, or `ready game=...` where doors hold the connections.
Rule 2: SIGHUP and `mudserver reload` re-read file, environment and options, and apply what can
        change while running.  If they are invalid nothing changes, and one log line says why.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
from functools import partial
from typing import Any

from mudserver.cli.config import add_options
from mudserver.cli.process import bound_log, prepare, print_ready, set_detail, stop_on_signals
from mudserver.cli.split import run_split
from mudserver.config import load, schema
from mudserver.config.sources import ConfigSources
from mudserver.errors import StartError, UserError
from mudserver.logs import LogLineFormatter
from mudserver.ops import file_limit, sd_notify, socket_activation
from mudserver.ops.shutdown import ShutdownCountdown
from mudserver.protocols import LISTENERS
from mudserver.version import version

log = logging.getLogger("mudserver")


def add(commands: Any) -> None:
    serve = commands.add_parser(
        "serve", help="run the server", description="Run the server until SIGTERM or Ctrl-C."
    )
    add_options(serve)
    serve.add_argument(
        "--split", action="store_true",
        help="in two processes, door and game server, so that connections outlive a restart",
    )  # fmt: skip
    serve.set_defaults(run=_serve, is_behind_doors=False)
    game = commands.add_parser(
        "game",
        help="run the server behind doors",
        description="Run the server without listeners: processes of `mudserver door` hold the "
        "connections, which stay open when this process restarts.",
    )
    add_options(game)
    game.set_defaults(run=_serve, is_behind_doors=True, split=False)


def _serve(options: argparse.Namespace) -> int:
    if options.split:
        return run_split(options)
    sources, config, formatter = prepare(options)
    return asyncio.run(_run(config, sources, formatter, is_behind_doors=options.is_behind_doors))


async def _run(
    config: schema.Config,
    sources: ConfigSources,
    formatter: LogLineFormatter,
    *,
    is_behind_doors: bool,
) -> int:
    from mudserver.app import App

    manager = sd_notify.ServiceManager.from_environment(os.environ, os.getpid())
    sockets = socket_activation.receive_sockets(os.environ, os.getpid(), (*LISTENERS, "metrics"))
    loop = asyncio.get_running_loop()
    stop, shut_down = stop_on_signals(log)
    rate_filter = bound_log(config.server.log_lines_max)
    with manager.starting():
        app = await App.start(config, sockets, is_behind_doors=is_behind_doors)
    countdown = ShutdownCountdown(
        app.platform.clock, app.service.broadcast, partial(shut_down, "restart")
    )
    app.control.register("restart", countdown.schedule)
    app.control.register("cancel_restart", countdown.cancel)
    watchdog = asyncio.create_task(
        sd_notify.run_watchdog(manager, lambda: app.heartbeat.is_alive, app.sd_status),
        name="service manager",
    )

    def reload() -> str:
        """Read all sources again; returns what changed.  UserError: nothing has."""
        with manager.reloading(loop.time()):
            try:
                lines = app.reconfigure(file_limit.fit(load.load(sources).config))
                file_limit.check_limit(app.config)
            except StartError as exc:
                log.error("reload failed, configuration unchanged error=%s", exc)
                raise UserError("; ".join(exc.lines)) from None
        set_detail(formatter, app.config.server)
        rate_filter.reconfigure(app.config.server.log_lines_max)
        return "\n".join(lines)

    def on_hangup() -> None:
        with contextlib.suppress(UserError):  # it is in the log
            reload()

    app.control.register("reload", reload)
    loop.add_signal_handler(signal.SIGHUP, on_hangup)
    try:
        listeners = [f"{name}={at}" for name, at in app.listeners.addresses().items()]
        if app.wall.path is not None:
            listeners = [f"game={app.wall.path}"]
        print_ready(" ".join(["ready", *listeners]))
        if not stop.is_set():
            log.info("server started version=%s %s data=%s", version(), " ".join(listeners),
                     config.server.data)  # fmt: skip
        manager.send_ready(app.sd_status())
        await stop.wait()
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # no reload during shutdown
        manager.send_stopping()
        await app.stop("The server closes for a moment. Your games are safe; come back soon.")
        watchdog.cancel()
        manager.close()
    return 0
