"""The limit of open files (RLIMIT_NOFILE): raised at the start, compared with the configuration.

Rule 1: the soft limit, usually 1,024, is raised to the hard one, or to FILES_MAX if that is less.
Rule 2: one log line says when the limit cannot hold all the sessions that the configuration allows.
"""

from __future__ import annotations

import logging
import resource

from mudserver.config import schema

FILES_MAX = 65_536  # open at once; a higher limit only makes the kernel's table larger
OWN_FILES = 64  # of the server itself: journal, listeners, computer players, operators, a backup

log = logging.getLogger("mudserver")


def raise_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft = FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def check_limit(config: schema.Config) -> None:
    """Log a warning if connections would be refused before `sessions_max` is reached."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    sessions_max = config.people.sessions_max
    needed = sessions_max + config.door.waiting_max + OWN_FILES
    if limit < needed:
        log.warning("open files limit too low limit=%s needed=%s sessions_max=%s",
                    limit, needed, sessions_max)  # fmt: skip
