"""What every process that serves has: settings, log, limits, the ready line, an end by signals.

Rule 1: a process that `serve --split` has started ends with it, however that ends: the other end of
        its standard input is closed then.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from mudserver.cli.config import config_sources
from mudserver.clock import format_instant
from mudserver.config import load, schema
from mudserver.config.sources import ConfigSources
from mudserver.errors import ConfigError, StartError, UserError
from mudserver.logs import LogLineFormatter, LogRateFilter, LoopExceptionHandler
from mudserver.ops import file_limit, sd_notify
from mudserver.ops.control_socket import ControlSocket
from mudserver.version import version

PROGRAM = "mudserver"  # also the name of its package
INPUT = 0  # standard input
WITH_PARENT = "LOCKDOWN_WITH_PARENT"
"""What `serve --split` sets for its children.  It is no option: after an upgrade, or back from one,
they may be of a release that does not know it.  It does not begin like a setting, for the same
reason."""
NOT_WATCHED = f"{WITH_PARENT}: standard input must be a pipe, a socket or a terminal"
DETAILED = ("session", "wall")  # have lines that only `server.log = "debug"` shows


def prepare(options: argparse.Namespace) -> tuple[ConfigSources, schema.Config, LogLineFormatter]:
    """What every process that serves does first: settings, log, limit of open files."""
    version()  # look now: later there may be other files than those that run
    sources = config_sources(options)
    config = load.load(sources).config
    formatter = _log_formatter(config.server)
    _log_to_stderr(formatter)
    set_detail(formatter, config.server)
    file_limit.raise_limit()
    config = file_limit.fit(config)
    file_limit.check_limit(config)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the server can reload
    return sources, config, formatter


def own_program() -> list[str]:
    """The words that begin this program, in the version that is installed by then.

    The name by which it was begun may be a link that leads elsewhere after an upgrade, while
    `sys.executable` is the Python of one version.
    """
    begun = sys.argv[0]
    if os.path.isabs(begun) and os.path.basename(begun) == PROGRAM:
        return [begun]
    return [sys.executable, "-m", PROGRAM]


def _log_formatter(server: schema.ServerConfig) -> LogLineFormatter:
    """Log lines with the time; for journald with a priority instead: it adds the time."""
    is_journald = False
    with contextlib.suppress(OSError):  # there may be no standard error
        status = os.fstat(2)
        is_journald = os.environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"
    return LogLineFormatter(
        has_traces=server.log == "debug",
        is_json=server.log_format == "json",
        format_time=None if is_journald else format_instant,
        has_priority=is_journald,
    )


def set_detail(formatter: LogLineFormatter, server: schema.ServerConfig) -> None:
    """How much is logged, as `server.log` has it now."""
    formatter.has_traces = server.log == "debug"
    for name in DETAILED:
        logging.getLogger(name).setLevel(logging.DEBUG if formatter.has_traces else logging.INFO)


def _log_to_stderr(formatter: LogLineFormatter) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.raiseExceptions = False  # a log that nobody reads is no reason to stop
    # `LoopExceptionHandler` logs what asyncio would.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def print_ready(line: str) -> None:
    """Print the ready line; a closed standard output is no reason to stop."""
    try:
        print(line, flush=True)
    except OSError:  # replaced by /dev/null, or Python would complain again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def stop_on_signals(log: logging.Logger) -> tuple[asyncio.Event, Callable[[str], None]]:
    """What is set when the process has to end: by SIGTERM, SIGINT, or the function with a cause."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def shut_down(cause: str) -> None:
        log.info("shutting down cause=%s", cause)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, shut_down, number.name)
    return stop, shut_down


def end_with_parent(
    environment: Mapping[str, str], shut_down: Callable[[str], None]
) -> asyncio.Event:
    """Set when the parent is gone, after *shut_down* was called [rule 1].

    Args:
        environment: Whether there is one, as WITH_PARENT.

    Raises:
        ConfigError: Standard input is a file, which can't be watched.
    """
    loop, is_gone = asyncio.get_running_loop(), asyncio.Event()

    def look() -> None:
        try:
            data = os.read(INPUT, 4_096)
        except BlockingIOError:
            return
        except OSError:  # the terminal was closed; it would be ready to read for ever
            data = b""
        if not data:  # else somebody has typed something, which means nothing
            loop.remove_reader(INPUT)
            is_gone.set()
            shut_down("the parent has ended")

    if environment.get(WITH_PARENT):
        try:
            loop.add_reader(INPUT, look)
        except OSError:
            raise ConfigError(NOT_WATCHED) from None
    return is_gone


def bound_log(lines_max: int) -> LogRateFilter:
    """Bound the lines of the log, as `LogRateFilter` does, and log each error of the event loop."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(LoopExceptionHandler(loop.time))
    rate_filter = LogRateFilter(lines_max, loop.time)
    for handler in logging.getLogger().handlers:
        handler.addFilter(rate_filter)
    return rate_filter


class Reloadable(Protocol):
    """A process that serves, and applies other settings while it does."""

    config: schema.Config
    control: ControlSocket

    def reconfigure(self, new_config: schema.Config) -> list[str]:
        """A line for each change.  StartError: there was none."""


def read_again(sources: ConfigSources, log: logging.Logger) -> schema.Config:
    """The settings of now.  UserError: they cannot be used, and the log says why."""
    try:
        return file_limit.fit(load.load(sources).config)
    except StartError as exc:
        raise _not_reloaded(exc, log) from None


def _not_reloaded(exc: StartError, log: logging.Logger) -> UserError:
    log.error("reload failed, configuration unchanged error=%s", exc)
    return UserError("; ".join(exc.lines))


async def always() -> bool:
    return True


def offer_reload(
    server: Reloadable,
    sources: ConfigSources,
    formatter: LogLineFormatter,
    manager: sd_notify.ServiceManager,
    rate_filter: LogRateFilter,
    log: logging.Logger,
    *,
    is_due: bool = False,
    may_reload: Callable[[], Awaitable[bool]] = always,
) -> None:
    """Read the settings again at SIGHUP and at the verb `reload` of the control socket.

    Args:
        is_due: They have changed already.
        may_reload: Waits until it is known whether this process is still to do it at SIGHUP.
    """
    loop, waiting = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def reload() -> str:
        """Read all sources again; returns what changed.  UserError: nothing has."""
        with manager.reloading(loop.time()):
            config = read_again(sources, log)
            try:
                lines = server.reconfigure(config)
                file_limit.check_limit(server.config)
            except StartError as exc:
                raise _not_reloaded(exc, log) from None
        set_detail(formatter, server.config.server)
        rate_filter.reconfigure(server.config.server.log_lines_max)
        return "\n".join(lines)

    async def reload_if_possible() -> None:
        if await may_reload():
            with contextlib.suppress(UserError):  # it is in the log
                reload()

    def on_hangup() -> None:
        task = asyncio.ensure_future(reload_if_possible())
        waiting.add(task)
        task.add_done_callback(waiting.discard)

    server.control.register("reload", reload)
    loop.add_signal_handler(signal.SIGHUP, on_hangup)
    if is_due:
        on_hangup()
