"""`mudserver serve`, `mudserver game`: run the server from start to shutdown.

Rule 1: once all listeners are open it prints one line to standard output:
        `ready ssh=... telnet=...`, or `ready game=...` where doors hold the connections.  A standby
        prints `standby of=...` when it waits, `standby ready` when it could take over, and
        `ready game=...` when it has.
Rule 2: SIGHUP and `mudserver reload` re-read file, environment and options, and apply what can
        change while running.  If they are invalid nothing changes, and one log line says why.
        A standby begins again with all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mudserver.cli.config import add_options
from mudserver.cli.process import (
    bound_log,
    end_with_parent,
    offer_reload,
    own_program,
    prepare,
    print_ready,
    read_again,
    stop_on_signals,
)
from mudserver.cli.split import run_split
from mudserver.config import schema
from mudserver.config.sources import ConfigSources
from mudserver.data_directory import DirectoryInUse, lock_directory
from mudserver.errors import StartError, UserError
from mudserver.logs import LogLineFormatter
from mudserver.ops import sd_notify, socket_activation
from mudserver.ops.shutdown import ShutdownCountdown
from mudserver.protocols import LISTENERS
from mudserver.version import version

if TYPE_CHECKING:
    from mudserver.app import App
    from mudserver.transport.listener_manager import InheritedSockets

LEAVE_S = 20.0  # to close, after other servers have got everything

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
    serve.set_defaults(run=_serve, is_behind_doors=False, standby="never")
    game = commands.add_parser(
        "game",
        help="run the server behind doors",
        description="Run the server without listeners: processes of `mudserver door` hold the "
        "connections, which stay open when this process restarts.",
    )
    add_options(game)
    game.add_argument(
        "--standby", choices=("auto", "only", "never"), default="auto",
        help="wait, loaded and ready, if another server has the data directory (auto, the default);"
        " wait, and never be the first (only); exit with status 1 (never)",
    )  # fmt: skip
    game.set_defaults(run=_serve, is_behind_doors=True, split=False)


def _serve(options: argparse.Namespace) -> int:
    if options.split:
        return run_split(options)
    sources, config, formatter = prepare(options)
    return asyncio.run(_run(config, sources, formatter, options))


async def _run(
    config: schema.Config,
    sources: ConfigSources,
    formatter: LogLineFormatter,
    options: argparse.Namespace,
) -> int:
    manager = sd_notify.ServiceManager.from_environment(os.environ, os.getpid())
    sockets = socket_activation.receive_sockets(os.environ, os.getpid(), (*LISTENERS, "metrics"))
    loop = asyncio.get_running_loop()
    stop, shut_down = stop_on_signals(log)
    is_alone = asyncio.Event()
    if options.is_behind_doors:  # whatever the environment says, `serve` is nobody's child
        is_alone = end_with_parent(os.environ, shut_down)
    rate_filter = bound_log(config.server.log_lines_max)
    hangup = Hangup(sources)
    app = await _open(
        *(config, sockets, manager, stop, hangup, options.standby),
        is_behind_doors=options.is_behind_doors,
    )
    if app is None:
        manager.close()
        return 0
    _register_restarts(app, stop, shut_down)
    fenced = list[str]()

    def end_fenced(why: str) -> None:
        log.error("ending because %s; nothing more is written", why)
        fenced.append(why)
        stop.set()

    app.platform.journal.on_fenced = end_fenced
    watchdog = asyncio.create_task(
        sd_notify.run_watchdog(manager, lambda: app.heartbeat.is_alive, app.sd_status),
        name="service manager",
    )

    async def may_reload() -> bool:
        is_here = app.handover is None or await app.handover.reads_settings()
        return is_here and not stop.is_set()

    offer_reload(
        *(app, sources, formatter, manager, rate_filter, log),
        is_due=hangup.has_come,
        may_reload=may_reload,
    )
    try:
        listeners = [f"{name}={at}" for name, at in app.listeners.addresses().items()]
        if app.wall.path is not None:
            listeners = [f"game={app.wall.path}"]
            if app.wall.tls is not None:
                listeners.append(f"tls={app.wall.tls.address}")
        print_ready(" ".join(["ready", *listeners]))
        if not stop.is_set():
            log.info("server started version=%s %s data=%s", version(), " ".join(listeners),
                     config.server.data)  # fmt: skip
        manager.send_ready(app.sd_status())
        await stop.wait()
    finally:
        manager.send_stopping()
        await _end(app, may_hand_over=not is_alone.is_set())
        loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        watchdog.cancel()
        manager.close()
    return os.EX_TEMPFAIL if fenced else 0


class Hangup:
    """SIGHUP to a standby: settings that cannot be used change nothing, as always."""

    def __init__(self, sources: ConfigSources) -> None:
        self._sources = sources
        self.has_come = False  # with settings that can be used

    def listen(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._read)

    def _read(self) -> None:
        with contextlib.suppress(UserError):  # it is in the log
            read_again(self._sources, log)
            self.has_come = True


async def _open(
    config: schema.Config,
    sockets: InheritedSockets,
    manager: sd_notify.ServiceManager,
    stop: asyncio.Event,
    hangup: Hangup,
    standby: str,
    *,
    is_behind_doors: bool,
) -> App | None:
    """The server, at once or after it has waited as a standby; None: it has to end first."""
    from mudserver import machine
    from mudserver.standby.waiting import BeginAgain, Operator

    directory = Path(config.server.data)
    if standby == "only":
        _check_in_use(directory)
    else:
        with manager.starting():
            try:
                return await machine.start(config, sockets, is_behind_doors=is_behind_doors)
            except DirectoryInUse:
                if standby == "never":
                    raise
    if config.journal.postgres:
        raise StartError("a standby needs the journal in SQLite: leave journal.postgres empty")

    state = "standby"

    def on_state(not_ready: str) -> None:
        nonlocal state
        state = f"standby, not ready: {not_ready}" if not_ready else "standby, ready"
        manager.send_status(state)
        if not not_ready:
            print_ready("standby ready")

    print_ready(f"standby of={directory}")
    log.info("standby of=%s version=%s", directory, version())
    manager.send_ready(state)
    hangup.listen()
    taking_over = partial(manager.starting, "taking over")
    operator = Operator(on_state, lambda: hangup.has_come, taking_over)
    waiting = asyncio.create_task(machine.wait(config, operator), name="standby")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    watchdog = asyncio.create_task(
        sd_notify.run_watchdog(manager, lambda: True, lambda: state), name="service manager"
    )
    await asyncio.wait((waiting, stopping), return_when=asyncio.FIRST_COMPLETED)
    watchdog.cancel()
    if waiting.done():
        stopping.cancel()
        try:
            return waiting.result()
        except BeginAgain:
            log.info("running the program that is installed now")
            asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until that program can reload
            manager.send_watchdog()  # it is watched while it begins
            environment = {**os.environ, **manager.variables}
            command = [*own_program(), *sys.argv[1:]]
            os.execve(command[0], command, environment)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    return None


def _check_in_use(directory: Path) -> None:
    """StartError: no server uses the directory."""
    try:
        os.close(lock_directory(directory))
    except DirectoryInUse:
        return
    except FileNotFoundError:
        pass
    except OSError as exc:
        raise StartError(f"{directory} cannot be used: {exc.strerror}") from None
    raise StartError(f"no server uses {directory}: start the first one without --standby only")


def _register_restarts(app: App, stop: asyncio.Event, shut_down: Callable[[str], None]) -> None:
    """What `mudserver restart` asks for."""
    countdown = ShutdownCountdown(
        app.platform.clock, app.service.broadcast, partial(shut_down, "restart")
    )
    app.moderation.countdown = app.carrying.countdown = countdown
    countdown.go_on(app.carrying.ends_at_ms)
    handover = app.handover
    if handover is not None:
        handover.on_end = stop.set

    async def restart(in_s: float = 0.0, with_migration: bool = False, anyway: bool = False) -> str:
        if in_s == 0 and handover is not None and handover.has_standby:
            return await handover.run(with_migration=with_migration, anyway=anyway)
        return countdown.schedule(in_s)

    if app.evacuation is not None:
        app.evacuation.on_end = stop.set
    app.control.register("restart", restart)
    app.control.register("cancel_restart", countdown.cancel)


async def _end(app: App, *, may_hand_over: bool) -> None:
    """Hand over if a standby is ready; else say farewell.  The standby of a parent ends with it."""
    handover = app.handover
    if handover is not None:
        await handover.wait()  # half of it must not be taken for all or nothing
    if may_hand_over and handover is not None and handover.is_possible:
        with contextlib.suppress(UserError):  # it is in the log
            await handover.run(ends=True)
    if handover is not None and handover.is_over:
        await app.leave()
    elif app.evacuation is not None and app.evacuation.is_over:
        with contextlib.suppress(TimeoutError):  # whatever hangs, the others have it
            async with asyncio.timeout(LEAVE_S):
                await app.leave_others()
    else:
        await app.stop("The server closes for a moment. Your games are safe; come back soon.")
