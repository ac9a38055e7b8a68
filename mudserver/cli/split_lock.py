"""Waits for the children of a `serve --split` that was killed: they still say farewell.

Rule 1: DATA/split.lock is open in the parent and in all its children, so it is locked (flock) until
        the last of them has ended, in whatever order they do.
Rule 2: the parent alone holds a record lock on the same file, which no child inherits: by it a
        server that runs is told from one whose children are left.
Rule 3: a lock that cannot be had for another reason is no reason not to start: the game server,
        which begins next, says what is wrong with the directory.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
from pathlib import Path

from mudserver.data_directory import DirectoryInUse, open_lock_file
from mudserver.errors import StartError

LOCK_FILE = "split.lock"
WAIT_S = 15.0  # for children, which end within ten seconds
LOOK_S = 0.05

log = logging.getLogger("split")


async def hold(directory: Path) -> tuple[int, ...]:
    """What each child is to keep open, when those of a former server have ended; (): nothing is.

    Raises:
        DirectoryInUse: Another `serve --split` runs there.
        StartError: Children of a former one have not ended within WAIT_S.
    """
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        lock = open_lock_file(directory, LOCK_FILE)
    except OSError:
        return ()  # rule 3
    try:
        _lock_for_parent(lock, directory)
        await _lock_with_children(lock, directory)
    except BaseException:
        os.close(lock)
        raise
    return (lock,)


def _lock_for_parent(lock: int, directory: Path) -> None:
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise DirectoryInUse(directory) from None


async def _lock_with_children(lock: int, directory: Path) -> None:
    loop = asyncio.get_running_loop()
    began_s, is_told = loop.time(), False
    while not _try(lock):
        waited_s = loop.time() - began_s
        if waited_s > WAIT_S:
            raise StartError(
                f"{directory} is in use: processes of a server that was killed have not ended"
                f" within {WAIT_S:.0f} s"
            )
        if not is_told:
            is_told = True
            log.info("waiting for processes of a server that was killed data=%s at_most_s=%.0f",
                     directory, WAIT_S)  # fmt: skip
        await asyncio.sleep(LOOK_S)
    if is_told:
        log.info("they have ended waited_s=%.1f", loop.time() - began_s)


def _try(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks [rule 3]
    return True
