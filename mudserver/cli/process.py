"""What every process that serves does first and says when it is ready: settings, log, limits."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys

from mudserver.cli.config import config_sources
from mudserver.clock import format_instant
from mudserver.config import load, schema
from mudserver.config.sources import ConfigSources
from mudserver.logs import LogLineFormatter
from mudserver.ops import file_limit
from mudserver.version import version


def prepare(options: argparse.Namespace) -> tuple[ConfigSources, schema.Config, LogLineFormatter]:
    """What every process that serves does first: settings, log, limit of open files."""
    version()  # look now: later there may be other files than those that run
    sources = config_sources(options)
    config = load.load(sources).config
    formatter = _log_formatter(config.server)
    _log_to_stderr(formatter)
    file_limit.raise_limit()
    config = file_limit.fit(config)
    file_limit.check_limit(config)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the server can reload
    return sources, config, formatter


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
