"""Memory, files and CPU time of this process, from the kernel.

Rule 1: a figure that is not available (no /proc) is 0, never an exception.
"""

from __future__ import annotations

import os
import resource


def resident_bytes() -> int:
    """Resident memory of this process, without its children."""
    try:
        with open("/proc/self/statm", "rb") as figures:
            return int(figures.read(128).split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def open_files() -> int:
    try:
        return len(os.listdir("/proc/self/fd")) - 1  # without the one that lists the directory
    except OSError:
        return 0


def open_files_max() -> int:
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def cpu_s() -> float:
    """User and system time of the process since its start."""
    spent = os.times()
    return spent.user + spent.system
