"""The disk is full, and has room again: tables stop calmly, talk goes on, nothing is lost."""

from __future__ import annotations

import errno
import os
import re
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.running_game import (
    check_talk_goes_on,
    come_in_as_guest,
    play_until_it_stops,
    plays_of,
    running_game,
    wait_until_it_goes_on,
)
from tests.proofs.crash_run import CrashRun

ROOM_BYTES = 40_000  # that are left when the disk gets full
LOG_BYTES = 8_000
TMPFS_MIB = 8


class FileSizes:
    """No file of the server grows any more: EFBIG, without any right."""

    def __init__(self, crash_run: CrashRun) -> None:
        self._crash_run = crash_run

    def fill(self) -> None:
        """Soon there is no room."""
        sizes = [path.stat().st_size for path in self._crash_run.server.data.glob("journal.db*")]
        self._limit(max(sizes) + ROOM_BYTES)

    def refill(self) -> None:
        """Now there is none, but for a few lines of the log."""
        self._limit(len(self._crash_run.server.log_text()) + LOG_BYTES)

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size_bytes: int) -> None:
        process = self._crash_run.server.process
        assert process is not None
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size_bytes, hard))


class Tmpfs(FileSizes):
    """A small file system filled to its last byte: ENOSPC."""

    def fill(self) -> None:
        # How much is free, nobody can tell: the server writes, too.
        with (self._crash_run.server.data / "filler").open("ab", buffering=0) as filler:
            try:
                while filler.write(bytes(65_536)):
                    pass
            except OSError as exc:
                assert exc.errno == errno.ENOSPC

    refill = fill

    def free(self) -> None:
        (self._crash_run.server.data / "filler").unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[bool]:
    """The data directory on a file system of its own; False: this machine mounts none for us."""
    place = tmp_path / "data"
    place.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={TMPFS_MIB}m", "tmpfs", str(place))
    mounted = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True).returncode
    yield mounted
    if mounted:
        subprocess.run(("umount", "-l", str(place)), check=True)


def fill_and_free(crash_run: CrashRun, disk: FileSizes, times: int) -> None:
    crash_run.begin()
    try:
        guest = come_in_as_guest(crash_run)
        for _ in range(times):
            crash_run.play()
            disk.fill()
            play_until_it_stops(crash_run, disk.refill)
            check_talk_goes_on(crash_run, guest)
            disk.free()
            wait_until_it_goes_on(crash_run)
            kept = plays_of(crash_run) - crash_run.acknowledged  # nobody was told of that one
            assert kept in (0, 1)
            crash_run.acknowledged += kept
            crash_run.play()
            assert plays_of(crash_run) == crash_run.acknowledged
        assert 0 == crash_run.server.stop()
    finally:
        crash_run.server.kill()
    assert plays_of(crash_run) == crash_run.acknowledged
    log = crash_run.server.log_text()
    assert "Traceback" not in log and "table record not saved table=1" in log
    # A heartbeat may find room in the log that was emptied, and none the next time.
    found = re.findall(r"journal (write failed|writable again)", log)
    assert found == (["write failed", "writable again"] * len(found))[: len(found)]
    rows = log.count("\n")
    print(f"\nfull disk {type(disk).__name__} times={times} plays={crash_run.acknowledged} lost=0"
          f" log_lines={rows}")  # fmt: skip
    assert rows < 40 * times


def test_where_files_cannot_grow_the_table_stops_and_goes_on(tmp_path):
    crash_run = running_game(tmp_path)
    fill_and_free(crash_run, FileSizes(crash_run), times=1)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
def test_a_full_disk_stops_the_table_and_room_lets_it_go_on(tmp_path, small_disk, seed):
    crash_run = running_game(tmp_path, seed)
    fill_and_free(crash_run, Tmpfs(crash_run) if small_disk else FileSizes(crash_run), times=10)
