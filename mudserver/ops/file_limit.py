"""The limit of open files (RLIMIT_NOFILE): raised at the start, compared with the configuration.

Rule 1: the soft limit, usually 1,024, is raised to the hard one, or to FILES_MAX if that is less.
Rule 2: one log line says when the limit cannot hold all the sessions that the configuration allows.
Rule 3: connections that have not logged in are at most half as many as files, those that wait for
        their turn a quarter; both together take WAITING_BYTES_MAX + QUEUED_BYTES_MAX of memory at
        most, 64 MiB.  A log line says so where the configuration allows more.
"""

from __future__ import annotations

import logging
import resource

from msgspec.structs import replace

from mudserver.config import schema

FILES_MAX = 65_536  # open at once; a higher limit only makes the kernel's table larger
OWN_FILES = 64  # of the server itself: journal, listeners, computer players, operators, a backup
WAITING_BYTES, WAITING_BYTES_MAX = 32_768, 48 * 1_048_576  # measured over SSH: 22 KiB each
QUEUED_BYTES, QUEUED_BYTES_MAX = 8_192, 16 * 1_048_576  # measured: 5 KiB each
LEAVING = 100  # connections that were refused and have not read why (`transport/arrivals.py`)

log = logging.getLogger("mudserver")


def raise_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def fit(config: schema.Config) -> schema.Config:
    """The configuration with as many connections before login as files and memory allow."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    door = config.door
    waiting_max = min(door.waiting_max, files // 2, WAITING_BYTES_MAX // WAITING_BYTES)
    queue_max = min(door.queue_max, files // 4, QUEUED_BYTES_MAX // QUEUED_BYTES)
    if (waiting_max, queue_max) != (door.waiting_max, door.queue_max):
        log.warning("fewer connections before login waiting_max=%s queue_max=%s open_files=%s",
                    waiting_max, queue_max, files)  # fmt: skip
    return replace(config, door=replace(door, waiting_max=waiting_max, queue_max=queue_max))


def check_limit(config: schema.Config) -> None:
    """Log a warning if connections would be refused before `sessions_max` is reached."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    sessions_max = config.people.sessions_max  # of them some have not logged in
    needed = sessions_max + LEAVING + OWN_FILES
    if limit < needed:
        log.warning("open files limit too low limit=%s needed=%s sessions_max=%s",
                    limit, needed, sessions_max)  # fmt: skip
