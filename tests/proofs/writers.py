"""Who may write to a data directory, seen from outside: what the kernel says of locks.

Rule 1: at most one process has the lock of the directory, whichever file had its name; and at most
        one has the journal's file open for writing, which then has the lock, too.  A process that
        the kernel is ending writes no more.
Rule 2: nothing is locked or opened by who looks.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mudserver.data_directory import LOCK_FILE
from mudserver.journal.sqlite.journal import JOURNAL_FILE

LOOK_S = 0.002
LOCKED = re.compile(rb"(?m)^\d+: (FLOCK|POSIX) +\w+ +WRITE (-?\d+) \w+:\w+:(\d+) ")
ENDING = 0x4  # PF_EXITING of Linux


def is_ending(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return True
    return state[0] in "ZX" or bool(int(state[6]) & ENDING)


class Writers(threading.Thread):
    """Attributes:
    looks: So many.
    holders: The processes that had the lock, in their order; one that got it back is there again.
    wrong: What was seen against rule 1.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(daemon=True)
        self._directory, self._is_over = directory, threading.Event()
        self._inodes: dict[str, set[int]] = {LOCK_FILE: set(), JOURNAL_FILE: set()}
        self.looks, self.holders, self.wrong = 0, list[int](), list[str]()

    def run(self) -> None:
        while not self._is_over.wait(LOOK_S):
            self.look()

    def stop(self) -> None:
        self._is_over.set()
        self.join()

    def look(self) -> None:
        for name, inodes in self._inodes.items():
            with suppress(OSError):  # it is not there yet
                inodes.add((self._directory / name).stat().st_ino)
        said = Path("/proc/locks").read_bytes()
        self.looks += 1
        found = [(kind, int(pid), int(inode)) for kind, pid, inode in LOCKED.findall(said)]
        locked = self._held(found, b"FLOCK", LOCK_FILE)
        writing = {pid for pid, _ in self._held(found, b"POSIX", JOURNAL_FILE)}
        holders = {pid for pid, _ in locked}
        if len(locked) > 1 or len(writing) > 1 or not writing <= holders:
            living = {pid for pid in holders | writing if not is_ending(pid)}
            if len(locked) > 1 or len(living) > 1 or not writing & living <= holders:
                self.wrong.append(f"lock={sorted(locked)} journal={sorted(writing)}")
        for pid in holders:
            if self.holders[-1:] != [pid]:
                self.holders.append(pid)

    def _held(self, found: list[tuple[bytes, int, int]], kind: bytes, name: str):
        """Processes, and the files that they have locked."""
        inodes = self._inodes[name]
        return {(pid, inode) for each, pid, inode in found if each == kind and inode in inodes}


@contextmanager
def one_writer(directory: Path) -> Iterator[Writers]:
    """Watch the data directory meanwhile."""
    watch = Writers(directory)
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()
    assert [] == watch.wrong
    assert watch.looks and watch.holders
